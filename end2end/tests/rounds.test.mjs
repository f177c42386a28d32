import assert from "node:assert/strict";
import { test } from "node:test";
import { useApp } from "../app.mjs";
import { hydrated, newPage } from "../browser.mjs";

const question = "What does the enhanced vegetation index record?";

const app = useApp();

async function ask(page) {
  await page.goto(app.url);
  await page.getByRole("searchbox").fill(question);
  await page.getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/\/rounds\//);
}

test("a question gets an answer whose citations lead to cards, and a trace", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await hydrated(page);
  await page.locator(".answer:not(.working)").waitFor();
  const cite = page.locator(".answer .cite").first();
  await cite.waitFor();
  const card = page.locator(await cite.getAttribute("href"));
  await cite.hover();
  assert.match(await card.getAttribute("class"), /lit/);
  assert.ok((await page.locator(".quotes blockquote").count()) > 0, "what it rests on is quoted");

  await page.getByText(/^Trace: /).click();
  await page.locator(".trace tbody tr").first().waitFor();
  const stages = await page.locator(".trace tbody th[scope=row]").allInnerTexts();
  for (const stage of ["routing", "retrieval", "fusion"]) assert.ok(stages.some((name) => name.startsWith(stage)), stages.join());
  assert.deepEqual(page.problems, []);
});

test("every quoted sentence stands in the element it cites", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await page.locator(".quotes li").first().waitFor();
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu).join(" ");
  for (const line of await page.locator(".quotes li").all()) {
    const quote = await line.locator("blockquote").innerText();
    const element = await fetch(`${app.url}/api/v1${await line.locator("a").getAttribute("href")}`).then((reply) => reply.json());
    assert.ok(words(JSON.stringify(element)).includes(words(quote)), quote);
  }
});

test("without JavaScript a question is asked, answered, and kept at its address", async () => {
  const page = await newPage(app.browser, { javaScriptEnabled: false });
  await ask(page);
  await page.locator(".answer:not(.working)").waitFor();
  const answer = await page.locator(".answer").innerText();
  const visitor = await newPage(app.browser, { javaScriptEnabled: false });
  await visitor.goto(page.url());
  assert.equal(await visitor.locator(".answer").innerText(), answer);
  assert.ok((await visitor.locator(".card").count()) > 0);
  assert.deepEqual(page.problems, []);
});
