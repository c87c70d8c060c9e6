//! What a code base looks like as a whole: pictures, audits, topics, tests, shapes and roles.

use serde_json::{Value, json};
use whyrank_tests::{Home, TestRepo};

fn indexed() -> (TestRepo, Home) {
    let (repo, home) = (TestRepo::shop(), Home::new());
    home.index(repo.arg());
    (repo, home)
}

/// A command's answer as JSON.
fn ask(home: &Home, repo: &TestRepo, args: &[&str]) -> Value {
    let rest = ["--repo", repo.arg(), "--json"];
    let args: Vec<&str> = args.iter().chain(&rest).copied().collect();
    home.json(&args)
}

/// The same as text.
fn text(home: &Home, repo: &TestRepo, args: &[&str]) -> String {
    let args: Vec<&str> = args
        .iter()
        .chain(&["--repo", repo.arg()])
        .copied()
        .collect();
    home.run(&args).succeeds().stdout
}

#[test]
fn graph_draws_what_lies_around_a_symbol() {
    let (repo, home) = indexed();
    let picture = ask(&home, &repo, &["graph", "priceOf"]);
    let nodes = picture["nodes"].as_array().expect("nodes");
    let labels = |name: &str| nodes.iter().any(|node| node.to_string().contains(name));
    assert!(labels("priceOf") && labels("Cart.total"), "{picture}");
    assert!(picture["width"].as_f64().is_some_and(|width| width > 0.0));
    let svg = text(&home, &repo, &["graph", "priceOf", "--format", "svg"]);
    assert!(svg.starts_with("<svg") && svg.contains("priceOf"), "{svg}");
    assert_eq!(
        svg,
        text(&home, &repo, &["graph", "priceOf", "--format", "svg"])
    );
    let dot = text(&home, &repo, &["graph", "priceOf", "--format", "dot"]);
    assert!(dot.starts_with("digraph"), "{dot}");
    let unknown = home.run(&["graph", "priceOff", "--repo", repo.arg()]);
    unknown.fails(1, &["priceOf"]);
}

#[test]
fn audit_names_a_cycle_and_the_import_to_cut() {
    let (repo, home) = indexed();
    repo.write(
        "billing/tax.py",
        "from billing.invoice import Invoice\n\n\ndef vat_rate(country):\n    return Invoice\n",
    );
    home.index(repo.arg());
    let answer = ask(&home, &repo, &["audit"]);
    let findings = answer["findings"].as_array().expect("findings");
    let cycle = findings.iter().find(|one| one["kind"] == "cycle");
    let places = cycle.expect("a cycle")["places"].to_string();
    assert!(
        places.contains("billing/tax.py") && places.contains("billing/invoice.py"),
        "{places}"
    );
}

#[test]
fn clusters_and_concepts_have_members_and_words() {
    let (repo, home) = indexed();
    let clusters = ask(&home, &repo, &["clusters"]);
    assert!(
        clusters["clusters"]
            .as_array()
            .is_some_and(|all| !all.is_empty()),
        "{clusters}"
    );
    let concepts = ask(&home, &repo, &["concepts", "value added tax"]);
    assert!(
        concepts["concepts"].to_string().contains("billing"),
        "{concepts}"
    );
}

#[test]
fn test_map_says_which_test_reaches_what_changed() {
    let (repo, home) = indexed();
    let path = "web/src/prices.ts";
    let before = std::fs::read_to_string(repo.root().join(path)).expect("a file");
    repo.write(path, before.replace("return price;", "return price + 0;"));
    home.index(repo.arg());
    let answer = ask(&home, &repo, &["test-map", "HEAD"]).to_string();
    assert!(
        answer.contains("priceOf") && answer.contains("web/test/cart.test.ts"),
        "{answer}"
    );
    let unknown = home.run(&["test-map", "no-such-branch", "--repo", repo.arg()]);
    unknown.fails(2, &["no-such-branch"]);
}

#[test]
fn ast_grep_finds_a_shape_and_says_what_a_broken_one_lacks() {
    let (repo, home) = indexed();
    let answer = ask(&home, &repo, &["ast-grep", "prices.set($KEY, $VALUE)"]);
    let found = &answer["matches"][0];
    assert_eq!(
        (&found["path"], &found["start_line"]),
        (&json!("web/src/prices.ts"), &json!(11))
    );
    let nothing = home.run(&["ast-grep", "nothing.like($THIS)", "--repo", repo.arg()]);
    nothing.fails(1, &[]);
    home.run(&["ast-grep", "((((", "--repo", repo.arg()])
        .fails(2, &[]);
}

#[test]
fn patterns_show_the_lines_that_make_a_role() {
    let (repo, home) = indexed();
    let factory = "class Shop:\n    pass\n\n\nclass Kiosk(Shop):\n    pass\n\n\ndef make_shop(kind):\n    if kind == 'kiosk':\n        return Kiosk()\n    return Shop()\n";
    repo.write("shops/make.py", factory);
    home.index(repo.arg());
    let answer = text(&home, &repo, &["patterns", "factory"]);
    assert!(
        answer.contains("shops/make.py") && answer.contains("make_shop"),
        "{answer}"
    );
}

#[test]
fn export_context_keeps_to_its_budget() {
    let (repo, home) = indexed();
    let small = text(&home, &repo, &["export-context", "--budget", "300"]);
    let large = text(&home, &repo, &["export-context", "--budget", "3000"]);
    assert!(
        small.len() < large.len() && small.len() < 300 * 5,
        "{small}"
    );
    assert!(large.contains("priceOf"), "{large}");
}

#[test]
fn coverage_makes_dead_code_surer() {
    let (repo, home) = indexed();
    let lcov = "SF:billing/invoice.py\nFN:18,next_invoice_number\nFNDA:7,next_invoice_number\nDA:18,1\nDA:20,7\nend_of_record\n";
    repo.write("coverage.lcov", lcov);
    let args = [
        "dead-code",
        "--coverage",
        "coverage.lcov",
        "--kinds",
        "ran,exported-unused",
    ];
    let answer = ask(&home, &repo, &args);
    let findings = answer["findings"].as_array().expect("findings");
    let verdict = |name: &str| {
        let mut found = findings.iter().filter(|one| one["symbol"]["name"] == name);
        found.next().map(|one| one["verdict"].clone())
    };
    assert_eq!(
        verdict("next_invoice_number"),
        Some(json!("ran")),
        "{answer}"
    );
    repo.write("coverage.lcov", "not a report");
    let args = [
        "dead-code",
        "--coverage",
        "coverage.lcov",
        "--kinds",
        "exported",
    ];
    let damaged = text(&home, &repo, &args);
    assert!(
        damaged.contains("coverage.lcov") && damaged.contains("no coverage format"),
        "{damaged}"
    );
}
