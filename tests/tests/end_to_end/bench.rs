//! `whyrank bench` and `whyrank eval` over a small repository and task files made on the spot.

use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use whyrank_tests::{Home, Outcome, TestRepo, program};

/// A repository, a folder beside it for task files, and a home.
pub(crate) struct Bench {
    pub(crate) repo: TestRepo,
    pub(crate) home: Home,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self::on(TestRepo::shop())
    }

    fn on(repo: TestRepo) -> Self {
        let home = Home::new();
        Self { repo, home }
    }

    /// The folder that holds the repository, by the name `repo`.
    fn folder(&self) -> String {
        text(self.repo.root().parent().expect("a temporary folder"))
    }

    /// Writes a file beside the repository; returns its path.
    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        let path = self.repo.beside(name);
        fs::create_dir_all(path.parent().expect("files lie in folders")).expect("folders");
        fs::write(&path, content).expect("a file");
        text(&path)
    }

    /// Writes tasks, one a line.
    pub(crate) fn tasks(&self, name: &str, tasks: &[Value]) -> String {
        let lines: Vec<String> = tasks.iter().map(Value::to_string).collect();
        self.file(name, &(lines.join("\n") + "\n"))
    }

    /// The arguments of a run over these checkouts.
    pub(crate) fn args(&self, suite: &str, more: &[&str]) -> Vec<String> {
        let folder = self.folder();
        let fixed = [
            "bench",
            "run",
            "--suite",
            suite,
            "--repos",
            &folder,
            "--no-vectors",
        ];
        fixed
            .iter()
            .chain(more)
            .map(|arg| (*arg).to_owned())
            .collect()
    }

    pub(crate) fn run(&self, suite: &str, more: &[&str]) -> Outcome {
        self.home.run(&self.args(suite, more))
    }

    /// A run to its end; returns its summary.
    pub(crate) fn summary(&self, suite: &str, more: &[&str]) -> Value {
        let more: Vec<&str> = more.iter().copied().chain(["--json"]).collect();
        self.run(suite, &more).succeeds().json()
    }

    /// Runs there are, newest first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let runs = self.home.json(&["bench", "list", "--json"]);
        runs.as_array().expect("a list").clone()
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.home.data().join("benchmark").join("results")
    }

    /// The answers of a run.
    pub(crate) fn answers(&self, id: &str) -> Vec<Value> {
        let raw = fs::read_to_string(self.results().join(id).join("raw.jsonl")).expect("answers");
        raw.lines()
            .map(|line| serde_json::from_str(line).expect("a line of JSON"))
            .collect()
    }

    pub(crate) fn report(&self, run: &str, format: &str) -> String {
        let args = ["bench", "report", run, "--format", format];
        self.home.run(&args).succeeds().stdout
    }
}

pub(crate) fn text(path: &Path) -> String {
    path.to_str().expect("temporary paths are UTF-8").to_owned()
}

pub(crate) fn id_of(summary: &Value) -> &str {
    summary["run"]["id"].as_str().expect("a run has an id")
}

pub(crate) fn answer<'a>(answers: &'a [Value], subject: &str, task: &str) -> &'a Value {
    let found = answers
        .iter()
        .find(|line| line["subject"] == subject && line["task"] == task);
    found.unwrap_or_else(|| panic!("{subject} has no answer to {task}"))
}

/// The score that represents the task's kind.
pub(crate) fn value(answers: &[Value], subject: &str, task: &str) -> f64 {
    let line = answer(answers, subject, task);
    let headline = line["headline"].as_str().expect("a headline");
    let score = line["scores"][headline].as_f64();
    score.unwrap_or_else(|| panic!("no score: {line}"))
}

/// Names of the subjects with a row of their own over the whole suite.
pub(crate) fn subjects_of(summary: &Value) -> Vec<&str> {
    let rows = summary["rows"].as_array().expect("rows");
    rows.iter()
        .filter(|row| row["group"]["by"] == "all")
        .map(|row| row["subject"].as_str().expect("a name"))
        .collect()
}

fn task(id: &str, category: &str, query: Value, expected: Value) -> Value {
    json!({"id": id, "repo": "repo", "category": category, "query": query, "expected": expected})
}

pub(crate) fn at(file: &str, line: u32) -> Value {
    json!({"file": file, "line": line})
}

/// A definition, as the format of primitives asks for it.
pub(crate) fn definition() -> Value {
    let expected = json!([at("web/src/prices.ts", 4)]);
    task("p1", "P1", json!({"symbol": "priceOf"}), expected)
}

