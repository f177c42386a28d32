import assert from "node:assert/strict";
import { test } from "node:test";
import { useApp } from "../app.mjs";
import { axeViolations, hydrated, newPage } from "../browser.mjs";

const question = "What does the enhanced vegetation index record?";

const app = useApp();

/** Asks in the box on top and waits for the page that shows the round beside the cards. */
async function ask(page, text = question) {
  await page.goto(app.url);
  await page.getByRole("searchbox").fill(text);
  await page.getByRole("search").getByRole("button", { name: "Ask" }).click();
  await page.waitForURL(/[?&]round=/);
}

async function answered(page) {
  await page.locator(".answer:not(.drafting)").waitFor();
}

/** Until the server has kept what a form of the page sends. */
async function save(page, form) {
  const kept = page.waitForResponse((response) => response.request().method() === "POST");
  await form.getByRole("button", { name: "Save" }).click();
  await kept;
}

/** Comes back to the page without what the browser remembers of its forms. */
async function comeBack(page) {
  const address = page.url().split("#")[0];
  await page.goto("about:blank");
  await page.goto(address);
}

async function history(page) {
  const tab = await page.context().newPage();
  await tab.goto(`${app.url}/history`);
  const lines = await tab.locator(".conversations li").allInnerTexts();
  await tab.close();
  return lines;
}

test("a question is answered above the cards of the same search, and its citations light them", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await hydrated(page);
  await answered(page);
  assert.equal(await page.getByRole("searchbox").inputValue(), question);
  assert.ok((await page.locator(".results .card").count()) > 0);
  await page.getByText(/^Answered in /).waitFor();

  const cites = await page.locator(".answer .cite").all();
  assert.ok(cites.length > 0);
  let lit = 0;
  for (const cite of cites) {
    const target = page.locator(await cite.getAttribute("href"));
    await target.waitFor();
    await cite.focus();
    if ((await target.getAttribute("class"))?.includes("card")) {
      await page.locator(`${await cite.getAttribute("href")}.lit`).waitFor();
      lit += 1;
    }
  }
  assert.ok(lit > 0, "no cited element is among the cards");
  assert.ok((await page.locator(".quotes blockquote").count()) > 0, "what it rests on is quoted");
  assert.deepEqual(page.problems, []);
});

test("loading the page anew asks nothing, and another filter leaves the answer behind", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await answered(page);
  const answer = await page.locator(".answer").innerText();
  await page.reload();
  await answered(page);
  assert.equal(await page.locator(".answer").innerText(), answer);
  const lines = await history(page);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /1 question\b/);

  await hydrated(page);
  await page.locator(".filters input[name=kind]").first().check();
  await page.waitForURL(/kind=/);
  await page.locator(".answer").waitFor({ state: "detached" });
  assert.doesNotMatch(page.url(), /round=/);
  await page.goBack();
  await answered(page);
  assert.deepEqual(page.problems, []);
});

