//! Search over a small real repository: arithmetic, order, determinism, degradation.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod aside;
mod cross;
mod fixture;
mod histories;
mod issues;
mod second_stage;
mod topics;

use fixture::Fixture;
use whyrank_retrieval::{
    AnswerConfidence, Channel, Filters, SearchQuery, Stage, Trace, TraceRow, Tuning,
};

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
fn a_list_of_few_vectors_counts_for_little() {
    let mut fixture = Fixture::new();
    let of_vectors = |trace: &Trace| {
        let ranks = trace.rows.iter().flat_map(|row| &row.channels);
        let by_rank = ranks.filter(|rank| rank.channel == Channel::Vector);
        let terms = trace.rows.iter().flat_map(|row| &row.evidence);
        let by_cosine = terms.filter(|term| term.name == "vector-score");
        by_rank.map(|rank| rank.contribution).fold(0.0, f64::max)
            + by_cosine.map(|term| term.contribution).fold(0.0, f64::max)
    };
    let whole = of_vectors(&fixture.ask("how are routes registered").trace);
    fixture.vector_coverage = 0.1;
    let trace = fixture.ask("how are routes registered").trace;
    let part = of_vectors(&trace);
    assert!(part > 0.0 && part < 0.002 * whole, "{part} of {whole}");
    let weight = trace
        .weights
        .iter()
        .find(|one| one.channel == Channel::Vector);
    assert!(weight.unwrap().reason.contains("10% of the chunks"));
}

#[test]
fn confidence_is_given_only_where_it_was_measured() {
    let mut fixture = Fixture::new();
    fixture.vector_coverage = 0.0;
    let words = "how are routes registered";
    let ask = |text: &str, change: fn(&mut SearchQuery)| {
        let trace = fixture.ask_with(text, change, false).trace;
        trace.confidence.expect("something was found")
    };
    let plain = ask(words, |_| {});
    assert!(
        plain
            .measured()
            .is_some_and(|share| share > 0.0 && share < 1.0)
    );
    let withheld = |text: &str, change: fn(&mut SearchQuery), why: &str| {
        let why = format!("not measured {why}");
        assert_eq!(ask(text, change), AnswerConfidence::Withheld(why));
    };
    withheld(words, |query| query.filters.no_tests = true, "with filters");
    withheld(
        words,
        |query| query.filters.languages = vec!["python".to_owned()],
        "with filters",
    );
    withheld("src/router.py", |_| {}, "for paths");
    let other = "with other weights or stages than the standard ones";
    withheld(words, |query| query.off = vec![Stage::Evidence], other);
    withheld(
        words,
        |query| {
            query.weights.0.insert(Channel::Graph, 3.0);
        },
        other,
    );
    withheld(words, |query| query.tuning.definition += 1.0, other);
    fixture.vector_coverage = 0.5;
    let trace = fixture.ask(words).trace;
    assert_eq!(trace.confidence.and_then(|one| one.measured()), None);
}

#[test]
fn nonsense_fits_nothing_and_gets_no_confidence() {
    let fixture = Fixture::new();
    for query in [
        "zzzqqqxyz",
        "最短路径",
        "кот",
        "x",
        "???",
        "0x7f3a99",
        "Zzz.qqqXyz",
        "qqq/zzz.py",
    ] {
        for with_model in [false, true] {
            let trace = fixture.ask_with(query, |_| {}, with_model).trace;
            let poor = trace.fit.as_ref().and_then(|fit| fit.poor.as_ref());
            assert!(trace.rows.is_empty() || poor.is_some(), "{query}");
            let measured = trace.confidence.and_then(|found| found.measured());
            assert_eq!(measured, None, "{query}");
        }
    }
}

#[test]
fn what_is_there_fits() {
    let fixture = Fixture::new();
    for query in [
        "session",
        "Router.add_route",
        "add_route",
        "clamp",
        "src/router.py",
        "web/src/Router.py",
        "README.md",
        "util",
        "lookup error",
    ] {
        let trace = fixture.ask_with(query, |_| {}, false).trace;
        let poor = trace.fit.and_then(|fit| fit.poor);
        assert_eq!(poor, None, "{query}");
    }
}

