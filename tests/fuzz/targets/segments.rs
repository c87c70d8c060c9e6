//! Token segments on disk.

use whyrank_late_interaction::{Codec, Document, Shard, ShardOptions, TokenMatrix, Training};

const DIM: usize = 8;

pub(super) fn seeds() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shard");
    write_shard(&path);
    let mut files: Vec<_> = std::fs::read_dir(&path)
        .expect("a shard")
        .flatten()
        .collect();
    files.sort_by_key(|entry| entry.file_name());
    files
        .iter()
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .collect()
}

fn write_shard(path: &std::path::Path) {
    let vectors: Vec<f32> = (0..64 * DIM)
        .map(|at| ((at * 37 % 101) as f32 / 50.0 - 1.0) / 3.0)
        .collect();
    let ids: Vec<u32> = (0..64).collect();
    let matrix = TokenMatrix::new(DIM, &vectors).expect("a matrix");
    let document = Document::new(matrix, &ids).expect("a document");
    let mut shard = Shard::create(path, ShardOptions::default()).expect("a shard");
    let codec = Codec::train(&[document], &Training::default()).expect("a codec");
    shard.set_codec(codec).expect("the first codec");
    let document = Document::new(matrix, &ids).expect("a document");
    for id in 0..4 {
        shard.add(id, &document).expect("a document of its width");
    }
    shard.flush().expect("a written segment");
}

/// The bytes take the place of each file of a shard in turn.
pub(super) fn run(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shard");
    write_shard(&path);
    for entry in std::fs::read_dir(&path).expect("a shard").flatten() {
        let good = std::fs::read(entry.path()).expect("a file of it");
        std::fs::write(entry.path(), bytes).expect("the same file");
        if let Ok(shard) = Shard::open(&path, ShardOptions::default()) {
            let vectors = vec![0.3; 2 * DIM];
            let query = TokenMatrix::new(DIM, &vectors).and_then(|matrix| shard.query(&matrix));
            if let Ok(query) = query {
                drop(shard.rescore(&query, &[0, 1, 2, 3], &|| false));
            }
        }
        std::fs::write(entry.path(), good).expect("the file as it was");
    }
}
