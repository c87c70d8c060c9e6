//! Readers of foreign bytes: each takes any bytes and must neither panic, nor take long, nor much memory.

mod agents;
mod code;
mod repository;
mod segments;
mod server;
mod texts;

use std::fs;
use std::path::{Path, PathBuf};

/// A reader of foreign bytes.
pub(crate) struct Target {
    /// Its name, and that of its folder of seeds.
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
    /// Makes seeds of the files in the folder.
    seeds: fn(Vec<Seed>) -> Vec<Vec<u8>>,
}

/// A file of the folder of seeds.
struct Seed {
    name: String,
    bytes: Vec<u8>,
}

pub(crate) const TARGETS: &[Target] = &[
    with_seeds("chunker", code::chunker, code::seeds),
    with_seeds("pattern", code::pattern, code::seeds),
    target("query", texts::query),
    target("scip", texts::scip),
    target("coverage", texts::coverage),
    target("runs", texts::runs),
    target("manifest", texts::manifest),
    with_seeds("memos", texts::memos, |files| {
        choosing(files, |_| vec![0, 1])
    }),
    target("settings", texts::settings),
    with_seeds("segments", segments::run, |_| segments::seeds()),
    target("secrets", repository::secrets),
    target("ignore", repository::ignore),
    with_seeds("agents", agents::run, agents::seeds),
    target("frames", server::frames),
    with_seeds("calls", server::calls, server::seeds),
];

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    with_seeds(name, run, |files| {
        files.into_iter().map(|file| file.bytes).collect()
    })
}

const fn with_seeds(
    name: &'static str,
    run: fn(&[u8]),
    seeds: fn(Vec<Seed>) -> Vec<Vec<u8>>,
) -> Target {
    Target { name, run, seeds }
}

/// What a target begins with.
pub(crate) fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target.name);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let files = paths.iter().map(|path| Seed {
        name: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        bytes: fs::read(path).expect("a seed can be read"),
    });
    (target.seeds)(files.collect())
}

/// The last byte chooses one of `n`: the rest is the input. So an input always means the same.
fn choice(bytes: &[u8], n: usize) -> (usize, &[u8]) {
    match bytes.split_last() {
        Some((last, rest)) => (usize::from(*last) % n, rest),
        None => (0, bytes),
    }
}

/// Seeds for one that chooses: each file once for each of what it may mean.
fn choosing(files: Vec<Seed>, fits: impl Fn(&str) -> Vec<usize>) -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for file in files {
        for chosen in fits(&file.name) {
            let mut bytes = file.bytes.clone();
            bytes.push(u8::try_from(chosen).expect("fewer than 256"));
            seeds.push(bytes);
        }
    }
    seeds
}
