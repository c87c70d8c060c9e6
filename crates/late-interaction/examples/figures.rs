//! Prints the figures of the README: `cargo run --release -p whyrank-late-interaction --example figures`.
//!
//! Arguments: documents, tokens of a document, bits. Vectors are made up: 4,000 words with a vector
//! each, tokens scattered around them. CPU seconds, all threads counted for building, one for the rest.
#![expect(clippy::print_stdout, reason = "prints its findings")]
#![expect(clippy::unwrap_used, reason = "an example stops at the first error")]

use roaring::RoaringBitmap;
use whyrank_late_interaction::{
    Bits, Codec, Document, Shard, ShardOptions, TokenMatrix, Training, WideOptions, WideResult,
    max_sim,
};

const DIM: usize = 128;
const WORDS: usize = 4_000;
const QUERY_TOKENS: usize = 32;
const N_QUERIES: usize = 50;

fn main() {
    let arguments: Vec<usize> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let [n_documents, n_tokens, bits] = [(0, 5_000), (1, 64), (2, 4)]
        .map(|(at, default)| arguments.get(at).copied().unwrap_or(default));
    let bits = match bits {
        1 => Bits::One,
        2 => Bits::Two,
        _ => Bits::Four,
    };
    println!("{n_documents} documents x {n_tokens} tokens x {DIM}, {bits:?} bits");
    let folder = std::env::temp_dir().join(format!("late-interaction-{}", std::process::id()));
    let mut made_up = MadeUp::new(1);
    let shard = build(&mut made_up, &folder, (n_documents, n_tokens), bits);
    search(&mut made_up, &shard, n_documents);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn build(
    made_up: &mut MadeUp,
    folder: &std::path::Path,
    (n, n_tokens): (usize, usize),
    bits: Bits,
) -> Shard {
    let sample: Vec<(Vec<f32>, Vec<u32>)> = (0..n.min(5_000))
        .map(|_| made_up.document(n_tokens))
        .collect();
    let documents: Vec<Document<'_>> = sample.iter().map(document).collect();
    let cpu = cpu_seconds();
    let training = Training {
        bits,
        n_tokens: (n * n_tokens) as u64,
        ..Training::default()
    };
    let codec = Codec::train(&documents, &training).unwrap();
    println!(
        "train      {:8.2} CPU-s, {} centroids",
        cpu_seconds() - cpu,
        codec.n_centroids()
    );
    let options = ShardOptions {
        bits,
        tail_limit: 5_000,
        ..ShardOptions::default()
    };
    let mut shard = Shard::create(folder, options).unwrap();
    shard.set_codec(codec).unwrap();
    let mut coding = 0.0;
    for (id, from_sample) in (0..n).map(|id| (id, sample.get(id))) {
        let made;
        let given = match from_sample {
            Some(given) => given,
            None => {
                made = made_up.document(n_tokens);
                &made
            }
        };
        if id < 2_000 {
            made_up.kept.push(given.clone());
        }
        let cpu = cpu_seconds();
        shard.add(id as u32, &document(given)).unwrap();
        coding += cpu_seconds() - cpu;
    }
    let cpu = cpu_seconds();
    shard.flush().unwrap();
    coding += cpu_seconds() - cpu;
    println!("code       {coding:8.2} CPU-s");
    let cpu = cpu_seconds();
    shard.compact().unwrap();
    println!("compact    {:8.2} CPU-s", cpu_seconds() - cpu);
    let stats = shard.stats();
    println!(
        "disk       {:8.1} bytes a token with cells, {} segments",
        stats.n_bytes as f64 / stats.n_tokens as f64,
        stats.n_segments
    );
    shard
}

fn search(made_up: &mut MadeUp, shard: &Shard, n_documents: usize) {
    let queries: Vec<Vec<f32>> = (0..N_QUERIES).map(|at| made_up.query(at)).collect();
    let matrices: Vec<TokenMatrix<'_>> = queries
        .iter()
        .map(|values| TokenMatrix::new(DIM, values).unwrap())
        .collect();
    let n_candidates = n_documents.min(500);
    let candidates: Vec<u32> = (0..n_candidates as u32).collect();
    let never = || false;
    let prepared = timed("prepare", &matrices, |query| shard.query(query).unwrap());
    timed("rescore", &prepared, |query| {
        shard.rescore(query, &candidates, &never).unwrap()
    });
    let found = timed("wide", &prepared, |query| {
        shard.wide(query, &WideOptions::default(), &never).unwrap()
    });
    let pairs: Vec<_> = prepared.iter().zip(&found).collect();
    timed("align 20", &pairs, |(query, found)| {
        for hit in found.hits.iter().take(20) {
            shard.align(query, hit.id).unwrap();
        }
    });
    let n_scored: u64 = found.iter().map(|found| found.n_scored).sum();
    let is_known = |(at, found): &(usize, &WideResult)| {
        found.hits.first().is_some_and(|hit| hit.id as usize == *at)
    };
    let known = found.iter().enumerate().filter(is_known).count();
    println!(
        "known item {known}/{N_QUERIES}; {} tokens scored in cells",
        n_scored / N_QUERIES as u64
    );
    let filter: RoaringBitmap = (0..made_up.kept.len() as u32).collect();
    let options = WideOptions {
        k: 10,
        filter: Some(&filter),
        ..WideOptions::default()
    };
    let pairs = matrices.iter().zip(&prepared);
    let kept: Vec<u32> = filter.iter().collect();
    let (mut of_wide, mut of_codes) = (0.0, 0.0);
    for (matrix, query) in pairs {
        let exact = exact_top_10(made_up, matrix);
        let wide = shard.wide(query, &options, &never).unwrap().hits;
        of_wide += share(&exact, wide.iter().map(|hit| hit.id));
        let scores = shard.rescore(query, &kept, &never).unwrap().scores;
        let mut order: Vec<(f32, u32)> = scores
            .into_iter()
            .flatten()
            .zip(kept.iter().copied())
            .collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0));
        of_codes += share(&exact, order.into_iter().map(|(_, id)| id));
    }
    println!(
        "recall@10  against MaxSim, first {} documents: rescore {:.3}, wide {:.3}",
        kept.len(),
        of_codes / N_QUERIES as f64,
        of_wide / N_QUERIES as f64
    );
}

