//! Every chunk has its row in the static lane as soon as it can be found, whatever happened before.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use support::Indexed;
use whyrank_inference::StaticEncoder;

const FILES: [(&str, &str); 3] = [
    (
        "mail.py",
        "def deliver_message(letter):\n    return queue.put(letter)\n",
    ),
    (
        "sums.py",
        "def add_numbers(first, second):\n    return first + second\n",
    ),
    ("notes.md", "# Shop\n\nHow parcels reach their readers.\n"),
];

fn encoder() -> Arc<StaticEncoder> {
    StaticEncoder::builtin().unwrap()
}

fn folder(indexed: &Indexed) -> PathBuf {
    let generation = indexed.store().folder().join("gen-1");
    let entries = fs::read_dir(generation).unwrap().flatten();
    let mut paths = entries.map(|entry| entry.path());
    let is_static = |path: &PathBuf| path.to_string_lossy().contains("/static-");
    paths.find(is_static).unwrap()
}

/// Paths and lines of the nearest chunks with their cosines.
fn nearest(indexed: &Indexed, text: &str) -> Vec<(String, u32, f32)> {
    let (encoder, reader, view) = (encoder(), indexed.store().reader().unwrap(), indexed.view());
    let query = encoder.query(text).unwrap();
    let found = reader.nearest_static(encoder.spec(), &query, &view.visible, 50);
    let mut rows: Vec<(String, u32, f32)> = found
        .iter()
        .map(|hit| {
            let (file, chunk, _) = view.chunk(view.locate(hit.chunk).unwrap());
            (file.path.clone(), chunk.span.start_line, hit.score)
        })
        .collect();
    rows.sort_by(|a, b| {
        b.2.total_cmp(&a.2)
            .then_with(|| (&a.0, a.1).cmp(&(&b.0, b.1)))
    });
    rows
}

fn n_covered(indexed: &Indexed) -> (u64, u64) {
    let (reader, view) = (indexed.store().reader().unwrap(), indexed.view());
    let covered = reader.static_coverage(encoder().spec());
    (covered.intersection_len(&view.visible), view.visible.len())
}

fn is_whole(indexed: &Indexed) -> bool {
    let (covered, all) = n_covered(indexed);
    covered == all
}

#[test]
fn what_is_meant_is_found_without_its_words() {
    let indexed = Indexed::new(&FILES);
    assert!(is_whole(&indexed));
    assert_eq!(nearest(&indexed, "send an email")[0].0, "mail.py");
    assert_eq!(nearest(&indexed, "calculate the total")[0].0, "sums.py");
}

#[test]
fn codes_are_near_to_the_vectors() {
    let indexed = Indexed::new(&FILES);
    let encoder = encoder();
    let query = encoder.query("send an email").unwrap();
    let document = encoder.document("deliver_message", FILES[0].1);
    let exact: f32 = query.iter().zip(&document).map(|(a, b)| a * b).sum();
    let found = nearest(&indexed, "send an email")[0].2;
    assert!((found - exact).abs() < 0.02, "{found} for {exact}");
}

#[test]
fn a_text_without_a_word_is_near_to_nothing() {
    let mut files = FILES.to_vec();
    files.extend([("empty.py", ""), ("marks.py", "()\n[]\n{}\n")]);
    let indexed = Indexed::new(&files);
    assert!(is_whole(&indexed));
    for query in ["send an email", "add", "the total of a list"] {
        let found = nearest(&indexed, query);
        assert!(
            found
                .iter()
                .all(|(path, _, cosine)| path != "marks.py" && *cosine > 0.0)
        );
    }
}

#[test]
fn its_room_on_disk_is_counted() {
    let indexed = Indexed::new(&FILES);
    let reader = indexed.store().reader().unwrap();
    let room = reader.static_disk_usage(encoder().spec());
    let n_all = indexed.view().visible.len();
    assert_eq!(room.n_chunks, n_all);
    assert!(room.n_bytes > 168 * n_all);
}

#[test]
fn an_edit_is_followed() {
    let indexed = Indexed::new(&FILES);
    indexed.write("sums.py", "def subtract_numbers(a, b):\n    return a - b\n");
    indexed.update();
    assert!(is_whole(&indexed));
    let found = nearest(&indexed, "subtract");
    assert_eq!(found[0].0, "sums.py");
    assert!(found.iter().filter(|(path, ..)| path == "sums.py").count() == 1);
}

