import assert from "node:assert/strict";
import { test } from "node:test";
import { useApp } from "../app.mjs";
import { axeViolations, hydrated, newPage } from "../browser.mjs";

const searches = ["/", "/?q=vegetation", "/?q=vegetation&kind=dataset&from=2001&place=Georgia", "/?q=vegetation&contributor=Nobody+of+this+name", "/?q=a&from=soon"];
const others = ["/about", "/history", "/nowhere"];

let paths;
const app = useApp(async (app) => {
  const page = await newPage(app.browser);
  await page.goto(`${app.url}/?q=vegetation`);
  const element = await page.locator(".card h3 a").first().getAttribute("href");
  await page.getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/[?&]round=/);
  await page.locator(".answer:not(.drafting)").waitFor();
  const shared = await page.getByRole("link", { name: "Copy share link" }).getAttribute("href");
  paths = [...searches, ...others, element, shared];
});

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing on any page, ${colorScheme}`, async () => {
    for (const path of paths) {
      const page = await newPage(app.browser, { colorScheme, viewport: { width: 1440, height: 900 } });
      await page.goto(`${app.url}${path}`);
      await hydrated(page);
      if (await page.locator(".map-board").count()) await page.locator(".map-board.ready").waitFor();
      for (const summary of await page.locator(".trace > summary, .map-words > summary, .methods > summary").all()) await summary.click();
      assert.deepEqual(await axeViolations(page), [], path);
      await page.context().close();
    }
  });
}

test("nothing is wider than a small phone", async () => {
  for (const path of paths) {
    const page = await newPage(app.browser, { viewport: { width: 360, height: 740 } });
    await page.goto(`${app.url}${path}`);
    await hydrated(page);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 360, `${path} is ${width} px wide`);
    await page.context().close();
  }
});

test("on a phone filters and map are sheets behind two buttons, without JavaScript too", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await newPage(app.browser, { javaScriptEnabled, viewport: { width: 360, height: 740 } });
    await page.goto(`${app.url}/?q=vegetation`);
    assert.equal(await page.locator("#filters").isVisible(), false);
    await page.getByRole("button", { name: "Filters" }).click();
    assert.equal(await page.getByLabel("Name of a place").isVisible(), true);
    await page.locator("#filters").getByRole("button", { name: "Show results" }).click();
    await page.getByRole("button", { name: "Map" }).click();
    assert.equal(await page.locator("#map-sheet").isVisible(), true);
    await page.context().close();
  }
});
