//! Grams in segments: they rule out what cannot match and nothing else, across updates, joins and damage.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use std::path::PathBuf;
use support::Indexed;
use whyrank_grams::{GramQuery, PatternSyntax};
use whyrank_index::{GramLimits, WriteMode};
use whyrank_source::FileStat;

const LIMITS: GramLimits = GramLimits {
    least_in_view: 1,
    least_new: 1,
    most_in_segment: 4 << 10,
};

fn query(pattern: &str) -> GramQuery {
    GramQuery::of(&PatternSyntax {
        patterns: vec![pattern.to_owned()],
        is_text: false,
        ignores_case: false,
        unicode: true,
    })
}

fn keep(indexed: &Indexed) {
    let mut writer = indexed.store().writer(WriteMode::Update).unwrap();
    writer.keep_grams(&indexed.key(), LIMITS).unwrap();
    writer.finish().unwrap();
}

/// The segments, by name.
fn segments(indexed: &Indexed) -> Vec<PathBuf> {
    let entries = walk(&indexed.folder.path().join("store"));
    let is_grams = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_string_lossy()
            .starts_with("grams-")
    };
    let mut found: Vec<PathBuf> = entries.into_iter().filter(is_grams).collect();
    found.sort();
    found
}

fn walk(folder: &std::path::Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// Paths that are not ruled out.
fn candidates(indexed: &Indexed, pattern: &str) -> Vec<String> {
    let listed = indexed
        .store()
        .listed_files(&indexed.key())
        .unwrap()
        .unwrap();
    let view = indexed.view();
    let of_list = listed.grams().candidates(&query(pattern));
    let reader = indexed.store().reader().unwrap();
    assert_eq!(of_list, reader.grams(&view).candidates(&query(pattern)));
    of_list
        .iter()
        .map(|file| view.files[file as usize].path.clone())
        .collect()
}

fn many() -> Indexed {
    let files: Vec<(String, String)> = (0..40)
        .map(|at| {
            (
                format!("src/m{at:02}.rs"),
                format!("fn job_{at}() {{ common(); }}\n// {}\n", "pad ".repeat(60)),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let indexed = Indexed::new(&files);
    keep(&indexed);
    indexed
}

#[test]
fn a_pattern_is_sought_where_its_grams_are() {
    let indexed = many();
    assert_eq!(segments(&indexed).len(), 1);
    assert_eq!(candidates(&indexed, "job_17"), ["src/m17.rs"]);
    assert_eq!(
        candidates(&indexed, "JOB_1[78]"),
        ["src/m17.rs", "src/m18.rs"]
    );
    assert_eq!(candidates(&indexed, "common").len(), 40);
    assert_eq!(candidates(&indexed, "nowhere"), [""; 0]);
    assert_eq!(candidates(&indexed, r"\w+").len(), 40);
}

#[test]
fn new_contents_are_read_until_they_have_grams_and_small_segments_are_joined() {
    let indexed = many();
    let n_before = segments(&indexed).len();
    for round in 0..6 {
        indexed.write("src/new.rs", &format!("fn renamed_{round}() {{}}\n"));
        indexed.update();
        assert!(
            candidates(&indexed, "nowhere").contains(&"src/new.rs".to_owned()),
            "no grams yet"
        );
        keep(&indexed);
        assert_eq!(candidates(&indexed, "nowhere"), [""; 0]);
        assert_eq!(
            candidates(&indexed, &format!("renamed_{round}")),
            ["src/new.rs"]
        );
    }
    assert!(
        segments(&indexed).len() <= n_before + 2,
        "{:?}",
        segments(&indexed)
    );
}

#[test]
fn texts_that_are_not_the_file_are_always_read() {
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let secret = format!("let token = \"{key}\";\n");
    let indexed = Indexed::new(&[
        ("a.rs", &secret),
        ("b.rs", "let kelvin = \"\u{212a}\";\n"),
        ("c.rs", "fn c() {}\n"),
    ]);
    std::fs::write(
        indexed.root().join("d.rs"),
        b"// caf\xe9 in Latin-1, and more of it\nfn d() {}\n",
    )
    .unwrap();
    indexed.update();
    keep(&indexed);
    assert_eq!(candidates(&indexed, "nowhere"), ["a.rs", "b.rs", "d.rs"]);
    let listed = indexed
        .store()
        .listed_files(&indexed.key())
        .unwrap()
        .unwrap();
    let known: Vec<bool> = (0..4).map(|file| listed.grams().knows(file)).collect();
    assert_eq!(known, [false, false, true, false]);
}

#[test]
fn a_damaged_segment_rules_nothing_out_and_is_made_again() {
    let indexed = many();
    for segment in segments(&indexed) {
        let mut bytes = std::fs::read(&segment).unwrap();
        bytes
            .iter_mut()
            .skip(40)
            .step_by(97)
            .for_each(|byte| *byte ^= 0x5a);
        std::fs::write(&segment, bytes).unwrap();
    }
    assert_eq!(candidates(&indexed, "job_17").len(), 40);
    assert!(
        segments(&indexed).is_empty(),
        "what is damaged is taken away"
    );
    keep(&indexed);
    assert_eq!(candidates(&indexed, "job_17"), ["src/m17.rs"]);
}

#[test]
fn a_file_that_was_written_since_is_not_as_it_was_listed() {
    let indexed = many();
    let listed = indexed
        .store()
        .listed_files(&indexed.key())
        .unwrap()
        .unwrap();
    let file = listed.file("src/m03.rs").unwrap();
    let stat = |path: &str| FileStat::read(&indexed.root().join(path)).unwrap();
    assert!(listed.is_as_listed(file, stat("src/m03.rs")));
    indexed.write("src/m03.rs", "fn other() {}\n");
    assert!(!listed.is_as_listed(file, stat("src/m03.rs")));
    assert_eq!(listed.file("src/none.rs"), None);
}
