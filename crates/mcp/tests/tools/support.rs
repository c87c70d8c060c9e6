//! A shop in Python, committed and indexed.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use whyrank_engine::api::{IndexOptions, JobState};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{Call, Readiness, Session, ToolAnswer, ToolError, call_tool};

pub(crate) struct Shop {
    pub(crate) folder: tempfile::TempDir,
    git: git2::Repository,
    pub(crate) engine: Engine,
    pub(crate) session: Session,
}

const FILES: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "from shop.prices import price_of, with_tax\n\n\nclass Cart:\n    def __init__(self):\n        self.items = []\n\n    def \
         total(self):\n        return sum(price_of(item) for item in self.items)\n\n    def \
         taxed(self):\n        return with_tax(self.total())\n",
    ),
    (
        "shop/prices.py",
        "def price_of(item):\n    \"\"\"The price of an item, with tax.\"\"\"\n    return with_tax(item.price)\n\n\ndef \
         with_tax(price):\n    return price * 2\n\n\ndef rounded(price):\n    return round(price, 2)\n",
    ),
    (
        "shop/report.py",
        "def summarize(entries, currency):\n    rows = []\n    for entry in entries:\n        amount = entry.amount * \
         entry.quantity\n        label = entry.customer.name.strip().title()\n        rows.append((label, amount, \
         currency))\n    rows.sort(key=lambda row: row[1], reverse=True)\n    return rows\n",
    ),
    (
        "shop/main.py",
        "from shop.cart import Cart\nfrom shop.prices import rounded\n\n\ndef main():\n    return rounded(Cart().taxed())\n",
    ),
    (
        "tests/test_cart.py",
        "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total() == 0\n",
    ),
];

impl Shop {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("repo");
        let git = git2::Repository::init(&root).expect("a repository");
        let engine =
            Engine::open(EnginePaths::below(&folder.path().join("home"))).expect("an engine");
        let session = Session::new(
            engine.clone(),
            root.to_string_lossy().into_owned(),
            Readiness::Prepared,
        );
        let shop = Self {
            folder,
            git,
            engine,
            session,
        };
        for (path, text) in FILES {
            shop.write(path, text);
        }
        shop.commit();
        shop.index();
        shop
    }

    /// A shop with as many branches, each a file that uses the prices.
    pub(crate) fn with_branches(n_branches: u32) -> Self {
        let shop = Self::new();
        for branch in 0..n_branches {
            let text = format!(
                "from shop.prices import with_tax\n\n\nclass Branch{branch}:\n    def fetch(self, item):\n        \
                 return with_tax(item.price)\n\n    def total_{branch}(self, items):\n        \
                 return sum(self.fetch(item) for item in items)\n"
            );
            shop.write(&format!("shop/branches/branch_{branch}.py"), &text);
        }
        shop.commit();
        shop.index();
        shop
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        fs::write(path, text).expect("a file");
    }

    pub(crate) fn edit(&self, path: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.root().join(path)).expect("a file");
        assert!(text.contains(from), "{path} has no {from}");
        self.write(path, &text.replace(from, to));
    }

    pub(crate) fn commit(&self) {
        let mut index = self.git.index().expect("an index");
        index
            .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
            .expect("added");
        index.write().expect("written");
        let tree = index.write_tree().expect("a tree");
        let tree = self.git.find_tree(tree).expect("a tree");
        let time = git2::Time::new(1_700_000_000, 0);
        let ada = git2::Signature::new("Ada", "ada@example.org", &time).expect("a name");
        let parent = self
            .git
            .head()
            .ok()
            .and_then(|head| head.peel_to_commit().ok());
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        self.git
            .commit(Some("HEAD"), &ada, &ada, "a change", &tree, &parents)
            .expect("a commit");
    }

    pub(crate) fn index(&self) {
        let repo = self.engine.add_repo(&self.root()).expect("added");
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&repo.id, options).expect("a job");
        let end = self.engine.wait_job(&job).expect("its end");
        assert_eq!(end.state, JobState::Done, "{end:?}");
    }

    /// Takes the symbol graph away, as if indexing had ended before it.
    pub(crate) fn remove_graph(&self) {
        let stores = fs::read_dir(self.folder.path().join("home/data/stores")).expect("stores");
        let folders = stores
            .flatten()
            .map(|store| store.path().join("gen-1/derived"));
        let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let is_graph = |name: &str| name.starts_with("uses-") || name.starts_with("relations-");
        for file in files.filter(|file| is_graph(&file.file_name().to_string_lossy())) {
            fs::remove_file(file.path()).expect("removed");
        }
    }

    /// A session of another process over the same index.
    pub(crate) fn session_of(&self, readiness: Readiness) -> Session {
        let home = EnginePaths::below(&self.folder.path().join("home"));
        let engine = Engine::open(home).expect("an engine");
        Session::new(engine, self.root().to_string_lossy(), readiness)
    }

    /// The lock that a process which writes the index holds.
    pub(crate) fn writer_lock(&self) -> fs::File {
        let stores = fs::read_dir(self.folder.path().join("home/data/stores")).expect("stores");
        let store = stores.flatten().next().expect("a store").path();
        let lock = fs::File::create(store.join("writer.lock")).expect("a lock");
        lock.lock().expect("locked");
        lock
    }

    pub(crate) fn git(&self) -> &git2::Repository {
        &self.git
    }

    pub(crate) fn try_call(&self, tool: &str, args: Value) -> Result<ToolAnswer, ToolError> {
        let Value::Object(args) = args else {
            panic!("arguments are an object");
        };
        call_tool(tool, &Call::plain(&self.session), args)
    }

    pub(crate) fn call(&self, tool: &str, args: Value) -> ToolAnswer {
        self.try_call(tool, args)
            .unwrap_or_else(|error| panic!("{tool}: {error}"))
    }
}