/// A task of each kind of primitive, about the shop.
pub(crate) fn primitives() -> Vec<Value> {
    let mut uses = task(
        "p2",
        "P2",
        json!({"symbol": "priceOf", "file": "web/src/prices.ts", "line": 4}),
        json!([at("web/src/cart.ts", 21)]),
    );
    uses["optional"] = json!([at("web/src/cart.ts", 1)]);
    vec![
        definition(),
        uses,
        task(
            "p4-imports",
            "P4",
            json!({"file": "web/test/cart.test.ts", "direction": "imports"}),
            json!([{"file": "web/src/cart.ts"}, {"file": "web/src/prices.ts"}]),
        ),
        task(
            "p4-importers",
            "P4",
            json!({"file": "billing/tax.py", "direction": "importers"}),
            json!([{"file": "billing/invoice.py"}]),
        ),
        task(
            "p5-dead",
            "P5",
            json!({"symbol": "next_invoice_number", "file": "billing/invoice.py", "line": 18}),
            json!({"dead": true}),
        ),
        task(
            "p5-alive",
            "P5",
            json!({"symbol": "vat_rate", "file": "billing/tax.py", "line": 4}),
            json!({"dead": false}),
        ),
    ]
}

/// What an answer is worth, without what differs from one run to the next.
fn scores(answers: &[Value]) -> Vec<String> {
    let mut lines: Vec<String> = answers
        .iter()
        .map(|line| {
            let places = &line["found"];
            format!(
                "{} {} {} {places}",
                line["subject"], line["task"], line["scores"]
            )
        })
        .collect();
    lines.sort();
    lines
}

#[test]
fn a_run_judges_every_subject_and_leaves_a_folder() {
    let bench = Bench::new();
    let suite = bench.tasks("primitives.jsonl", &primitives());
    let summary = bench.summary(&suite, &[]);
    assert_eq!(summary["run"]["state"], "complete");
    assert_eq!(summary["run"]["n_done"], 30, "six tasks, five subjects");
    let answers = bench.answers(id_of(&summary));
    for one in primitives() {
        let id = one["id"].as_str().expect("an id");
        assert!(value(&answers, "whyrank", id) > 0.999, "{id}");
    }
    for subject in ["naive-grep", "smart-grep", "smart-grep-fair"] {
        let line = answer(&answers, subject, "p1");
        assert_eq!(line["error"], Value::Null, "{line}");
        assert!(value(&answers, subject, "p1") > 0.999, "{line}");
    }
    assert_eq!(answer(&answers, "bm25", "p1")["unsupported"], true);

    let folder = bench.results().join(id_of(&summary));
    for name in [
        "run.json",
        "raw.jsonl",
        "summary.json",
        "report.md",
        "report.html",
    ] {
        let length = fs::metadata(folder.join(name)).map_or(0, |file| file.len());
        assert!(length > 100, "{name} has {length} bytes");
    }
    let html = fs::read_to_string(folder.join("report.html")).expect("a report");
    for outward in ["http://", "https://", "src=", "<link", "@import", "url("] {
        assert!(!html.contains(outward), "the report holds {outward}");
    }
    assert!(html.contains("priceOf"), "tasks are in the report");

    // Only what is asked, drawn by the seed: one task of each kind.
    let drawn = bench.summary(
        &suite,
        &["--limit", "1", "--seed", "7", "--subject", "whyrank"],
    );
    let again = bench.summary(
        &suite,
        &["--limit", "1", "--seed", "7", "--subject", "whyrank"],
    );
    assert_eq!(drawn["run"]["n_done"], 4);
    assert_eq!(
        scores(&bench.answers(id_of(&drawn))),
        scores(&bench.answers(id_of(&again)))
    );
}

#[test]
fn runs_are_listed_reported_compared_and_deleted() {
    let bench = Bench::new();
    let suite = bench.tasks("primitives.jsonl", &primitives());
    let who = [
        "--subject",
        "whyrank",
        "--subject",
        "smart-grep-fair",
        "--title",
        "before",
    ];
    let first = bench.summary(&suite, &who);
    let second = bench.summary(&suite, &who);
    let (first, second) = (id_of(&first), id_of(&second));
    assert_eq!(
        scores(&bench.answers(first)),
        scores(&bench.answers(second))
    );
    let ids: Vec<Value> = bench.list().iter().map(|run| run["id"].clone()).collect();
    assert_eq!(ids, [second, first], "newest first");
    let listed = bench.home.run(&["bench", "list"]).succeeds().stdout;
    assert!(
        listed.contains("complete") && listed.contains("before"),
        "{listed}"
    );

    let report = bench.report("latest", "md");
    assert!(
        report.contains(second) && report.contains("| whyrank |"),
        "{report}"
    );
    assert!(bench.report(first, "html").starts_with("<!"));
    assert_eq!(bench.report("latest", "csv").lines().count(), 13);
    let figures: Value = serde_json::from_str(&bench.report("latest", "json")).expect("JSON");
    assert_eq!(id_of(&figures), second);

    let same = bench
        .home
        .json(&["bench", "compare", first, second, "--json"]);
    assert_eq!(same["tasks"], json!([]), "the same answers twice");
    assert_eq!(same["unmatched"], 0);
    assert!(
        same["groups"]
            .as_array()
            .is_some_and(|groups| !groups.is_empty())
    );
    let words = bench
        .home
        .run(&["bench", "compare", first, "latest"])
        .succeeds();
    assert!(words.stdout.contains(first), "{words:?}");

    bench.home.run(&["bench", "delete", first]).succeeds();
    assert!(!bench.results().join(first).exists());
    assert_eq!(bench.list().len(), 1);
    for args in [
        ["delete", first],
        ["report", first],
        ["delete", "no-such-run"],
    ] {
        let args = ["bench", args[0], args[1]];
        bench.home.run(&args).fails(2, &[args[2], "bench list"]);
    }
}

