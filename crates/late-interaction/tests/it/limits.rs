//! The smallest and the largest of everything.

use crate::support::{Collection, document, id, never};
use std::cell::Cell;
use whyrank_late_interaction::{
    Bits, Document, Error, MAX_QUERY_TOKENS, Shard, ShardOptions, TokenMatrix, WideOptions,
};

#[test]
fn documents_without_tokens_score_nothing() {
    let mut collection = Collection::new(1, 32, 20, 8);
    let folder = tempfile::tempdir().unwrap();
    let empty = Document::new(TokenMatrix::new(32, &[]).unwrap(), &[]).unwrap();
    let mut alone = Shard::create(&folder.path().join("alone"), ShardOptions::default()).unwrap();
    alone.add(1, &empty).unwrap();
    alone.flush().unwrap();
    assert!(alone.contains(1) && alone.codec().is_none());
    let mut shard = collection.shard(folder.path(), Bits::Four);
    shard.add(5, &empty).unwrap();
    let values = collection.query(0, 4);
    for _ in 0..2 {
        let query = shard
            .query(&TokenMatrix::new(32, &values).unwrap())
            .unwrap();
        assert_eq!(
            shard.rescore(&query, &[5], &never).unwrap().scores,
            [Some(0.0)]
        );
        assert!(shard.align(&query, 5).unwrap().unwrap().matches.is_empty());
        shard.flush().unwrap();
    }
}

#[test]
fn a_document_of_ten_thousand_tokens_is_scored_like_any_other() {
    let mut collection = Collection::new(2, 32, 20, 8);
    let long = collection.document(10_000);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = collection.shard(folder.path(), Bits::Four);
    shard.add(5, &document(32, &long)).unwrap();
    let values = collection.query(0, 6);
    let matrix = TokenMatrix::new(32, &values).unwrap();
    let exact = whyrank_late_interaction::max_sim(&matrix, &document(32, &long).vectors());
    for _ in 0..2 {
        let query = shard.query(&matrix).unwrap();
        let score = shard.rescore(&query, &[5], &never).unwrap().scores[0].unwrap();
        assert!((score - exact).abs() < 0.05 * exact, "{score} {exact}");
        shard.flush().unwrap();
    }
}

#[test]
fn queries_of_no_one_and_too_many_tokens() {
    let mut collection = Collection::new(3, 32, 20, 8);
    let folder = tempfile::tempdir().unwrap();
    let shard = collection.shard(folder.path(), Bits::Four);
    let none = shard.query(&TokenMatrix::new(32, &[]).unwrap()).unwrap();
    assert!(
        shard
            .wide(&none, &WideOptions::default(), &never)
            .unwrap()
            .hits
            .is_empty()
    );
    assert_eq!(
        shard.rescore(&none, &[id(0)], &never).unwrap().scores,
        [Some(0.0)]
    );
    let one = collection.query(0, 1);
    let one = shard.query(&TokenMatrix::new(32, &one).unwrap()).unwrap();
    assert!(
        !shard
            .wide(&one, &WideOptions::default(), &never)
            .unwrap()
            .hits
            .is_empty()
    );
    let many = collection.query(0, MAX_QUERY_TOKENS);
    let most = shard.query(&TokenMatrix::new(32, &many).unwrap()).unwrap();
    assert_eq!(
        shard.align(&most, id(0)).unwrap().unwrap().matches.len(),
        MAX_QUERY_TOKENS
    );
    let too_many = collection.query(0, 5_000);
    let error = shard
        .query(&TokenMatrix::new(32, &too_many).unwrap())
        .unwrap_err();
    assert!(matches!(error, Error::QueryTooLong { tokens: 5_000 }));
}

#[test]
fn vectors_that_are_none_are_refused() {
    let values = [0.0, f32::NAN];
    assert!(matches!(
        TokenMatrix::new(2, &values),
        Err(Error::NotFinite {
            token: 0,
            component: 1
        })
    ));
    assert!(matches!(
        TokenMatrix::new(2, &[0.0]),
        Err(Error::Ragged { .. })
    ));
    assert!(matches!(
        TokenMatrix::new(0, &[]),
        Err(Error::UnsupportedDimension(0))
    ));
    let collection = Collection::new(3, 32, 20, 8);
    let folder = tempfile::tempdir().unwrap();
    let mut shard = collection.shard(folder.path(), Bits::Four);
    let other = Document::new(TokenMatrix::new(2, &[0.0, 1.0]).unwrap(), &[0]).unwrap();
    assert!(matches!(
        shard.add(1, &other),
        Err(Error::Dimension {
            expected: 32,
            found: 2
        })
    ));
    let query = TokenMatrix::new(2, &[0.0, 1.0]).unwrap();
    assert!(matches!(shard.query(&query), Err(Error::Dimension { .. })));
}

#[test]
fn no_time_gives_nothing_and_little_time_a_finished_prefix() {
    let mut collection = Collection::new(4, 32, 300, 8);
    let folder = tempfile::tempdir().unwrap();
    let shard = collection.shard(folder.path(), Bits::Four);
    let values = collection.query(0, 6);
    let query = shard
        .query(&TokenMatrix::new(32, &values).unwrap())
        .unwrap();
    let ids: Vec<u32> = (0..300).map(id).collect();
    assert_eq!(shard.rescore(&query, &ids, &|| true).unwrap().done(), 0);
    assert!(
        shard
            .wide(&query, &WideOptions::default(), &|| true)
            .unwrap()
            .hits
            .is_empty()
    );
    let looks = Cell::new(0);
    let after_two = || {
        looks.set(looks.get() + 1);
        looks.get() > 2
    };
    let part = shard.rescore(&query, &ids, &after_two).unwrap();
    let whole = shard.rescore(&query, &ids, &never).unwrap();
    assert_eq!(part.done(), 128);
    assert_eq!(part.scores, whole.scores[..128]);
    looks.set(0);
    let part = shard
        .wide(&query, &WideOptions::default(), &after_two)
        .unwrap();
    assert_eq!(part.n_query_tokens, 2);
    assert!(
        !part.hits.is_empty() && part.n_exact == 0,
        "imputed scores, and they say so"
    );
}
