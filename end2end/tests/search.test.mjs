import assert from "node:assert/strict";
import { test } from "node:test";
import { useApp } from "../app.mjs";
import { hydrated, newPage } from "../browser.mjs";

const app = useApp();

async function open(path, options) {
  const page = await newPage(app.browser, options);
  await page.goto(`${app.url}${path}`);
  if (options?.javaScriptEnabled !== false) await hydrated(page);
  return page;
}

const search = (page) => new URL(page.url()).searchParams;

test("from the box to a filter, the next page, an element, and all the way back", async () => {
  const page = await open("/");
  await page.getByRole("searchbox").fill("land");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL(/q=land/);
  const cards = page.locator(".card");
  await cards.nth(1).waitFor();
  const before = await page.locator(".total h2").innerText();

  await page.locator(".filters").getByLabel(/^dataset/).check();
  await page.waitForURL(/kind=dataset/);
  await page.getByRole("link", { name: "Remove kind: dataset" }).waitFor();
  for (const kind of await cards.locator(".kind").allInnerTexts()) assert.equal(kind.trim(), "dataset");

  await page.getByRole("link", { name: "Remove kind: dataset" }).click();
  await page.waitForFunction((total) => document.querySelector(".total h2")?.textContent === total, before);
  assert.equal(search(page).get("kind"), null);
  assert.equal(await page.locator(".filters").getByLabel(/^dataset/).isChecked(), false);

  await page.getByRole("link", { name: "Next page" }).click();
  await page.waitForURL(/cursor=/);
  await page.locator("#card-21").waitFor();
  const title = await page.locator("#card-21 h3").innerText();
  await page.locator("#card-21 h3 a").click();
  await page.waitForURL(/\/elements\//);
  assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), title);

  await page.goBack();
  await page.locator("#card-21").waitFor();
  await page.goBack();
  await page.locator("#card-1").waitFor();
  assert.deepEqual([...search(page).keys()], ["q"]);
  assert.deepEqual(page.problems, []);
});

test("a box drawn on the map becomes the area of the search, is edited, and goes again", async () => {
  const page = await open("/?q=land+cover", { viewport: { width: 1440, height: 900 } });
  const map = page.locator(".map-board.ready");
  await map.waitFor();
  await page.getByRole("button", { name: "Draw Rectangle" }).click();
  const { x, y, width, height } = await map.boundingBox();
  await page.mouse.click(x + width * 0.4, y + height * 0.4);
  await page.mouse.move(x + width * 0.6, y + height * 0.5, { steps: 5 });
  await page.mouse.click(x + width * 0.7, y + height * 0.6);
  await page.waitForURL(/bbox=/);
  const [west, south, east, north] = search(page).get("bbox").split(",").map(Number);
  assert.ok(west < east && south < north, search(page).get("bbox"));
  await page.getByRole("link", { name: /^Remove in / }).waitFor();
  await page.locator(".map-board path.asked").waitFor();
  assert.equal(await page.locator(".edges").getByLabel("West", { exact: true }).inputValue(), String(west), "the field of the form says the same");

  await page.getByRole("button", { name: "Search this area" }).click();
  await page.waitForFunction((before) => !location.search.includes(encodeURIComponent(before)), String(west));
  assert.ok(search(page).get("bbox"));

  await page.getByRole("link", { name: /^Remove in / }).click();
  await page.waitForURL((url) => !url.searchParams.has("bbox"));
  await page.locator(".map-board path.asked").waitFor({ state: "detached" });
  assert.deepEqual(page.problems, []);
});

test("a GeoJSON file becomes the area, and a wrong file is told why", async () => {
  const page = await open("/?q=water", { viewport: { width: 1440, height: 900 } });
  const input = page.locator("input[type=file]");
  await page.locator(".map-board.ready").waitFor();
  await input.setInputFiles({ name: "table.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\n1,2\n") });
  await page.getByText("This file is not GeoJSON").waitFor();
  const geometry = { type: "Polygon", coordinates: [[[20, -10], [40, -10], [40, 10], [20, 10], [20, -10]]] };
  const file = JSON.stringify({ type: "Feature", properties: {}, geometry });
  await input.setInputFiles({ name: "area.geojson", mimeType: "application/geo+json", buffer: Buffer.from(file) });
  await page.waitForURL(/geometry=/);
  assert.deepEqual(JSON.parse(search(page).get("geometry")), geometry);
  await page.getByRole("link", { name: "Remove in a drawn area" }).waitFor();
  assert.deepEqual(page.problems, []);
});