#[test]
fn a_repository_gives_tasks_about_itself_without_a_network() {
    let bench = Bench::new();
    let gross = "    return net * (1 + vat_rate(self.country))  # take";
    for take in 1..=2 {
        bench.repo.write("billing/gross.py", format!("from billing.tax import vat_rate\n\n\ndef gross(net, self):\n{gross} {take}\n\n\ndef net(gross, self):\n    return gross / (1 + vat_rate(self.country))\n\n\ndef surcharge(amount):\n    \"\"\"Add what the state takes to an amount.\"\"\"\n    return amount\n"));
        bench
            .repo
            .commit(&format!("fix the rounding of gross amounts, take {take}"));
    }
    bench.home.index(bench.repo.arg());
    let own = [
        "bench",
        "own",
        "--repo",
        bench.repo.arg(),
        "--no-vectors",
        "--json",
    ];
    let without_network = ["-n", "--"];
    let mut command = bench.home.command(&own);
    if Command::new("unshare")
        .args(without_network)
        .arg("true")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        command = Command::new("unshare");
        command
            .args(without_network)
            .arg(program("whyrank"))
            .args(own);
        bench.home.furnish(&mut command);
    }
    let summary = Outcome::of(command).succeeds().json();
    let suites = summary["run"]["suites"].as_array().expect("suites");
    assert_eq!(suites.len(), 1, "one verdict over all kinds: {suites:?}");
    assert!(
        subjects_of(&summary).contains(&"random"),
        "the control takes part"
    );
    let answers = bench.answers(id_of(&summary));
    let asks = |kind: &str, question: &str| {
        answers.iter().any(|line| {
            line["question"] == question
                && line["task"]
                    .as_str()
                    .is_some_and(|task| task.starts_with(kind))
        })
    };
    assert!(asks("definition", "vat_rate"));
    assert!(asks("use", "vat_rate"), "other files import it");
    assert!(asks("description", "Add what the state takes to an amount"));
    assert!(value(&answers, "whyrank", "use-001") > value(&answers, "random", "use-001"));
    let fix = answer(&answers, "whyrank", "fix-001");
    assert_eq!(fix["expected"][0]["file"], "billing/gross.py");
    assert!(!summary["defects"].as_array().expect("defects").is_empty());
    let status = bench.repo.git(&["status", "--porcelain"]);
    assert_eq!(status, "", "the repository is as it was");

    let one_kind = [&own[..], &["--category", "P1", "--limit", "3"]].concat();
    let summary = bench.home.json(&one_kind);
    let answers = bench.answers(id_of(&summary));
    let mut asked = answers.iter().filter(|line| line["subject"] == "whyrank");
    assert!(asked.all(|line| line["category"] == "P1"));
    answer(&answers, "whyrank", "definition-003");

    let bare = Bench::on(TestRepo::with(&[(
        "notes.md",
        "# Notes\n\nNothing here.\n",
    )]));
    bare.home.index(bare.repo.arg());
    let args = ["bench", "own", "--repo", bare.repo.arg(), "--no-vectors"];
    bare.home.run(&args).fails(2, &["no task", "repo"]);
}

#[test]
fn an_ablation_holds_rows_against_the_whole() {
    let bench = Bench::new();
    let query = json!({"text": "value added tax of a country"});
    let search = task(
        "s1",
        "search",
        query,
        json!([{"file": "billing/tax.py", "line": 4}]),
    );
    let suite = bench.tasks("search.jsonl", &[search]);
    let folder = bench.folder();
    let ablate = |row: &str| {
        let fixed = ["ablate", "--suite", &suite, "--repos", &folder];
        let more = ["--no-vectors", "--json", "--row", row];
        let args: Vec<&str> = fixed.iter().chain(&more).copied().collect();
        bench.home.run_lab(&args)
    };
    let summary = ablate("without fts").succeeds().json();
    assert_eq!(subjects_of(&summary), ["whyrank", "without fts"]);
    let configuration = |index: usize| summary["run"]["subjects"][index]["configuration"].clone();
    assert_ne!(configuration(0), configuration(1), "the weights differ");
    ablate("without luck").fails(2, &["without luck", "without fts"]);
    let summary = ablate("A").succeeds().json();
    assert_eq!(subjects_of(&summary), ["whyrank"], "no model is here");
    let not_run = &summary["ablation"]["not_run"][0];
    assert_eq!(not_run["name"], "A bi-encoder");
    assert!(
        not_run["reason"]
            .as_str()
            .expect("a reason")
            .contains("absent")
    );
    let stages = &summary["ablation"]["rows"][0]["stages"];
    assert!(stages.as_array().is_some_and(|stages| !stages.is_empty()));
    let settings = bench.home.path().join("config.toml");
    assert!(!settings.exists(), "the user's settings are as they were");
}

/// Sends a signal to a process.
pub(crate) fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .args([name, &process.to_string()])
        .status();
    assert!(sent.expect("kill is there").success());
}
