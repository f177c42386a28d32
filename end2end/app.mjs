// The program and a browser for all tests of a file.
import { after, before } from "node:test";
import { launchBrowser } from "./browser.mjs";
import { startServer } from "./server.mjs";

/**
 * Starts both before the tests and stops them after. Returns `{ url, browser }`, filled by then. `prepare` gets it once both run:
 * hooks of a file do not wait for each other.
 */
export function useApp(prepare = async () => {}) {
  const app = {};
  let server;

  before(async () => {
    server = await startServer();
    app.url = server.url;
    app.browser = await launchBrowser();
    await prepare(app);
  });

  after(async () => {
    await app.browser?.close();
    await server?.stop();
  });

  return app;
}
