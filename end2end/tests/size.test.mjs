import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { brotliCompressSync } from "node:zlib";

const budgetKilobytes = 450;

test("what a visitor's browser downloads to hydrate stays within its budget", () => {
  const wasm = readFileSync(path.resolve(import.meta.dirname, "../../target/site/pkg/cairn.wasm"));
  const kilobytes = Math.round(brotliCompressSync(wasm).length / 1000);
  assert.ok(kilobytes <= budgetKilobytes, `${kilobytes} kB compressed, ${budgetKilobytes} kB allowed`);
});
