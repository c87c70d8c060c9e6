//! The names of a file and what they mean, in two languages, without a model.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_engine::api::{FileNames, FileNamesRequest, IndexOptions, JobState, RepoId};
use whyrank_engine::{Engine, EnginePaths};

const FILES: &[(&str, &str)] = &[
    (
        "shop/tax.py",
        "class Rate:\n    def load(self):\n        return 1\n\n\ndef tax(price):\n    return price * Rate().load()\n",
    ),
    (
        "shop/cart.py",
        "from .tax import tax as levy\n\n\ndef total(prices, clerk):\n    \"😀\"; clerk.load()\n    return sum(levy(p) for p in prices)\n",
    ),
    (
        "web/Price.ts",
        "export interface Price { cents: number }\n\nexport function format(price: Price): string {\n  return String(price.cents)\n}\n",
    ),
    (
        "web/view.ts",
        "import { format, type Price } from './Price'\n\nexport const shown = (price: Price) => format(price)\n",
    ),
];

struct Shop {
    folder: TempDir,
    engine: Engine,
    repo: RepoId,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        let mut shop = Self {
            folder,
            engine,
            repo: RepoId::default(),
        };
        for (path, text) in FILES {
            shop.write(path, text);
        }
        shop.repo = shop.engine.add_repo(&root).unwrap().id;
        shop.index();
        shop
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn commit(&self) -> String {
        let repository = git2::Repository::open(self.root()).unwrap();
        let mut index = repository.index().unwrap();
        index
            .add_all(["*"], git2::IndexAddOption::DEFAULT, None)
            .unwrap();
        let tree = repository.find_tree(index.write_tree().unwrap()).unwrap();
        let author = git2::Signature::now("a", "a@b.c").unwrap();
        let commit = repository.commit(Some("HEAD"), &author, &author, "all", &tree, &[]);
        commit.unwrap().to_string()
    }

    fn index(&self) {
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = self.engine.start_index(&self.repo, options).unwrap();
        assert_eq!(self.engine.wait_job(&job).unwrap().state, JobState::Done);
    }

    fn names(&self, path: &str, as_of: Option<&str>) -> FileNames {
        let request = FileNamesRequest {
            repo: self.repo.clone(),
            path: path.to_owned(),
            as_of: as_of.map(str::to_owned),
        };
        self.engine.names_in_file(&request).unwrap()
    }
}

/// `line:start-end > path:line qualified`, with `own` and `?` for guesses.
fn lines(names: &FileNames) -> Vec<String> {
    let line = |name: &whyrank_engine::api::NamePlace| {
        let target = |at: &u32| {
            let target = &names.definitions[*at as usize];
            format!("{}:{} {}", target.path, target.name_line, target.qualified)
        };
        let targets: Vec<String> = name.targets.iter().map(target).collect();
        let sure = match (name.own, name.certain) {
            (true, _) => " own",
            (false, true) => "",
            (false, false) => " ?",
        };
        let place = format!("{}:{}-{}", name.line, name.start, name.end);
        format!("{place} > {}{sure}", targets.join(", "))
    };
    names.names.iter().map(line).collect()
}

#[test]
fn names_lead_to_what_scope_imports_and_types_say() {
    let shop = Shop::new();
    assert_eq!(
        lines(&shop.names("shop/tax.py", None)),
        [
            "1:6-10 > shop/tax.py:1 Rate own",
            "2:8-12 > shop/tax.py:2 Rate.load own",
            "6:4-7 > shop/tax.py:6 tax own",
            "7:19-23 > shop/tax.py:1 Rate",
            "7:26-30 > shop/tax.py:2 Rate.load",
        ]
    );
    let view = shop.names("web/view.ts", None);
    assert_eq!(
        lines(&view),
        [
            "1:9-15 > web/Price.ts:3 format",
            "1:22-27 > web/Price.ts:1 Price",
            "3:13-18 > web/view.ts:3 shown own",
            "3:29-34 > web/Price.ts:1 Price",
            "3:39-45 > web/Price.ts:3 format",
        ]
    );
    assert_eq!(view.note, "");
}

/// Columns are counted as the window counts them, an alias leads on, and a receiver of no known type is a guess.
#[test]
fn an_alias_leads_on_and_a_guess_is_none_that_is_certain() {
    let shop = Shop::new();
    assert_eq!(
        lines(&shop.names("shop/cart.py", None)),
        [
            "1:17-20 > shop/tax.py:6 tax",
            "4:4-9 > shop/cart.py:4 total own",
            "5:16-20 > shop/tax.py:2 Rate.load ?",
            "6:15-19 > shop/tax.py:6 tax",
        ]
    );
}

#[test]
fn names_of_a_commit_are_those_of_its_files() {
    let shop = Shop::new();
    let commit = shop.commit();
    let before = lines(&shop.names("web/view.ts", None));
    shop.write("web/Price.ts", "// gone\n");
    shop.index();
    let now = lines(&shop.names("web/view.ts", None));
    assert_eq!(now, ["3:13-18 > web/view.ts:3 shown own"]);
    assert_eq!(lines(&shop.names("web/view.ts", Some(&commit))), before);
}
