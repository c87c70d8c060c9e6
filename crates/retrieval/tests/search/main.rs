//! Search over a small real repository: arithmetic, order, determinism, degradation.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod fixture;
mod second_stage;
mod sparse;

use fixture::Fixture;
use whyrank_retrieval::{Channel, Filters, SearchQuery, Trace, TraceRow, Tuning};

#[test]
fn the_terms_of_every_row_sum_to_its_score() {
    let fixture = Fixture::new();
    for query in [
        "how are routes registered",
        "Router.add_route",
        "src/router.py",
        "no route matches: x",
        "session",
    ] {
        let trace = fixture.ask(query).trace;
        assert!(!trace.rows.is_empty(), "{query}");
        for row in trace.rows {
            let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
            let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
            assert!((channels - row.fused).abs() < 1e-9, "{query}: {row:?}");
            assert!(
                (channels + evidence - row.score).abs() < 1e-9,
                "{query}: {row:?}"
            );
        }
    }
}

#[test]
fn contributions_are_weight_over_k_plus_rank() {
    let fixture = Fixture::new();
    let trace = fixture.ask("open session").trace;
    for rank in trace.rows.iter().flat_map(|row| &row.channels) {
        let weight = trace
            .weights
            .iter()
            .find(|weight| weight.channel == rank.channel)
            .unwrap();
        let expected = weight.effective / (trace.rrf_k + f64::from(rank.rank));
        assert!((rank.contribution - expected).abs() < 1e-12);
    }
}

#[test]
fn the_same_query_gives_the_same_answer() {
    let fixture = Fixture::new();
    let (mut one, mut two) = (fixture.ask("routes").trace, fixture.ask("routes").trace);
    for trace in [&mut one, &mut two] {
        trace.timings.clear();
        trace
            .channels
            .iter_mut()
            .for_each(|run| (run.elapsed_ms, run.encode_ms) = (0.0, None));
        if let Some(gate) = &mut trace.gate {
            gate.features.time_left_ms = 0.0;
        }
    }
    assert_eq!(one, two);
}

#[test]
fn a_qualified_name_finds_its_definition_first() {
    let fixture = Fixture::new();
    let outcome = fixture.ask("Router.add_route");
    let (file, _, symbol) = fixture.index.view.chunk(outcome.hits[0].place);
    assert_eq!(file.path, "src/router.py");
    assert!(symbol.unwrap().qualified.starts_with("Router"));
}

#[test]
fn a_word_in_more_chunks_than_a_list_holds_still_matches_its_definition() {
    let uses = (0..230).map(|number| {
        let text = format!("def step_{number}(parcel):\n    return parcel, parcel, parcel\n");
        (format!("lib/step_{number}.py"), text)
    });
    let fields = (0..30).map(|number| format!("        self.field_{number} = {number}\n"));
    let body: String = fields.collect();
    let class = format!("class Parcel:\n    def __init__(self):\n{body}");
    let mut files: Vec<(String, String)> = uses.collect();
    files.push(("lib/parcel.py".to_owned(), class));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let trace = Fixture::with(&files).ask("Parcel").trace;
    let first = &trace.rows[0];
    assert_eq!(first.symbol.as_deref(), Some("Parcel"));
    let lists: Vec<_> = first.channels.iter().map(|rank| rank.channel).collect();
    assert!(!lists.contains(&Channel::Fts), "{lists:?}");
    let mut terms = first.evidence.iter();
    let lexical = terms.find(|term| term.name == "lexical-score").unwrap();
    assert!(
        lexical.reason.ends_with("after the list's end"),
        "{}",
        lexical.reason
    );
}

#[test]
fn shipped_code_comes_before_tests_unless_tests_are_asked_for() {
    let fixture = Fixture::new();
    assert_eq!(
        fixture.paths(&fixture.ask("add route to router"))[0],
        "src/router.py"
    );
    let paths = fixture.paths(&fixture.ask("test that a route is added"));
    assert_eq!(paths[0], "tests/test_router.py");
}

