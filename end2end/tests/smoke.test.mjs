import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeViolations, hydrated, launchBrowser, newPage } from "../browser.mjs";
import { startServer } from "../server.mjs";

let server;
let browser;

before(async () => {
  server = await startServer();
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("the first page hydrates, without errors and for everyone", async () => {
  const page = await newPage(browser);
  await page.goto(server.url);
  await hydrated(page);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(await axeViolations(page), []);
});

test("the first page can be read without JavaScript", async () => {
  const page = await newPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url);
  assert.notEqual((await page.locator("main").innerText()).trim(), "");
  assert.deepEqual(page.problems, []);
});
