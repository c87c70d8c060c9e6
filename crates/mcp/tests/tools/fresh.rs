//! Every answer is of the files as they are, or its first line says how far it is behind.

use std::collections::BTreeMap;
use std::fs;

use crate::support::Shop;
use serde_json::{Value, json};
use whyrank_mcp::{Call, Readiness, Session, ToolAnswer, ToolError, call_tool};

const SERVER: Readiness = Readiness::Background { patience_ms: 5_000 };

fn ask_once(session: &Session, tool: &str, args: &Value) -> Result<ToolAnswer, ToolError> {
    let args = args.as_object().expect("an object").clone();
    call_tool(tool, &Call::plain(session), args)
}

/// Asks again while the first line says that the index is behind: the machine may be busy.
fn ask(session: &Session, tool: &str, args: &Value) -> Result<ToolAnswer, ToolError> {
    for _ in 0..60 {
        let outcome = ask_once(session, tool, args);
        let text = outcome
            .as_ref()
            .map_or_else(ToString::to_string, |one| one.text.clone());
        if !text.starts_with("INDEX ") && !text.contains("not searchable yet") {
            return outcome;
        }
    }
    panic!("{tool} {args}: the index is never current");
}

/// Where a definition is said to be; `None` where it is said to be nowhere.
fn place(session: &Session, symbol: &str) -> Option<(String, u32)> {
    match ask(session, "lookup", &json!({"symbol": symbol})) {
        Ok(answer) => {
            let exact = |one: &&whyrank_mcp::ToolResult| one.symbol.as_deref() == Some(symbol);
            let found = answer.results.iter().find(exact);
            found.map(|one| (one.path.clone(), one.start_line))
        }
        Err(error) if error.code == "not-found" => None,
        Err(error) => panic!("{symbol}: {error}"),
    }
}

/// What an old server and a new one, one command and a batch of them say.
struct AskedFiles<'a> {
    shop: &'a Shop,
    old: Session,
    batch: Session,
}

impl<'a> AskedFiles<'a> {
    fn new(shop: &'a Shop) -> Self {
        let (old, batch) = (
            shop.session_of(SERVER),
            shop.session_of(Readiness::OnDemand),
        );
        for session in [&old, &batch] {
            assert!(place(session, "with_tax").is_some());
        }
        Self { shop, old, batch }
    }

    #[track_caller]
    fn check(&self, edit: &str, symbol: &str, expected: Option<(&str, u32)>) {
        let new = self.shop.session_of(SERVER);
        let one = self.shop.session_of(Readiness::OnDemand);
        let sessions = [
            ("old", &self.old),
            ("new", &new),
            ("batch", &self.batch),
            ("one", &one),
        ];
        for (who, session) in sessions {
            let found = place(session, symbol);
            let found = found.as_ref().map(|(path, line)| (path.as_str(), *line));
            assert_eq!(found, expected, "{who} after {edit}: {symbol}");
        }
    }
}

/// Writes a text of the same length and sets the time back, as some tools do.
fn write_unseen(shop: &Shop, path: &str, from: &str, to: &str) {
    let full = shop.root().join(path);
    let before = fs::metadata(&full)
        .expect("a file")
        .modified()
        .expect("a time");
    shop.edit(path, from, to);
    let file = fs::File::options().write(true).open(&full).expect("opened");
    file.set_modified(before).expect("set back");
}

/// Goes to a commit, if it is there.
fn check_out(shop: &Shop, revision: &str) {
    if let Ok(commit) = shop.git().revparse_single(revision) {
        let reset = shop.git().reset(&commit, git2::ResetType::Hard, None);
        reset.expect("checked out");
    }
}

#[test]
fn every_kind_of_edit_is_seen_by_the_next_answer() {
    let shop = Shop::new();
    let asked = AskedFiles::new(&shop);
    shop.edit("shop/prices.py", "def rounded(", "def rounded_up(");
    asked.check("a save", "rounded_up", Some(("shop/prices.py", 10)));
    write_unseen(
        &shop,
        "shop/prices.py",
        "def rounded_up(",
        "def rounded_dn(",
    );
    asked.check(
        "a save that hides",
        "rounded_dn",
        Some(("shop/prices.py", 10)),
    );
    asked.check("a save that hides", "rounded_up", None);
    shop.write("shop/new/deep.py", "def deep():\n    pass\n");
    asked.check("a new folder", "deep", Some(("shop/new/deep.py", 1)));
    fs::rename(shop.root().join("shop/new"), shop.root().join("shop/moved")).expect("moved");
    asked.check("a move", "deep", Some(("shop/moved/deep.py", 1)));
    shop.commit();
    fs::remove_file(shop.root().join("shop/moved/deep.py")).expect("removed");
    asked.check("a deletion", "deep", None);
    check_out(&shop, "HEAD");
    asked.check("a restore", "deep", Some(("shop/moved/deep.py", 1)));
    check_out(&shop, "HEAD~1");
    asked.check("a checkout", "deep", None);
    asked.check("a checkout", "rounded", Some(("shop/prices.py", 10)));
    shop.write(".gitignore", "hidden/\n");
    shop.write("hidden/secret.py", "def concealed():\n    pass\n");
    asked.check("an ignored file", "concealed", None);
    shop.write(".gitignore", "\n");
    asked.check(
        "other ignore rules",
        "concealed",
        Some(("hidden/secret.py", 1)),
    );
}

