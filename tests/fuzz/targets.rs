//! What is given the inputs: each target takes bytes and must neither panic nor take long.

use std::sync::atomic::{AtomicU32, Ordering};
use whyrank_graph::{FileInput, ImportGraph, ManifestInput};
use whyrank_late_interaction::{Codec, Document, Shard, ShardOptions, TokenMatrix, Training};
use whyrank_memory::Memory;
use whyrank_retrieval::ParsedQuery;
use whyrank_syntax::{Language, StructuralPattern, analyze, comments, highlight};

/// A reader of foreign bytes.
pub(crate) struct Target {
    /// Its name, and that of its folder of seeds.
    pub(crate) name: &'static str,
    pub(crate) run: fn(&[u8]),
    /// Seeds that are made, besides those of the folder.
    pub(crate) seeds: fn() -> Vec<Vec<u8>>,
}

pub(crate) const TARGETS: &[Target] = &[
    target("chunker", chunker),
    target("query", query),
    target("pattern", pattern),
    target("scip", scip),
    target("coverage", coverage),
    target("manifest", manifest),
    target("memos", memos),
    Target {
        name: "segments",
        run: segments,
        seeds: segment,
    },
];

const fn target(name: &'static str, run: fn(&[u8])) -> Target {
    Target {
        name,
        run,
        seeds: Vec::new,
    }
}

const LANGUAGES: [&str; 20] = [
    "javascript",
    "typescript",
    "tsx",
    "python",
    "rust",
    "go",
    "java",
    "kotlin",
    "scala",
    "swift",
    "c",
    "cpp",
    "csharp",
    "ruby",
    "php",
    "lua",
    "bash",
    "markdown",
    "vue",
    "html",
];

/// Each input is read as the next language.
fn language() -> Language {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let at = NEXT.fetch_add(1, Ordering::Relaxed) as usize % LANGUAGES.len();
    Language::from_name(LANGUAGES[at])
        .or_else(|| Language::from_name("python"))
        .expect("Python is built in")
}

fn chunker(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let language = language();
    let facts = analyze(&text, language);
    for chunk in &facts.chunks {
        let range = chunk.span.start_byte as usize..chunk.span.end_byte as usize;
        assert!(text.get(range).is_some(), "a chunk that is no text");
    }
    drop(comments(&text, language));
    drop(highlight(&text, language));
}

fn query(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    drop(ParsedQuery::parse(&text));
}

fn pattern(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let language = language();
    if let Ok(pattern) = StructuralPattern::new(&text, language) {
        let source = "f(1, g(2), [3]); class A { b() { if (c) { return d; } } }\n".repeat(20);
        drop(pattern.search(&source, language, &|| false));
        drop(pattern.search(&text, language, &|| false));
    }
}

fn scip(mut bytes: &[u8]) {
    drop(whyrank_external::scip::read(&mut bytes));
}

fn coverage(bytes: &[u8]) {
    drop(whyrank_external::coverage::read(bytes));
}

fn manifest(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let source = "import a from './b'; import c from '@/d'; require('p/q');";
    let facts = analyze(source, Language::from_name("javascript").expect("built in"));
    let files = ["src/a.js", "src/d.js", "p/index.js"].map(|path| FileInput {
        path,
        language: "javascript",
        facts: &facts,
    });
    for path in [
        "package.json",
        "go.mod",
        "tsconfig.json",
        "Cargo.toml",
        "composer.json",
        "pyproject.toml",
    ] {
        let manifests = [ManifestInput { path, text: &text }];
        drop(ImportGraph::resolve(&files, &manifests));
    }
}

fn memos(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut memory = Memory::open(&folder.path().join("memos.db")).expect("a new memory");
    drop(memory.import(&text));
}

const DIM: usize = 8;

fn segment() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shard");
    write_shard(&path);
    let mut files: Vec<_> = std::fs::read_dir(&path)
        .expect("a shard")
        .flatten()
        .collect();
    files.sort_by_key(|entry| entry.file_name());
    files
        .iter()
        .filter_map(|entry| std::fs::read(entry.path()).ok())
        .collect()
}

fn write_shard(path: &std::path::Path) {
    let vectors: Vec<f32> = (0..64 * DIM)
        .map(|at| ((at * 37 % 101) as f32 / 50.0 - 1.0) / 3.0)
        .collect();
    let ids: Vec<u32> = (0..64).collect();
    let matrix = TokenMatrix::new(DIM, &vectors).expect("a matrix");
    let document = Document::new(matrix, &ids).expect("a document");
    let mut shard = Shard::create(path, ShardOptions::default()).expect("a shard");
    let codec = Codec::train(&[document], &Training::default()).expect("a codec");
    shard.set_codec(codec).expect("the first codec");
    let document = Document::new(matrix, &ids).expect("a document");
    for id in 0..4 {
        shard.add(id, &document).expect("a document of its width");
    }
    shard.flush().expect("a written segment");
}

/// The bytes take the place of each file of a shard in turn.
fn segments(bytes: &[u8]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("shard");
    write_shard(&path);
    for entry in std::fs::read_dir(&path).expect("a shard").flatten() {
        let good = std::fs::read(entry.path()).expect("a file of it");
        std::fs::write(entry.path(), bytes).expect("the same file");
        if let Ok(shard) = Shard::open(&path, ShardOptions::default()) {
            let vectors = vec![0.3; 2 * DIM];
            let query = TokenMatrix::new(DIM, &vectors).and_then(|matrix| shard.query(&matrix));
            if let Ok(query) = query {
                drop(shard.rescore(&query, &[0, 1, 2, 3], &|| false));
            }
        }
        std::fs::write(entry.path(), good).expect("the file as it was");
    }
}
