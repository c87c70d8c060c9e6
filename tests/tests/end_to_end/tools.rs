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
fn impact_follows_callers_and_sets_tests_apart() {
    let (repo, home) = indexed();
    let answer = home.json(&["impact", "priceOf", "--repo", repo.arg(), "--json"]);
    let caller = &answer["callers"][0];
    assert_eq!(caller["caller"]["qualified"], "Cart.total");
    assert_eq!((&caller["depth"], &caller["line"]), (&json!(1), &json!(21)));
    let text = home.run(&["impact", "priceOf", "--repo", repo.arg()]);
    assert!(
        text.succeeds()
            .stdout
            .contains("web/src/cart.ts: 20 Cart.total")
    );
    let unused = home.run(&["impact", "next_invoice_number", "--repo", repo.arg()]);
    unused.fails(1, &[]);
    let unknown = home.run(&["impact", "priceOff", "--repo", repo.arg()]);
    unknown.fails(1, &["priceOf"]);
}

#[test]
fn a_call_path_has_the_lines_of_its_steps() {
    let (repo, home) = indexed();
    let answer = home.json(&[
        "call-path",
        "Cart",
        "priceOf",
        "--repo",
        repo.arg(),
        "--json",
    ]);
    let path = answer["paths"][0].as_array().expect("a path");
    let names: Vec<&Value> = path
        .iter()
        .map(|step| &step["symbol"]["qualified"])
        .collect();
    assert_eq!(names, ["Cart.total", "priceOf"]);
    assert_eq!(path[0]["line"], 21);
    let none = home.run(&["call-path", "Cart", "vat_rate", "--repo", repo.arg()]);
    none.fails(1, &[]);
}

#[test]
fn dead_code_has_a_verdict_and_a_reason_each() {
    let (repo, home) = indexed();
    repo.write("billing/_old.py", "def _round_up(x):\n    return x + 1\n");
    home.index(repo.arg());
    let kinds = "dead,exported";
    let answer = home.json(&[
        "dead-code",
        "--kinds",
        kinds,
        "--repo",
        repo.arg(),
        "--json",
    ]);
    let findings = answer["findings"].as_array().expect("findings");
    let verdict_of = |name: &str| {
        let mut found = findings.iter().filter(|one| one["symbol"]["name"] == name);
        found.next().map(|one| one["verdict"].clone())
    };
    assert_eq!(verdict_of("_round_up"), Some(json!("dead")));
    assert_eq!(
        verdict_of("next_invoice_number"),
        Some(json!("exported-unused"))
    );
    assert_eq!(verdict_of("vat_rate"), None);
    assert!(findings.iter().all(|one| one["reason"] != ""));
    let nothing = home.run(&["dead-code", "billing/tax.py", "--repo", repo.arg()]);
    nothing.fails(1, &[]);
    let args = json!({"symbol": "vat_rate", "path": "billing/tax.py", "line": 4}).to_string();
    let single = home.json(&["tool", "dead_code", "--repo", repo.arg(), &args, "--json"]);
    assert_eq!(single["structured"]["dead"], false);
}

/// Without a grammar ends of definitions are guesses, messages have other names in Swift, and macros put
/// names together.
#[test]
fn what_is_read_line_by_line_is_dead_only_where_nothing_bears_its_name() {
    let files = [
        (
            "mix.exs",
            "defmodule X.MixProject do\n  use Mix.Project\n  def project do\n    [app: :x]\n  end\nend\n",
        ),
        (
            "lib/a.ex",
            "defmodule A do\n  def run(x), do: x\n  defp idle(x), do: x\n  defp again(x) do\n    \
             again(x)\n  end\nend\n",
        ),
        (
            "Package.swift",
            "// swift-tools-version:5.9\nimport PackageDescription\n\
             let package = Package(name: \"Run\", targets: [.target(name: \"Run\")])\n",
        ),
        (
            "Sources/Run/Proxy.m",
            "#import <Foundation/Foundation.h>\n#define DEPTH 4\n#define IDLE 5\n\
             #define JOIN(a, b) a ## b\n#define MAKE_ONE 1\n#define ALL(n) JOIN(MAKE_, n)\n\
             /*\n#define SHOWN 1\n*/\n@implementation Proxy\n\
             - (instancetype)initWithTarget:(id)target {\n  int deep = DEPTH;\n  \
             return deep > ALL(ONE) ? self : nil;\n}\n@end\n",
        ),
        ("Sources/Use/main.swift", "print(Proxy(target: 1))\n"),
    ];
    let (repo, home) = (TestRepo::with(&files), Home::new());
    home.index(repo.arg());
    let args = ["dead-code", "--repo", repo.arg(), "--json"];
    let answer = home.json(&args);
    let findings = answer["findings"].as_array().expect("findings");
    let dead = findings.iter().filter(|one| one["verdict"] == "dead");
    let dead: Vec<&str> = dead
        .filter_map(|one| one["symbol"]["name"].as_str())
        .collect();
    assert_eq!(dead, ["idle"], "{findings:#?}");
    let again = findings.iter().find(|one| one["symbol"]["name"] == "again");
    let reason = again
        .and_then(|one| one["reason"].as_str())
        .expect("a reason");
    assert!(reason.contains("elixir is read line by line"), "{reason}");
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

#[test]
fn exact_search_and_a_default_workspace_take_several_repositories() {
    let (one, two, home) = (TestRepo::shop(), TestRepo::shop(), Home::new());
    home.index(one.arg());
    home.index(two.arg());
    let exact = |more: &[&str]| {
        let args: Vec<&str> = ["search", "priceOf", "--exact", "--json"]
            .iter()
            .chain(more)
            .copied()
            .collect();
        home.json(&args)["n_lines"].as_u64().expect("a number")
    };
    let alone = exact(&["--repo", one.arg()]);
    assert!(alone > 0);
    assert_eq!(
        exact(&["--repo", one.arg(), "--repo", two.arg()]),
        2 * alone
    );

    home.json(&["workspace", "set", "both", one.arg(), two.arg(), "--json"]);
    let unknown = ["workspace", "default", "none", "--repo", one.arg()];
    home.run(&unknown).fails(2, &["no workspace `none`"]);
    let set = home.run(&["workspace", "default", "both", "--repo", one.arg()]);
    assert!(set.succeeds().stdout.contains("asked of both"));
}

#[test]
fn the_skill_names_tools_and_arguments_that_there_are() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/agents/src/skill.md");
    let page = std::fs::read_to_string(path).expect("the skill");
    let rows = page.lines().filter_map(|line| line.split('|').nth(2));
    let mut n_named = 0;
    for asked in rows.flat_map(|row| row.split(", `")) {
        let Some((name, arguments)) = asked.trim().trim_start_matches('`').split_once('`') else {
            continue;
        };
        let tool = whyrank_mcp::find_tool(name).unwrap_or_else(|| panic!("no tool {name}"));
        let schema = Value::Object(tool.schema());
        for argument in arguments.split([',', ' ']).filter(|word| !word.is_empty()) {
            let property = &schema["properties"][argument];
            assert!(property.is_object(), "{name} has no {argument}");
        }
        n_named += 1;
    }
    assert!(n_named > 10, "{n_named}");
}
