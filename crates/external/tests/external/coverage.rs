//! Every format, whole and damaged.

use proptest::prelude::*;
use whyrank_external::Budget;
use whyrank_external::coverage::{At, CoverageFormat, FileCoverage, Report, Unreadable, read};

fn report(text: &str) -> Report {
    read(text.as_bytes(), &mut Budget::new(&|| true)).expect("a report")
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
    assert_eq!(report.format, CoverageFormat::Lcov);
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
        "line 5: `what` is not a record",
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
    assert_eq!(report.format, CoverageFormat::Cobertura);
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
}

#[test]
fn go_profile() {
    let report = report(
        "mode: count\nexample.com/m/a.go:3.20,5.2 1 7\nexample.com/m/a.go:7.2,7.9 1 0\nmode: count\n\
         example.com/m/b.go:1.1,4000000000.2 1 1\nbroken\n",
    );
    assert_eq!(report.format, CoverageFormat::GoProfile);
    let expected = [
        "example.com/m/a.go 3-5:7 7:0",
        "example.com/m/b.go 1-4000000000:1",
    ];
    assert_eq!(shown(&report), expected);
    assert_eq!(problems(&report), ["line 6: `broken` is not a block"]);
}

#[test]
fn what_is_no_coverage_says_what_it_is() {
    let error = |text: &str| read(text.as_bytes(), &mut Budget::new(&|| true)).unwrap_err();
    assert_eq!(error(" \n"), Unreadable::Empty);
    assert_eq!(error("hello"), Unreadable::Unknown);
    assert_eq!(
        error("<report name=\"j\"/>"),
        Unreadable::OtherXml {
            root: "report".to_owned()
        }
    );
}

#[test]
fn json_is_refused_with_the_way_to_lcov() {
    for text in [
        r#"{"meta": {"version": "7.6"}, "files": {"a.py": {"executed_lines": [1]}}}"#,
        r#"{"/ci/a.js": {"statementMap": {}, "s": {}}}"#,
        "[1]",
    ] {
        let error = read(text.as_bytes(), &mut Budget::new(&|| true)).unwrap_err();
        assert_eq!(error, Unreadable::Json);
        assert!(error.to_string().contains("`coverage lcov`"), "{error}");
    }
}

proptest! {
    #[test]
    fn no_damage_stops_a_reader(at in 0usize..900, byte: u8, cut in 0usize..900) {
        for text in [LCOV, COBERTURA] {
            let mut bytes = text.as_bytes().to_vec();
            let n_bytes = bytes.len();
            bytes[at % n_bytes] = byte;
            let _ = read(&bytes, &mut Budget::new(&|| true));
            bytes.truncate(cut % n_bytes);
            let _ = read(&bytes, &mut Budget::new(&|| true));
        }
    }
}
