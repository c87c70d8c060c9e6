// `whyrank mcp --http` on a small repository in a home of its own, and a door to it for clients that
// cannot send a token.

import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { shop } from "../../tests/support.mjs";
import { StepError } from "../steps.mjs";

/** A folder with a repository and a home; `close` takes it away. */
export function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "whyrank-agents-")));
  const repo = join(folder, "shop");
  for (const [file, text] of Object.entries(shop)) {
    mkdirSync(dirname(join(repo, file)), { recursive: true });
    writeFileSync(join(repo, file), text);
  }
  const git = (...args) => execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: repo });
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  const home = join(folder, "home");
  return {
    folder,
    repo,
    home,
    env: { ...process.env, WHYRANK_HOME: home },
    close: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

/** The server over HTTP, or with `args` what another program serves; gives its address and token. */
export async function serve(program, { repo, home, env }, args = ["mcp", "--http"]) {
  const child = spawn(program, [...args, "--repo", repo], { env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const url = await new Promise((done, fail) => {
    child.on("error", fail);
    child.on("exit", (code) => fail(new StepError(`the server ended with ${code}: ${said}`)));
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = said.match(/serving (http:\S+)/);
      if (found) done(found[1]);
    });
  });
  const token = readFileSync(join(home, "state/http-token"), "utf8").trim();
  const close = () => {
    child.removeAllListeners("exit");
    child.kill("SIGINT");
    return new Promise((done) => child.on("close", done));
  };
  return { url, token, close };
}

/** Passes every request on as it came, with the token added. Host and Origin stay those of the client. */
export async function door({ url, token }) {
  const { hostname, port } = new URL(url);
  const server = createServer((from, to) => {
    const headers = { ...from.headers, authorization: `Bearer ${token}` };
    const on = request({ hostname, port, method: from.method, path: from.url, headers }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      // A stream is heard from its first byte on, not from its first kilobyte.
      to.flushHeaders();
      answer.pipe(to);
    });
    on.on("error", (error) => (to.headersSent ? to.destroy() : to.writeHead(502).end(String(error))));
    to.on("close", () => on.destroy());
    from.pipe(on);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/mcp`,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
