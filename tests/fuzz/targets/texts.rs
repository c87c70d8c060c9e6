//! Texts and files of one format each.

use super::choice;
use super::repository::Folder;
use std::sync::LazyLock;
use whyrank_engine::{Engine, EnginePaths};
use whyrank_external::{Budget, LEAST_STEPS, STEPS_PER_BYTE};
use whyrank_graph::{FileInput, ImportGraph, ManifestInput};
use whyrank_memory::{Endings, Fact, LAST_MOMENT_MS, Memory};
use whyrank_retrieval::ParsedQuery;
use whyrank_syntax::{Language, analyze};

/// A question, or an issue that is taken apart.
pub(super) fn query(bytes: &[u8]) {
    drop(ParsedQuery::parse(&String::from_utf8_lossy(bytes)));
}

pub(super) fn scip(mut bytes: &[u8]) {
    let n_bytes = bytes.len() as u64;
    let mut budget = Budget::new(&|| true);
    budget.allow(n_bytes);
    drop(whyrank_external::scip::read(&mut bytes, &mut budget));
    assert_in_proportion(&budget, n_bytes);
}

pub(super) fn coverage(bytes: &[u8]) {
    let mut budget = Budget::new(&|| true);
    drop(whyrank_external::coverage::read(bytes, &mut budget));
    assert_in_proportion(&budget, bytes.len() as u64);
}

/// Steps for each byte decide, not seconds: a busy machine fails nothing, a multiplier does.
fn assert_in_proportion(budget: &Budget<'_>, n_bytes: u64) {
    // What is packed may grow so much; a reader notices a little late that its steps are spent.
    let grown = n_bytes.saturating_mul(100).max(1 << 20);
    let most = grown * STEPS_PER_BYTE + LEAST_STEPS + 10_000;
    let n_steps = budget.n_steps();
    assert!(n_steps <= most, "{n_steps} steps for {n_bytes} bytes");
}

/// The bytes are what they look like, and each other format as well.
pub(super) fn runs(bytes: &[u8]) {
    use whyrank_external::runs::{RunFormat, read, recognise};
    let in_proportion = |format| {
        let mut budget = Budget::new(&|| true);
        drop(read(format, bytes, &mut budget));
        assert_in_proportion(&budget, bytes.len() as u64);
    };
    if let Some(format) = recognise(bytes) {
        in_proportion(format);
    }
    let formats = [
        RunFormat::Pstats,
        RunFormat::Viztracer,
        RunFormat::CpuProfile,
        RunFormat::Pprof,
        RunFormat::PerfScript,
        RunFormat::OpenTelemetry,
    ];
    for format in formats {
        in_proportion(format);
    }
}

/// The bytes are each kind of manifest in turn.
pub(super) fn manifest(bytes: &[u8]) {
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

/// What is imported once changes nothing when it is imported again.
pub(super) fn memos(bytes: &[u8]) {
    let (is_sealed, bytes) = choice(bytes, 2);
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if is_sealed == 1 {
        text = sealed(&text);
    }
    let folder = Folder::new();
    let path = folder.path().join("memos.db");
    let mut memory = Memory::open(&path).expect("a new memory");
    drop(memory.import(&text, LAST_MOMENT_MS, Endings::TakeIn));
    let whole = memory.ledger().export();
    drop(memory.import(&whole, LAST_MOMENT_MS, Endings::TakeIn));
    assert_eq!(
        memory.ledger().export(),
        whole,
        "an import of its own export"
    );
    drop(memory);
    let memory = Memory::open(&path).expect("a memory that was written");
    assert_eq!(memory.ledger().export(), whole, "what was read back");
}

/// The facts among the lines with the ids that fit what they say, so that more than the check of ids
/// is reached. What names one of them by its old id names it by the new one.
fn sealed(text: &str) -> String {
    let mut renamed: Vec<(String, String)> = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        let line = renamed
            .iter()
            .fold(line.to_owned(), |line, (old, new)| line.replace(old, new));
        match serde_json::from_str::<Fact>(&line) {
            Ok(fact) => {
                let sealed = fact.clone().sealed();
                // Shorter ones are parts of other words.
                if fact.id().len() > 4 {
                    renamed.push((fact.id(), sealed.id()));
                }
                lines.push(sealed.json());
            }
            Err(_) => lines.push(line),
        }
    }
    lines.join("\n")
}

/// The settings file.
pub(super) fn settings(bytes: &[u8]) {
    static HOME: LazyLock<Folder> = LazyLock::new(Folder::new);
    let paths = EnginePaths::below(HOME.path());
    HOME.write("config/config.toml", bytes);
    if let Ok(engine) = Engine::open(paths) {
        drop(engine.settings());
    }
}
