//! Tables for other programs: `whyrank export`.

use serde_json::Value;
use std::collections::HashMap;
use whyrank_tests::{Home, TestRepo};

const TABLES: [&str; 6] = ["files", "symbols", "uses", "memos", "traces", "channels"];

fn asked() -> (TestRepo, Home) {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    let memo = [
        "memo",
        "add",
        "prices are in cents, \"always\"",
        "--anchor",
        "web/src/prices.ts:4-8",
    ];
    home.run(&[&memo[..], &["--repo", repo.arg()]].concat())
        .succeeds();
    home.paths_of(repo.arg(), "what does a cart cost");
    (repo, home)
}

fn rows(home: &Home, repo: &TestRepo, table: &str) -> Vec<Value> {
    let answer = home.run(&["export", table, "--repo", repo.arg()]);
    let lines = answer.succeeds().stdout;
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row is an object"))
        .collect()
}

#[test]
fn each_row_has_the_columns_that_are_described_in_both_forms() {
    let (repo, home) = asked();
    for table in TABLES {
        let described = home.json(&["export", table, "--describe", "--json"]);
        let columns = described["columns"].as_array().expect("columns").iter();
        let names: Vec<&str> = columns
            .map(|column| column["name"].as_str().expect("a name"))
            .collect();
        let rows = rows(&home, &repo, table);
        assert!(!rows.is_empty(), "{table}");
        let mut sorted = names.clone();
        sorted.sort_unstable();
        for row in &rows {
            let mut keys: Vec<&String> = row.as_object().expect("an object").keys().collect();
            keys.sort_unstable();
            assert_eq!(keys, sorted, "{table}");
        }
        let csv = home.run(&["export", table, "--csv", "--repo", repo.arg()]);
        let csv = csv.succeeds().stdout;
        assert_eq!(
            csv.lines().next(),
            Some(names.join(",").as_str()),
            "{table}"
        );
        assert_eq!(csv.lines().count(), rows.len() + 1, "{table}");
    }
}

#[test]
fn counts_of_uses_are_those_of_their_rows_and_of_refs() {
    let (repo, home) = asked();
    let mut counted: HashMap<(String, u64), u64> = HashMap::new();
    for row in rows(&home, &repo, "uses") {
        let is_certain = matches!(
            row["confidence"].as_str(),
            Some("precise" | "resolved" | "observed")
        );
        let path = row["to_path"].as_str().expect("a path").to_owned();
        let line = row["to_line"].as_u64().expect("a line");
        *counted.entry((path, line)).or_default() += u64::from(is_certain);
    }
    let symbols = rows(&home, &repo, "symbols");
    for symbol in &symbols {
        let path = symbol["path"].as_str().expect("a path").to_owned();
        let line = symbol["line"].as_u64().expect("a line");
        let n_uses = counted.get(&(path, line)).copied().unwrap_or(0);
        assert_eq!(symbol["uses"], n_uses, "{symbol}");
    }
    let price = symbols.iter().find(|symbol| symbol["name"] == "priceOf");
    let refs = home.json(&["refs", "priceOf", "--repo", repo.arg(), "--json"]);
    let found = refs["references"].as_array().expect("references").iter();
    let n_calls = found.filter(|one| one["kind"] == "call").count();
    assert_eq!(price.expect("it is there")["uses"], n_calls);
}

#[test]
fn terms_of_a_trace_are_its_channels_rows() {
    let (repo, home) = asked();
    let traces = rows(&home, &repo, "traces");
    let trace = home.json(&["explain", "--last", "--json"]);
    assert_eq!(traces[0]["query_id"], trace["query_id"]);
    let terms = trace["rows"].as_array().expect("rows").iter();
    let n_terms: usize = terms
        .map(|row| row["channels"].as_array().expect("channels").len())
        .sum();
    assert_eq!(rows(&home, &repo, "channels").len(), n_terms);
}

#[test]
fn a_table_without_rows_says_so() {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    home.run(&["export", "memos", "--repo", repo.arg()])
        .fails(1, &["no rows"]);
    home.run(&["export", "lists"])
        .fails(2, &["files", "symbols"]);
}