#[test]
fn a_message_of_a_change_asks_for_code_in_the_part_that_it_names() {
    let fixture = Fixture::new();
    let outcome =
        fixture.ask("fix(router): a path without handler is no match (#12)\n\nAdds a test.");
    assert_eq!(fixture.paths(&outcome)[0], "src/router.py");
    let terms = |trace: &Trace, path: &str| -> Vec<String> {
        let row = trace.rows.iter().find(|row| row.path == path).unwrap();
        row.evidence.iter().map(|term| term.name.clone()).collect()
    };
    assert!(terms(&outcome.trace, "src/router.py").contains(&"area".to_owned()));
    assert!(terms(&outcome.trace, "tests/test_router.py").contains(&"test-file".to_owned()));
}

/// What evidence of a name brings at most, in units of a first place.
fn most(fixture: &Fixture, query: &str, name: &str) -> f64 {
    let trace = fixture.ask(query).trace;
    let terms = trace.rows.iter().flat_map(|row| &row.evidence);
    let named = terms.filter(|term| term.name == name);
    named.map(|term| term.contribution).fold(0.0, f64::max) * (trace.rrf_k + 1.0)
}

#[test]
fn words_count_more_and_their_file_less_in_a_description() {
    let fixture = Fixture::new();
    let tuning = Tuning::default();
    let lexical = |query| most(&fixture, query, "lexical-score");
    let described = "Returns the handler of the route that matches a path";
    assert!((lexical("route handler") - tuning.lexical_score).abs() < 1e-9);
    let more = tuning.lexical_score * tuning.described_lexical;
    assert!((lexical(described) - more).abs() < 1e-9);
    let file = |query| most(&fixture, query, "file-lexical");
    assert!((file("route handler") - tuning.lexical_file).abs() < 1e-9);
    let less = tuning.lexical_file * tuning.described_file;
    assert!((file(described) - less).abs() < 1e-9);

    let says = |query| {
        let rows = fixture.ask(query).trace.rows;
        let terms = rows.iter().flat_map(|row| &row.evidence);
        let saying = terms.filter(|term| term.reason.contains("in a description"));
        saying.count() > 0
    };
    assert!(says(described) && !says("route handler"));
}

#[test]
fn files_are_distinct_until_they_run_out() {
    let fixture = Fixture::new();
    let paths = fixture.paths(&fixture.ask("router match handler path"));
    let n_files = paths.iter().collect::<std::collections::HashSet<_>>().len();
    assert_eq!(
        paths
            .iter()
            .take(n_files)
            .collect::<std::collections::HashSet<_>>()
            .len(),
        n_files
    );
}

#[test]
fn without_a_model_the_rest_answers_and_says_so() {
    let fixture = Fixture::new();
    let outcome = fixture.ask_with("open session", |_| {}, false);
    assert_eq!(fixture.paths(&outcome)[0], "src/session.py");
    let run = outcome
        .trace
        .channels
        .iter()
        .find(|run| run.channel == Channel::Vector)
        .unwrap();
    assert_eq!(run.skipped.as_deref(), Some("no model"));
    assert_eq!(outcome.trace.notes.len(), 1);
}

#[test]
fn a_channel_of_weight_zero_is_switched_off() {
    let fixture = Fixture::new();
    let outcome = fixture.ask_with(
        "open session",
        |query| {
            query.weights.0.insert(Channel::Fts, 0.0);
        },
        true,
    );
    let ranks = outcome.trace.rows.iter().flat_map(|row| &row.channels);
    assert!(ranks.clone().count() > 0);
    assert!(ranks.clone().all(|rank| rank.channel != Channel::Fts));
}

fn walked(trace: &Trace) -> Vec<&TraceRow> {
    let is_walked = |row: &&TraceRow| {
        row.channels
            .iter()
            .any(|rank| rank.channel == Channel::Graph)
    };
    trace.rows.iter().filter(is_walked).collect()
}

fn skipped(trace: &Trace) -> Option<&str> {
    let run = trace
        .channels
        .iter()
        .find(|run| run.channel == Channel::Graph);
    run.unwrap().skipped.as_deref()
}

