//! Questions about a topic: what paths say, what further hits of a file keep, half of a file's name.

use crate::fixture::Fixture;
use whyrank_retrieval::{Evidence, SearchOutcome};

fn asked(fixture: &Fixture, question: &str) -> SearchOutcome {
    fixture.ask_with(question, |query| query.distinct_files = false, false)
}

/// The terms of a name: where, what they come to, and what the score was without.
fn terms<'o>(outcome: &'o SearchOutcome, name: &str) -> Vec<(&'o str, &'o Evidence, f64)> {
    let rows = outcome.trace.rows.iter();
    let named = rows.flat_map(|row| {
        let of_name = row.evidence.iter().filter(|term| term.name == name);
        of_name.map(|term| (row.path.as_str(), term, row.score - term.contribution))
    });
    named.collect()
}

#[test]
fn a_path_that_holds_the_questions_words_leads_to_its_file() {
    let text = "def run(parcel):\n    return parcel\n";
    let files = [
        ("billing/invoice/render.py", text),
        ("zebra/other.py", text),
    ];
    let outcome = asked(&Fixture::with(&files), "how does invoice billing work");
    let of_paths = terms(&outcome, "path-words");
    let share = |path: &str| {
        let found = of_paths.iter().find(|(of, ..)| *of == path);
        found.map_or(0.0, |(_, term, _)| term.contribution)
    };
    assert!(share("billing/invoice/render.py") > 0.0, "{of_paths:?}");
    assert_eq!(share("zebra/other.py"), 0.0);
}

#[test]
fn further_hits_of_a_file_keep_a_third_each_and_overloads_are_none() {
    let method = |head: &str| {
        let lines: String = (0..14)
            .map(|n| format!("    parcel = parcel + {n};\n"))
            .collect();
        format!("  int {head} {{\n{lines}    return parcel;\n  }}\n\n")
    };
    let heads = [
        "weigh(int parcel)",
        "weigh(long parcel)",
        "pack(int parcel)",
        "send(int parcel)",
    ];
    let several = format!("public class Parcel {{\n{}}}\n", heads.map(method).concat());
    let fixture = Fixture::with(&[("src/Parcel.java", several.as_str())]);
    let outcome = fixture.ask_with(
        "how are parcels weighed packed sent invoiced stored labelled for customers warehouse country tax",
        |_| {},
        false,
    );
    let damped = terms(&outcome, "same-file");
    let of_file: Vec<f64> = damped
        .iter()
        .filter(|(path, ..)| *path == "src/Parcel.java")
        .map(|(_, term, before)| (before + term.contribution) / before)
        .collect();
    assert!(!of_file.is_empty(), "{damped:?}");
    let times: Vec<f64> = of_file
        .iter()
        .map(|kept| kept.ln() / 0.33_f64.ln())
        .collect();
    let is_whole = |times: &f64| (times - times.round()).abs() < 1e-6;
    assert!(times.iter().all(is_whole), "{times:?}");
    // Five rows of four names: an overload is not counted before the rows behind it.
    let most = times.iter().copied().fold(0.0, f64::max);
    assert!((most - 3.0).abs() < 1e-6, "{times:?}");
}

#[test]
fn the_beginning_of_a_files_name_is_its_name_for_a_topic() {
    let text = "export function run(a) {\n  return a;\n}\n";
    let fixture = Fixture::with(&[("web/compose.js", text), ("web/render.js", text)]);
    let outcome = asked(&fixture, "composition of functions in this library");
    let named = terms(&outcome, "file-named");
    assert!(
        named.iter().any(|(path, ..)| *path == "web/compose.js"),
        "{named:?}"
    );
    assert!(!named.iter().any(|(path, ..)| *path == "web/render.js"));
}