/// CPU milliseconds for each input, taken five times over.
fn timed<'a, T, R>(what: &str, inputs: &'a [T], run: impl Fn(&'a T) -> R) -> Vec<R> {
    const ROUNDS: usize = 5;
    let cpu = cpu_seconds();
    for _ in 1..ROUNDS {
        inputs.iter().for_each(|input| {
            std::hint::black_box(run(input));
        });
    }
    let results = inputs.iter().map(&run).collect();
    let each = (cpu_seconds() - cpu) * 1e3 / (ROUNDS * inputs.len()) as f64;
    println!("{what:<10} {each:8.3} CPU-ms a query");
    results
}

fn exact_top_10(made_up: &MadeUp, query: &TokenMatrix<'_>) -> Vec<u32> {
    let documents = (0u32..).zip(&made_up.kept);
    let mut all: Vec<(f32, u32)> = documents
        .map(|(id, given)| (max_sim(query, &document(given).vectors()), id))
        .collect();
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    all.into_iter().take(10).map(|(_, id)| id).collect()
}

fn share(exact: &[u32], found: impl Iterator<Item = u32>) -> f64 {
    found.take(10).filter(|id| exact.contains(id)).count() as f64 / exact.len() as f64
}

struct MadeUp {
    random: fastrand::Rng,
    words: Vec<Vec<f32>>,
    /// The first documents, for comparison.
    kept: Vec<(Vec<f32>, Vec<u32>)>,
}

impl MadeUp {
    fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let words = (0..WORDS).map(|_| unit(&mut random)).collect();
        Self {
            random,
            words,
            kept: Vec::new(),
        }
    }

    fn document(&mut self, n_tokens: usize) -> (Vec<f32>, Vec<u32>) {
        let (mut values, mut vocab) = (Vec::with_capacity(n_tokens * DIM), Vec::new());
        for _ in 0..n_tokens {
            let word = (self.random.f32().powi(3) * WORDS as f32) as usize;
            values.extend(self.token(word, 0.6));
            vocab.push(word as u32);
        }
        (values, vocab)
    }

    fn query(&mut self, document: usize) -> Vec<f32> {
        let (values, vocab) = self.kept[document].clone();
        let mut query = Vec::new();
        for _ in 0..QUERY_TOKENS {
            let at = self.random.usize(0..vocab.len());
            let noise = unit(&mut self.random);
            let row = &values[at * DIM..(at + 1) * DIM];
            query.extend(normalised(
                row.iter().zip(&noise).map(|(a, b)| a + 0.5 * b).collect(),
            ));
        }
        query
    }

    fn token(&mut self, word: usize, noise: f32) -> Vec<f32> {
        let around = unit(&mut self.random);
        normalised(
            self.words[word]
                .iter()
                .zip(&around)
                .map(|(a, b)| a + noise * b)
                .collect(),
        )
    }
}

fn document((values, vocab): &(Vec<f32>, Vec<u32>)) -> Document<'_> {
    Document::new(TokenMatrix::new(DIM, values).unwrap(), vocab).unwrap()
}

fn unit(random: &mut fastrand::Rng) -> Vec<f32> {
    normalised(
        (0..DIM)
            .map(|_| random.f32() + random.f32() + random.f32() - 1.5)
            .collect(),
    )
}

fn normalised(mut row: Vec<f32>) -> Vec<f32> {
    let norm = row.iter().map(|x| x * x).sum::<f32>().sqrt();
    row.iter_mut().for_each(|x| *x /= norm);
    row
}

/// User and system time of the process, from /proc; 0 elsewhere.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = |at: usize| {
        after
            .split_whitespace()
            .nth(at)
            .and_then(|word| word.parse::<f64>().ok())
    };
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
