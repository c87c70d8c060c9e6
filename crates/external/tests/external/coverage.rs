//! Every format, whole and damaged.

use proptest::prelude::*;
use whyrank_external::coverage::{At, FileCoverage, Format, Report, Unreadable, read};

fn report(text: &str) -> Report {
    read(text.as_bytes()).expect("a report")
}

/// `path 1:2 5-7:0 | name@3:4` for each file: lines, then functions.
fn shown(report: &Report) -> Vec<String> {
    let file = |file: &FileCoverage| {
        let mut text = file.path.clone();
        for line in &file.lines {
            if line.first == line.last {
                text.push_str(&format!(" {}:{}", line.first, line.hits))
            } else {
                text.push_str(&format!(" {}-{}:{}", line.first, line.last, line.hits))
            }
        }
        for function in &file.functions {
            text.push_str(&format!(
                " {}@{}:{}",
                function.name, function.line, function.hits
            ));
        }
        text
    };
    report.files.iter().map(file).collect()
}

fn problems(report: &Report) -> Vec<String> {
    report.problems.iter().map(ToString::to_string).collect()
}

const LCOV: &str = "TN:
SF:src/a.js
FN:1,add
FN:5,8,sub
FNDA:3,add
FNDA:0,sub
DA:2,3,hash
DA:6,0
LF:2
end_of_record
SF:src/b.js
FNL:0,4,9
FNA:0,7,mul(int, int)
DA:5,-1
end_of_record
";

#[test]
fn lcov_in_old_and_new_versions() {
    let report = report(LCOV);
    assert_eq!(report.format, Format::Lcov);
    let expected = [
        "src/a.js 2:3 6:0 add@1:3 sub@5:0",
        "src/b.js 5:0 mul(int, int)@4:7",
    ];
    assert_eq!(shown(&report), expected);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn damaged_lcov_gives_the_rest_and_says_where() {
    let report =
        report("TN:\nSF:a.js\nDA:one,1\nDA:2\nwhat\nDA:3,4\nend_of_record\nSF:b.js\nDA:1,1\n");
    assert_eq!(shown(&report), ["a.js 3:4", "b.js 1:1"]);
    let expected = [
        "line 3: `DA:one,1` cannot be read",
        "line 4: `DA:2` cannot be read",
        "line 5: `what` is no record",
        "line 10: the file ends within a record",
    ];
    assert_eq!(problems(&report), expected);
}

const COBERTURA: &str = r#"<?xml version="1.0" ?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="0.5" timestamp="1700000000123">
  <sources><source>/ci/repo/src</source></sources>
  <packages><package name="p"><classes>
    <class name="a" filename="pkg/a&amp;b.py">
      <methods><method name="f" signature="()"><lines><line number="3" hits="2"/><line number="4" hits="0"/></lines></method></methods>
      <lines><line number="3" hits="2"/><line number="4" hits="0"/></lines>
    </class>
  </classes></package></packages>
</coverage>"#;

#[test]
fn cobertura() {
    let report = report(COBERTURA);
    assert_eq!(report.format, Format::Cobertura);
    assert_eq!(report.roots, ["/ci/repo/src"]);
    assert_eq!(report.written_s, Some(1_700_000_000));
    assert_eq!(shown(&report), ["pkg/a&b.py 3:2 4:0 f@3:2"]);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
}

#[test]
fn a_cobertura_file_that_ends_early_gives_what_it_has() {
    let cut = &COBERTURA[..COBERTURA
        .find("<line number=\"4\" hits=\"0\"/></lines>\n")
        .unwrap()
        + 10];
    let report = report(cut);
    assert_eq!(shown(&report), ["pkg/a&b.py 3:2 f@3:2"]);
    assert!(
        matches!(report.problems[0].at, At::Byte(byte) if byte > 400),
        "{:?}",
        report.problems
    );
}

#[test]
fn entities_are_never_expanded() {
    let bomb = r#"<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>
        <coverage><class filename="&b;.py"><lines><line number="1" hits="1"/></lines></class></coverage>"#;
    assert_eq!(shown(&report(bomb)), ["&b;.py 1:1"]);
}

#[test]
fn deep_nesting_costs_nothing() {
    let deep = format!("<coverage>{}", "<a>".repeat(200_000));
    assert!(report(&deep).files.is_empty());
    let deep = format!("{{\"files\": {}", "[".repeat(200_000));
    assert!(read(deep.as_bytes()).is_err());
    let deep = format!("{{\"files\": {{\"a\": {{\"x\": {}", "[".repeat(200_000));
    assert!(read(deep.as_bytes()).is_err());
}

#[test]
fn coverage_py() {
    let report = report(
        r#"{"meta": {"version": "7.6", "timestamp": "2024-01-01T10:00:00"}, "files": {
            "app/a.py": {"executed_lines": [1, 2], "missing_lines": [5], "functions": {
                "A.f": {"executed_lines": [2], "missing_lines": []},
                "g": {"executed_lines": [], "missing_lines": [5]},
                "": {"executed_lines": [1], "missing_lines": []}}},
            "app/b.py": {"executed_lines": [], "summary": {"x": [1]}}}, "totals": {}}"#,
    );
    assert_eq!(report.format, Format::CoveragePy);
    assert_eq!(
        shown(&report),
        ["app/a.py 1:1 2:1 5:0 A.f@2:1 g@5:0", "app/b.py"]
    );
}

