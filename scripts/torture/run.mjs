// `npm run torture`: kills, faults of I/O, damage, dear files, hostile calls, eight servers. Every campaign depends on its seed
// alone; a failure is printed with what led to it. `--short` takes less than a minute and is part of `npm test`.
//
//   npm run torture -- [--short] [--seed 1] [--only damage] [--n 1000] [--seconds 3600]

import { parseArgs } from "node:util";
import { damage } from "./damage.mjs";
import { day } from "./day.mjs";
import { each } from "./each.mjs";
import { faults } from "./faults.mjs";
import { giants } from "./giants.mjs";
import { hostile } from "./hostile.mjs";
import { indexKills, memoKills } from "./kills.mjs";
import { quiet } from "./quiet.mjs";
import { served } from "./served.mjs";
import { servers } from "./servers.mjs";

const { values } = parseArgs({
  options: { short: { type: "boolean" }, seed: { type: "string", default: "1" }, only: { type: "string" }, n: { type: "string" }, seconds: { type: "string" } },
});
const seed = Number(values.seed);
const size = (short, whole) => Number(values.n ?? (values.short ? short : whole));

const campaigns = {
  kills: () => indexKills({ n: size(10, 1000), seed, checkEvery: 10 }),
  memos: () => memoKills({ n: size(12, 1000), seed }),
  damage: () => damage({ n: size(12, 1000), seed }),
  served: () => served({ n: size(3, 1000), seed }),
  faults: () => faults({ n: size(8, 500), seed }),
  each: () => each({ n: size(0, 2000) }),
  giants: () => giants({ n: size(4, 360), seed }),
  hostile: () => hostile({ n: size(250, 10_000), seed }),
  quiet: () => quiet(),
  day: () => day({ seconds: Number(values.seconds ?? 3600), seed, n: size(8, 8) }),
  servers: () => servers({ seconds: Number(values.seconds ?? (values.short ? 4 : 3600)), seed }),
};

let n_failed = 0;
for (const [name, campaign] of Object.entries(campaigns)) {
  if (values.only ? values.only !== name : values.short && ["day", "each"].includes(name)) continue;
  const began = Date.now();
  const { name: title, tried, failures, detail } = await campaign();
  n_failed += failures.length;
  console.log(`${failures.length ? "✗" : "✓"} ${title}: ${tried}; ${failures.length} failed (${Math.round((Date.now() - began) / 1000)} s, seed ${seed})`);
  for (const failure of failures.slice(0, 30)) console.log(`    ${failure}`);
  if (detail && !values.short) console.log(JSON.stringify(detail, null, 1));
}
process.exit(n_failed ? 1 : 0);
