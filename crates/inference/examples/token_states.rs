//! Writes the token states that training a token head starts from: those that serve.
//!
//! `cargo run --release -p whyrank-inference --example token_states -- STORE OUT < texts.jsonl`
//! Each line is a JSON string. OUT, little-endian, for each text: number of tokens (u32), number of
//! components (u32); the pooled unit vector (f32); then for each token but `[CLS]` and `[SEP]` its
//! id (u32), its bytes in the text (u32 start, u32 end) and its state (f16).
#![expect(clippy::print_stdout, reason = "its output is its purpose")]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};

use rayon::prelude::*;
use whyrank_inference::{ModelStore, TokenStates, TransformerEncoder};

const BATCH: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [store, out] = &args[..] else {
        return Err("which store, which file?".into());
    };
    let store = ModelStore::new(store);
    let entry = store.lock().default_entry().clone();
    let encoder = TransformerEncoder::open(&store.path(&entry.name)?, &entry)?;
    let mut texts = Vec::new();
    for line in std::io::stdin().lines() {
        texts.push(serde_json::from_str::<String>(&line?)?);
    }
    let mut file = BufWriter::new(File::create(out)?);
    for (batch_idx, batch) in texts.chunks(BATCH).enumerate() {
        let inputs: Vec<&str> = batch.iter().map(String::as_str).collect();
        let encoded: Vec<_> = inputs
            .par_iter()
            .map(|text| encoder.token_states(text))
            .collect::<Result<_, _>>()?;
        for states in &encoded {
            write(&mut file, states)?;
        }
        println!("{} of {}", batch_idx * BATCH + batch.len(), texts.len());
    }
    Ok(file.flush()?)
}

fn write(file: &mut impl Write, states: &TokenStates) -> std::io::Result<()> {
    let n = states.token_ids.len();
    let inner = 1..n - 1;
    file.write_all(&(inner.len() as u32).to_le_bytes())?;
    file.write_all(&(states.dim as u32).to_le_bytes())?;
    for value in mean(states) {
        file.write_all(&value.to_le_bytes())?;
    }
    for token in inner {
        let (start, end) = states.spans[token];
        for value in [states.token_ids[token], start, end] {
            file.write_all(&value.to_le_bytes())?;
        }
        for value in &states.vectors[token * states.dim..(token + 1) * states.dim] {
            file.write_all(&half::f16::from_f32(*value).to_le_bytes())?;
        }
    }
    Ok(())
}

/// The bi-encoder's vector.
fn mean(states: &TokenStates) -> Vec<f32> {
    let mut mean = vec![0.0f32; states.dim];
    for row in states.vectors.chunks_exact(states.dim) {
        mean.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
    }
    let norm = mean.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
    mean.iter().map(|x| x / norm).collect()
}
