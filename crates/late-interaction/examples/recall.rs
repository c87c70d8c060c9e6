//! How much of exact MaxSim's order survives coding, on vectors from an encoder.
//!
//! `cargo run --release -p whyrank-late-interaction --example recall -- VECTORS`. VECTORS, little-endian:
//! number of documents and of queries (u32 each); for each document the number of tokens (u32), their
//! vocabulary ids (u32) and vectors (128 f32); for each query the index of its right document (u32),
//! then as a document.
#![expect(clippy::print_stdout, reason = "prints its findings")]
#![expect(clippy::unwrap_used, reason = "an example stops at the first error")]

use std::time::Instant;
use whyrank_late_interaction::{
    Bits, Codec, Document, Shard, ShardOptions, TokenMatrix, Training, WideOptions, max_sim,
};

const DIM: usize = 128;
const K: usize = 10;

struct Text {
    ids: Vec<u32>,
    values: Vec<f32>,
}

impl Text {
    fn matrix(&self) -> TokenMatrix<'_> {
        TokenMatrix::new(DIM, &self.values).unwrap()
    }

    fn document(&self) -> Document<'_> {
        Document::new(self.matrix(), &self.ids).unwrap()
    }
}

fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(path).unwrap();
    let mut words = bytes.as_chunks::<4>().0.iter().copied();
    let mut number = || u32::from_le_bytes(words.next().unwrap());
    let (n_documents, n_queries) = (number(), number());
    let text = |number: &mut dyn FnMut() -> u32| {
        let n = number() as usize;
        let ids = (0..n).map(|_| number()).collect();
        let values = (0..n * DIM).map(|_| f32::from_bits(number())).collect();
        Text { ids, values }
    };
    let documents: Vec<Text> = (0..n_documents).map(|_| text(&mut number)).collect();
    let queries: Vec<(u32, Text)> = (0..n_queries)
        .map(|_| (number(), text(&mut number)))
        .collect();
    let exact: Vec<Vec<f32>> = queries
        .iter()
        .map(|(_, query)| {
            let all = documents.iter();
            all.map(|document| max_sim(&query.matrix(), &document.matrix()))
                .collect()
        })
        .collect();
    println!(
        "exact: MRR@10 {:.4}",
        mean_reciprocal_rank(&queries, &exact)
    );
    for (name, sample) in [("all", documents.len()), ("the first 2,048", 2048)] {
        for bits in [Bits::Four, Bits::Two, Bits::One] {
            println!("{} bit, trained on {name}:", bits.n());
            measure(bits, &documents, sample, &queries, &exact);
        }
    }
}

fn measure(
    bits: Bits,
    documents: &[Text],
    sample: usize,
    queries: &[(u32, Text)],
    exact: &[Vec<f32>],
) {
    let all: Vec<Document<'_>> = documents.iter().map(Text::document).collect();
    let n_tokens: usize = documents.iter().map(|text| text.ids.len()).sum();
    let started = Instant::now();
    let training = Training {
        bits,
        n_tokens: n_tokens as u64,
        ..Training::default()
    };
    let codec = Codec::train(&all[..sample.min(all.len())], &training).unwrap();
    let folder = std::env::temp_dir().join(format!("recall-{}-{}", std::process::id(), bits.n()));
    let options = ShardOptions {
        bits,
        tail_limit: usize::MAX,
        ..ShardOptions::default()
    };
    let mut shard = Shard::create(&folder, options).unwrap();
    let n_centroids = shard.set_codec(codec).unwrap().n_centroids();
    for (id, document) in (0u32..).zip(&all) {
        shard.add(id, document).unwrap();
    }
    shard.flush().unwrap();
    let built = started.elapsed().as_secs_f64();
    let ids: Vec<u32> = (0..documents.len() as u32).collect();
    let (mut coded, mut n_same, mut n_wide) = (Vec::new(), 0, 0);
    for ((_, query), exact) in queries.iter().zip(exact) {
        let ready = shard.query(&query.matrix()).unwrap();
        let found = shard.rescore(&ready, &ids, &|| false).unwrap();
        let scores: Vec<f32> = found.scores.iter().map(|score| score.unwrap()).collect();
        let best = top(exact);
        n_same += top(&scores).iter().filter(|id| best.contains(id)).count();
        let wide = shard
            .wide(&ready, &WideOptions::default(), &|| false)
            .unwrap();
        let wide = wide.hits.iter().take(K);
        n_wide += wide.filter(|hit| best.contains(&(hit.id as usize))).count();
        coded.push(scores);
    }
    let total = (queries.len() * K) as f64;
    println!(
        "  {n_centroids} centroids, built in {built:.1} s; recall@10 {:.4}, wide {:.4}; MRR@10 {:.4}; stale {:?}",
        n_same as f64 / total,
        n_wide as f64 / total,
        mean_reciprocal_rank(queries, &coded),
        shard.stale()
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

fn top(scores: &[f32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_unstable_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
    order.truncate(K);
    order
}

fn mean_reciprocal_rank(queries: &[(u32, Text)], scores: &[Vec<f32>]) -> f64 {
    let reciprocal = queries.iter().zip(scores).map(|((right, _), scores)| {
        let own = scores[*right as usize];
        let rank = scores.iter().filter(|score| **score > own).count() + 1;
        if rank <= K { 1.0 / rank as f64 } else { 0.0 }
    });
    reciprocal.sum::<f64>() / queries.len() as f64
}
