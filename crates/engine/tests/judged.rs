//! Hits that the person judged.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::fs;
use tempfile::TempDir;
use whyrank_engine::api::{HitVerdict, JudgeRequest, JudgedPlace, RepoId};
use whyrank_engine::{Engine, EnginePaths};

struct Fixture {
    folder: TempDir,
    engine: Engine,
    repo: RepoId,
}

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let engine = Engine::open(EnginePaths::below(&folder.path().join("home"))).unwrap();
        let root = folder.path().join("shop");
        git2::Repository::init(&root).unwrap();
        let repo = engine.add_repo(&root).unwrap().id;
        Self {
            folder,
            engine,
            repo,
        }
    }

    fn request(&self, query: &str, line: u32, symbol: Option<&str>) -> JudgeRequest {
        JudgeRequest {
            repo: self.repo.clone(),
            query: query.to_owned(),
            as_of: None,
            place: JudgedPlace {
                path: "app.py".to_owned(),
                start_line: line,
                end_line: line + 4,
                symbol: symbol.map(str::to_owned),
            },
            verdict: Some(HitVerdict::Right),
        }
    }

    fn list(&self) -> std::path::PathBuf {
        let folder = self.folder.path().join("home/data/benchmark/judged");
        folder.join(format!("{}.jsonl", self.repo.as_str()))
    }
}

#[test]
fn a_later_judgement_replaces_the_earlier_and_is_taken_back() {
    let shop = Fixture::new();
    let right = shop.request("where is tax added", 3, Some("Cart.total"));
    assert_eq!(shop.engine.judge(&right).unwrap(), None);
    let moved = JudgeRequest {
        verdict: Some(HitVerdict::Wrong),
        ..shop.request(" where is tax added ", 30, Some("Cart.total"))
    };
    assert_eq!(shop.engine.judge(&moved).unwrap(), Some(HitVerdict::Right));
    shop.engine
        .judge(&shop.request("where is tax added", 9, None))
        .unwrap();
    let judged = shop.engine.judged_hits().unwrap();
    let said: Vec<(u32, HitVerdict)> = judged
        .iter()
        .map(|hit| (hit.place.start_line, hit.verdict))
        .collect();
    assert_eq!(said, [(9, HitVerdict::Right), (30, HitVerdict::Wrong)]);
    assert_eq!(fs::read_to_string(shop.list()).unwrap().lines().count(), 2);
    let back = JudgeRequest {
        verdict: None,
        ..moved
    };
    assert_eq!(shop.engine.judge(&back).unwrap(), Some(HitVerdict::Wrong));
    assert_eq!(shop.engine.judge(&back).unwrap(), None);
    assert_eq!(shop.engine.judged_hits().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_kept_says_why() {
    let shop = Fixture::new();
    let code = |request: &JudgeRequest| shop.engine.judge(request).unwrap_err().code;
    assert_eq!(code(&shop.request("  ", 3, None)), "bad-argument");
    assert_eq!(code(&shop.request("q", 0, None)), "bad-argument");
    assert_eq!(
        code(&shop.request(&"q".repeat(5_000), 1, None)),
        "bad-argument"
    );
    let of_nobody = JudgeRequest {
        repo: "0123456789ab".into(),
        ..shop.request("q", 1, None)
    };
    assert_eq!(code(&of_nobody), "unknown-repository");
    let of_no_commit = JudgeRequest {
        as_of: Some("v9".to_owned()),
        ..shop.request("q", 1, None)
    };
    assert_eq!(code(&of_no_commit), "unknown-revision");
    let hit = |at: u32| {
        format!(
            r#"{{"repo":"{}","query":"q{at}","place":{{"path":"a.py","start_line":1,"end_line":2}},"verdict":"right","at":{at}}}"#,
            shop.repo.as_str()
        )
    };
    let lines: Vec<String> = (0..2_000).map(hit).collect();
    fs::create_dir_all(shop.list().parent().unwrap()).unwrap();
    fs::write(shop.list(), lines.join("\n")).unwrap();
    assert_eq!(code(&shop.request("q", 1, None)), "judged-full");
    assert_eq!(shop.engine.judged_hits().unwrap().len(), 2_000);
}

#[test]
fn secrets_are_not_kept_and_a_damaged_list_is_read_from_its_copy() {
    let shop = Fixture::new();
    let key = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    shop.engine
        .judge(&shop.request(&format!("who uses {key}"), 3, None))
        .unwrap();
    assert!(!fs::read_to_string(shop.list()).unwrap().contains(key));
    fs::write(shop.list(), "{\"repo\":").unwrap();
    assert_eq!(shop.engine.judged_hits().unwrap().len(), 1);
    fs::remove_file(shop.list().with_extension("copy.jsonl")).unwrap();
    let error = shop.engine.judged_hits().unwrap_err();
    assert_eq!(error.code, "registry-damaged");
    assert!(error.message.contains("line 1"), "{}", error.message);
}
