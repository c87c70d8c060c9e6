//! Files that are not what they should be.

use crate::support::{Collection, id, never};
use std::fs;
use std::path::PathBuf;
use whyrank_late_interaction::{Bits, Error, Shard, ShardOptions, TokenMatrix};

fn shard_files() -> (tempfile::TempDir, Vec<PathBuf>) {
    let collection = Collection::new(5, 32, 20, 8);
    let folder = tempfile::tempdir().unwrap();
    drop(collection.shard(folder.path(), Bits::Two));
    let files = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().path());
    let files = files.collect();
    (folder, files)
}

#[test]
fn a_changed_byte_is_noticed_and_the_file_named() {
    let (folder, files) = shard_files();
    assert_eq!(files.len(), 3);
    for path in files {
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len()).step_by(1 + whole.len() / 40) {
            let mut changed = whole.clone();
            changed[at] ^= 0x04;
            fs::write(&path, &changed).unwrap();
            match Shard::open(folder.path(), ShardOptions::default()) {
                Ok(_) => assert!(is_padding(&whole, at), "{}: byte {at}", path.display()),
                Err(Error::Damaged { path: named, .. }) => assert_eq!(named, path),
                Err(error) => panic!("{error}"),
            }
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(Shard::open(folder.path(), ShardOptions::default()).is_ok());
}

/// Zeros between two sections carry nothing.
fn is_padding(bytes: &[u8], at: usize) -> bool {
    let around = &bytes[at..(at + 1).next_multiple_of(64).min(bytes.len())];
    around.iter().all(|byte| *byte == 0)
}

#[test]
fn a_file_that_is_cut_short_is_noticed() {
    let (folder, files) = shard_files();
    for path in files {
        let whole = fs::read(&path).unwrap();
        for len in [0, 4, 8, 100, 319, 320, whole.len() / 2, whole.len() - 65] {
            fs::write(&path, &whole[..len.min(whole.len() - 1)]).unwrap();
            let error = Shard::open(folder.path(), ShardOptions::default()).unwrap_err();
            assert!(
                matches!(error, Error::Damaged { .. }),
                "{}: {len}: {error}",
                path.display()
            );
        }
        fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn a_missing_file_is_named() {
    let (folder, files) = shard_files();
    for path in files {
        let whole = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let error = Shard::open(folder.path(), ShardOptions::default()).unwrap_err();
        assert!(
            error.to_string().contains(&path.display().to_string()),
            "{error}"
        );
        fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn a_query_for_another_codec_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut collection = Collection::new(5, 32, 20, 8);
    let shard = collection.shard(&folder.path().join("a"), Bits::Two);
    let other = collection.shard(&folder.path().join("b"), Bits::Four);
    let values = collection.query(0, 4);
    let query = other
        .query(&TokenMatrix::new(32, &values).unwrap())
        .unwrap();
    let error = shard.rescore(&query, &[id(0)], &never).unwrap_err();
    assert!(matches!(error, Error::OtherCodec { .. }));
}
