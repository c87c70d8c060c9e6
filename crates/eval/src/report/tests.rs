//! What the reports say, and what they never let through.

use super::sample::{line, lost, of, run, summary};
use super::{comparison_markdown, csv, html, markdown};
use crate::answer::Call;
use crate::compare::{ComparedRun, compare};
use crate::results::{RunState, TaskResult};
use crate::statistics::Estimate;
use crate::summary::{Summary, summarize};
use crate::task::Category;

const HOSTILE: &str =
    "</script><script>alert('a|b')</script><img src=x onerror=\"y\"> [l](http://e) `c` \\| __d__";

fn contains_all(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

/// Table rows have as many cells as their heads.
fn check_tables(markdown: &str) {
    let mut columns = None;
    for line in markdown.lines() {
        if !line.starts_with("| ") {
            columns = None;
            continue;
        }
        let plain = line.replace("\\\\", "").replace("\\|", "");
        let n = plain.matches('|').count();
        assert_eq!(*columns.get_or_insert(n), n, "{line}");
    }
}

/// Elements are closed in the order in which they were opened.
fn check_html(html: &str) {
    let void = ["meta", "br", "!doctype", "path", "line", "rect", "img"];
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').unwrap();
        let tag = rest[start + 1..end].to_owned();
        rest = &rest[end + 1..];
        let name = tag
            .trim_start_matches('/')
            .split_whitespace()
            .next()
            .unwrap()
            .to_owned();
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(closed));
        } else if !void.contains(&name.trim_end_matches('/')) {
            if name == "script" || name == "style" {
                let close = format!("</{name}>");
                rest = &rest[rest.find(&close).unwrap() + close.len()..];
            } else {
                open.push(name);
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

fn hostile() -> (Summary, Vec<TaskResult>) {
    let mut result = line(HOSTILE, HOSTILE, 0.2);
    for text in [
        &mut result.suite,
        &mut result.repo,
        &mut result.language,
        &mut result.stratum,
        &mut result.question,
        &mut result.expected_note,
        &mut result.found_note,
        &mut result.text,
        &mut result.expected[0].file,
        &mut result.found[2].file,
    ] {
        *text = HOSTILE.to_owned();
    }
    result.calls[0] = Call {
        tool: HOSTILE.to_owned(),
        arguments: HOSTILE.to_owned(),
    };
    let mut failed = TaskResult {
        subject: "other".to_owned(),
        ..result.clone()
    };
    failed.error = Some(HOSTILE.to_owned());
    let mut run = run(&[HOSTILE, "other"]);
    run.title = HOSTILE.to_owned();
    run.state = RunState::Failed;
    run.error = Some(HOSTILE.to_owned());
    run.suites = vec![HOSTILE.to_owned()];
    run.subjects[0].configuration = format!("```\n{HOSTILE}");
    run.repositories[0].error = Some(HOSTILE.to_owned());
    let defect = crate::suites::Defect {
        suite: HOSTILE.to_owned(),
        task: None,
        text: HOSTILE.to_owned(),
    };
    let results = vec![result, failed];
    (summarize(&run, &results, &[defect]), results)
}

fn named<'a>(id: &'a str, results: &'a [TaskResult]) -> ComparedRun<'a> {
    ComparedRun { id, results }
}

#[test]
fn an_empty_run_says_so() {
    let mut summary = summary(&["ours"], &[]);
    summary.run.n_done = 0;
    summary.run.state = RunState::Cancelled;
    let text = markdown(&summary, &[]);
    contains_all(
        &text,
        &[
            "no answers to sum up",
            "**Partial run.** Cancelled after 0 of 4 answers",
        ],
    );
    let page = html(&summary, &[]);
    check_html(&page);
    contains_all(&page, &["No answers.", "Partial run."]);
}

#[test]
fn one_subject_has_figures_and_no_pairs() {
    let results = [line("ours", "t1", 0.5), line("ours", "t2", 1.0)];
    let text = markdown(&summary(&["ours"], &results), &results);
    contains_all(
        &text,
        &[
            ".750 [",
            "Complete: 4 answers.",
            "### Weaknesses",
            "#### P2 references, F1",
        ],
    );
    assert!(!text.contains("Task by task") && !text.contains("Partial"));
    check_tables(&text);
}

#[test]
fn a_partial_run_is_marked() {
    let (mut summary, results) = lost();
    summary.run.state = RunState::Cancelled;
    summary.run.n_done = 1204;
    summary.run.n_wanted = 3000;
    let sentence = "Cancelled after 1,204 of 3,000 answers; figures cover what was answered.";
    contains_all(
        &markdown(&summary, &results),
        &["**Partial run.**", sentence],
    );
    contains_all(
        &html(&summary, &results),
        &["class=\"state partial\"", sentence],
    );
}

#[test]
fn a_baseline_that_wins_is_bold() {
    let (summary, results) = lost();
    let text = markdown(&summary, &results);
    contains_all(
        &text,
        &[
            "| naive-grep | **.950** [",
            "| ours | .250 [",
            "| naive-grep | all | 2 | .250 | .950 | −.700 [",
            "| 0 / 0 / 2 | not clear |",
        ],
    );
    check_tables(&text);
    contains_all(&html(&summary, &results), &["<b>.950</b>"]);
}

#[test]
fn a_subject_with_fewer_tasks_is_not_called_best() {
    let mut results = lost().1;
    results[3].unsupported = true;
    let text = markdown(&summary(&["ours", "naive-grep"], &results), &results);
    contains_all(
        &text,
        &[
            "| naive-grep | .900 [.900, .900] | 1 of 2 |",
            "over the one task that both did",
        ],
    );
}

#[test]
fn p5_is_shown_apart_where_it_exists() {
    let (summary_without, results) = lost();
    assert!(!markdown(&summary_without, &results).contains("without P5"));
    let mut results = results;
    results.push(of(Category::P5, line("ours", "t3", 1.0)));
    let summary = summary(&["ours", "naive-grep"], &results);
    let text = markdown(&summary, &results);
    contains_all(
        &text,
        &[
            "### With and without P5",
            "| ours | .500 [",
            "| 3 | 255 | .250 [",
        ],
    );
    contains_all(&html(&summary, &results), &["<h3>With and without P5</h3>"]);
}

#[test]
fn weaknesses_name_what_was_expected_and_what_came_instead() {
    let (summary, results) = lost();
    contains_all(
        &markdown(&summary, &results),
        &[
            "ours falls short of 1 on 2 of 2 tasks.",
            "| .000 | Router.use | `express` | `lib/app.js:3` | `lib/other.js:1` |",
        ],
    );
    contains_all(
        &html(&summary, &results),
        &[
            "<li class=\"right\"><span>✓ right</span> <code>lib/app.js:3</code></li>",
            "<li class=\"optional\"><span>~ optional</span> <code>test/app.js:9</code></li>",
            "<li class=\"wrong\"><span>✗ wrong</span> <code>lib/other.js:1</code></li>",
            "<li class=\"wrong\"><span>○ missed</span> <code>lib/app.js:3</code></li>",
            "others: naive-grep .900",
        ],
    );
}

#[test]
fn hostile_strings_stay_text_in_html() {
    let (summary, results) = hostile();
    let page = html(&summary, &results);
    check_html(&page);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("onerror=\"y"));
    assert!(!page.contains("src=\"") && !page.contains("href=\"http") && !page.contains("url("));
}

#[test]
fn hostile_strings_stay_text_in_markdown() {
    let (summary, results) = hostile();
    let text = markdown(&summary, &results);
    check_tables(&text);
    assert!(text.contains("````json\n```\n"));
    let (_, rest) = text.split_once("````json").unwrap();
    let (before, after) = (
        text.split_once("````json").unwrap().0,
        rest.split_once("````").unwrap().1,
    );
    for part in [before, after] {
        for raw in ["<script", "<img", " [l]("] {
            assert!(!part.contains(raw), "{raw} in\n{part}");
        }
    }
    let comparison = compare(named("a", &results), named("b|<b>", &[]), 1);
    assert!(comparison_markdown(&comparison).starts_with("# b\\|&lt;b&gt; against a\n"));
}

#[test]
fn the_summary_in_the_page_is_json() {
    let (summary, results) = hostile();
    let page = html(&summary, &results);
    let (_, json) = page.split_once("id=\"summary\">").unwrap();
    let (json, _) = json.split_once("</script>").unwrap();
    let read: Summary = serde_json::from_str(json).unwrap();
    assert_eq!(read.run, summary.run);
}

#[test]
fn figures_that_are_none_are_dashes() {
    let (mut summary, results) = lost();
    let none = Estimate {
        mean: f64::NAN,
        low: f64::NAN,
        high: f64::NAN,
    };
    for row in &mut summary.rows {
        row.value = none;
        row.tokens = none;
        row.tokens_per_correct = f64::INFINITY;
    }
    let (text, page) = (markdown(&summary, &results), html(&summary, &results));
    let (before, _) = page.split_once("<script").unwrap();
    for text in [text.as_str(), before] {
        assert!(!text.contains("NaN") && !text.contains("inf<") && !text.contains(" inf "));
    }
    check_tables(&text);
}

#[test]
fn single_tasks_are_limited_and_the_page_says_so() {
    let results: Vec<TaskResult> = (0..450)
        .map(|n| line("ours", &format!("t{n}"), 0.1))
        .collect();
    let page = html(&summary(&["ours"], &results), &results);
    assert_eq!(page.matches("<details class=\"task\"").count(), 400);
    contains_all(&page, &["50 more are left out", "450 of 450 tasks"]);
}

#[test]
fn long_answers_are_cut_with_a_note() {
    let mut result = line("ours", "t1", 0.1);
    result.text = "ä".repeat(12_345);
    let results = [result];
    let page = html(&summary(&["ours"], &results), &results);
    contains_all(&page, &["The first 2,000 of 12,345 characters."]);
    assert_eq!(page.matches('ä').count(), 2000);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (summary, results) = lost();
    assert_eq!(html(&summary, &results), html(&summary, &results));
    assert_eq!(markdown(&summary, &results), markdown(&summary, &results));
    assert_eq!(csv(&results), csv(&results));
}

#[test]
fn a_comparison_has_regressions_first() {
    let base = [
        line("ours", "t1", 1.0),
        line("ours", "t2", 0.0),
        line("ours", "gone", 0.0),
    ];
    let other = [line("ours", "t1", 0.25), line("ours", "t2", 0.5)];
    let text = comparison_markdown(&compare(named("first", &base), named("second", &other), 1));
    contains_all(
        &text,
        &[
            "# second against first",
            "Lost: one answer. Won: one answer. Left out: one answer that only one of the runs has.",
            "| −.750 | 1.000 | .250 | ours | primitives | P2 | `t1` | Router.use |",
            "| +.500 | .000 | .500 |",
            "not clear",
        ],
    );
    assert!(text.find("Regressions").unwrap() < text.find("Improvements").unwrap());
    check_tables(&text);
    let same = comparison_markdown(&compare(named("a", &base), named("a", &base), 1));
    contains_all(
        &same,
        &[
            "Both runs have the same answers.",
            "## Regressions\n\nNone.",
        ],
    );
}

#[test]
fn who_says_how_sure_they_are_is_held_to_it() {
    let answers = |confidence: Option<f64>| -> Vec<TaskResult> {
        let answers = (0..20).map(|at| TaskResult {
            confidence,
            ..line("whyrank", &format!("task-{at}"), 1.0)
        });
        answers.collect()
    };
    let report = |results: &[TaskResult]| {
        let summary = summarize(&run(&["whyrank"]), results, &[]);
        (html(&summary, results), markdown(&summary, results))
    };
    let (page, text) = report(&answers(Some(0.9)));
    contains_all(
        &page,
        &[
            "Right as often as it says?",
            "aria-labelledby=\"reliability-0-title",
        ],
    );
    contains_all(&text, &["| whyrank | 20 | .010 | .000 | .100 |"]);
    check_html(&page);
    check_tables(&text);
    let (page, text) = report(&answers(None));
    assert!(!page.contains("Right as often") && !text.contains("Right as often"));
}
