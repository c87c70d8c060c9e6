//! Wide search and rescoring against MaxSim.

use crate::support::{Collection, id, never};
use proptest::prelude::*;
use roaring::RoaringBitmap;
use std::collections::HashSet;
use whyrank_late_interaction::{Bits, Shard, TokenMatrix, WideOptions, max_sim};

fn exact_top(collection: &Collection, query: &TokenMatrix<'_>, k: usize) -> Vec<u32> {
    let mut all: Vec<(u32, f32)> = collection
        .all()
        .iter()
        .enumerate()
        .map(|(at, document)| (id(at), max_sim(query, &document.vectors())))
        .collect();
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all.into_iter().take(k).map(|(id, _)| id).collect()
}

/// Mean share of the exact top ten in the first ten of `found`.
fn recall(collection: &mut Collection, found: impl Fn(&TokenMatrix<'_>) -> Vec<u32>) -> f64 {
    let n_queries = 40;
    let mut sum = 0.0;
    for at in 0..n_queries {
        let values = collection.query(at, 12);
        let query = TokenMatrix::new(collection.dim, &values).unwrap();
        let exact: HashSet<u32> = exact_top(collection, &query, 10).into_iter().collect();
        let found = found(&query);
        sum += found
            .iter()
            .take(10)
            .filter(|id| exact.contains(id))
            .count() as f64
            / 10.0;
    }
    sum / f64::from(n_queries as u32)
}

fn rescored(shard: &Shard, query: &TokenMatrix<'_>, ids: &[u32]) -> Vec<u32> {
    let query = shard.query(query).unwrap();
    let scores = shard.rescore(&query, ids, &never).unwrap().scores;
    let mut hits: Vec<(f32, u32)> = scores
        .into_iter()
        .map(Option::unwrap)
        .zip(ids.iter().copied())
        .collect();
    hits.sort_by(|a, b| b.0.total_cmp(&a.0));
    hits.into_iter().map(|(_, id)| id).collect()
}

#[test]
fn rescoring_keeps_the_exact_order_the_better_the_more_bits() {
    let mut collection = Collection::new(1, 128, 400, 30);
    let ids: Vec<u32> = (0..400).map(id).collect();
    for (bits, bar) in [(Bits::One, 0.80), (Bits::Two, 0.92), (Bits::Four, 0.97)] {
        let folder = tempfile::tempdir().unwrap();
        let shard = collection.shard(folder.path(), bits);
        let recall = recall(&mut collection, |query| rescored(&shard, query, &ids));
        assert!(recall >= bar, "{bits:?}: {recall}");
    }
}

#[test]
fn wide_search_finds_what_rescoring_everything_finds() {
    let mut collection = Collection::new(2, 128, 600, 30);
    let folder = tempfile::tempdir().unwrap();
    let shard = collection.shard(folder.path(), Bits::Four);
    let recall = recall(&mut collection, |query| {
        let query = shard.query(query).unwrap();
        let found = shard.wide(
            &query,
            &WideOptions {
                k: 10,
                ..WideOptions::default()
            },
            &never,
        );
        found.unwrap().hits.iter().map(|hit| hit.id).collect()
    });
    assert!(recall >= 0.97, "{recall}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn visiting_every_cell_is_rescoring_everything(
        seed in any::<u64>(), n_documents in 1usize..60, n_tokens in 1usize..20,
    ) {
        let mut collection = Collection::new(seed, 32, n_documents, 12);
        let folder = tempfile::tempdir().unwrap();
        let shard = collection.shard(folder.path(), Bits::Two);
        let values = collection.query(0, n_tokens);
        let query = shard.query(&TokenMatrix::new(32, &values).unwrap()).unwrap();
        let everything = WideOptions { k: n_documents, n_probe: usize::MAX / 8, n_exact: n_documents, filter: None };
        let wide = shard.wide(&query, &everything, &never).unwrap();
        prop_assert_eq!(wide.hits.len(), n_documents);
        prop_assert_eq!(wide.n_imputed, 0);
        for hit in wide.hits {
            let scores = shard.rescore(&query, &[hit.id], &never).unwrap().scores;
            prop_assert!((scores[0].unwrap() - hit.score).abs() < 1e-3);
        }
    }

    #[test]
    fn alignments_sum_to_the_score(seed in any::<u64>(), n_tokens in 1usize..30) {
        let mut collection = Collection::new(seed, 32, 20, 15);
        let folder = tempfile::tempdir().unwrap();
        let mut shard = collection.shard(folder.path(), Bits::Four);
        let in_tail = collection.document(9);
        shard.add(5, &crate::support::document(32, &in_tail)).unwrap();
        let values = collection.query(3, n_tokens);
        let query = shard.query(&TokenMatrix::new(32, &values).unwrap()).unwrap();
        for id in [5, 10, 40, 200] {
            let alignment = shard.align(&query, id).unwrap().unwrap();
            let score = shard.rescore(&query, &[id], &never).unwrap().scores[0].unwrap();
            let sum: f32 = alignment.matches.iter().map(|found| found.score).sum();
            prop_assert!((sum - score).abs() < 1e-3 && (alignment.score - score).abs() < 1e-3);
            prop_assert_eq!(alignment.matches.len(), n_tokens);
            let products = shard.products(&query, id).unwrap().unwrap();
            prop_assert_eq!(products.n_query, n_tokens);
            for (row, found) in alignment.matches.iter().enumerate() {
                let column = products.values.iter().skip(row).step_by(n_tokens);
                let best = column.copied().fold(f32::NEG_INFINITY, f32::max);
                prop_assert_eq!(best, found.score);
            }
        }
    }

    #[test]
    fn a_part_of_a_document_answers_with_its_own_tokens(seed in any::<u64>(), one_in in 1u32..6) {
        let mut collection = Collection::new(seed, 32, 20, 15);
        let folder = tempfile::tempdir().unwrap();
        let shard = collection.shard(folder.path(), Bits::Four);
        let values = collection.query(3, 7);
        let query = shard.query(&TokenMatrix::new(32, &values).unwrap()).unwrap();
        let is_in = |token: u32| token.is_multiple_of(one_in);
        let part = shard.align_where(&query, 10, &is_in).unwrap().unwrap();
        let rest = shard.align_where(&query, 10, &|token| !is_in(token)).unwrap().unwrap();
        let whole = shard.align(&query, 10).unwrap().unwrap();
        prop_assert!(part.matches.iter().all(|found| is_in(found.token)));
        prop_assert!(rest.matches.iter().all(|found| !is_in(found.token)));
        for (row, best) in whole.matches.iter().enumerate() {
            // The best of the whole is the best of one of its parts.
            let of_rest = rest.matches.get(row).map_or(f32::NEG_INFINITY, |found| found.score);
            prop_assert_eq!(best.score, part.matches[row].score.max(of_rest));
        }
        let none = shard.align_where(&query, 10, &|_| false).unwrap().unwrap();
        prop_assert!(none.matches.is_empty() && none.score == 0.0);
    }

    #[test]
    fn only_what_the_filter_has_is_found(seed in any::<u64>(), keep in 1u32..40) {
        let mut collection = Collection::new(seed, 32, 40, 12);
        let folder = tempfile::tempdir().unwrap();
        let mut shard = collection.shard(folder.path(), Bits::Two);
        let in_tail = collection.document(9);
        shard.add(5, &crate::support::document(32, &in_tail)).unwrap();
        let filter: RoaringBitmap = (0..keep).map(|at| id(at as usize)).chain([5]).collect();
        let values = collection.query(3, 6);
        let query = shard.query(&TokenMatrix::new(32, &values).unwrap()).unwrap();
        let options = WideOptions { filter: Some(&filter), n_probe: 1 << 20, ..WideOptions::default() };
        let found = shard.wide(&query, &options, &never).unwrap();
        let ids: RoaringBitmap = found.hits.iter().map(|hit| hit.id).collect();
        prop_assert_eq!(ids, filter);
    }
}

#[test]
fn the_order_of_documents_does_not_matter() {
    let mut collection = Collection::new(4, 32, 80, 12);
    let folder = tempfile::tempdir().unwrap();
    let values = collection.query(1, 8);
    let query = TokenMatrix::new(32, &values).unwrap();
    let mut answers = Vec::new();
    for (name, descending) in [("up", false), ("down", true)] {
        let mut order: Vec<usize> = (0..80).collect();
        if descending {
            order.reverse();
        }
        let options = whyrank_late_interaction::ShardOptions {
            tail_limit: usize::MAX,
            ..Default::default()
        };
        let mut shard = Shard::create(&folder.path().join(name), options).unwrap();
        for at in order {
            shard.add(id(at), &collection.get(at)).unwrap();
        }
        shard.flush().unwrap();
        let query = shard.query(&query).unwrap();
        answers.push(shard.wide(&query, &WideOptions::default(), &never).unwrap());
    }
    assert_eq!(answers[0], answers[1]);
}
