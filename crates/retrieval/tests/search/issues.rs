//! Issues as people file them.

use crate::fixture::Fixture;
use whyrank_retrieval::{PartKind, QueryShape};

/// A crash whose traceback goes through `App.handle` and ends in `Router.match`.
const CRASH: &str = "Requests without a trailing slash crash

<!-- Thanks for the report! -->
**Describe the bug**
Handling a request fails since the last version.

```python
serve(request)
```

```
Traceback (most recent call last):
  File \"/home/me/run.py\", line 4, in <module>
    serve(request)
  File \"/site-packages/src/app.py\", line 11, in handle
    return self.router.match(request.path)(session)
  File \"/site-packages/src/router.py\", line 12, in match
    raise LookupError(\"no route matches: \" + path)
LookupError: no route matches: /cart
```

- [x] I have searched the issues
Python 3.12.1
";

fn symbols(fixture: &Fixture, text: &str) -> Vec<String> {
    let outcome = fixture.ask_with(text, |_| {}, false);
    let hits = outcome.hits.iter().map(|hit| {
        let (file, _, symbol) = fixture.index.view.chunk(hit.place);
        symbol.map_or_else(|| file.path.clone(), |symbol| symbol.qualified.clone())
    });
    hits.collect()
}

#[test]
fn files_of_frames_come_first_and_the_innermost_frame_counts_most() {
    let fixture = Fixture::new();
    let outcome = fixture.ask_with(CRASH, |_| {}, false);
    let mut first = fixture.paths(&outcome)[..2].to_vec();
    first.sort();
    assert_eq!(first, ["src/app.py", "src/router.py"]);
    let of_frames = |path: &str| -> f64 {
        let row = outcome.trace.rows.iter().find(|row| row.path == path);
        let terms = row.expect("it is a candidate").evidence.iter();
        let frames = terms.filter(|term| term.name.starts_with("issue-frame"));
        frames.map(|term| term.contribution).sum()
    };
    assert!(of_frames("src/router.py") > of_frames("src/app.py"));
    assert!(of_frames("src/app.py") > 0.0);
}

#[test]
fn every_part_says_what_it_weighs_and_brought() {
    let fixture = Fixture::new();
    let trace = fixture.ask_with(CRASH, |_| {}, false).trace;
    assert_eq!(trace.shape, QueryShape::Issue);
    let record = trace.issue.expect("it was read as one");
    assert!(record.n_dropped_lines >= 2, "{record:?}");
    let part = |kind| record.parts.iter().find(|part| part.kind == kind);
    let frame = part(PartKind::Frame).expect("there are frames");
    assert_eq!(frame.n_asked, 2, "that of the reporter's own file is none");
    assert!(frame.brought > 0.0 && frame.weight > 0.0);
    assert!(part(PartKind::Path).is_none(), "no path is named");
    let first = &trace.rows[0];
    let sum: f64 = record.parts.iter().map(|part| part.brought).sum();
    assert!(sum > 0.0 && sum <= first.score + 1.0);
    for row in &trace.rows {
        let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((channels + evidence - row.score).abs() < 1e-9, "{row:?}");
    }
}

#[test]
fn a_file_that_is_named_is_found_and_tests_and_docs_step_back() {
    let fixture = Fixture::new();
    let text = "Cookies are lost\n\nSince the update the value is empty, see \
                https://github.com/shop/shop/blob/main/src/session.py#L2 for where `open_session` reads it. \
                Router.add_route and routes in README.md and tests work as they should do, as before.";
    let outcome = fixture.ask_with(text, |_| {}, false);
    let paths = fixture.paths(&outcome);
    assert_eq!(paths[0], "src/session.py");
    let first = |ending: &str| paths.iter().position(|path| path.ends_with(ending));
    let code = first("router.py").expect("it is named");
    for aside in ["test_router.py", "README.md"] {
        assert!(first(aside).is_none_or(|at| at > code), "{paths:?}");
    }
}

#[test]
fn bad_input_gets_an_answer() {
    let fixture = Fixture::new();
    let long = "The router drops its routes after a while.\n".repeat(5000);
    let binary: String = (1..6000u32)
        .filter_map(|n| char::from_u32(n * 13 % 4000))
        .collect();
    for text in [
        long.as_str(),
        binary.as_str(),
        "セッションが失われる\n\n再現手順: `open_session` を呼び出す\n```\nopen_session(app, request)\n```",
        "word\n```\n```",
        "<!-- never closed\n\n\n```",
    ] {
        let (first, again) = (symbols(&fixture, text), symbols(&fixture, text));
        assert_eq!(first, again, "the same hits each time");
    }
}

#[test]
fn a_frame_means_its_own_file_and_not_the_test_that_mirrors_it() {
    let code = "class Report {\n  add(rule) {\n    return rule.loc;\n  }\n}\nmodule.exports = { Report };\n";
    let test = "const { Report } = require('../../lib/report');\ntest('report', () => new Report().add({}));\n";
    let fixture = Fixture::with(&[
        ("lib/kit/report.js", code),
        ("tests/lib/kit/report.js", test),
    ]);
    for path in [
        "lib/kit/report.js",
        "/home/me/node_modules/shop/lib/kit/report.js",
    ] {
        let issue = format!(
            "Crash while a file is read\n\n```\nTypeError: Cannot read properties of undefined\n    at Report.add ({path}:3:12)\n```\n"
        );
        let outcome = fixture.ask_with(&issue, |_| {}, false);
        let first = &outcome.trace.rows[0];
        assert_eq!(first.path, "lib/kit/report.js", "{path}");
        let mut terms = first.evidence.iter();
        let frame = terms.find(|term| term.name == "issue-frame-file");
        let frame = frame.expect("the frame speaks for its file");
        assert_eq!(frame.words, [format!("{path}:3 add")]);
    }
}
