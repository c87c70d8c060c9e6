// `npm run clients`: the tests of the MCP server with the official TypeScript and Python clients, over
// stdio and HTTP. The Python client goes into a virtual environment in target/agent-tools.

import { existsSync, mkdirSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import { targetFolder } from "../setup.mjs";
import { main, run, step } from "../steps.mjs";

const PYTHON_CLIENT = "mcp==2.3.0";

await main(
  async () => {
    const folder = join(targetFolder(), "agent-tools/python");
    const python = join(folder, platform() === "win32" ? "Scripts/python.exe" : "bin/python");
    await step("the Python client", async () => {
      if (existsSync(python)) return;
      mkdirSync(folder, { recursive: true });
      await run("python3", ["-m", "venv", folder], { next: "install Python 3.10 or newer with venv" });
      await run(python, ["-m", "pip", "install", "--quiet", PYTHON_CLIENT]);
    });
    const tests = ["mcp", "http", "python", "many"].map((name) => `tests/mcp/${name}.test.mjs`);
    const env = { WHYRANK_TEST_PYTHON: python };
    await step("clients", () => run(process.execPath, ["--test", "--test-concurrency=1", ...tests], { env }));
  },
  { closingLine: false },
);
