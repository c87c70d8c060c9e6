//! What vectors of vanished texts leave behind: nothing, once their contents are swept.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

mod support;

use std::fs;
use std::time::{Duration, Instant};
use support::Indexed;
use whyrank_index::{DiskUsage, Lanes, Reader, TokenOptions, Unattended, WriteMode};
use whyrank_inference::{BiEncoder, FakeBiEncoder, QueryKind, TokenEncoder};

const N_FILES: usize = 400;

struct Models {
    dense: FakeBiEncoder,
}

impl Models {
    fn new() -> Self {
        Self {
            dense: FakeBiEncoder::new(32),
        }
    }
}

fn file_of(at: usize) -> (String, String) {
    let word = |at: usize| ["parcel", "ledger", "shelf", "refund", "stock"][at % 5];
    let text = format!(
        "def {}_{at}(one):\n    return one.{} + {at}\n",
        word(at),
        word(at + 2)
    );
    (format!("f{at}.py"), text)
}

fn indexed(files: impl Iterator<Item = usize>) -> Indexed {
    let files: Vec<(String, String)> = files.map(file_of).collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    Indexed::new(&files)
}

/// Encodes what lacks vectors; texts that were encoded.
fn encode(indexed: &Indexed, models: &Models, wide: bool) -> [usize; 2] {
    let mut writer = indexed.store().writer(WriteMode::Update).unwrap();
    let lanes = Lanes {
        vectors: &models.dense,
        tokens: Some((&models.dense, TokenOptions { wide })),
        first: &Vec::new,
        most_chunks: 0,
    };
    let key = indexed.key();
    let both = writer.encode_view(&key, &lanes, &Unattended).unwrap();
    writer.finish().unwrap();
    [both.n_vectors, both.n_tokens]
}

fn rooms(reader: &Reader, models: &Models) -> [DiskUsage; 2] {
    [
        reader.vector_disk_usage(models.dense.spec()),
        reader.token_disk_usage(models.dense.token_spec()),
    ]
    .map(Result::unwrap)
}

/// By each kind of vectors: the path of each hit with its score.
fn found(indexed: &Indexed, reader: &Reader, models: &Models) -> [Vec<(String, f32)>; 2] {
    let view = indexed.view();
    let path_of = |chunk: u32| view.chunk(view.locate(chunk).unwrap()).0.path.clone();
    let (text, visible) = ("ledger 7", &view.visible);
    let query = models.dense.encode_query(text, QueryKind::Code).unwrap();
    let dense = reader.nearest(models.dense.spec(), &query, visible, 1_000);
    let tokens = reader.tokens(models.dense.token_spec()).unwrap().unwrap();
    let query = models.dense.encode_query_tokens(text, QueryKind::Code);
    let chunks: Vec<u32> = visible.iter().collect();
    let soon = Instant::now() + Duration::from_secs(600);
    let scores = tokens.rescore(&query.unwrap().tokens, &chunks, soon);
    let scored = chunks.iter().zip(scores.unwrap().scores);
    let of_hits = |hits: Vec<whyrank_index::ScoredChunk>| {
        let hits = hits.into_iter();
        let mut named: Vec<(String, f32)> =
            hits.map(|hit| (path_of(hit.chunk), hit.score)).collect();
        named.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        named
    };
    let mut by_tokens: Vec<(String, f32)> = scored
        .map(|(chunk, score)| (path_of(*chunk), score.unwrap()))
        .collect();
    by_tokens.sort_by(|a, b| a.0.cmp(&b.0));
    [of_hits(dense.unwrap()), by_tokens]
}

fn remove(indexed: &Indexed, files: impl Iterator<Item = usize>) {
    for at in files {
        fs::remove_file(indexed.root().join(file_of(at).0)).unwrap();
    }
    indexed.update();
}

#[test]
fn vectors_of_swept_texts_give_their_room_back() {
    let models = Models::new();
    let indexed = indexed(0..N_FILES);
    encode(&indexed, &models, true);
    let open = indexed.store().reader().unwrap();
    let before = rooms(&open, &models);
    assert!(before.iter().all(|room| room.n_chunks == N_FILES as u64));

    // A quarter gone stays: who comes back to it finds it.
    remove(&indexed, 300..N_FILES);
    assert_eq!(
        rooms(&open, &models).map(|room| room.n_chunks),
        [N_FILES as u64; 2]
    );
    let kept = found(&indexed, &open, &models);

    let of_older_version = indexed.store().folder().join("gen-1/sparse-0123-t1.db");
    fs::write(&of_older_version, "of a lane that is gone").unwrap();
    // With it go the vectors, and the rest answers as it did, to who had the files open as well.
    remove(&indexed, 120..300);
    assert!(!of_older_version.exists());
    let left = found(&indexed, &open, &models);
    let fresh = indexed.store().reader().unwrap();
    assert_eq!(found(&indexed, &fresh, &models), left);
    let is_left = |(path, _): &&(String, f32)| indexed.root().join(path).exists();
    for (left, kept) in left.iter().zip(&kept) {
        let kept: Vec<_> = kept.iter().filter(is_left).collect();
        assert!(left.iter().take(kept.len()).eq(kept));
    }
    let after = rooms(&fresh, &models);
    assert_eq!(after.map(|room| room.n_chunks), [120; 2]);
    // sqlite-vec takes room for 1,024 vectors at a time.
    for (before, after) in before.iter().zip(&after).skip(1) {
        assert!(after.n_bytes < before.n_bytes, "{after:?} of {before:?}");
    }

    // What vanished is encoded again when it returns, and what stayed is not.
    for at in 100..130 {
        let (path, text) = file_of(at);
        indexed.write(&path, &text);
    }
    indexed.update();
    assert_eq!(encode(&indexed, &models, true), [10; 2]);
    let all = self::indexed(0..130);
    encode(&all, &models, true);
    let other = all.store().reader().unwrap();
    let now = indexed.store().reader().unwrap();
    let [dense, tokens] = found(&indexed, &now, &models);
    let [other_dense, other_tokens] = found(&all, &other, &models);
    assert_eq!(dense, other_dense);
    // Codes are those of the centroids that were trained on what there was.
    for (one, another) in tokens.iter().zip(&other_tokens) {
        assert!(one.0 == another.0 && (one.1 - another.1).abs() < 0.2);
    }
}

#[test]
fn a_kill_between_table_and_shard_is_made_good_by_the_next_run() {
    let models = Models::new();
    let indexed = indexed(0..N_FILES);
    encode(&indexed, &models, true);
    let shard = shard_of(&indexed);
    let copy = indexed.folder.path().join("copy");
    copy_files(&shard, &copy);
    remove(&indexed, 100..N_FILES);
    // The table is pruned, the shard is not yet.
    fs::remove_dir_all(&shard).unwrap();
    copy_files(&copy, &shard);
    let (path, text) = file_of(300);
    indexed.write(&path, &text);
    indexed.update();
    assert_eq!(encode(&indexed, &models, true), [1; 2]);
    let reader = indexed.store().reader().unwrap();
    assert_eq!(rooms(&reader, &models).map(|room| room.n_chunks), [101; 2]);
    let [_, scores] = found(&indexed, &reader, &models);
    assert_eq!(scores.len(), 101);
}

fn shard_of(indexed: &Indexed) -> std::path::PathBuf {
    let mut folders = vec![indexed.folder.path().join("store")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            if entry.file_name() == "shard-1" {
                return entry.path();
            }
            folders.extend(entry.path().is_dir().then(|| entry.path()));
        }
    }
    panic!("no shard")
}

fn copy_files(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