test("card and footprint light each other", async () => {
  const page = await open("/?q=glaciers&kind=dataset", { viewport: { width: 1440, height: 900 } });
  await page.locator(".map-board.ready").waitFor();
  const footprint = page.locator(".map-board .pin.fp").first();
  await footprint.waitFor();
  const number = await footprint.innerText();
  await page.locator(`#card-${number}`).hover();
  await page.locator(`.map-board .pin.fp-${number}.lit`).waitFor();
  await footprint.hover({ force: true });
  await page.locator(".card.lit").waitFor();
  assert.deepEqual(page.problems, []);
});

test("a box over the antimeridian is drawn as one box east of it", async () => {
  const page = await open("/?bbox=170,-25,-170,0", { viewport: { width: 1440, height: 900 } });
  await page.locator(".map-board path.asked").waitFor();
  const [asked, map] = await Promise.all([page.locator(".map-board path.asked").boundingBox(), page.locator(".map-board").boundingBox()]);
  assert.ok(asked.width > map.width * 0.4, "twenty degrees fill the map, not three hundred and forty");
  assert.deepEqual(page.problems, []);
});

test("without JavaScript a search has cards, filters, chips, pages and the map as a drawing", async () => {
  const page = await open("/", { javaScriptEnabled: false });
  await page.getByRole("searchbox").fill("land");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  assert.ok((await page.locator(".card").count()) > 1);
  assert.ok((await page.locator(".map-still svg.world .mark").count()) > 0);

  await page.locator(".filters").getByLabel(/^dataset/).check();
  await page.getByLabel("From").fill("2001");
  await page.getByRole("button", { name: "Apply filters" }).click();
  await page.getByRole("link", { name: "Remove since 2001" }).click();
  await page.getByRole("link", { name: "Remove kind: dataset" }).waitFor();
  assert.equal(search(page).get("datetime"), null);

  await page.getByRole("link", { name: "Remove kind: dataset" }).click();
  await page.getByRole("link", { name: "Next page" }).click();
  await page.locator("#card-21 h3 a").click();
  assert.match(new URL(page.url()).pathname, /^\/elements\//);
  assert.deepEqual(page.problems, []);
});

test("a search that cannot be run says why and keeps what was typed", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await newPage(app.browser, { javaScriptEnabled });
    const reply = await page.goto(`${app.url}/?q=ice&from=2020&to=2010`);
    assert.equal(reply.status(), 400);
    await page.getByText("is after the end").waitFor();
    assert.equal(await page.getByLabel("From").inputValue(), "2020");
  }
});

test("nothing found names the filter in the way and lifts it", async () => {
  const page = await open("/?q=vegetation&contributor=Nobody+of+this+name");
  await page.getByRole("heading", { name: "Nothing fits all of this" }).waitFor();
  await page.getByRole("link", { name: "Lift the contributor filter" }).click();
  await page.locator(".card").first().waitFor();
  assert.equal(search(page).get("contributor"), null);
  assert.deepEqual(page.problems, []);
});

test("an address that leads nowhere is a 404 with ways out", async () => {
  for (const path of ["/elements/there-is-none", "/nowhere", "/rounds/there-is-none"]) {
    const page = await newPage(app.browser, { javaScriptEnabled: false });
    const reply = await page.goto(`${app.url}${path}`);
    assert.equal(reply.status(), 404, path);
    assert.ok((await page.locator("main a").count()) > 0, path);
  }
});

test("the keyboard reaches the content first, then the box, and a filter without a mouse", async () => {
  const page = await open("/?q=snow");
  await page.keyboard.press("Tab");
  assert.equal(await page.locator(":focus").innerText(), "Skip to the content");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
  await page.locator(".filters").getByLabel(/^dataset/).focus();
  await page.keyboard.press("Space");
  await page.waitForURL(/kind=dataset/);
  assert.deepEqual(page.problems, []);
});
