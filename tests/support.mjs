// Shared by the MCP and window tests: built programs, homes and repositories made on the spot.

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const target = process.env.CARGO_TARGET_DIR ?? join(root, "target");
const programs = process.env.WHYRANK_TEST_BIN ?? join(target, "debug");

export const whyrank = join(programs, "whyrank");
export const whyrankLab = join(programs, "whyrank-lab");
export const whyrankDesktop = join(programs, "whyrank-desktop");
export const results = join(root, "test-results");

/** A temporary folder that goes after the tests. */
export function folder(t, name) {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `whyrank-${name}-`)));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return path;
}

/** A home folder for whyrank; with the machine's model where there is one and `model` asks for it. */
export function home(t, { model = false } = {}) {
  const path = folder(t, "home");
  const installed = process.env.WHYRANK_TEST_MODEL;
  if (model && installed && existsSync(installed)) {
    // <models>/<name>/<key>: the name's folder is shared.
    const named = dirname(installed);
    mkdirSync(join(path, "data/models"), { recursive: true });
    symlinkSync(named, join(path, "data/models", basename(named)));
  }
  return path;
}

/** A committed git repository with these files. */
export function repository(t, files, name = "shop") {
  const path = join(folder(t, "repo"), name);
  mkdirSync(path);
  git(path, "init", "-q", "-b", "main");
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  }
  git(path, "add", "-A");
  git(path, "commit", "-q", "-m", "first");
  return path;
}

export function git(path, ...args) {
  const who = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.org", "-c", "commit.gpgsign=false"];
  execFileSync("git", [...who, ...args], { cwd: path, env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" } });
}

/** Notes a test that cannot run on this machine; `npm test` lists the notes. */
export function skip(t, reason) {
  if (process.env.WHYRANK_TEST_SKIPS) appendFileSync(process.env.WHYRANK_TEST_SKIPS, `${t.name}: ${reason}\n`);
  t.diagnostic(`skipped: ${reason}`);
}

/** Files of a small web shop. */
export const shop = {
  "web/src/cart.ts": `import { priceOf } from "./prices";

export interface CartLine {
  sku: string;
  quantity: number;
}

/** What the customer is about to buy. */
export class Cart {
  private lines: CartLine[] = [];

  /** Adds a line, or raises the quantity of the line that is there. */
  addLine(sku: string, quantity: number): void {
    const line = this.lines.find((line) => line.sku === sku);
    if (line) line.quantity += quantity;
    else this.lines.push({ sku, quantity });
  }

  /** The sum to pay, in cents. */
  total(): number {
    return this.lines.reduce((sum, line) => sum + priceOf(line.sku) * line.quantity, 0);
  }
}
`,
  "web/src/prices.ts": `const prices = new Map<string, number>();

/** Looks a price up; throws when the article is unknown. */
export function priceOf(sku: string): number {
  const price = prices.get(sku);
  if (price === undefined) throw new Error(\`no price for article \${sku}\`);
  return price;
}
`,
  "billing/tax.py": `RATES = {"DE": 0.19, "AT": 0.20}


def vat_rate(country):
    """Value added tax of a country; zero outside the union."""
    rate = RATES.get(country, 0)
    if rate < 0:
        raise ValueError(country)
    return rate
`,
  "billing/invoice.py": `from billing.tax import vat_rate


class Invoice:
    """A request for payment."""

    def __init__(self, number, country):
        self.number = number
        self.country = country
        self.lines = []

    def gross(self):
        """Amount with value added tax."""
        net = sum(line.net for line in self.lines)
        return round(net * (1 + vat_rate(self.country)))
`,
  "mail/retry.go": `package mail

import "time"

// RetryWithBackoff sends again after growing pauses until it works.
func RetryWithBackoff(send func() error, attempts int) error {
	var err error
	for i := 0; i < attempts; i++ {
		if err = send(); err == nil {
			return nil
		}
		time.Sleep(time.Duration(1<<i) * time.Second)
	}
	return err
}
`,
  "docs/delivery.md": `# Delivery

How parcels reach the customer.

## Returns

A parcel that comes back is refunded within three days; the courier scans it at the dock.
`,
};

/** As many files as it takes to be caught in the middle of indexing. */
export function manyFiles(count) {
  const nouns = ["invoice", "parcel", "ledger", "voucher", "refund", "shelf", "courier", "stock"];
  const file = (n) => {
    const functions = [0, 1, 2, 3].map((i) => {
      const [noun, other] = [nouns[(n + i) % 8], nouns[(n * 3 + i) % 8]];
      return `def ${noun}_${other}_${n}_${i}(items):\n    """Sorts the ${noun} by ${other}."""\n    return sorted(items, key=lambda item: item.${other})\n`;
    });
    return [`src/part${n % 40}/module_${n}.py`, functions.join("\n\n")];
  };
  return Object.fromEntries(Array.from({ length: count }, (_, n) => file(n)));
}