#[test]
fn reviews_and_claims_are_of_the_files_too() {
    let shop = Shop::new();
    let server = shop.session_of(SERVER);
    let found = ask(
        &server,
        "search",
        &json!({"query": "summarize entries by customer"}),
    );
    let evidence = found.expect("found").results[0]
        .evidence
        .clone()
        .expect("every hit has one");
    shop.edit("shop/report.py", "reverse=True", "reverse=None");
    let verify = json!({"evidence_ids": [evidence]});
    for session in [
        server,
        shop.session_of(SERVER),
        shop.session_of(Readiness::OnDemand),
    ] {
        let verified = ask(&session, "verify", &verify)
            .expect("verified")
            .structured;
        assert_eq!(verified["evidence"][0]["state"], "modified", "{verified}");
        let review = ask(&session, "review_diff", &json!({})).expect("reviewed");
        assert!(
            review.text.contains("shop/report.py:1 summarize"),
            "{}",
            review.text
        );
        let tests = ask(&session, "test_map", &json!({})).expect("mapped");
        assert!(tests.text.contains("summarize"), "{}", tests.text);
        let diff = ask(&session, "diff_search", &json!({"query": "summarize"})).expect("found");
        assert_eq!(diff.results[0].path, "shop/report.py");
    }
}

#[test]
fn what_the_index_leaves_out_was_not_removed() {
    let shop = Shop::new();
    let minified = format!("var a=1;{}", "function f(){return a};".repeat(2_000));
    shop.write("assets/app.js", &minified);
    shop.write("assets/logo.png", "not really");
    shop.commit();
    shop.index();
    let clean = shop.call("review_diff", json!({})).text;
    assert!(clean.starts_with("nothing changed since HEAD"), "{clean}");
    shop.write("assets/logo.png", "another");
    fs::remove_file(shop.root().join("assets/app.js")).expect("removed");
    let review = shop.call("review_diff", json!({})).structured;
    assert_eq!(review["others"], json!(["assets/logo.png"]));
    assert_eq!(review["removed_files"], json!(["assets/app.js"]));
    assert_eq!(review["symbols"], json!([]), "nobody knew its definitions");
    let elsewhere = shop.call("review_diff", json!({"path": "shop"})).text;
    assert!(
        elsewhere.starts_with("nothing changed since HEAD"),
        "{elsewhere}"
    );
}

