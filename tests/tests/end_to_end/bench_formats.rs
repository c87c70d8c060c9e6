//! The task formats that `whyrank bench` and `whyrank eval` read, and files that are of none.

use crate::bench::{Bench, answer, at, definition, id_of, subjects_of, text, value};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn eval_takes_tasks_in_ckb_s_format() {
    let bench = Bench::new();
    bench.home.index(bench.repo.arg());
    let needle = |id: &str, symbol: &str| {
        json!({"id": id, "type": "needle", "query": "what the customer is about to buy",
            "expectedSymbols": [symbol], "topK": 5})
    };
    let tasks = json!([
        needle("there", "Cart"),
        needle("nowhere", "no_such_symbol"),
        {"id": "around", "type": "expansion", "query": "vat_rate", "expectedSymbols": ["gross"]},
    ]);
    let file = bench.file("ckb.json", &tasks.to_string());
    let eval = |more: &[&str]| {
        let fixed = ["eval", "--repo", bench.repo.arg(), "--no-vectors"];
        let args: Vec<&str> = fixed.iter().chain(more).copied().collect();
        bench.home.run(&args)
    };
    let figures = eval(&["--fixtures", &file, "--format", "json"])
        .succeeds()
        .json();
    let passed = |id: &str| {
        let results = figures["results"].as_array().expect("results");
        let result = results.iter().find(|result| result["id"] == id);
        result.expect("an answer to each task")["passed"].clone()
    };
    assert_eq!(passed("there"), true, "{figures}");
    assert_eq!(passed("nowhere"), false, "{figures}");
    assert_eq!(passed("around"), true, "{figures}");
    assert_eq!(figures["byType"]["needle"]["tasks"], 2);
    assert_eq!(figures["byType"]["needle"]["passed"], 1.0);
    assert_eq!(figures["byType"]["expansion"]["passed"], 1.0);
    let table = eval(&["--fixtures", &file]).succeeds().stdout;
    assert!(
        table.contains("needle") && table.contains("expansion"),
        "{table}"
    );
    let html = eval(&["--fixtures", &file, "--format", "html"])
        .succeeds()
        .stdout;
    assert!(html.starts_with("<!"), "{html}");

    eval(&[]).fails(2, &["--fixtures", "whyrank bench own"]);
    let broken = bench.file("broken.json", "[\n{\"id\": \"x\",\n");
    eval(&["--fixtures", &broken]).fails(2, &["broken.json:", "expectedSymbols"]);
    eval(&["--fixtures", "/no/such/tasks.json"]).fails(2, &["/no/such/tasks.json"]);
}

#[test]
fn semble_s_folder_runs_on_a_checkout_at_hand() {
    let bench = Bench::new();
    let repos = json!([{"name": "repo", "language": "python", "revision": "abc",
        "url": "https://nowhere.invalid/repo.git", "benchmark_root": null}]);
    bench.file("semble/repos.json", &repos.to_string());
    let span = json!({"path": "web/src/prices.ts", "start_line": 4, "end_line": 8});
    let annotations = json!([
        {"query": "value added tax of a country", "relevant": ["billing/tax.py"]},
        {"query": "look a price up", "relevant": [span], "category": "semantic"},
    ]);
    let file = bench.file("semble/annotations/repo.json", &annotations.to_string());
    let suite = text(
        Path::new(&file)
            .ancestors()
            .nth(2)
            .expect("the suite's folder"),
    );
    let summary = bench.summary(&suite, &["--subject", "whyrank", "--subject", "bm25"]);
    assert_eq!(subjects_of(&summary), ["whyrank", "bm25"]);
    let answers = bench.answers(id_of(&summary));
    assert_eq!(
        answer(&answers, "whyrank", "repo-01")["headline"],
        "ndcg@10"
    );
    assert!(value(&answers, "whyrank", "repo-01") > 0.999);
    assert!(value(&answers, "whyrank", "repo-02") > 0.0);
}

const CORPUS: [(&str, &str); 3] = [
    ("1", "def vat_rate(country):\n    return RATES[country]"),
    ("2", "def send_mail(address):\n    smtp.send(address)"),
    (
        "3",
        "def sort_numbers(numbers):\n    return sorted(numbers)",
    ),
];

