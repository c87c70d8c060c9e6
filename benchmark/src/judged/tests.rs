use super::*;
use crate::api::RunRequest;
use crate::bench::{Bench, Extra};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use whyrank_engine::EnginePaths;
use whyrank_engine::api::{IndexOptions, JudgeRequest};
use whyrank_eval::Metric;

const APP: &str = "def add_tax(price):\n    return price * 1.2\n\n\ndef other():\n    return 1\n";

struct Shop {
    folder: TempDir,
    bench: Bench,
    repo: RepoId,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("shop");
        fs::create_dir_all(root.join(".git/objects")).expect("folders");
        fs::create_dir_all(root.join(".git/refs")).expect("folders");
        fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").expect("a file");
        fs::write(root.join("app.py"), APP).expect("a file");
        fs::write(root.join("tax.py"), "RATE = 1.2  # tax of the price\n").expect("a file");
        let paths = EnginePaths::below(&folder.path().join("home"));
        let engine = Engine::open(paths.clone()).expect("an engine");
        let repo = engine.add_repo(&root).expect("a repository").id;
        let shop = Self {
            folder,
            bench: Bench::new(engine, paths),
            repo,
        };
        shop.index();
        shop
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn index(&self) {
        let engine = self.bench.engine();
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = engine.start_index(&self.repo, options).expect("a job");
        engine.wait_job(&job).expect("indexed");
    }

    fn judge(&self, path: &str, symbol: Option<&str>, verdict: HitVerdict) {
        let request = JudgeRequest {
            repo: self.repo.clone(),
            query: "where is tax added to the price".to_owned(),
            as_of: None,
            place: JudgedPlace {
                path: path.to_owned(),
                start_line: 1,
                end_line: 2,
                symbol: symbol.map(str::to_owned),
            },
            verdict: Some(verdict),
        };
        self.bench.engine().judge(&request).expect("judged");
    }

    fn suite(&self) -> Suite {
        let suite = suite(self.bench.engine()).expect("read");
        suite.expect("something was judged")
    }
}

#[test]
fn a_query_with_a_right_place_is_a_task_and_one_without_is_none() {
    let shop = Shop::new();
    let choices = |shop: &Shop| shop.bench.suites().expect("suites");
    assert_eq!(choices(&shop).len(), 1, "nothing was judged");
    shop.judge("tax.py", None, HitVerdict::Wrong);
    let choice = choices(&shop).pop().expect("two");
    assert_eq!((choice.name.as_str(), choice.n_tasks), ("judged", 0));
    assert!(choice.error.is_some_and(|error| error.contains("right")));
    let request = RunRequest {
        suites: vec![SUITE.to_owned()],
        ..RunRequest::default()
    };
    let error = shop.bench.start(&request).expect_err("nothing to find");
    assert!(error.hint().contains("Right"), "{}", error.hint());
    shop.judge("app.py", Some("add_tax"), HitVerdict::Right);
    let suite = shop.suite();
    assert_eq!((suite.tasks.len(), suite.repositories.len()), (1, 1));
    let Expected::Ranked {
        relevant, refused, ..
    } = &suite.tasks[0].expected
    else {
        panic!("ranked")
    };
    assert_eq!(relevant[0].symbol.as_deref(), Some("add_tax"));
    assert_eq!(refused.as_ref().expect("some")[0].file, "tax.py");
}

#[test]
fn lines_are_those_of_the_definition_today_and_its_file_where_it_is_gone() {
    let shop = Shop::new();
    shop.judge("app.py", Some("add_tax"), HitVerdict::Right);
    let place = |shop: &Shop| shop.suite().tasks[0].expected.places()[0].clone();
    let id = |shop: &Shop| shop.suite().tasks[0].id.clone();
    let before = id(&shop);
    fs::write(shop.root().join("app.py"), format!("import os\n\n\n{APP}")).expect("a file");
    shop.index();
    assert_eq!((place(&shop).line, place(&shop).end_line), (4, 5));
    fs::write(shop.root().join("app.py"), APP.replace("add_tax", "taxed")).expect("a file");
    shop.index();
    assert_eq!(
        (place(&shop).line, place(&shop).file),
        (0, "app.py".to_owned())
    );
    shop.judge("tax.py", None, HitVerdict::Wrong);
    assert_eq!(id(&shop), before, "a task is told by what is asked");
}

#[test]
fn the_suite_is_run_over_the_repositories_as_they_are() {
    let shop = Shop::new();
    shop.judge("app.py", Some("add_tax"), HitVerdict::Right);
    let request = RunRequest {
        suites: vec![SUITE.to_owned()],
        subjects: vec!["whyrank".to_owned()],
        no_vectors: true,
        ..RunRequest::default()
    };
    let ran = shop.bench.run(&request, Extra::default(), |_| ());
    let (path, summary) = ran.expect("a run");
    assert_eq!(summary.run.n_done, 1, "{summary:?}");
    let raw = fs::read_to_string(path.join("raw.jsonl")).expect("answers");
    let result: whyrank_eval::TaskResult = serde_json::from_str(&raw).expect("a line");
    assert_eq!(
        (result.suite.as_str(), result.repo.as_str()),
        ("judged", "shop")
    );
    assert!(result.scores[&Metric::Mrr] > 0.0, "{result:?}");
}
