// The real `cairn` program on a free port, with an empty data folder of its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const repository = path.resolve(import.meta.dirname, "..");
const program = process.env.CAIRN_PROGRAM ?? path.join(repository, "target/release/cairn");
const readyWithinMs = 120_000;
const stopsWithinMs = 15_000;

/**
 * Starts the server and waits until it is ready. Returns `{ url, stop, log }`.
 * With CAIRN_URL set, the server that runs there is used instead.
 */
export async function startServer({ env = {}, args = [] } = {}) {
  if (process.env.CAIRN_URL) return { url: process.env.CAIRN_URL, stop: async () => {}, log: () => "" };

  const data = await mkdtemp(path.join(tmpdir(), "cairn-end2end-"));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn(program, ["serve", "--addr", `127.0.0.1:${port}`, "--data", data, ...args], {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  server.stdout.on("data", (text) => (output += text));
  server.stderr.on("data", (text) => (output += text));
  const exited = new Promise((resolve) => {
    server.on("exit", (code, signal) => resolve(`exited with ${signal ?? code}`));
    server.on("error", (error) => resolve(`did not start: ${error.message}`));
  });

  const stop = async () => {
    server.kill("SIGTERM");
    const end = await Promise.race([exited, sleep(stopsWithinMs, undefined, { ref: false })]);
    if (end === undefined) {
      server.kill("SIGKILL");
      await exited;
    }
    await rm(data, { recursive: true, force: true });
    if (end === undefined) throw new Error(`the server did not stop within ${stopsWithinMs} ms of SIGTERM:\n${output}`);
  };

  const problem = await Promise.race([exited, becomesReady(url)]);
  if (problem) {
    await stop().catch(() => {});
    throw new Error(`${program} ${problem}:\n${output}`);
  }
  return { url, stop, log: () => output };
}

async function becomesReady(url) {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return undefined;
    await sleep(100, undefined, { ref: false });
  }
  return `was not ready within ${readyWithinMs} ms`;
}

async function freePort() {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address();
  listener.close();
  await once(listener, "close");
  return port;
}