#[test]
fn istanbul() {
    let report = report(
        r#"{"/ci/a.js": {"path": "/ci/a.js",
            "statementMap": {"0": {"start": {"line": 2, "column": 0}, "end": {"line": 2, "column": null}}},
            "fnMap": {"0": {"name": "f", "decl": {"start": {"line": 1, "column": 9}, "end": {"line": 1, "column": 10}}, "line": 1}},
            "branchMap": {}, "s": {"0": 4}, "f": {"0": 4}, "b": {}}, "note": [1]}"#,
    );
    assert_eq!(report.format, Format::Istanbul);
    assert_eq!(shown(&report), ["/ci/a.js 2:4 f@1:4"]);
}

const V8: &str = r#"{"result": [
    {"scriptId": "1", "url": "node:fs", "functions": []},
    {"scriptId": "2", "url": "file:///ci/a.js", "functions": [
        {"functionName": "", "ranges": [{"startOffset": 0, "endOffset": 42, "count": 1}], "isBlockCoverage": true},
        {"functionName": "f", "ranges": [{"startOffset": 7, "endOffset": 22, "count": 2}, {"startOffset": 9, "endOffset": 12, "count": 0}]},
        {"functionName": "g", "ranges": [{"startOffset": 24, "endOffset": 41, "count": 0}]}]}]}"#;

#[test]
fn v8_stands_by_offsets_in_the_text() {
    let report = report(V8);
    assert_eq!((report.format, report.files.len()), (Format::V8, 1));
    let text = "// é𝄞\nfunction f() {}\n\nfunction g() {}\n\n";
    let functions = report.files[0].in_lines(text).unwrap();
    let functions: Vec<_> = functions
        .iter()
        .map(|f| (f.name.as_str(), f.line, f.hits))
        .collect();
    assert_eq!(functions, [("f", 2, 2), ("g", 4, 0)]);
    assert_eq!(report.files[0].in_lines("short"), None);
}

#[test]
fn half_of_a_json_report_is_half_an_answer() {
    let text = r#"{"files": {"a.py": {"executed_lines": [1]}, "b.py": {"executed_lin"#;
    let report = report(text);
    assert_eq!(shown(&report), ["a.py 1:1"]);
    assert_eq!(problems(&report).len(), 1);
    assert!(problems(&report)[0].starts_with("line 1: the JSON is damaged at column"));
}

#[test]
fn go_profile() {
    let report = report(
        "mode: count\nexample.com/m/a.go:3.20,5.2 1 7\nexample.com/m/a.go:7.2,7.9 1 0\nmode: count\n\
         example.com/m/b.go:1.1,4000000000.2 1 1\nbroken\n",
    );
    assert_eq!(report.format, Format::GoProfile);
    let expected = [
        "example.com/m/a.go 3-5:7 7:0",
        "example.com/m/b.go 1-4000000000:1",
    ];
    assert_eq!(shown(&report), expected);
    assert_eq!(problems(&report), ["line 6: `broken` is no block"]);
}

#[test]
fn what_is_no_coverage_says_what_it_is() {
    let error = |text: &str| read(text.as_bytes()).unwrap_err();
    assert_eq!(error(" \n"), Unreadable::Empty);
    assert_eq!(error("hello"), Unreadable::Unknown);
    assert_eq!(error("{\"a\": 1}"), Unreadable::OtherJson);
    assert_eq!(error("[1]"), Unreadable::OtherJson);
    assert_eq!(
        error("<report name=\"j\"/>"),
        Unreadable::OtherXml {
            root: "report".to_owned()
        }
    );
}

proptest! {
    #[test]
    fn no_damage_stops_a_reader(at in 0usize..900, byte: u8, cut in 0usize..900) {
        for text in [LCOV, COBERTURA, V8] {
            let mut bytes = text.as_bytes().to_vec();
            let n_bytes = bytes.len();
            bytes[at % n_bytes] = byte;
            let _ = read(&bytes);
            bytes.truncate(cut % n_bytes);
            let _ = read(&bytes);
        }
    }
}