#[test]
fn corpora_are_searched_by_document() {
    let bench = Bench::new();
    let documents = CORPUS.map(|(id, text)| json!({"_id": id, "text": text}).to_string());
    bench.file("coir/corpus.jsonl", &documents.join("\n"));
    let queries = [("q1", "send a mail"), ("q2", "sort numbers")]
        .map(|(id, text)| json!({"_id": id, "text": text}).to_string());
    bench.file("coir/queries.jsonl", &queries.join("\n"));
    let rows = "query-id\tcorpus-id\tscore\nq1\t2\t1\nq2\t3\t1\n";
    bench.file("coir/qrels/test.tsv", rows);

    let map: serde_json::Map<String, Value> = CORPUS
        .iter()
        .zip(7..)
        .map(|((_, text), index)| ((*text).to_owned(), json!(index)))
        .collect();
    bench.file("cosqa/code_idx_map.txt", &Value::Object(map).to_string());
    let query = json!([{"idx": "cosqa-1", "doc": "python send a mail", "retrieval_idx": 8}]);
    bench.file("cosqa/cosqa-retrieval-test-500.json", &query.to_string());

    for (name, task, document) in [
        ("coir", "q1", "2"),
        ("coir", "q2", "3"),
        ("cosqa", "cosqa-1", "8"),
    ] {
        let suite = text(&bench.repo.beside(name));
        let summary = bench.summary(&suite, &["--subject", "whyrank", "--subject", "bm25"]);
        let answers = bench.answers(id_of(&summary));
        for subject in ["whyrank", "bm25"] {
            let line = answer(&answers, subject, task);
            assert_eq!(line["found"][0]["file"], document, "{line}");
            assert!(value(&answers, subject, task) > 0.999, "{line}");
        }
    }
    let broken = bench.file("broken/corpus.jsonl", "{\"_id\": \"1\", \"text\": \"x\"}");
    bench.file("broken/queries.jsonl", "{\"_id\": \"q\", \"text\": \"x\"}");
    let suite = text(Path::new(&broken).parent().expect("a folder"));
    bench
        .run(&suite, &[])
        .fails(2, &["broken", "qrels/test.tsv"]);
}

#[test]
fn the_original_format_is_judged_leniently() {
    let bench = Bench::new();
    let line = |id: &str, category: &str, query: &str, expected: Value| json!({"id": id, "category": category, "dataset": "repo", "query": query, "expected": expected});
    let places = |list: Value| json!({"kind": "locations", "locations": list});
    let suite = bench.tasks(
        "primitives_repo.jsonl",
        &[
            // Three lines off, and a path without its ending.
            line("o1", "P1", "priceOf", places(json!([at("web/src/prices", 7)]))),
            line("o2", "P2", "priceOf", places(json!([at("web/src/cart.ts", 1), at("web/src/cart.ts", 19)]))),
            line(
                "o4",
                "P4",
                "web/src/prices.ts",
                json!({"kind": "deps", "imports": [], "importers": ["web/src/cart", "web/test/cart.test"]}),
            ),
            line("o5", "P5", "", json!({"kind": "names", "names": ["OrderLog"]})),
        ],
    );
    let summary = bench.summary(&suite, &["--subject", "whyrank", "--subject", "smart-grep"]);
    let answers = bench.answers(id_of(&summary));
    assert_eq!(answers[0]["suite"], "original repo");
    for id in ["o1", "o2", "o4"] {
        let line = answer(&answers, "whyrank", id);
        assert!(value(&answers, "whyrank", id) > 0.999, "{line}");
    }
    let dead = answer(&answers, "whyrank", "o5");
    // `OrderLog` is what its library shows: nothing here uses it, which does not make it dead.
    assert_eq!(
        (&dead["unsupported"], &dead["scores"]["f1"]),
        (&json!(false), &json!(0.0))
    );
    assert_eq!(answer(&answers, "smart-grep", "o5")["unsupported"], false);
    let report = bench.report("latest", "md");
    assert!(
        report.contains("word search"),
        "defects of the truth are named: {report}"
    );
}

#[test]
fn bad_task_files_are_named_with_the_line() {
    let bench = Bench::new();
    let good = definition().to_string();
    let without = |field: &str| {
        let mut task = definition();
        task.as_object_mut().expect("an object").remove(field);
        format!("{good}\n{}\n", task.to_string().replace("\"p1\"", "\"p2\""))
    };
    for (name, content, words) in [
        (
            "text.jsonl",
            format!("{good}\nno json\n"),
            vec!["text.jsonl:2", "no JSON"],
        ),
        (
            "other.jsonl",
            "{\"id\": \"x\"}\n".to_owned(),
            vec!["other.jsonl:1", "`dataset`", "`query`"],
        ),
        ("id.jsonl", without("id"), vec!["id.jsonl:2", "`id`"]),
        (
            "expected.jsonl",
            without("expected"),
            vec!["expected.jsonl:2", "`expected`"],
        ),
        (
            "symbol.jsonl",
            good.replace("symbol", "sign"),
            vec!["symbol.jsonl:1", "query.symbol"],
        ),
        (
            "kind.jsonl",
            good.replace("\"P1\"", "\"P9\""),
            vec!["kind.jsonl:1", "P9", "NLDOC"],
        ),
        (
            "twins.jsonl",
            format!("{good}\n{good}\n"),
            vec!["twins.jsonl", "`p1`"],
        ),
        ("empty.jsonl", String::new(), vec!["empty.jsonl"]),
        ("tasks.txt", good.clone(), vec!["tasks.txt", ".jsonl"]),
    ] {
        let file = bench.file(name, &content);
        let said = bench.run(&file, &[]).fails(2, &words);
        assert!(
            said.stderr.contains("formats"),
            "what to do is said: {said:?}"
        );
        bench.home.run(&["bench", "suites", &file]).fails(2, &words);
    }
    bench
        .run("/no/such.jsonl", &[])
        .fails(2, &["/no/such.jsonl", "bench suites"]);
    let suite = bench.tasks("good.jsonl", &[definition()]);
    bench
        .run(&suite, &["--subject", "nobody"])
        .fails(2, &["`nobody`", "smart-grep-fair"]);
    bench
        .run(&suite, &["--subject", "command:x="])
        .fails(2, &["command:NAME=PROGRAM"]);
    let toml = bench.file("rival.toml", "name = 3\n");
    bench
        .run(&suite, &["--subject", &format!("mcp:{toml}")])
        .fails(2, &["rival.toml"]);
    bench
        .run(&suite, &["--category", "P99"])
        .fails(2, &["no task matches", "categories"]);
    assert!(bench.list().is_empty(), "what never began is no run");
}

