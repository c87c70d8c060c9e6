//! Prints what the crate says about files, or its speed (`--speed`).
#![expect(clippy::print_stdout, reason = "it is a command-line program")]

use std::path::{Path, PathBuf};
use std::time::Instant;
use whyrank_syntax::{Language, analyze, detect};

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let speed = args.first().is_some_and(|arg| arg == "--speed");
    if speed {
        args.remove(0);
    }
    let mut files = Vec::new();
    args.iter()
        .for_each(|arg| collect(Path::new(arg), &mut files));
    if speed {
        return measure(&files);
    }
    for file in files {
        let Ok(source) = std::fs::read_to_string(&file) else {
            continue;
        };
        let Some(language) = detect(&file.to_string_lossy(), source.as_bytes()) else {
            continue;
        };
        print(&source, language);
    }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(path) else {
        files.push(path.to_owned());
        return;
    };
    entries
        .flatten()
        .for_each(|entry| collect(&entry.path(), files));
}

fn print(source: &str, language: Language) {
    let facts = analyze(source, language);
    println!("== {}", language.name());
    for (at, symbol) in facts.symbols.iter().enumerate() {
        println!(
            "S{at} {:?} {} ^{:?} {}-{} n{} {} doc{:?} | {}",
            symbol.kind,
            symbol.qualified,
            symbol.parent,
            symbol.span.start_line,
            symbol.span.end_line,
            symbol.name_line,
            if symbol.exported { "pub" } else { "-" },
            symbol.doc.map(|doc| (doc.start_line, doc.end_line)),
            symbol.signature,
        );
    }
    for reference in &facts.references {
        println!(
            "R {}:{} {:?} [{}] {} in{:?}",
            reference.line,
            reference.column,
            reference.kind,
            reference.qualifier,
            reference.name,
            reference.enclosing
        );
    }
    facts
        .imports
        .iter()
        .for_each(|import| println!("{import:?}"));
    for chunk in &facts.chunks {
        println!(
            "C {}-{} {:?} {:?} @{}",
            chunk.span.start_line, chunk.span.end_line, chunk.kind, chunk.symbol, chunk.focus_line
        );
    }
    facts.errors.iter().for_each(|error| println!("{error:?}"));
}

/// Megabytes a second by language, after one warm file each.
fn measure(files: &[PathBuf]) {
    let mut totals = std::collections::BTreeMap::<&str, (usize, f64, usize)>::new();
    for file in files {
        let Ok(source) = std::fs::read_to_string(file) else {
            continue;
        };
        let Some(language) = detect(&file.to_string_lossy(), source.as_bytes()) else {
            continue;
        };
        if !totals.contains_key(language.name()) {
            analyze(&source, language);
        }
        let start = Instant::now();
        let facts = analyze(&source, language);
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 0.5 {
            println!(
                "slow: {} {seconds:.2} s, {} bytes, {} symbols",
                file.display(),
                source.len(),
                facts.symbols.len()
            );
        }
        let total = totals.entry(language.name()).or_default();
        *total = (total.0 + source.len(), total.1 + seconds, total.2 + 1);
    }
    for (name, (n_bytes, seconds, n_files)) in totals {
        println!(
            "{name:12} {n_files:6} files {:8.2} MB {:6.2} MB/s",
            n_bytes as f64 / 1e6,
            n_bytes as f64 / 1e6 / seconds
        );
    }
}
