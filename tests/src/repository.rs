//! Git repositories made on the spot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A repository in a folder that goes when the value goes.
pub struct TestRepo {
    folder: TempDir,
    root: PathBuf,
}

impl TestRepo {
    /// A repository without a commit.
    pub fn unborn() -> Self {
        let folder = TempDir::with_prefix("whyrank-repo-").expect("a temporary folder");
        // The root as programs print it: macOS keeps temporary folders behind a symbolic link.
        let root = folder
            .path()
            .canonicalize()
            .expect("the folder is there")
            .join("repo");
        fs::create_dir(&root).expect("a folder for the repository");
        let repo = Self { folder, root };
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    /// A repository with these files, committed.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let repo = Self::unborn();
        for (path, text) in files {
            repo.write(path, text);
        }
        repo.commit("first");
        repo
    }

    /// A small web shop in four languages, with a test and a page of documentation.
    pub fn shop() -> Self {
        Self::with(SHOP)
    }

    /// A repository that takes a moment to index: `n_files` files of a few functions each.
    pub fn large(n_files: usize) -> Self {
        let repo = Self::unborn();
        repo.write_many("src", n_files);
        repo.commit("many files");
        repo
    }

    /// Writes `n_files` files of four functions below `folder`, all different, committed by nobody yet.
    pub fn write_many(&self, folder: &str, n_files: usize) {
        for file in 0..n_files {
            let path = format!("{folder}/part{:02}/module_{file:04}.py", file % 40);
            self.write(&path, many_functions(folder, file));
        }
    }

    /// The working tree's root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The root as an argument.
    pub fn arg(&self) -> &str {
        self.root.to_str().expect("temporary paths are UTF-8")
    }

    /// A path beside the working tree, in the same temporary folder.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder
            .path()
            .canonicalize()
            .expect("the folder is there")
            .join(name)
    }

    /// Writes a file, with its folders.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    /// Deletes a file.
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).expect("the file was there");
    }

    /// Renames a file.
    pub fn rename(&self, from: &str, to: &str) {
        let to = self.root.join(to);
        fs::create_dir_all(to.parent().expect("files lie in folders")).expect("folders");
        fs::rename(self.root.join(from), to).expect("the file was there");
    }

    /// Commits everything; returns the commit's id.
    pub fn commit(&self, message: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Runs git in the working tree; returns what it printed.
    pub fn git(&self, args: &[&str]) -> String {
        git_in(&self.root, args)
    }
}

fn git_in(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args([
            "-c",
            "user.name=A Tester",
            "-c",
            "user.email=tester@example.org",
        ])
        .args([
            "-c",
            "commit.gpgsign=false",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is installed");
    assert!(
        output.status.success(),
        "git {args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn many_functions(folder: &str, file: usize) -> String {
    let words = [
        "invoice", "parcel", "ledger", "voucher", "refund", "shelf", "courier", "stock",
    ];
    let function = |n: usize| {
        let (noun, other) = (words[(file + n) % 8], words[(file * 3 + n) % 8]);
        format!(
            "def {noun}_{other}_{file}_{n}(items, limit={n}):\n    \"\"\"Sorts the {noun} by {other}.\"\"\"\n    \
             total = 0\n    for item in items[:limit]:\n        total += item.{other} * {file}\n    return total\n\n"
        )
    };
    std::iter::once(format!("# {folder}\n"))
        .chain((0..4).map(function))
        .collect()
}

const SHOP: &[(&str, &str)] = &[
    (
        "web/src/cart.ts",
        "import { priceOf } from \"./prices\";\n\n\
         export interface CartLine {\n  sku: string;\n  quantity: number;\n}\n\n\
         /** What the customer is about to buy. */\n\
         export class Cart {\n  private lines: CartLine[] = [];\n\n  \
         /** Adds a line, or raises the quantity of the line that is there. */\n  \
         addLine(sku: string, quantity: number): void {\n    \
         const line = this.lines.find((line) => line.sku === sku);\n    \
         if (line) line.quantity += quantity;\n    else this.lines.push({ sku, quantity });\n  }\n\n  \
         /** The sum to pay, in cents. */\n  total(): number {\n    \
         return this.lines.reduce((sum, line) => sum + priceOf(line.sku) * line.quantity, 0);\n  }\n}\n",
    ),
    (
        "web/src/prices.ts",
        "const prices = new Map<string, number>();\n\n\
         /** Looks a price up; throws when the article is unknown. */\n\
         export function priceOf(sku: string): number {\n  const price = prices.get(sku);\n  \
         if (price === undefined) throw new Error(`no price for article ${sku}`);\n  return price;\n}\n\n\
         export function setPrice(sku: string, cents: number): void {\n  prices.set(sku, cents);\n}\n",
    ),
    (
        "web/test/cart.test.ts",
        "import { Cart } from \"../src/cart\";\nimport { setPrice } from \"../src/prices\";\n\n\
         test(\"total sums quantities\", () => {\n  setPrice(\"tea\", 350);\n  const cart = new Cart();\n  \
         cart.addLine(\"tea\", 2);\n  expect(cart.total()).toBe(700);\n});\n",
    ),
    (
        "billing/invoice.py",
        "\"\"\"Turns paid carts into invoices.\"\"\"\n\nfrom billing.tax import vat_rate\n\n\n\
         class Invoice:\n    def __init__(self, number, country):\n        self.number = number\n        \
         self.country = country\n        self.lines = []\n\n    def gross(self):\n        \
         \"\"\"Amount with value added tax.\"\"\"\n        net = sum(line.net for line in self.lines)\n        \
         return round(net * (1 + vat_rate(self.country)))\n\n\n\
         def next_invoice_number(previous):\n    \"\"\"Counts on without gaps, as the law wants it.\"\"\"\n    \
         return previous + 1\n",
    ),
    (
        "billing/tax.py",
        "RATES = {\"DE\": 0.19, \"AT\": 0.20}\n\n\ndef vat_rate(country):\n    \
         \"\"\"Value added tax of a country; zero outside the union.\"\"\"\n    rate = RATES.get(country, 0)\n    if rate < 0:\n        raise ValueError(country)\n    return rate\n",
    ),
    (
        "store/src/lib.rs",
        "//! Keeps orders on disk.\n\nuse std::io;\n\n/// Orders, newest last.\npub struct OrderLog {\n    \
         entries: Vec<String>,\n}\n\nimpl OrderLog {\n    /// Appends an order and flushes it to the disk.\n    \
         pub fn append(&mut self, order: &str) -> io::Result<()> {\n        \
         self.entries.push(order.to_owned());\n        flush_to_disk(&self.entries)\n    }\n}\n\n\
         fn flush_to_disk(_entries: &[String]) -> io::Result<()> {\n    Ok(())\n}\n",
    ),
    (
        "mail/retry.go",
        "package mail\n\nimport \"time\"\n\n// RetryWithBackoff sends again after growing pauses until it works.\n\
         func RetryWithBackoff(send func() error, attempts int) error {\n\tvar err error\n\t\
         for i := 0; i < attempts; i++ {\n\t\tif err = send(); err == nil {\n\t\t\treturn nil\n\t\t}\n\t\t\
         time.Sleep(time.Duration(1<<i) * time.Second)\n\t}\n\treturn err\n}\n",
    ),
    (
        "docs/delivery.md",
        "# Delivery\n\nHow parcels reach the customer.\n\n## Returns\n\nA parcel that comes back is refunded \
         within three days; the courier scans it at the dock.\n\n## Tracking\n\nEach parcel has a tracking number.\n",
    ),
];
