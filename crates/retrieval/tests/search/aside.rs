//! What stands aside: tests beside the code, copies, other projects' files; and what only looks so.

use crate::fixture::Fixture;
use whyrank_retrieval::{Filters, Trace};

/// Names of the terms of a path's first row.
fn terms(trace: &Trace, path: &str) -> Vec<String> {
    let row = trace.rows.iter().find(|row| row.path == path);
    let row = row.unwrap_or_else(|| panic!("{path} is not found"));
    row.evidence.iter().map(|term| term.name.clone()).collect()
}

const SCALES: &str = "pub fn weigh(parcel: u32) -> u32 {\n    let tare = 1;\n    let gross = parcel;\n    gross - tare\n}\n\n#[cfg(test)]\nmod tests {\n    use super::weigh;\n\n    #[test]\n    fn weigh_parcel_with_tare() {\n        let parcel = 3;\n        let weight = weigh(parcel);\n        assert_eq!(weight, 2);\n    }\n}\n";

#[test]
fn a_module_of_tests_beside_the_code_is_a_test() {
    let fixture = Fixture::with(&[("src/scales.rs", SCALES)]);
    let symbols = |query: &str, no_tests: bool| -> Vec<String> {
        let filters = Filters {
            no_tests,
            ..Filters::default()
        };
        let outcome = fixture.ask_with(
            query,
            |asked| {
                asked.filters = filters;
                asked.distinct_files = false;
            },
            false,
        );
        let rows = outcome.trace.rows.into_iter();
        rows.filter_map(|row| row.symbol).collect()
    };
    let place =
        |symbols: &[String], name: &str| symbols.iter().position(|known| known.ends_with(name));
    let found = symbols("weigh parcel tare", false);
    assert!(
        place(&found, "weigh") < place(&found, "tests::weigh_parcel_with_tare"),
        "{found:?}"
    );
    let asked = symbols("unit test for weigh parcel tare", false);
    assert!(
        place(&asked, "tests::weigh_parcel_with_tare") < place(&asked, "weigh"),
        "{asked:?}"
    );
    let narrowed = symbols("weigh parcel tare", true);
    assert!(
        !narrowed.iter().any(|name| name.starts_with("tests")),
        "{narrowed:?}"
    );
}

#[test]
fn what_runs_where_a_file_is_run_by_itself_is_a_test() {
    let script = "def weigh(parcel):\n    gross = parcel\n    tare = 1\n    return gross - tare\n\n\nif __name__ == \"__main__\":\n    parcel = 3\n    weight = weigh(parcel)\n    assert weight == 2\n    print(\"weigh the parcel\", weight)\n";
    let fixture = Fixture::with(&[("src/scales.py", script)]);
    let outcome = fixture.ask_with(
        "weigh the parcel",
        |query| query.distinct_files = false,
        false,
    );
    let row = outcome.trace.rows.iter().find(|row| row.start_line == 7);
    let row = row.expect("the block is a chunk of its own");
    assert!(row.evidence.iter().any(|term| term.name == "test-file"));
}

#[test]
fn compat_is_old_only_where_production_does_not_import_it() {
    let files = [
        ("kit/__init__.py", ""),
        (
            "kit/app.py",
            "from kit.compat.clock import now\n\n\ndef main():\n    return now()\n",
        ),
        ("kit/compat/__init__.py", ""),
        (
            "kit/compat/clock.py",
            "def now():\n    \"\"\"The time of the clock.\"\"\"\n    return 0\n",
        ),
        (
            "kit/compat/sundial.py",
            "def read_clock():\n    \"\"\"The time of the clock.\"\"\"\n    return 0\n",
        ),
    ];
    let trace = Fixture::with(&files).ask("time of the clock").trace;
    let is_old = |path| terms(&trace, path).contains(&"legacy-file".to_owned());
    assert!(!is_old("kit/compat/clock.py") && is_old("kit/compat/sundial.py"));
}

#[test]
fn other_projects_files_stand_behind_and_one_of_two_copies_stands_for_both() {
    let text = "function pack(parcel) {\n  return parcel;\n}\n\nfunction weigh(parcel) {\n  return 1;\n}\n\nfunction send(parcel) {\n  return 2;\n}\n";
    let files = [
        (
            "web/parcel-3.5.1.js",
            "function packParcel(parcel) {\n  return parcel;\n}\n",
        ),
        ("app/parcel.js", text),
        ("mirror/app/parcel.js", text),
    ];
    let fixture = Fixture::with(&files);
    let outcome = fixture.ask_with("pack a parcel", |_| {}, false);
    let paths = fixture.paths(&outcome);
    assert!(terms(&outcome.trace, "web/parcel-3.5.1.js").contains(&"foreign-file".to_owned()));
    let n_twins = paths
        .iter()
        .filter(|path| path.ends_with("app/parcel.js"))
        .count();
    assert_eq!(n_twins, 1, "{paths:?}");
    let named = outcome.hits.iter().flat_map(|hit| &hit.copies);
    let named: Vec<&str> = named
        .map(|file| fixture.index.view.files[*file as usize].path.as_str())
        .collect();
    assert_eq!(named, ["mirror/app/parcel.js"], "{paths:?}");
}

#[test]
fn two_systems_code_for_one_interface_is_not_a_copy() {
    let unix = "def pack(parcel):\n    return parcel\n\n\ndef weigh(parcel):\n    return 1\n\n\ndef send(parcel):\n    return 2\n";
    let windows = "def pack(parcel):\n    boxed = [parcel]\n    return boxed\n\n\ndef weigh(parcel):\n    scale = 1\n    return scale\n\n\ndef send(parcel):\n    way = 2\n    return way\n";
    let files = [
        ("src/unix/parcel.py", unix),
        ("src/windows/parcel.py", windows),
    ];
    let fixture = Fixture::with(&files);
    let paths = fixture.paths(&fixture.ask_with("pack a parcel", |_| {}, false));
    assert!(
        paths
            .iter()
            .filter(|path| path.ends_with("parcel.py"))
            .count()
            == 2,
        "{paths:?}"
    );
}

#[test]
fn a_word_in_a_script_without_spaces_is_found_by_its_parts() {
    let files = [
        (
            "src/nav.py",
            "class 寻路引擎:\n    \"\"\"为角色计算最短路径。\"\"\"\n\n    def 计算路线(self, 起点, 终点):\n        return [起点, 终点]\n",
        ),
        (
            "src/auth.py",
            "def check_token(token):\n    # 验证用户的登录令牌是否过期\n    return bool(token)\n",
        ),
        (
            "src/zahlen.js",
            "// 注文の合計金額を計算する\nexport function orderSum(list) { return list.length; }\n",
        ),
    ];
    let fixture = Fixture::with(&files);
    for (query, path) in [
        ("最短路径", "src/nav.py"),
        ("计算路线", "src/nav.py"),
        ("寻路", "src/nav.py"),
        ("登录令牌过期", "src/auth.py"),
        ("合計金額", "src/zahlen.js"),
    ] {
        let outcome = fixture.ask_with(query, |_| {}, false);
        assert_eq!(
            fixture.paths(&outcome).first().map(String::as_str),
            Some(path),
            "{query}"
        );
        let poor = outcome.trace.fit.and_then(|fit| fit.poor);
        assert_eq!(poor, None, "{query}");
    }
}