#[test]
fn what_is_damaged_is_left_out_named_and_made_again() {
    let whole = nearest(&Indexed::new(&FILES), "send an email");
    for name in ["head", "runs", "bits-1", "codes-1"] {
        for is_cut in [false, true] {
            let indexed = Indexed::new(&FILES);
            let path = folder(&indexed).join(name);
            let mut bytes = fs::read(&path).unwrap();
            if is_cut {
                bytes.truncate(bytes.len() / 2);
            } else {
                bytes[5] ^= 4;
            }
            fs::write(&path, bytes).unwrap();
            assert_eq!(nearest(&indexed, "send an email"), [], "{name}");
            assert_eq!(indexed.store().repair().unwrap().len(), 1, "{name}");
            indexed.update();
            assert!(is_whole(&indexed), "{name}");
            assert_eq!(nearest(&indexed, "send an email"), whole, "{name}");
        }
    }
}

#[test]
fn a_lane_that_is_swept_away_under_a_reader_is_no_loss() {
    let indexed = Indexed::new(&FILES);
    let (encoder, view) = (encoder(), indexed.view());
    let (spec, reader) = (encoder.spec(), indexed.store().reader().unwrap());
    let query = encoder.query("send an email").unwrap();
    let ask = || {
        let found = reader.nearest_static(spec, &query, &view.visible, 50);
        (found, reader.static_coverage(spec))
    };
    let (before, n_lost) = (ask(), whyrank_index::n_lost());
    fs::remove_dir_all(folder(&indexed)).unwrap();
    assert_eq!(ask(), before);
    assert!(whyrank_index::n_lost() == n_lost && !reader.met_damage());
    // Another reader knows that there is none.
    assert_eq!(n_covered(&indexed).0, 0);
}

#[test]
fn rows_behind_the_head_do_not_count() {
    let indexed = Indexed::new(&FILES);
    let head = fs::read(folder(&indexed).join("head")).unwrap();
    indexed.write("more.py", "def retry_request(times):\n    return times\n");
    indexed.update();
    // A kill after the runs and before the head.
    fs::write(folder(&indexed).join("head"), head).unwrap();
    assert!(!is_whole(&indexed));
    indexed.update();
    assert!(is_whole(&indexed));
    assert_eq!(nearest(&indexed, "try again")[0].0, "more.py");
}

#[test]
fn most_rows_of_chunks_that_are_gone_go_too() {
    let indexed = Indexed::new(&FILES);
    for round in 0..12 {
        indexed.write("sums.py", &format!("def add_{round}(a):\n    return a\n"));
        indexed.write("mail.py", &format!("def mail_{round}(a):\n    return a\n"));
        indexed.update();
        assert!(is_whole(&indexed), "round {round}");
    }
    let reader = indexed.store().reader().unwrap();
    let n_rows = reader.static_coverage(encoder().spec()).len();
    assert!(
        n_rows < 12,
        "{n_rows} rows for {} chunks",
        indexed.view().visible.len()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whatever the edits were, the rows are those of a new index.
    #[test]
    fn edits_equal_a_new_index(edits in prop::collection::vec((0..4_usize, 0..6_usize), 1..8)) {
        let words = ["parcel", "ledger", "shelf", "refund", "stock", "retry"];
        let text = |word: usize| format!("def {}_it(one):\n    return one.{}\n", words[word], words[(word + 2) % 6]);
        let indexed = Indexed::new(&FILES);
        let mut last = vec![None; 4];
        for (file, word) in edits {
            indexed.write(&format!("f{file}.py"), &text(word));
            indexed.update();
            last[file] = Some(word);
        }
        let mut files: Vec<(String, String)> = FILES.map(|(path, text)| (path.to_owned(), text.to_owned())).to_vec();
        files.extend(last.into_iter().enumerate().filter_map(|(file, word)| Some((format!("f{file}.py"), text(word?)))));
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let new = Indexed::new(&files);
        prop_assert_eq!(nearest(&indexed, "give money back"), nearest(&new, "give money back"));
    }
}
