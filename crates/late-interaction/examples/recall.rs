//! How much of exact MaxSim's order survives coding, and what search costs, on given vectors.
//!
//! `cargo run --release -p whyrank-late-interaction --example recall -- VECTORS [BITS [HITS]]`. VECTORS,
//! little-endian: number of documents and of queries (u32 each); for each document the number of
//! tokens (u32), their vocabulary ids (u32) and vectors (128 f32); for each query the index of its
//! right document (u32), then as a document. Exact scores (f32, query by query) are read from
//! `VECTORS.exact`, and made there when it is missing: that takes long. HITS gets ten ids a query.
//! The error is the standard deviation of what coding adds to the scores of a query's 30 best, but for what
//! it adds to all.
#![expect(clippy::print_stdout, reason = "prints its findings")]
#![expect(clippy::unwrap_used, reason = "an example stops at the first error")]

use std::fmt::Write as _;
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

struct Given {
    documents: Vec<Text>,
    queries: Vec<(u32, Text)>,
    exact: Vec<Vec<f32>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let given = read(&arguments[0]);
    println!(
        "exact: MRR@10 {:.4}",
        mean_reciprocal_rank(&given.queries, &given.exact)
    );
    let wanted = arguments.get(1).map_or(0, |bits| bits.parse().unwrap());
    for bits in [Bits::Four, Bits::Two, Bits::One] {
        if wanted == 0 || wanted == bits.n() {
            for sample in [given.documents.len(), 2048] {
                println!("{} bit, trained on the first {sample}:", bits.n());
                let hits = measure(&given, bits, sample);
                if let Some(path) = arguments.get(2).filter(|_| sample > 2048) {
                    std::fs::write(path, hits).unwrap();
                }
            }
        }
    }
}

fn read(path: &str) -> Given {
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
    let beside = format!("{path}.exact");
    let scores: Vec<f32> = match std::fs::read(&beside) {
        Ok(bytes) => bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|x| f32::from_le_bytes(*x))
            .collect(),
        Err(_) => {
            let of_query = |(_, query): &(u32, Text)| -> Vec<f32> {
                let all = documents.iter();
                all.map(|document| max_sim(&query.matrix(), &document.matrix()))
                    .collect()
            };
            let scores: Vec<f32> = queries.iter().flat_map(of_query).collect();
            let bytes: Vec<u8> = scores
                .iter()
                .flat_map(|score| score.to_le_bytes())
                .collect();
            std::fs::write(&beside, bytes).unwrap();
            scores
        }
    };
    Given {
        exact: scores
            .chunks_exact(documents.len())
            .map(<[f32]>::to_vec)
            .collect(),
        documents,
        queries,
    }
}

fn measure(given: &Given, bits: Bits, sample: usize) -> String {
    let all: Vec<Document<'_>> = given.documents.iter().map(Text::document).collect();
    let n_tokens: usize = given.documents.iter().map(|text| text.ids.len()).sum();
    let cpu = cpu_seconds();
    let training = Training {
        bits,
        n_tokens: n_tokens as u64,
        ..Training::default()
    };
    let codec = Codec::train(&all[..sample.min(all.len())], &training).unwrap();
    let folder = std::env::temp_dir().join(format!("recall-{}-{}", std::process::id(), bits.n()));
    let options = ShardOptions {
        bits,
        tail_limit: 5_000,
        ..ShardOptions::default()
    };
    let mut shard = Shard::create(&folder, options).unwrap();
    let n_centroids = shard.set_codec(codec).unwrap().n_centroids();
    for (id, document) in (0u32..).zip(&all) {
        shard.add(id, document).unwrap();
    }
    shard.flush().unwrap();
    let built = cpu_seconds() - cpu;
    shard.compact().unwrap();
    println!(
        "  {n_centroids} centroids, built in {built:.1} CPU-s; {:.1} bytes a token with cells; stale {:?}",
        shard.stats().n_bytes as f64 / n_tokens as f64,
        shard.stale()
    );
    let hits = search(given, &shard);
    std::fs::remove_dir_all(&folder).unwrap();
    hits
}

fn search(given: &Given, shard: &Shard) -> String {
    let ids: Vec<u32> = (0..given.documents.len() as u32).collect();
    let (mut coded, mut n_same, mut n_wide, mut noise) = (Vec::new(), 0, 0, 0.0);
    let (mut times, mut lines) = (Vec::new(), String::new());
    for ((_, query), exact) in given.queries.iter().zip(&given.exact) {
        let ready = shard.query(&query.matrix()).unwrap();
        let found = shard.rescore(&ready, &ids, &|| false).unwrap();
        let scores: Vec<f32> = found.scores.iter().map(|score| score.unwrap()).collect();
        let best = top(exact);
        noise += error(&scores, exact) / given.queries.len() as f64;
        n_same += top(&scores).iter().filter(|id| best.contains(id)).count();
        let cpu = thread_milliseconds();
        let ready = shard.query(&query.matrix()).unwrap();
        let wide = shard
            .wide(&ready, &WideOptions::default(), &|| false)
            .unwrap();
        times.push(thread_milliseconds() - cpu);
        let wide = wide.hits.iter().take(K);
        n_wide += wide
            .clone()
            .filter(|hit| best.contains(&(hit.id as usize)))
            .count();
        wide.for_each(|hit| write!(lines, "{} ", hit.id).unwrap());
        lines.push('\n');
        coded.push(scores);
    }
    let total = (given.queries.len() * K) as f64;
    times.sort_by(f64::total_cmp);
    println!(
        "  error {:.4}, recall@10 {:.4}, wide {:.4}; MRR@10 {:.4}; wide with its query {:.2} CPU-ms (p95 {:.2})",
        noise.sqrt(),
        n_same as f64 / total,
        n_wide as f64 / total,
        mean_reciprocal_rank(&given.queries, &coded),
        times.iter().sum::<f64>() / times.len() as f64,
        times[times.len() * 95 / 100],
    );
    lines
}

/// Variance of the errors of the 30 best documents' scores, about their mean.
fn error(scores: &[f32], exact: &[f32]) -> f64 {
    let mut order: Vec<usize> = (0..exact.len()).collect();
    order.sort_unstable_by(|a, b| exact[*b].total_cmp(&exact[*a]).then(a.cmp(b)));
    let of = |id: &usize| f64::from(scores[*id] - exact[*id]);
    let errors: Vec<f64> = order.iter().take(30).map(of).collect();
    let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
    let squares = errors.iter().map(|x| (x - mean).powi(2));
    squares.sum::<f64>() / errors.len().max(1) as f64
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

/// User and system time of the process, from /proc; 0 elsewhere.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|word| word.parse::<f64>().ok())
        .sum::<f64>()
        / 100.0
}

/// Time of this thread on a processor, from /proc; 0 elsewhere.
fn thread_milliseconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = stat.split_whitespace().next();
    first
        .and_then(|word| word.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1e6
}
