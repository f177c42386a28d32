import assert from "node:assert/strict";
import { test } from "node:test";
import { useApp } from "../app.mjs";
import { axeViolations, hydrated, newPage } from "../browser.mjs";

const app = useApp();

test("the first page hydrates, without errors and for everyone", async () => {
  const page = await newPage(app.browser);
  await page.goto(app.url);
  await hydrated(page);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await axeViolations(page), []);
});

test("the first page can be read without JavaScript", async () => {
  const page = await newPage(app.browser, { javaScriptEnabled: false });
  await page.goto(app.url);
  assert.notEqual((await page.locator("main").innerText()).trim(), "");
  assert.deepEqual(page.problems, []);
});