#[test]
fn the_graph_adds_what_no_other_channel_found_and_says_from_where() {
    let fixture = Fixture::new();
    let trace = fixture.ask_with("cookie serializer", |_| {}, false).trace;
    let rows = walked(&trace);
    let added = rows.iter().find(|row| row.channels.len() == 1).unwrap();
    assert_eq!(added.symbol.as_deref(), Some("App"));
    let way = added.channels[0].way.as_deref();
    assert_eq!(way, Some("from `open_session` by caller → `App.handle`"));
    assert!(
        trace
            .rows
            .iter()
            .flat_map(|row| &row.channels)
            .all(|rank| rank.way.is_some() == (rank.channel == Channel::Graph))
    );
}

#[test]
fn tests_do_not_come_in_by_the_graph_before_shipped_code() {
    let fixture = Fixture::new();
    let trace = fixture.ask_with("keeps routes", |_| {}, false).trace;
    let rank = |path: &str| {
        let ranks = walked(&trace).into_iter().filter(|row| row.path == path);
        let ranks = ranks.flat_map(|row| &row.channels);
        let ranks = ranks.filter(|rank| rank.channel == Channel::Graph);
        ranks.map(|rank| rank.rank).min()
    };
    let app = rank("src/app.py").unwrap();
    assert!(rank("tests/test_router.py").is_none_or(|test| app < test));
}

#[test]
fn the_graph_is_left_out_with_a_reason() {
    let fixture = Fixture::new();
    let check = |query: &str, expected: &str| {
        let trace = fixture.ask(query).trace;
        assert!(walked(&trace).is_empty(), "{query}");
        assert!(skipped(&trace).unwrap().contains(expected), "{query}");
        assert!(trace.notes.iter().all(|note| !note.contains("graph")));
    };
    check("Router.add_route", "identifier");
    check("src/router.py", "path");
    check("cannot match the route: no handler", "message");
    check(
        "returns the session value that the serializer loads from the cookies of a request",
        "description",
    );
    let off = fixture.ask_with(
        "cookie serializer",
        |query| {
            query.weights.0.insert(Channel::Graph, 0.0);
        },
        true,
    );
    assert_eq!(skipped(&off.trace), Some("switched off"));
}

#[test]
fn a_blend_scores_by_rank_and_page_rank_and_the_sum_holds() {
    let fixture = Fixture::new();
    let blended = |query: &mut SearchQuery| {
        query.weights.0.insert(Channel::Graph, 0.0);
        query.tuning.graph_blend = 0.4;
    };
    let trace = fixture
        .ask_with("cookie serializer session", blended, false)
        .trace;
    assert!(walked(&trace).is_empty());
    for row in &trace.rows {
        let channels: f64 = row.channels.iter().map(|rank| rank.contribution).sum();
        let evidence: f64 = row.evidence.iter().map(|term| term.contribution).sum();
        assert!((channels + evidence - row.score).abs() < 1e-9, "{row:?}");
        let term = row.evidence.iter().find(|term| term.name == "graph-blend");
        assert!(term.unwrap().reason.contains("of the best PageRank"));
        assert!((0.0..=1.0).contains(&row.score));
    }
}

#[test]
fn filters_narrow_by_path_language_kind_and_tests() {
    let fixture = Fixture::new();
    let narrowed = |filters: Filters| {
        let outcome = fixture.ask_with("route value path", |query| query.filters = filters, true);
        fixture.paths(&outcome)
    };
    let one = |text: &str| vec![text.to_owned()];
    assert!(
        narrowed(Filters {
            languages: one("go"),
            ..Filters::default()
        })
        .iter()
        .all(|path| path == "lib/util.go")
    );
    assert!(
        narrowed(Filters {
            paths: one("src"),
            ..Filters::default()
        })
        .iter()
        .all(|path| path.starts_with("src/"))
    );
    assert!(
        narrowed(Filters {
            no_tests: true,
            ..Filters::default()
        })
        .iter()
        .all(|path| !path.starts_with("tests/"))
    );
    let classes = narrowed(Filters {
        kinds: one("class"),
        ..Filters::default()
    });
    assert!(!classes.is_empty() && classes.iter().all(|path| path.ends_with(".py")));
}

#[test]
fn an_empty_or_foreign_query_finds_nothing_and_does_not_fail() {
    let fixture = Fixture::new();
    for query in ["", "   ", "zzzzqqq", "\u{0}", "((((", "日本語"] {
        let _ = fixture.ask_with(query, |_| {}, false);
    }
}
