//! What a folder keeps.

use crate::support::{Collection, id, never};
use whyrank_late_interaction::{Bits, Shard, ShardOptions, Stale, TokenMatrix, WideOptions};

fn options() -> ShardOptions {
    ShardOptions {
        tail_limit: 16,
        ..ShardOptions::default()
    }
}

#[test]
fn a_document_is_found_before_and_after_it_is_coded_and_after_a_restart() {
    let mut collection = Collection::new(5, 32, 40, 12);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = Shard::create(folder.path(), options()).unwrap();
    for at in 0..40 {
        shard.add(id(at), &collection.get(at)).unwrap();
        let values = collection.query(at, 8);
        let query = shard
            .query(&TokenMatrix::new(32, &values).unwrap())
            .unwrap();
        let found = shard.wide(&query, &WideOptions::default(), &never).unwrap();
        assert!(found.hits.iter().any(|hit| hit.id == id(at)), "{at}");
    }
    assert_eq!(shard.stats().n_tail, 8);
    shard.flush().unwrap();
    let stats = shard.stats();
    drop(shard);
    let shard = Shard::open(folder.path(), options()).unwrap();
    assert_eq!(shard.stats(), stats);
    assert_eq!(stats.n_documents, 40);
    assert!((0..40).all(|at| shard.contains(id(at))));
}

#[test]
fn a_new_version_hides_the_old_one_and_a_removed_document_is_gone() {
    let mut collection = Collection::new(6, 32, 40, 12);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = collection.shard(folder.path(), Bits::Four);
    let other = collection.document(10);
    let values = collection.query(3, 8);
    let query = TokenMatrix::new(32, &values).unwrap();
    let score = |shard: &Shard, id: u32| {
        let query = shard.query(&query).unwrap();
        shard.rescore(&query, &[id], &never).unwrap().scores[0]
    };
    let before = score(&shard, id(3)).unwrap();
    shard
        .add(id(3), &crate::support::document(32, &other))
        .unwrap();
    let in_tail = score(&shard, id(3)).unwrap();
    assert!((before - in_tail).abs() > 1e-3);
    shard.flush().unwrap();
    assert!((score(&shard, id(3)).unwrap() - in_tail).abs() < 0.1);
    shard.remove([id(3), id(7), 999_999]).unwrap();
    let reopened = Shard::open(folder.path(), options()).unwrap();
    for shard in [&shard, &reopened] {
        assert_eq!(score(shard, id(3)), None);
        assert_eq!(shard.stats().n_documents, 38);
        let query = shard.query(&query).unwrap();
        let options = WideOptions {
            n_probe: 1 << 20,
            ..WideOptions::default()
        };
        let found = shard.wide(&query, &options, &never).unwrap();
        assert!(
            found
                .hits
                .iter()
                .all(|hit| hit.id != id(3) && hit.id != id(7))
        );
        assert_eq!(found.hits.len(), 38);
    }
}

#[test]
fn segments_are_made_one_and_scores_stay() {
    let mut collection = Collection::new(8, 32, 200, 12);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = Shard::create(folder.path(), options()).unwrap();
    let values = collection.query(0, 8);
    let mut most = 0;
    let mut scores = std::collections::BTreeMap::new();
    for at in 0..200 {
        shard.add(id(at), &collection.get(at)).unwrap();
        most = most.max(shard.stats().n_segments);
        if at % 16 == 15 {
            let query = shard
                .query(&TokenMatrix::new(32, &values).unwrap())
                .unwrap();
            for at in 0..=at {
                let score = shard.rescore(&query, &[id(at)], &never).unwrap().scores[0].unwrap();
                let first = *scores.entry(at).or_insert(score);
                assert!(
                    (first - score).abs() < 1e-5,
                    "codes are copied, not made again"
                );
            }
        }
    }
    assert_eq!(most, 8);
    shard.flush().unwrap();
    shard.compact().unwrap();
    assert_eq!(
        (shard.stats().n_segments, shard.stats().n_documents),
        (1, 200)
    );
    let files = std::fs::read_dir(folder.path()).unwrap();
    let segments = files.filter(|file| {
        file.as_ref()
            .unwrap()
            .path()
            .extension()
            .is_some_and(|ending| ending == "segment")
    });
    assert_eq!(segments.count(), 1, "old segments are deleted");
}

#[test]
fn a_codec_that_no_longer_fits_says_so() {
    let collection = Collection::new(10, 32, 40, 12);
    let strange = Collection::new(99, 32, 20, 12);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = collection.shard(folder.path(), Bits::Four);
    assert_eq!(shard.stale(), None);
    for at in 0..16 {
        shard.add(id(100 + at), &strange.get(at)).unwrap();
    }
    shard.flush().unwrap();
    assert!(
        matches!(shard.stale(), Some(Stale::Residuals(by)) if by > 1.15),
        "{:?}",
        shard.stale()
    );
    let more = Collection::new(10, 32, 260, 12);
    let mut shard = collection.shard(&folder.path().join("more"), Bits::Four);
    for at in 40..260 {
        shard.add(id(at), &more.get(at)).unwrap();
    }
    shard.flush().unwrap();
    assert!(
        matches!(shard.stale(), Some(Stale::Growth(by)) if by > 4.0),
        "{:?}",
        shard.stale()
    );
}

#[test]
fn without_cells_everything_is_scored_exactly() {
    let mut collection = Collection::new(11, 32, 30, 12);
    let folder = tempfile::tempdir().unwrap();
    let options = ShardOptions {
        wide: false,
        tail_limit: usize::MAX,
        ..ShardOptions::default()
    };
    let mut shard = Shard::create(folder.path(), options).unwrap();
    for at in 0..30 {
        shard.add(id(at), &collection.get(at)).unwrap();
    }
    shard.flush().unwrap();
    let with_cells = collection.shard(&folder.path().join("wide"), Bits::Four);
    assert!(shard.stats().n_bytes < with_cells.stats().n_bytes * 8 / 10);
    let values = collection.query(2, 8);
    let query = shard
        .query(&TokenMatrix::new(32, &values).unwrap())
        .unwrap();
    let found = shard.wide(&query, &WideOptions::default(), &never).unwrap();
    assert_eq!((found.hits.len(), found.n_exact), (30, 30));
}
