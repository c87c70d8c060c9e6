//! Symbols, uses, imports, map, status, and the tool table from the command line.

use serde_json::{Value, json};
use std::fmt::Write;
use whyrank_tests::{Home, TestRepo};

fn indexed() -> (TestRepo, Home) {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    (repo, home)
}

fn paths(list: &Value) -> Vec<&str> {
    list.as_array()
        .expect("a list")
        .iter()
        .map(|one| one["path"].as_str().expect("a path"))
        .collect()
}

#[test]
fn lookup_gives_the_definition_with_its_lines() {
    let (repo, home) = indexed();
    let answer = home.json(&["lookup", "priceOf", "--repo", repo.arg(), "--json"]);
    let definition = &answer["definitions"][0];
    assert_eq!(definition["path"], "web/src/prices.ts");
    assert_eq!(definition["name_line"], 4);
    assert_eq!(definition["end_line"], 8);
    let qualified = home.json(&["lookup", "Cart.total", "--repo", repo.arg(), "--json"]);
    assert_eq!(paths(&qualified["definitions"]), ["web/src/cart.ts"]);
}

#[test]
fn an_unknown_symbol_names_its_neighbours() {
    let (repo, home) = indexed();
    let outcome = home.run(&["lookup", "priceOff", "--repo", repo.arg()]);
    outcome.fails(1, &["priceOf"]);
}

#[test]
fn refs_find_uses_across_files() {
    let (repo, home) = indexed();
    let answer = home.json(&["refs", "priceOf", "--repo", repo.arg(), "--json"]);
    let references = answer["references"].as_array().expect("references");
    let call = references
        .iter()
        .find(|one| one["kind"] == "call")
        .expect("a call");
    assert_eq!(
        (&call["path"], &call["line"]),
        (&json!("web/src/cart.ts"), &json!(21))
    );
    assert!(
        call["enclosing"]
            .as_str()
            .expect("a name")
            .ends_with("total")
    );
    assert!(
        references.iter().any(|one| one["kind"] == "import"),
        "{answer}"
    );
}

#[test]
fn deps_run_both_ways() {
    let (repo, home) = indexed();
    let answer = home.json(&["deps", "web/src/prices.ts", "--repo", repo.arg(), "--json"]);
    assert_eq!(
        paths(&answer["importers"]),
        ["web/src/cart.ts", "web/test/cart.test.ts"]
    );
    let python = home.json(&["deps", "billing/invoice.py", "--repo", repo.arg(), "--json"]);
    assert_eq!(paths(&python["imports"]), ["billing/tax.py"]);
}

#[test]
fn overview_names_folders_and_languages() {
    let (repo, home) = indexed();
    let answer = home.json(&["overview", "--repo", repo.arg(), "--json"]);
    let modules = paths(&answer["modules"]);
    assert!(
        modules.iter().any(|path| path.starts_with("web")),
        "{modules:?}"
    );
    let languages = answer["languages"].to_string();
    for language in ["typescript", "python", "rust", "go"] {
        assert!(
            languages.contains(language),
            "{language} is missing in {languages}"
        );
    }
}

#[test]
fn status_and_repos_know_the_repository() {
    let (repo, home) = indexed();
    let status = home
        .run(&["status", "--repo", repo.arg(), "--json"])
        .succeeds()
        .json()
        .to_string();
    assert!(status.contains("\"ready\""), "{status}");
    let repos = home.run(&["repos", "--json"]).succeeds().json().to_string();
    assert!(repos.contains(repo.arg()), "{repos}");
    let doctor = home.run(&["doctor", "--json"]).json().to_string();
    assert!(doctor.contains("\"state\""), "{doctor}");
}

#[test]
fn a_tool_prints_results_text_and_tokens() {
    let (repo, home) = indexed();
    let args = json!({"query": "value added tax"}).to_string();
    let answer = home.json(&["tool", "search", "--repo", repo.arg(), &args, "--json"]);
    let result = &answer["results"][0];
    assert_eq!(result["path"], "billing/tax.py");
    assert!(result["start_line"].as_u64() <= result["end_line"].as_u64());
    assert!(
        answer["text"]
            .as_str()
            .is_some_and(|text| text.contains("billing/tax.py"))
    );
    assert!(answer["tokens"].as_u64().is_some_and(|tokens| tokens > 5));
}

#[test]
fn a_batch_answers_each_line_and_survives_a_bad_one() {
    let (repo, home) = indexed();
    let lines = [
        json!({"id": "one", "tool": "search", "args": {"query": "retry mail"}, "repo": repo.arg()}),
        json!({"id": "two", "tool": "no_such_tool", "args": {}, "repo": repo.arg()}),
        json!({"id": "three", "tool": "lookup", "args": {"symbol": "vat_rate"}, "repo": repo.arg()}),
    ];
    let mut batch = String::new();
    for line in &lines {
        writeln!(batch, "{line}").expect("text grows");
    }
    let file = home.path().join("batch.jsonl");
    std::fs::write(&file, batch).expect("a file");
    let outcome = home.run(&["tool", "--batch", file.to_str().expect("UTF-8"), "--json"]);
    let parse = |line: &str| serde_json::from_str::<Value>(line).expect("a line of JSON");
    let answers: Vec<Value> = outcome.stdout.lines().map(parse).collect();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, ["one", "two", "three"], "{outcome:?}");
    assert_eq!(answers[0]["results"][0]["path"], "mail/retry.go");
    assert!(
        answers[1]["error"].to_string().contains("no_such_tool"),
        "{}",
        answers[1]
    );
    assert_eq!(answers[2]["results"][0]["path"], "billing/tax.py");
}
