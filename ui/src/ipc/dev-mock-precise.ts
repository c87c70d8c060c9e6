// Compiler indexes of the development scenes.

import type { IndexerPlan, PrecisePlan, PreciseReport } from "./bindings";

const PYTHON: IndexerPlan = {
  id: "scip-python",
  languages: ["python"],
  n_files: 12,
  state: "missing",
  program: null,
  commands: [],
  runs_code: null,
  how_to_get: "install npm, then run this again",
};

const TYPESCRIPT: IndexerPlan = {
  id: "scip-typescript",
  languages: ["tsx", "typescript"],
  n_files: 214,
  state: "installable",
  program: null,
  commands: [
    {
      line: "/usr/bin/npm install --prefix /home/me/.local/share/whyrank/tools --ignore-scripts @sourcegraph/scip-typescript@0.4.0",
      folder: "/home/me/.local/share/whyrank/tools",
    },
    {
      line: "/home/me/.local/share/whyrank/tools/node_modules/.bin/scip-typescript index --no-progress-bar --output /home/me/.local/share/whyrank/precise/3f1c/scip-typescript-0.scip.new /home/me/code/hono/tsconfig.json",
      folder: "/home/me/code/hono",
    },
  ],
  runs_code: null,
  how_to_get: "",
};

const RUST: IndexerPlan = {
  id: "rust-analyzer",
  languages: ["rust"],
  n_files: 31,
  state: "ready",
  program: "/home/me/.cargo/bin/rust-analyzer",
  commands: [
    {
      line: "/home/me/.cargo/bin/rust-analyzer scip . --output /home/me/.local/share/whyrank/precise/3f1c/rust-analyzer-0.scip.new",
      folder: "/home/me/code/hono/runtime",
    },
  ],
  runs_code: "build scripts and procedural macros",
  how_to_get: "",
};

export function preciseHandlers() {
  return {
    precise_plan: (): PrecisePlan => ({
      indexers: [TYPESCRIPT, RUST, PYTHON],
      current: null,
      is_running: false,
    }),
    run_indexers: (): Promise<PreciseReport> => new Promise(() => undefined),
    cancel_indexers: () => null,
    forget_precise: () => null,
  };
}