#[test]
fn an_index_that_cannot_follow_names_the_files_in_the_first_line() {
    let shop = Shop::new();
    let session = shop.session_of(Readiness::OnDemand);
    let _lock = shop.writer_lock();
    shop.edit("shop/prices.py", "def rounded(", "def rounded_up(");
    let line = "INDEX BEHIND: shop/prices.py changed after it \
                (update waits: another process writes the index)\n";
    let answer = ask_once(&session, "lookup", &json!({"symbol": "rounded"})).expect("old");
    assert!(answer.text.starts_with(line), "{}", answer.text);
    let error = ask_once(&session, "lookup", &json!({"symbol": "rounded_up"})).expect_err("new");
    assert!(
        error.code == "not-found" && error.message.starts_with(line),
        "{error}"
    );
    let asked = json!({"symbol": "rounded", "format": "json"});
    let answer = ask_once(&session, "lookup", &asked).expect("old");
    let text: Value = serde_json::from_str(&answer.text).expect("still JSON");
    assert_eq!(text["index_behind"]["behind"], json!(["shop/prices.py"]));
    let of_commit = json!({"symbol": "rounded", "as_of": "HEAD"});
    let outcome = ask_once(&session, "lookup", &of_commit);
    let text = outcome.map_or_else(|error| error.to_string(), |answer| answer.text);
    assert!(!text.contains("INDEX "), "a commit does not change: {text}");
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

/// Where each `def made_N` lies.
fn truth(shop: &Shop) -> BTreeMap<String, (String, u32)> {
    let mut found = BTreeMap::new();
    for n in 0..9 {
        let path = format!("made/{n}.py");
        let text = fs::read_to_string(shop.root().join(&path)).unwrap_or_default();
        for (line, text) in (1..).zip(text.lines()) {
            if let Some(name) = text
                .strip_prefix("def ")
                .and_then(|rest| rest.split('(').next())
            {
                found.insert(name.to_owned(), (path.clone(), line));
            }
        }
    }
    found
}

#[test]
fn random_edits_never_meet_a_stale_answer() {
    const N_STEPS: usize = 100;
    let shop = Shop::new();
    let (server, batch) = (
        shop.session_of(SERVER),
        shop.session_of(Readiness::OnDemand),
    );
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut names: Vec<String> = vec!["made_0".to_owned()];
    for step in 0..N_STEPS {
        let path = format!("made/{}.py", dice.below(9));
        let full = shop.root().join(&path);
        let text = fs::read_to_string(&full).unwrap_or_default();
        let name = format!("made_{step:04}");
        match dice.below(8) {
            0 if full.exists() => fs::remove_file(&full).expect("removed"),
            1 => shop.commit(),
            2 => check_out(&shop, ["HEAD", "HEAD~1", "HEAD@{1}"][dice.below(3)]),
            3 if text.contains("made_") => {
                let at = text.find("made_").expect("there");
                write_unseen(&shop, &path, &text[at..at + 9], &name);
            }
            _ => shop.write(&path, &format!("{text}def {name}():\n    pass\n")),
        }
        names.push(name);
        let (session, at) = match dice.below(2) {
            0 => (&server, "server"),
            _ => (&batch, "batch"),
        };
        let truth = truth(&shop);
        let n_back = dice.below(names.len().min(6));
        let asked = &names[names.len() - 1 - n_back];
        let found = place(session, asked);
        assert_eq!(
            found.as_ref(),
            truth.get(asked),
            "step {step}, {at}: {asked}"
        );
    }
}

#[test]
fn a_file_that_is_written_while_it_is_asked_about_is_noticed() {
    let shop = Shop::new();
    let session = shop.session_of(Readiness::OnDemand);
    assert!(place(&session, "rounded").is_some());
    let repo = session
        .engine()
        .name_repo(&shop.root().to_string_lossy())
        .expect("known");
    let written = || {
        let named = ["shop/cart.py", "shop/prices.py"];
        session
            .engine()
            .written_since(&repo.id, &named)
            .expect("looked")
    };
    assert_eq!(written(), [""; 0]);
    shop.edit("shop/prices.py", "def rounded(", "def rounded_up(");
    assert_eq!(written(), ["shop/prices.py"]);
}

#[test]
fn status_tells_a_changed_file_from_an_index_that_is_current() {
    let shop = Shop::new();
    let session = shop.session_of(Readiness::Prepared);
    let note = || {
        let answer = ask_once(&session, "status", &json!({}))
            .expect("a status")
            .structured;
        answer["health"]["summary"]["state_note"].to_string()
    };
    assert!(note().contains("up to date with"), "{}", note());
    shop.edit("shop/prices.py", "def rounded(", "def rounded_up(");
    assert!(
        note().contains("shop/prices.py changed since"),
        "{}",
        note()
    );
}

#[test]
fn an_earlier_answer_says_so_once_its_files_have_changed() {
    let shop = Shop::new();
    let session = shop.session_of(Readiness::OnDemand);
    let first = ask(
        &session,
        "search_iterative",
        &json!({"query": "price with tax"}),
    );
    let text = first.expect("found").text;
    let at = text.find("rest r").expect("a handle") + "rest ".len();
    let handle: String = text[at..]
        .chars()
        .take_while(|one| one.is_alphanumeric())
        .collect();
    let narrow = |handle: &str| {
        let args = json!({"handle": handle, "kind": "function"});
        ask_once(&session, "search_iterative", &args)
            .expect("narrowed")
            .text
    };
    assert!(!narrow(&handle).contains("INDEX "), "{}", narrow(&handle));
    shop.edit(
        "shop/prices.py",
        "def price_of(",
        "# Moved.\n\n\ndef price_of(",
    );
    let later = narrow(&handle);
    assert!(
        later.starts_with("INDEX AHEAD: files changed since"),
        "{later}"
    );
    assert!(
        later.contains("ask again: search_iterative(query=\"price with tax\""),
        "{later}"
    );
}
