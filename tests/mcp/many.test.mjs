// Many servers over one index, a writer beside them, and clients that do not behave.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { home, manyFiles, repository, shop, whyrank } from "../support.mjs";
import { CALLS, call, connect, rank, shared } from "./servers.mjs";

const run = promisify(execFile);
const N_SERVERS = 8;
const MS_OF_ANSWER = 100;

test("a large repository that is being indexed is answered for at once", async (t) => {
  const repo = shared(t, 4000);
  const client = await connect(t, repo, home(t));
  const first = await call(client, "search", { query: "value added tax" });
  assert.ok(!first.failed, first.text);
  // There is no index yet, but there are files.
  assert.match(first.text, /billing\/tax\.py:\d/);
  const times = [];
  for (let state = ""; !/ready|up to date/i.test(state) && times.length < 400; ) {
    const { ms, failed, text } = await call(client, "search", { query: `sorts the refund ${times.length}` });
    assert.ok(!failed, text);
    times.push(ms);
    state = (await call(client, "status", {})).text;
    await new Promise((done) => setTimeout(done, 20));
  }
  const [p50, p95] = [rank(times, 0.5), rank(times, 0.95)];
  t.diagnostic(`first answer ${first.ms.toFixed(0)} ms; then ${times.length} searches, p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`);
  // Everything else on this machine wants its cores, too: the figure is printed, the bound is wide.
  assert.ok(p50 < MS_OF_ANSWER * 3, `p50 ${p50} ms`);
  assert.ok(first.ms < MS_OF_ANSWER * 10, `first ${first.ms} ms`);
});

test("eight servers and a writer share one index", async (t) => {
  const repo = shared(t, 300);
  const whyrankHome = home(t);
  const env = { ...process.env, WHYRANK_HOME: whyrankHome };
  // All of them find no index, and each wants to make it.
  const clients = await Promise.all(Array.from({ length: N_SERVERS }, () => connect(t, repo, whyrankHome)));
  await Promise.all(clients.map((client) => call(client, "index", { wait_s: 240 })));
  const failures = [];
  const times = [];
  let isWriting = true;
  const writer = (async () => {
    let n_rebuilt = 0;
    for (; n_rebuilt < 4; n_rebuilt += 1) {
      appendFileSync(join(repo, "billing/tax.py"), `\n\ndef rate_${n_rebuilt}():\n    return vat_rate("DE")\n`);
      const how = n_rebuilt % 2 === 0 ? [] : ["--rebuild"];
      await run(whyrank, ["index", repo, "--no-vectors", ...how], { env }).catch((error) => failures.push(`index: ${error.stderr}`));
    }
    isWriting = false;
    return n_rebuilt;
  })();
  const readers = clients.map(async (client) => {
    for (let n = 0; isWriting || n < CALLS.length; n += 1) {
      const [name, args] = CALLS[n % CALLS.length];
      const { ms, failed, text } = await call(client, name, args);
      times.push(ms);
      if (failed) failures.push(`${name}: ${text}`);
    }
  });
  const [n_written] = await Promise.all([writer, ...readers]);
  // A server that follows the last save would write into the folder while it is deleted.
  await Promise.all(clients.map((client) => client.close()));
  t.diagnostic(`${times.length} calls beside ${n_written} runs of the writer: p50 ${rank(times, 0.5).toFixed(0)} ms, p95 ${rank(times, 0.95).toFixed(0)} ms, ${failures.length} failed`);
  assert.deepEqual(failures, []);
});

test("what is no protocol is answered or passed over, and the next call is answered", async (t) => {
  const server = raw(t, repository(t, shop), home(t));
  server.say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } } });
  await server.answer(1);
  server.say({ method: "notifications/initialized" });
  for (const line of ["{", "null", "[]", '"text"', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":7,"method":"x"}', "\u0000\u0001", ""]) server.write(`${line}\n`);
  server.say({ id: 2, method: "no/such/method" });
  assert.equal((await server.answer(2)).error.code, -32601);
  server.say({ id: 3, method: "tools/call", params: { name: "search", arguments: "text" } });
  assert.ok((await server.answer(3)).error);
  server.say({ id: 4, method: "tools/call", params: { name: "search", arguments: { query: 5, limit: "many" } } });
  assert.match((await server.answer(4)).result.content[0].text, /`limit` is "many"\nit takes a whole number/);
  server.say({ id: 5, method: "tools/call", params: { name: "search", arguments: { query: "tax ".repeat(500_000) } } });
  assert.ok((await server.answer(5)).result.content[0].text.length > 0);
  server.say({ id: 6, method: "tools/call", params: { name: "search", arguments: { query: "value added tax" } } });
  assert.match((await server.answer(6)).result.content[0].text, /tax/);
});

test("a call that is cancelled ends, and a client that dies leaves no server", async (t) => {
  const server = raw(t, repository(t, { ...manyFiles(2000), ...shop }), home(t));
  server.say({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } } });
  await server.answer(1);
  server.say({ method: "notifications/initialized" });
  server.say({ id: 2, method: "tools/call", params: { name: "index", arguments: { wait_s: 300 } } });
  server.say({ method: "notifications/cancelled", params: { requestId: 2, reason: "no longer wanted" } });
  server.say({ id: 3, method: "tools/call", params: { name: "status", arguments: {} } });
  const status = await server.answer(3);
  assert.ok(!status.result.isError, JSON.stringify(status));
  server.say({ id: 4, method: "tools/call", params: { name: "index", arguments: { wait_s: 300 } } });
  await new Promise((done) => setTimeout(done, 100));
  const started = performance.now();
  server.die();
  assert.equal(await server.ended, 0);
  const took = performance.now() - started;
  t.diagnostic(`the server ended ${took.toFixed(0)} ms after its client`);
  assert.ok(took < 10_000, `it took ${took} ms`);
});

/** A server without a client library: what is said to it is what is written. */
function raw(t, repo, whyrankHome) {
  const child = spawn(whyrank, ["mcp", "--repo", repo], {
    env: { ...process.env, WHYRANK_HOME: whyrankHome },
    stdio: ["pipe", "pipe", "ignore"],
  });
  t.after(() => child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const found = (id) => {
    const whole = output.slice(0, output.lastIndexOf("\n") + 1).split("\n");
    const messages = whole.filter((line) => line !== "").map((line) => JSON.parse(line));
    return messages.find((message) => message.id === id && !message.method);
  };
  return {
    write: (text) => child.stdin.write(text),
    say: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
    die: () => {
      child.stdout.destroy();
      child.stdin.destroy();
    },
    ended: new Promise((done) => child.on("exit", done)),
    answer: async (id) => {
      for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
        const message = found(id);
        if (message) return message;
        assert.equal(child.exitCode, null, "the server is still there");
        await new Promise((done) => setTimeout(done, 10));
      }
      assert.fail(`no answer to ${id} within 60 s`);
    },
  };
}