#[test]
fn tasks_of_a_missing_repository_are_left_out() {
    let bench = Bench::new();
    let mut lost = definition();
    lost["id"] = json!("lost");
    lost["repo"] = json!("nowhere-to-be-found");
    let suite = bench.tasks("tasks.jsonl", &[lost, definition()]);
    let summary = bench.summary(&suite, &["--subject", "whyrank", "--subject", "bm25"]);
    assert_eq!(summary["run"]["state"], "complete");
    assert_eq!(
        (&summary["run"]["n_done"], &summary["run"]["n_wanted"]),
        (&json!(2), &json!(2))
    );
    let answers = bench.answers(id_of(&summary));
    assert!(
        answers.iter().all(|line| line["task"] == "p1"),
        "{answers:?}"
    );
    for format in ["md", "html"] {
        let report = bench.report("latest", format);
        let is_named = report.contains("nowhere-to-be-found") && report.contains("--repos");
        assert!(is_named, "{report}");
    }
}

#[test]
fn what_a_task_says_is_neither_run_nor_rendered() {
    let bench = Bench::new();
    let trap = text(&bench.repo.beside("trap"));
    let ask = |id: &str, category: &str, query: Value, expected: Value| json!({"id": id, "repo": "repo", "category": category, "query": query, "expected": expected});
    let quoted = format!("'; touch {trap}; '$(touch {trap})`touch {trap}`");
    let outside = "../../../../../../../../etc/passwd";
    let tasks = [
        ask(
            "quotes",
            "P1",
            json!({"symbol": quoted}),
            json!([at("a", 1)]),
        ),
        ask(
            "option",
            "P2",
            json!({"symbol": "--include=x"}),
            json!([at("a", 1)]),
        ),
        ask(
            "pattern",
            "P2",
            json!({"symbol": "a(b[c"}),
            json!([at("a", 1)]),
        ),
        ask(
            "file",
            "P4",
            json!({"file": format!("{outside}'; touch {trap}; '")}),
            json!([]),
        ),
        ask(
            "outside",
            "P5",
            json!({"symbol": "x", "file": outside, "line": 1}),
            json!({"dead": true}),
        ),
        ask(
            "<script>alert(1)</script>",
            "search",
            json!({"text": "<img src=x onerror=alert(1)> | </script>"}),
            json!([at("</script><b>", 1)]),
        ),
    ];
    let suite = bench.tasks("traps.jsonl", &tasks);
    let summary = bench.summary(&suite, &[]);
    assert_eq!(
        summary["run"]["n_done"], 30,
        "each is answered, one way or another"
    );
    assert!(!bench.repo.beside("trap").exists(), "a task ran a program");
    let html = bench.report("latest", "html");
    for tag in ["<script>alert", "<img src", "</script><b>"] {
        assert!(!html.contains(tag), "{tag} is in the report");
    }
}

#[test]
fn a_symbol_is_found_in_another_repository() {
    let bench = Bench::new();
    let there = bench.file(
        "other/ledger.py",
        "def post_entry(book):\n    return book\n",
    );
    let folder = Path::new(&there).parent().expect("a folder");
    let signed = ["-c", "user.name=test", "-c", "user.email=test@localhost"];
    for args in [
        vec!["init", "-q"],
        vec!["add", "-A"],
        vec!["commit", "-q", "-m", "all"],
    ] {
        let git = std::process::Command::new("git")
            .args(signed)
            .args(args)
            .current_dir(folder)
            .output()
            .expect("git runs");
        assert!(
            git.status.success(),
            "{}",
            String::from_utf8_lossy(&git.stderr)
        );
    }
    let mut expected = at("ledger.py", 1);
    expected["repo"] = json!("other");
    let task = json!({"id": "across", "repo": "repo", "lang": "python", "category": "P3",
        "query": {"symbol": "post_entry", "elsewhere": ["other"]}, "expected": [expected]});
    let suite = bench.tasks("across.jsonl", &[task]);
    let summary = bench.summary(&suite, &["--subject", "whyrank"]);
    let answers = bench.answers(id_of(&summary));
    assert!(value(&answers, "whyrank", "across") > 0.999);
    let answer = answer(&answers, "whyrank", "across");
    // One question to both repositories.
    assert_eq!(
        answer["calls"].as_array().map(Vec::len),
        Some(1),
        "{answer}"
    );
}