test("the trace tells stages, methods, fusion and the checked draft", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await hydrated(page);
  await answered(page);
  await page.getByText(/^Trace: /).click();
  const stages = await page.locator(".trace tbody th[scope=row]").allInnerTexts();
  for (const stage of ["memory", "routing", "retrieval", "fusion", "generation", "validation"]) {
    assert.ok(stages.some((name) => name.startsWith(stage)), `${stage} is not among ${stages.join()}`);
  }
  for (const title of ["What each method brought", "How the lists were joined", "Drafts and their checks"]) {
    assert.equal(await page.getByRole("heading", { name: title }).isVisible(), true, title);
  }
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

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "in place" : "without JavaScript";

  test(`feedback is kept, shown again and changed, ${how}`, async () => {
    const page = await newPage(app.browser, { javaScriptEnabled });
    await ask(page);
    if (javaScriptEnabled) await hydrated(page);
    await answered(page);
    const form = page.locator("form.feedback");
    const thumbs = (value) => form.locator(`input[name=thumbs][value=${value}]`);
    await thumbs("up").check();
    await form.getByText("Rate it in detail").click();
    await form.getByLabel("Trust").selectOption("4");
    await form.getByLabel("Comment").fill('clear & <b>"short"</b>');
    await save(page, form);
    await form.getByText(javaScriptEnabled ? /^Saved\./ : /^Kept\./).waitFor();

    await comeBack(page);
    assert.equal(await thumbs("up").isChecked(), true);
    assert.equal(await form.getByLabel("Trust").inputValue(), "4");
    assert.equal(await form.getByLabel("Clarity").inputValue(), "");
    assert.equal(await form.getByLabel("Comment").inputValue(), 'clear & <b>"short"</b>');

    if (javaScriptEnabled) await hydrated(page);
    await thumbs("down").check();
    await form.getByLabel("Trust").selectOption("");
    await save(page, form);
    await comeBack(page);
    assert.equal(await thumbs("down").isChecked(), true);
    assert.equal(await form.getByLabel("Trust").inputValue(), "");
    assert.deepEqual(page.problems, []);
  });

  test(`a follow-up goes on with the conversation, which history keeps, ${how}`, async () => {
    const page = await newPage(app.browser, { javaScriptEnabled });
    await page.goto(`${app.url}/history`);
    await page.getByText("Nothing was asked here yet.").waitFor();
    await ask(page);
    if (javaScriptEnabled) await hydrated(page);
    await answered(page);
    const first = page.url();
    await page.getByLabel("Ask a follow-up").fill("Which period does it cover?");
    await page.locator(".ask-form", { has: page.getByLabel("Ask a follow-up") }).getByRole("button", { name: "Ask" }).click();
    await page.waitForURL((url) => url.href !== first && url.searchParams.has("round"));
    await answered(page);

    await page.getByRole("link", { name: "History" }).click();
    const line = page.locator(".conversations li");
    await line.getByText("2 questions").waitFor();
    assert.equal(await line.count(), 1);
    await line.getByRole("link", { name: question }).click();
    await page.locator(".told > li").nth(1).waitFor();
    assert.deepEqual(await page.locator(".told h2").allInnerTexts(), [question, "Which period does it cover?"]);
    await page.locator(".told h2 a").first().click();
    await page.getByRole("heading", { level: 1, name: question }).waitFor();
    assert.deepEqual(page.problems, []);
  });
}

test("a shared link shows the answer to others, without what only its owner may do", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await answered(page);
  const shared = await page.getByRole("link", { name: "Copy share link" }).getAttribute("href");
  const answer = await page.locator(".answer").innerText();

  const visitor = await newPage(app.browser);
  await visitor.goto(`${app.url}${shared}`);
  await hydrated(visitor);
  assert.equal(await visitor.locator(".answer").innerText(), answer);
  assert.equal(await visitor.locator("form.feedback").count(), 0);
  assert.equal(await visitor.getByLabel("Ask a follow-up").count(), 0);
  assert.deepEqual(visitor.problems, []);
  const reply = await visitor.goto(`${app.url}${shared.split("?")[0]}`);
  assert.equal(reply.status(), 404, "without its key it is nobody else's");
});

test("without JavaScript a question is asked, answered, and kept at its address", async () => {
  const page = await newPage(app.browser, { javaScriptEnabled: false });
  await ask(page);
  await answered(page);
  const answer = await page.locator(".answer").innerText();
  await page.getByRole("link", { name: "Open by itself" }).click();
  await page.getByRole("heading", { level: 1, name: question }).waitFor();
  assert.equal(await page.locator(".answer").innerText(), answer);
  assert.ok((await page.locator(".card").count()) > 0);
  for (const cite of await page.locator(".answer .cite").all()) {
    assert.match(await cite.getAttribute("href"), /^#card-\d+$/);
  }
  assert.deepEqual(page.problems, []);
});

test("the pages of rounds fit every screen and please axe", async () => {
  const page = await newPage(app.browser);
  await ask(page);
  await answered(page);
  const beside = page.url();
  const alone = new URL(await page.getByRole("link", { name: "Open by itself" }).getAttribute("href"), app.url).href;
  await page.goto(`${app.url}/history`);
  const conversation = new URL(await page.locator(".conversations a").first().getAttribute("href"), app.url).href;
  for (const address of [beside, alone, `${app.url}/history`, conversation]) {
    await page.goto(address);
    await hydrated(page);
    for (const summary of await page.locator(".round-main summary, .answer-panel summary").all()) {
      if (await summary.isVisible()) await summary.click();
    }
    for (const [width, colorScheme] of [[360, "light"], [1440, "light"], [1440, "dark"]]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await axeViolations(page), [], `${address} at ${width}, ${colorScheme}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${address} is ${wide} px wide at ${width}`);
    }
  }
  assert.deepEqual(page.problems, []);
});