#[test]
fn the_last_word_may_be_a_beginning_and_a_word_that_is_there_stays_one() {
    let fixture = Fixture::new();
    let typed =
        |query: &str, prefix| fixture.ask_with(query, |request| request.prefix = prefix, false);
    for (begun, path) in [
        ("rou", "src/router.py"),
        ("sess", "src/session.py"),
        ("add_rou", "src/router.py"),
        ("bounds cla", "lib/util.go"),
        ("registerin", "README.md"),
    ] {
        let outcome = typed(begun, true);
        let paths = fixture.paths(&outcome);
        assert!(paths.contains(&path.to_owned()), "{begun}: {paths:?}");
        assert_eq!(outcome.trace.fit.and_then(|fit| fit.poor), None, "{begun}");
    }
    for whole in [
        "session",
        "router",
        "open session",
        "Router.add_route",
        "session ",
        "zzzq",
    ] {
        let rows = |prefix| {
            let trace = typed(whole, prefix).trace;
            let rows = trace.rows.into_iter();
            rows.map(|row| (row.path, row.start_line, row.score))
                .collect::<Vec<_>>()
        };
        assert_eq!(rows(true), rows(false), "{whole}");
    }
}

#[test]
fn nothing_is_called_missing_by_a_search_that_does_not_look_at_words() {
    let fixture = Fixture::new();
    let no_words = |query: &mut SearchQuery| {
        query.weights.0.insert(Channel::Fts, 0.0);
        query.weights.0.insert(Channel::DocSection, 0.0);
    };
    let trace = fixture
        .ask_with("how are sessions opened", no_words, true)
        .trace;
    assert!(!trace.rows.is_empty());
    assert_eq!(trace.fit.and_then(|fit| fit.poor), None);
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
    // Prose that nobody asked for comes behind the code of all files.
    let mut paths = fixture.paths(&fixture.ask("router match handler path"));
    paths.retain(|path| path != "README.md");
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
fn a_model_that_nobody_installed_is_not_missing_beside_static_vectors() {
    let mut fixture = Fixture::new();
    (fixture.vector_coverage, fixture.static_coverage) = (0.0, 1.0);
    let notes = fixture.ask_with("open session", |_| {}, false).trace.notes;
    assert!(
        !notes.iter().any(|note| note.starts_with("vector")),
        "{notes:?}"
    );
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

/// Names of the terms of a path's first row.
fn terms(trace: &Trace, path: &str) -> Vec<String> {
    let row = trace.rows.iter().find(|row| row.path == path).unwrap();
    row.evidence.iter().map(|term| term.name.clone()).collect()
}

/// The rank of a path's first row, from 1.
fn rank_of(trace: &Trace, path: &str) -> u32 {
    let row = trace.rows.iter().find(|row| row.path == path);
    row.unwrap_or_else(|| panic!("{path} is not found")).rank
}

#[test]
fn what_production_code_imports_is_no_test_whatever_its_folder() {
    let files = [
        ("kit/__init__.py", ""),
        (
            "kit/app.py",
            "from kit.tests.clock import FrozenClock\n\n\ndef main():\n    return FrozenClock()\n",
        ),
        ("kit/tests/__init__.py", ""),
        (
            "kit/tests/clock.py",
            "class FrozenClock:\n    \"\"\"A clock that stands still.\"\"\"\n\n    def freeze(self):\n        return 0\n",
        ),
        (
            "kit/tests/test_clock.py",
            "from kit.tests.clock import FrozenClock\n\n\ndef test_freeze():\n    assert FrozenClock().freeze() == 0\n",
        ),
    ];
    let trace = Fixture::with(&files).ask("freeze the clock").trace;
    let is_demoted = |path| terms(&trace, path).contains(&"test-file".to_owned());
    assert!(!is_demoted("kit/tests/clock.py") && is_demoted("kit/tests/test_clock.py"));
}

#[test]
fn a_name_that_tests_alone_define_is_not_demoted() {
    let files = [
        ("lib/a.py", "def load():\n    return FakeClock\n"),
        (
            "tests/fakes.py",
            "class FakeClock:\n    pass\n\n\nclass FakeDisk:\n    def load(self):\n        return 1\n",
        ),
    ];
    let fixture = Fixture::with(&files);
    let demotion = |query: &str| {
        let trace = fixture.ask(query).trace;
        terms(&trace, "tests/fakes.py").contains(&"test-file".to_owned())
    };
    assert!(!demotion("FakeClock") && demotion("load"));
}

#[test]
fn in_a_test_framework_the_word_asks_for_no_tests() {
    let stems = ["unit_test_runner", "unit_test_report", "unit_test_case"];
    let mut files: Vec<(String, String)> = stems
        .iter()
        .map(|stem| {
            let text = "class Part:\n    def run(self):\n        return 'run order'\n".to_owned();
            (format!("src/{stem}.py"), text)
        })
        .collect();
    files.push((
        "testing/test_order.py".to_owned(),
        "def test_run_order():\n    assert 'run order of test'\n".to_owned(),
    ));
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let demotes = |query: &str| {
        let trace = Fixture::with(&borrowed).ask(query).trace;
        terms(&trace, "testing/test_order.py").contains(&"test-file".to_owned())
    };
    assert!(demotes("test run order") && !demotes("tests for the run order"));
}

#[test]
fn manifests_and_prose_do_not_fill_the_places_behind_code() {
    let code = (0..6).map(|at| {
        let text = format!("def parse_{at}(parcel):\n    return parcel.weight\n");
        (format!("src/step_{at}.py"), text)
    });
    let mut files: Vec<(String, String)> = code.collect();
    for at in 0..6 {
        files.push((
            format!("conf/parcel_{at}.yaml"),
            "parcel: {weight: 1}\n".to_owned(),
        ));
        files.push((
            format!("docs/parcel_{at}.md"),
            "# Parcel\n\nThe parcel weight.\n".to_owned(),
        ));
    }
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let fixture = Fixture::with(&borrowed);
    let is_code_behind = |query: &str| {
        let paths = fixture.paths(&fixture.ask(query));
        paths[3..9]
            .iter()
            .all(|path| !path.ends_with(".md") && !path.ends_with(".yaml"))
    };
    assert!(is_code_behind("weight of a parcel"));
    assert!(!is_code_behind("documentation of the weight of a parcel"));
}

#[test]
fn of_two_near_identical_files_the_imported_one_stands_first() {
    let text = "def pack(parcel):\n    return parcel\n\n\ndef weigh(parcel):\n    return 1\n\n\ndef send(parcel):\n    return 2\n\n\ndef seal(parcel):\n    return 3\n\n\ndef open(parcel):\n    return 4\n";
    let copy = format!("{text}\n\ndef pack_parcel(parcel):\n    return pack(parcel)\n");
    let files = [
        ("build_lib/parcel.py", copy.as_str()),
        ("src/__init__.py", ""),
        ("src/parcel.py", text),
        (
            "app/main.py",
            "from src.parcel import pack\n\n\ndef main():\n    return pack(1)\n",
        ),
    ];
    let trace = Fixture::with(&files).ask("pack parcel").trace;
    assert!(rank_of(&trace, "src/parcel.py") < rank_of(&trace, "build_lib/parcel.py"));
    assert!(terms(&trace, "build_lib/parcel.py").contains(&"copy".to_owned()));
}

#[test]
fn what_is_said_of_a_part_of_the_program_is_a_change() {
    let files = [
        ("src/ledger.py", "def book(entry):\n    return entry\n"),
        ("src/report.py", "def show(entry):\n    return entry\n"),
    ];
    let fixture = Fixture::with(&files);
    let asked = |query: &str| fixture.ask(query).query.is_change;
    assert!(asked("ledger: keep the entry on errors"));
    assert!(!asked("cellar: keep the entry on errors"));
}

#[test]
fn parts_of_a_definition_are_one_hit() {
    let fields = (0..60).map(|at| format!("    parcel_{at} = {at}\n\n    def weigh_{at}(self, parcel):\n        total = parcel\n        total += {at}\n        return total\n\n"));
    let class = format!(
        "class Parcel:\n    \"\"\"A parcel.\"\"\"\n\n{}",
        fields.collect::<String>()
    );
    let fixture = Fixture::with(&[("src/parcel.py", class.as_str())]);
    let outcome = fixture.ask_with("Parcel", |query| query.distinct_files = false, true);
    let index = &fixture.index;
    let definitions: Vec<_> = outcome
        .hits
        .iter()
        .filter_map(|hit| index.definition(hit.place))
        .collect();
    let mut distinct = definitions.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(definitions.len(), distinct.len());
}
