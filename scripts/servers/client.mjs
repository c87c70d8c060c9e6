// A language server as its client sees it: frames over pipes, requests with ids, memory of its processes.

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

/** No answer takes longer; one that does counts as none. */
const PATIENCE = 60_000;

export class Server {
  #child;
  #bytes = Buffer.alloc(0);
  #waiting = new Map();
  #lastId = 0;
  #open = new Set();

  /** `command`: program and arguments. */
  constructor(command, { root, env = {} }) {
    this.root = root;
    this.name = command[0].split(/[\\/]/).pop();
    this.#child = spawn(command[0], command.slice(1), { cwd: root, env: { ...process.env, ...env }, stdio: ["pipe", "pipe", "ignore"] });
    this.#child.stdout.on("data", (bytes) => this.#take(bytes));
    this.#child.on("error", (error) => this.#end(error));
    this.#child.on("exit", (code) => this.#end(new Error(`${this.name} ended with ${code}`)));
    this.#child.stdin.on("error", () => {});
  }

  async start(initializationOptions = {}) {
    const uri = pathToFileURL(this.root).href;
    await this.ask("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "root" }],
      capabilities: { workspace: { configuration: true }, textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } } },
      initializationOptions,
    });
    this.tell("initialized", {});
  }

  open(uri, languageId, text) {
    if (this.#open.has(uri)) return;
    this.#open.add(uri);
    this.tell("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
  }

  tell(method, params) {
    this.#write({ jsonrpc: "2.0", method, params });
  }

  /** The result of a request; an error counts as no answer and is kept in `lastError`. */
  ask(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, null), PATIENCE);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#write({ jsonrpc: "2.0", id, method, params });
    });
  }

  /** Resident memory of its processes, in MB; 0 where the system does not tell. */
  memory() {
    try {
      return Math.round(tree(this.#child.pid).reduce((sum, pid) => sum + resident(pid), 0) / 1024);
    } catch {
      return 0;
    }
  }

  stop() {
    this.#child.removeAllListeners("exit");
    this.#child.kill();
  }

  #write(message) {
    const text = JSON.stringify(message);
    this.#child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  #take(bytes) {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (;;) {
      const head = this.#bytes.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/i.exec(this.#bytes.subarray(0, Math.max(head, 0)).toString())?.[1]);
      if (head < 0 || this.#bytes.length < head + 4 + length) return;
      const message = JSON.parse(this.#bytes.subarray(head + 4, head + 4 + length).toString());
      this.#bytes = this.#bytes.subarray(head + 4 + length);
      this.#hear(message);
    }
  }

  #hear(message) {
    if (message.method && message.id !== undefined) {
      const result = message.method === "workspace/configuration" ? message.params.items.map(() => ({})) : null;
      this.#write({ jsonrpc: "2.0", id: message.id, result });
    } else if (message.id !== undefined) {
      this.lastError = message.error?.message ?? this.lastError;
      this.#settle(message.id, message.result ?? null);
    }
  }

  #settle(id, result) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    clearTimeout(waiting?.timer);
    waiting?.resolve(result);
  }

  #end(error) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#waiting.clear();
  }
}

/** A process and all below it. */
function tree(root) {
  const parents = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map((pid) => [Number(pid), parentOf(pid)]);
  const found = [root];
  for (let at = 0; at < found.length; at++) found.push(...parents.filter(([, parent]) => parent === found[at]).map(([pid]) => pid));
  return found;
}

function parentOf(pid) {
  return Number(field(pid, "PPid"));
}

function resident(pid) {
  return Number.parseInt(field(pid, "VmRSS"), 10) || 0;
}

function field(pid, name) {
  try {
    return new RegExp(`^${name}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "";
  } catch {
    return "";
  }
}
