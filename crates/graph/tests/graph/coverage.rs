//! What coverage changes about what is dead.

use whyrank_external::coverage::{FileCoverage, LineHits};
use whyrank_external::{Budget, LEAST_STEPS};

use crate::support::View;

const FILES: &[(&str, &str)] = &[
    (
        "src/_a.py",
        "def _plugin():\n    return _inner()\n\n\ndef _inner():\n    return 1\n\n\n\
         def _idle():\n    return 2\n\n\ndef _checked():\n    return 3\n\n\n\
         def _used():\n    return 4\n\n\nprint(_used())\n",
    ),
    (
        "tests/test_a.py",
        "from src._a import _checked\n\n\ndef test_it():\n    assert _checked() == 3\n",
    ),
];

#[test]
fn what_ran_is_alive_with_what_it_needs() {
    let plain = View::new(FILES).dead();
    let expected = [
        "dead _plugin",
        "dead _inner",
        "dead _idle",
        "test-only _checked",
    ];
    assert_eq!(plain, expected);
    let report = "TN:\nSF:src/_a.py\nDA:1,1\nDA:2,12\nDA:9,1\nDA:10,0\nDA:13,1\nDA:14,2\n\
                  DA:17,1\nDA:18,0\nend_of_record\n";
    let expected = [
        "Dead _idle High: nothing in the checkout uses `_idle`; never ran in cov",
        "TestOnly _checked High: used only by tests or examples: tests/test_a.py:5; ran 2 times in cov",
        "NeverRan _used High: 1 use, never ran in cov",
        "Ran _plugin High: ran 12 times in cov; nothing in the checkout uses `_plugin`",
    ];
    assert_eq!(View::new(FILES).dead_with_coverage(report), expected);
}

#[test]
fn the_line_of_a_definition_runs_when_the_file_is_loaded() {
    // Only the `def` lines ran.
    let report = "TN:\nSF:src/_a.py\nDA:1,1\nDA:2,0\nDA:5,1\nDA:9,1\nend_of_record\n";
    let found = View::new(FILES).dead_with_coverage(report);
    assert!(
        found[0].starts_with("Dead _plugin High: nothing"),
        "{found:?}"
    );
    // Where nothing of the body was measured, nothing is said.
    assert!(
        found[1].ends_with("used only by dead code: src/_a.py:2"),
        "{found:?}"
    );
}

#[test]
fn a_guess_gains_by_what_never_ran() {
    let files = [(
        "src/a.ts",
        "export const api = { go() { return 1; } };\nexport function shown() {\n  return 2;\n}\n",
    )];
    let report = "TN:\nSF:src/a.ts\nFN:2,shown\nFNDA:0,shown\nend_of_record\n";
    let found = View::new(&files).dead_with_coverage(report);
    let shown = "ExportedUnused shown High: exported, and nothing in the checkout uses it; \
                 never ran in cov";
    assert!(found.contains(&shown.to_owned()), "{found:?}");
}

#[test]
fn an_export_that_only_outsiders_use_lives_when_it_ran() {
    let files = [("src/a.ts", "export function shown() {\n  return 2;\n}\n")];
    let report = "TN:\nSF:src/a.ts\nFN:1,shown\nFNDA:1,shown\nend_of_record\n";
    let found = View::new(&files).dead_with_coverage(report);
    let expected = "Ran shown High: ran in cov; exported, and nothing in the checkout uses it";
    assert_eq!(found, [expected]);
}

#[test]
fn functions_are_found_by_name_or_head() {
    let files = [(
        "src/a.js",
        "const one = () => 1; const two = () => 2;\nclass A {\n  run() {\n    return 1;\n  }\n}\n\
         function three() {\n  return 3;\n}\n",
    )];
    let report = "TN:\nSF:src/a.js\nFN:1,one\nFN:1,two\nFN:3,(anonymous_2)\nFN:7,ns.three(x)\n\
                  FNDA:0,one\nFNDA:5,two\nFNDA:4,(anonymous_2)\nFNDA:0,ns.three(x)\nend_of_record\n";
    let found = View::new(&files).dead_with_coverage(report);
    let ran = |name: &str| {
        found
            .iter()
            .any(|text| text.starts_with(&format!("Ran {name} ")))
    };
    let dead = |name: &str| {
        found
            .iter()
            .any(|text| text.starts_with(&format!("Dead {name} ")))
    };
    assert!(
        ran("two") && ran("A") && ran("A.run") && dead("three"),
        "{found:?}"
    );
    assert!(!ran("one"), "{found:?}");
}

#[test]
fn in_compiled_languages_the_head_counts() {
    let files = [(
        "a.go",
        "package main\n\nfunc idle() { println() }\n\nfunc main() {}\n",
    )];
    let report = "mode: set\na.go:3.13,3.26 1 1\n";
    let found = View::new(&files).dead_with_coverage(report);
    assert_eq!(
        found,
        ["Ran idle High: ran in cov; nothing in the checkout uses `idle`"]
    );
}

#[test]
fn lines_beyond_the_file_change_nothing() {
    let report = "TN:\nSF:src/_a.py\nDA:9000000,3\nFN:0,x\nFNDA:1,x\nend_of_record\n";
    let found = View::new(FILES).dead_with_coverage(report);
    assert_eq!(found.len(), 4, "{found:?}");
}

#[test]
fn an_export_that_may_be_reached_by_name_is_not_said_to_be_unused() {
    let files = [
        (
            "src/a.ts",
            "export function make(inst: any) {\n  inst.inner.process = (ctx: any) => ctx;\n  \
             inst.other = (ctx: any) => 1;\n}\n",
        ),
        (
            "src/b.ts",
            "import { make } from \"./a\";\nexport function run(it: any) {\n  make(it);\n  \
             return it.inner.process(1);\n}\n",
        ),
    ];
    let report = "TN:\nSF:src/a.ts\nend_of_record\n";
    let found = View::new(&files).dead_with_coverage(report);
    let is_told = |name: &str| found.iter().any(|one| one.contains(name));
    assert!(!is_told("process"), "{found:?}");
    assert!(is_told("ExportedUnused inst.other"), "{found:?}");
}

#[test]
fn lines_that_reach_over_every_function_make_no_more_steps_than_were_allowed() {
    let text: &'static str = Box::leak("def f():\n    pass\n".repeat(2000).into_boxed_str());
    let files = [("a.py", text)];
    let view = View::new(&files);
    let line = |first, last, hits| LineHits { first, last, hits };
    let mut lines = vec![line(1, 4000, 0)];
    lines.extend((0..5000).map(|_| line(1, 1, 0)));
    let coverage = FileCoverage {
        path: "a.py".to_owned(),
        lines,
        functions: Vec::new(),
    };
    let mut budget = Budget::new(&|| true);
    budget.allow(0);
    let mut ran = whyrank_graph::ExecutionCoverage::default();
    ran.file(&view.inputs(), 0, &coverage, &mut budget);
    assert!(
        budget.n_steps() <= LEAST_STEPS + 10_000,
        "{}",
        budget.n_steps()
    );
    let (_, n_never_ran) = ran.n_definitions();
    assert!(
        n_never_ran < 2000,
        "what was not looked at is not said to be idle"
    );
}
