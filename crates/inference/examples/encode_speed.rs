//! Measures document throughput, query latency and peak memory of an installed model.
//!
//! `cargo run --release -p whyrank-inference --example encode_speed -- STORE [SOURCE_DIR] [THREADS]`
//! cuts the source files below SOURCE_DIR (default: this crate) into 500 chunks of about 200 tokens.
//! A model that is not in STORE is pulled first.
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use whyrank_inference::{BiEncoder, InferenceError, ModelStore, QueryKind, load_bi_encoder};

const N_CHUNKS: usize = 500;
const CHUNK_BYTES: usize = 640;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let store = ModelStore::new(args.first().ok_or("which store?")?);
    let source = args
        .get(1)
        .map_or(concat!(env!("CARGO_MANIFEST_DIR"), "/src"), String::as_str);
    let n_threads = args.get(2).map_or(Ok(2), |text| text.parse())?;
    let entry = store.lock().default_entry().clone();
    if matches!(
        store.path(&entry.name),
        Err(InferenceError::ModelAbsent { .. })
    ) {
        let dir = store.pull(
            &entry.name,
            &mut |progress| println!("{progress:?}"),
            &|| false,
        )?;
        println!("pulled into {}", dir.display());
    }

    let start = Instant::now();
    let encoder = load_bi_encoder(&store, &entry)?;
    println!("load: {:.0} ms, {} MB resident", ms(start), peak_mb());
    let chunks = chunks_below(Path::new(source));
    let texts: Vec<&str> = chunks.iter().map(String::as_str).collect();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(n_threads)
        .build()?;
    pool.install(|| measure(&*encoder, &texts))?;
    Ok(())
}

fn measure(encoder: &dyn BiEncoder, texts: &[&str]) -> Result<(), InferenceError> {
    let start = Instant::now();
    let vectors = encoder.encode_documents(texts, &|| false)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "documents: {:.1} chunks/s ({} chunks)",
        vectors.len() as f64 / seconds,
        texts.len()
    );
    for query in [
        "where is the model loaded",
        "retry a download that was cut and resume it",
    ] {
        encoder.encode_query(query, QueryKind::NaturalLanguage)?;
        let start = Instant::now();
        for _ in 0..20 {
            encoder.encode_query(query, QueryKind::NaturalLanguage)?;
        }
        println!("query: {:.1} ms ({query})", ms(start) / 20.0);
    }
    println!("peak: {} MB resident", peak_mb());
    Ok(())
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn chunks_below(dir: &Path) -> Vec<String> {
    let mut text = String::new();
    let mut folders = vec![PathBuf::from(dir)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                text.push_str(&std::fs::read_to_string(path).unwrap_or_default());
            }
        }
    }
    let mut chunks = Vec::new();
    let mut chunk = String::new();
    for line in text.lines().cycle() {
        chunk.push_str(line);
        chunk.push('\n');
        if chunk.len() >= CHUNK_BYTES {
            chunks.push(std::mem::take(&mut chunk));
        }
        if chunks.len() == N_CHUNKS {
            break;
        }
    }
    chunks
}

/// Peak resident memory as Linux counts it, 0 elsewhere.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kb| kb.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}
