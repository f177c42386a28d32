// The program and a browser for all tests of a file.
import { after, before } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { startServer } from "./server.mjs";

/** Starts both before the tests and stops them after. Returns `{ url, browser }`, filled by then. */
export function useApp() {
  const app = {};
  let server;

  before(async () => {
    server = await startServer();
    app.url = server.url;
    app.browser = await launchBrowser();
  });

  after(async () => {
    await app.browser?.close();
    await server?.stop();
  });

  return app;
}
