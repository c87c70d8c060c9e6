//! Diffs are git's own: what a review says to have changed is what git names, for every form of a reference,
//! without an index, with a fresh one and with one of long ago.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::support::Shop;
use serde_json::{Value, json};
use whyrank_engine::api::IndexOptions;
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::{Call, Readiness, Session, call_tool};

/// Git in the working tree of a shop.
fn git(shop: &Shop, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(shop.root())
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(["-c", "commit.gpgsign=false"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git is installed");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {args:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn commit(shop: &Shop, message: &str) {
    git(shop, &["add", "-A"]);
    git(shop, &["commit", "-q", "-m", message]);
}

/// Numbers from a seed, by xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

fn module(seed: usize) -> String {
    let functions = (0..6).map(|at| {
        format!("def made_{seed}_{at}(item, count):\n    total = item * {at}\n    return total + count\n\n\n")
    });
    functions.collect()
}

/// Files that git tracks, of those that a step may touch.
fn tracked(shop: &Shop) -> Vec<String> {
    let listed = git(shop, &["ls-files", "made", "shop"]);
    listed.lines().map(str::to_owned).collect()
}

/// One change of the working tree.
fn step(shop: &Shop, dice: &mut Dice, n: usize) {
    let files = tracked(shop);
    let path = files[dice.below(files.len())].clone();
    let full = shop.root().join(&path);
    let text = fs::read_to_string(&full).unwrap_or_default();
    match dice.below(9) {
        0 | 1 => shop.write(&format!("made/m{n}.py"), &module(n)),
        2 => shop.write(
            &path,
            &text.replacen("(item, count)", "(item, count, by)", 1),
        ),
        3 => shop.write(&path, &format!("{text}\n\nSEEN_{n} = {n}\n")),
        4 if files.len() > 4 => drop(fs::remove_file(&full)),
        5 => {
            let to = shop.root().join(format!("made/moved_{n}.py"));
            fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            fs::rename(&full, &to).expect("moved");
        }
        6 => shop.write(&path, &text.replace('\n', "\r\n")),
        7 => {
            let bytes: Vec<u8> = (0..200).map(|at| (at * n) as u8).collect();
            fs::write(shop.root().join("logo.bin"), bytes).expect("written");
        }
        _ => {
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode =
                    fs::Permissions::from_mode(if n.is_multiple_of(2) { 0o755 } else { 0o644 });
                fs::set_permissions(&full, mode).expect("set");
            }
        }
    }
}

/// A history with adds, removals, moves, modes, binaries, line ends, a submodule, a link and merges, and a
/// working tree that has gone on.
fn history(shop: &Shop, seed: u64) {
    let mut dice = Dice(seed);
    git(shop, &["branch", "-M", "main"]);
    shop.write(".gitattributes", "win/*.py text eol=crlf\n");
    shop.write("win/ends.py", "def ends():\r\n    return 1\r\n");
    shop.write("made/first.py", &module(100));
    commit(shop, "files");
    for n in 1..12 {
        for _ in 0..=dice.below(3) {
            let name = n * 10 + dice.below(7);
            step(shop, &mut dice, name);
        }
        let link = format!("160000,{}{n:02},sub", "a".repeat(38));
        if n % 4 == 1 {
            fs::create_dir_all(shop.root().join("sub")).expect("made");
        }
        git(shop, &["add", "-A"]);
        if n % 4 == 1 {
            git(shop, &["update-index", "--add", "--cacheinfo", &link]);
        }
        #[cfg(unix)]
        if n == 6 {
            std::os::unix::fs::symlink("shop/cart.py", shop.root().join("cart.link"))
                .expect("linked");
            git(shop, &["add", "cart.link"]);
        }
        git(shop, &["commit", "-q", "--allow-empty", "-m", "a step"]);
        if n % 5 == 0 {
            git(
                shop,
                &["checkout", "-q", "-b", &format!("side{n}"), "HEAD~2"],
            );
            shop.write(&format!("side/s{n}.py"), &module(n + 300));
            commit(shop, "aside");
            git(shop, &["checkout", "-q", "main"]);
            git(
                shop,
                &[
                    "merge",
                    "-q",
                    "--no-ff",
                    "-m",
                    "a merge",
                    &format!("side{n}"),
                ],
            );
            git(shop, &["tag", &format!("merge{n}")]);
        }
    }
    git(shop, &["checkout", "-q", "-b", "topic", "HEAD~3"]);
    shop.write("side/topic.py", &module(500));
    commit(shop, "a topic");
    git(shop, &["checkout", "-q", "main"]);
    for n in 0..4 {
        step(shop, &mut dice, 700 + n);
    }
    shop.write("loose/new.py", &module(900));
    shop.write(".gitignore", "ignored/\n");
    shop.write("ignored/out.py", &module(901));
}

/// What git itself says to differ.
fn truth(shop: &Shop, reference: &str) -> BTreeSet<String> {
    let names = |args: &[&str]| -> Vec<String> {
        let listed = git(shop, args);
        let names = listed.split('\0').filter(|name| !name.is_empty());
        names.map(str::to_owned).collect()
    };
    let diff = ["diff", "--name-only", "--no-renames", "-z"];
    let mut found = if let Some(alone) = reference.strip_suffix("^!") {
        names(&[&diff[..], &[&format!("{alone}^1"), alone]].concat())
    } else if reference.contains("..") {
        names(&[&diff[..], &[reference]].concat())
    } else {
        let named = if reference.is_empty() {
            "HEAD"
        } else {
            reference
        };
        let base = git(shop, &["merge-base", named, "HEAD"]);
        let mut found = names(&[&diff[..], &[base.trim()]].concat());
        found.extend(names(&["ls-files", "--others", "--exclude-standard", "-z"]));
        found
    };
    found.sort();
    found.into_iter().collect()
}

fn told(review: &Value) -> BTreeSet<String> {
    let texts = |field: &str, of: &dyn Fn(&Value) -> Vec<Value>| -> Vec<String> {
        let list = review[field].as_array().expect("a list").clone();
        let all = list.iter().flat_map(of);
        all.filter_map(|one| one.as_str().map(str::to_owned))
            .collect()
    };
    let mut told = texts("files", &|one| vec![one["path"].clone()]);
    told.extend(texts("others", &|one| vec![one.clone()]));
    told.extend(texts("removed_files", &|one| vec![one.clone()]));
    told.extend(texts("moved_files", &|one| {
        vec![one["path"].clone(), one["from"].clone()]
    }));
    told.into_iter().collect()
}

/// Definitions that are there, each with how it changed.
fn definitions(review: &Value) -> BTreeSet<String> {
    let symbols = review["symbols"].as_array().expect("a list").iter();
    let there = symbols.filter(|one| one["change"] != "removed");
    there
        .map(|one| {
            let symbol = &one["symbol"];
            format!(
                "{} {}:{} {}",
                one["change"], symbol["path"], symbol["name_line"], symbol["qualified"]
            )
        })
        .collect()
}

/// A session over an index of its own, made now or never.
fn session(shop: &Shop, home: &str, is_indexed: bool) -> Session {
    let home = EnginePaths::below(&shop.folder.path().join(home));
    let engine = Engine::open(home).expect("an engine");
    let repo = engine.add_repo(&shop.root()).expect("added");
    if is_indexed {
        let options = IndexOptions {
            skip_vectors: true,
            ..IndexOptions::default()
        };
        let job = engine.start_index(&repo.id, options).expect("a job");
        engine.wait_job(&job).expect("its end");
    }
    Session::new(engine, shop.root().to_string_lossy(), Readiness::Prepared)
}

fn ask(session: &Session, tool: &str, args: Value) -> (Value, String) {
    let Value::Object(args) = args else {
        panic!("arguments are an object");
    };
    let answer = call_tool(tool, &Call::plain(session), args);
    let answer = answer.unwrap_or_else(|error| panic!("{tool}: {error}"));
    (answer.structured, answer.text)
}

#[test]
fn a_review_names_what_git_names_with_and_without_an_index() {
    for seed in [7, 4_711] {
        let shop = Shop::new();
        history(&shop, seed);
        let none = session(&shop, "none", false);
        let fresh = session(&shop, "fresh", true);
        let references = [
            "",
            "HEAD",
            "HEAD~1",
            "HEAD~4",
            "main",
            "topic",
            "side5",
            "merge5",
            "HEAD~3..HEAD",
            "HEAD~1..",
            "..HEAD~2",
            "HEAD..topic",
            "topic..HEAD",
            "topic...HEAD",
            "main...topic",
            "HEAD^!",
            "merge5^!",
            "merge10^!",
            "merge10^..merge10",
            "merge5..merge10",
            "HEAD~5^!",
        ];
        for reference in references {
            let expected = truth(&shop, reference);
            let args = json!({"ref": reference});
            let (review, text) = ask(&none, "review_diff", args.clone());
            assert_eq!(told(&review), expected, "{seed} {reference}: {text}");
            assert!(!text.contains("INDEX"), "{text}");
            for other in [&fresh, &shop.session] {
                let (again, text) = ask(other, "review_diff", args.clone());
                assert_eq!(told(&again), expected, "{seed} {reference}: {text}");
                assert_eq!(
                    definitions(&again),
                    definitions(&review),
                    "{seed} {reference}"
                );
                assert!(!text.contains("INDEX"), "{text}");
            }
            if reference.starts_with("merge10^") {
                assert!(
                    text.contains("is a merge: compared with its first parent"),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn without_an_index_an_answer_says_what_it_leaves_out() {
    let shop = Shop::new();
    let none = session(&shop, "none", false);
    shop.edit(
        "shop/prices.py",
        "def with_tax(price):",
        "def with_tax(price, rate):",
    );
    fs::remove_file(shop.root().join("shop/report.py")).expect("removed");
    let (_, review) = ask(&none, "review_diff", json!({}));
    for part in [
        "users and tests: there is no index yet",
        "shop/prices.py:6 with_tax [signature]: its signature changed",
        "summarize [removed]",
        "removed: shop/report.py",
    ] {
        assert!(review.contains(part), "{part} in {review}");
    }
    assert!(
        !review.contains("no test reaches"),
        "nobody looked: {review}"
    );
    let (_, tests) = ask(&none, "test_map", json!({}));
    assert!(tests.contains("their tests are not known"), "{tests}");
    assert!(tests.contains("shop/prices.py:6 with_tax"), "{tests}");
    let (_, found) = ask(&none, "diff_search", json!({"query": "price with tax"}));
    assert!(found.contains("shop/prices.py:"), "{found}");
    assert!(found.contains("ordered by words alone"), "{found}");
    let (_, place) = ask(
        &none,
        "verify",
        json!({"evidence_ids": ["shop/prices.py:6-7"]}),
    );
    assert!(place.contains("present"), "{place}");
    // Nothing was indexed for any of it.
    let jobs = none.engine().jobs();
    assert!(jobs.is_empty(), "{jobs:?}");
}

#[test]
fn what_is_deleted_is_not_behind() {
    let shop = Shop::new();
    let server = shop.session_of(Readiness::OnDemand);
    ask(&server, "search", json!({"query": "summarize"}));
    fs::remove_file(shop.root().join("shop/report.py")).expect("removed");
    for _ in 0..2 {
        let (review, text) = ask(&server, "review_diff", json!({}));
        assert_eq!(review["removed_files"], json!(["shop/report.py"]));
        assert!(
            !text.contains("INDEX") && !text.contains("ask again"),
            "{text}"
        );
    }
}

#[test]
fn a_missing_content_is_named_and_the_rest_is_told() {
    let shop = Shop::new();
    let blob = git(&shop, &["rev-parse", "HEAD:shop/report.py"]);
    let blob = blob.trim();
    shop.edit("shop/report.py", "reverse=True", "reverse=False");
    shop.edit("shop/prices.py", "price * 2", "price * 3");
    let object = format!(".git/objects/{}/{}", &blob[..2], &blob[2..]);
    fs::remove_file(shop.root().join(object)).expect("a loose object");
    let none = session(&shop, "none", false);
    let (review, text) = ask(&none, "review_diff", json!({}));
    assert_eq!(review["unread"][0]["path"], "shop/report.py");
    assert!(
        text.contains(&blob[..10]) && text.contains("with_tax"),
        "{text}"
    );
    assert!(text.contains("also changed: shop/report.py"), "{text}");
}

#[test]
fn a_shallow_clone_says_where_its_history_ends() {
    let shop = Shop::new();
    shop.edit("shop/prices.py", "price * 2", "price * 3");
    commit(&shop, "another");
    let from = format!("file://{}", shop.root().display());
    let to = shop.folder.path().join("shallow");
    git(
        &shop,
        &["clone", "-q", "--depth", "1", &from, &to.to_string_lossy()],
    );
    let home = EnginePaths::below(&shop.folder.path().join("home3"));
    let engine = Engine::open(home).expect("an engine");
    engine.add_repo(&to).expect("added");
    let session = Session::new(engine, to.to_string_lossy(), Readiness::Prepared);
    let (_, text) = ask(&session, "review_diff", json!({}));
    assert!(text.starts_with("nothing changed since HEAD"), "{text}");
    for reference in ["HEAD~1", "HEAD^..HEAD", "HEAD^!"] {
        let Value::Object(args) = json!({"ref": reference}) else {
            unreachable!("it is one");
        };
        let error = call_tool("review_diff", &Call::plain(&session), args).expect_err("not here");
        assert_eq!(error.code, "unknown-revision");
        assert!(format!("{error}").contains("shallow"), "{error}");
    }
}
