// A model on its way is in sight.

import { createReadStream, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join } from "node:path";
import { Transform } from "node:stream";
import { test } from "node:test";
import { home, repository, shop, skip, whyrankDesktop } from "../support.mjs";
import { contentOf, installed, photograph, sizes, testId } from "./screen.mjs";
import { openWindow, startDisplay, until } from "./webdriver.mjs";

/** A hub that has the files of `folder` and sends them slowly, until it is told to go on. */
async function slowHub(t, folder) {
  const hub = { isSlow: true };
  const server = createServer((request, response) => {
    const path = join(folder, basename(request.url));
    if (!existsSync(path)) return response.writeHead(404).end();
    const size = statSync(path).size;
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0);
    const part = { "content-length": size - from, "content-range": `bytes ${from}-${size - 1}/${size}` };
    response.writeHead(206, part);
    const brake = new Transform({
      transform: (bytes, _, done) => setTimeout(() => done(null, bytes), hub.isSlow ? 20 : 0),
    });
    createReadStream(path, { start: from }).pipe(brake).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.closeAllConnections() || server.close());
  hub.url = `http://127.0.0.1:${server.address().port}`;
  return hub;
}

test("a model that is downloaded is in sight", async (t) => {
  const missing = ["Xvfb", "WebKitWebDriver"].find((program) => !installed(program));
  if (missing) return skip(t, `${missing} is not installed`);
  const model = process.env.WHYRANK_TEST_MODEL;
  if (!model) return skip(t, "no model is installed");
  const hub = await slowHub(t, model);
  const own = home(t);
  mkdirSync(join(own, "config"));
  writeFileSync(join(own, "config/config.toml"), `model-hub = "${hub.url}"\n`);
  const env = { DISPLAY: await startDisplay(t), WHYRANK_HOME: own };
  delete process.env.WAYLAND_DISPLAY;
  const window = await openWindow(t, { binary: whyrankDesktop, args: [repository(t, shop)], env });
  await window.resize(...sizes[0]);
  await window.see(testId("search-input"), 60);
  await until("no model is there", async () => /static vectors/.test(await contentOf(window, "status-model")));

  await window.click(testId("nav-settings"));
  await window.see("[data-name=minilm-l6]");
  await until("it is offered", async () => /under a minute for shop/.test(await contentOf(window, "model-offer")));
  await window.script("document.querySelector('[data-name=minilm-l6]').scrollIntoView({ block: 'center' });");
  await window.click("[data-name=minilm-l6] [data-testid=model-pull]");
  await until("the foot tells how much has come", async () => /\d+%/.test(await contentOf(window, "status-model")));
  await window.click(testId("nav-repositories"));
  await until("the list tells it too", async () => /on its way: minilm-l6: \d+% of 91/.test(await contentOf(window, "model-coming")));
  await photograph(window, "model-coming");

  hub.isSlow = false;
  await until("the model is there", async () => /minilm-l6/.test(await contentOf(window, "status-model")) && (await contentOf(window, "model-coming")) === "", 60);
  await until("its vectors are made", async () => /[^c] vectors 100%/.test(await contentOf(window, "repo-row")), 60);
});
