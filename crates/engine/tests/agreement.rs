//! Asks several tools about the same definitions, drawn by a seed, and fails where two of them contradict each
//! other: whoever says "dead" and whoever lists a use cannot both be right.
//!
//! A part of this checkout is asked about. `WHYRANK_AGREEMENT_REPO` names another repository,
//! `WHYRANK_AGREEMENT_SYMBOLS` how many of its definitions (300), `WHYRANK_AGREEMENT_SEED` the seed.

#![expect(clippy::unwrap_used, reason = "a broken fixture is a failed test")]

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_engine::api::{
    DeadCodeRequest, DeadFinding, DeadVerdict, ImpactRequest, IndexOptions, JobState, RefHit,
    RefsRequest, RefsResponse, RepoId, SymbolLine, SymbolPlace,
};
use whyrank_engine::{Engine, EnginePaths};

/// Folders of this checkout that are asked about: Rust, TypeScript, and a sample in each language.
const PARTS: [&str; 5] = [
    "crates/memory/src",
    "crates/syntax/tests/samples",
    "ui/src/app",
    "ui/src/components",
    "scripts",
];

#[test]
fn tools_agree_about_the_same_definitions() {
    let home = tempfile::tempdir().unwrap();
    let root = match std::env::var_os("WHYRANK_AGREEMENT_REPO") {
        Some(root) => PathBuf::from(root),
        None => parts_of_this_checkout(&home.path().join("repo")),
    };
    let engine = Engine::open(EnginePaths::below(&home.path().join("home"))).unwrap();
    let repo = index(&engine, &root);
    let listed = listing(&engine, &repo);
    let definitions = definitions(&engine, &repo, &root);
    let wanted = number("WHYRANK_AGREEMENT_SYMBOLS", 300) as usize;
    let drawn = draw(&definitions, wanted, number("WHYRANK_AGREEMENT_SEED", 7));
    assert!(!drawn.is_empty());
    let against: Vec<String> = drawn
        .iter()
        .flat_map(|definition| contradictions(&engine, &repo, definition, &listed))
        .collect();
    let n = drawn.len();
    assert!(against.is_empty(), "of {n}:\n{}", against.join("\n"));
}

fn number(name: &str, otherwise: u64) -> u64 {
    let given = std::env::var(name).ok();
    given
        .and_then(|text| text.parse().ok())
        .unwrap_or(otherwise)
}

fn parts_of_this_checkout(to: &Path) -> PathBuf {
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for part in PARTS {
        copy(&checkout.join(part), &to.join(part));
    }
    git2::Repository::init(to).unwrap();
    to.to_owned()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), &to).unwrap();
        }
    }
}

fn index(engine: &Engine, root: &Path) -> RepoId {
    let repo = engine.add_repo(root).unwrap();
    let options = IndexOptions {
        skip_vectors: true,
        ..IndexOptions::default()
    };
    let job = engine.start_index(&repo.id, options).unwrap();
    let end = engine.wait_job(&job).unwrap();
    assert_eq!(end.state, JobState::Done, "{end:?}");
    repo.id
}

/// Verdicts of the whole list, by place.
fn listing(engine: &Engine, repo: &RepoId) -> HashMap<(String, u32), DeadVerdict> {
    let request = DeadCodeRequest {
        repo: repo.clone(),
        kinds: ["dead", "test-only", "maybe", "exported"]
            .map(str::to_owned)
            .to_vec(),
        coverage: vec!["none".to_owned()],
        ..DeadCodeRequest::default()
    };
    let findings = engine.dead_code(&request).unwrap().findings;
    let verdict = |one: DeadFinding| ((one.symbol.path, one.symbol.name_line), one.verdict);
    findings.into_iter().map(verdict).collect()
}

fn definitions(engine: &Engine, repo: &RepoId, root: &Path) -> Vec<SymbolLine> {
    let mut paths = Vec::new();
    list(root, root, &mut paths);
    paths.sort();
    let previews = paths
        .iter()
        .filter_map(|path| engine.preview(repo, path, None).ok());
    let is_asked = |symbol: &SymbolLine| !matches!(&symbol.kind[..], "module" | "impl" | "heading");
    previews
        .flat_map(|file| file.symbols)
        .filter(is_asked)
        .collect()
}

fn list(root: &Path, folder: &Path, paths: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.ends_with(".git") || path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            list(root, &path, paths);
        } else if let Some(path) = path.strip_prefix(root).unwrap().to_str() {
            paths.push(path.replace('\\', "/"));
        }
    }
}

/// So many of the definitions, each at most once.
fn draw(definitions: &[SymbolLine], wanted: usize, seed: u64) -> Vec<SymbolLine> {
    let mut left: Vec<&SymbolLine> = definitions.iter().collect();
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut drawn = Vec::new();
    while drawn.len() < wanted && !left.is_empty() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        drawn.push(
            left.swap_remove((state % left.len() as u64) as usize)
                .clone(),
        );
    }
    drawn
}

/// What the tools say about one definition that cannot all be true, in words.
fn contradictions(
    engine: &Engine,
    repo: &RepoId,
    definition: &SymbolLine,
    listed: &HashMap<(String, u32), DeadVerdict>,
) -> Vec<String> {
    let (path, line) = (definition.path.clone(), definition.name_line);
    let refs = refs(engine, repo, definition);
    if refs.definitions.len() != 1 {
        return Vec::new();
    }
    let single = single(engine, repo, definition);
    let impact = ImpactRequest {
        repo: repo.clone(),
        symbol: definition.qualified.clone(),
        path: Some(path.clone()),
        line: Some(line),
        depth: 1,
        as_of: None,
    };
    let impact = engine.impact(&impact).unwrap();
    let is_use = |hit: &&RefHit| {
        let is_naming = matches!(&hit.kind[..], "import" | "re-export" | "mention");
        let is_own =
            hit.path == path && (definition.start_line..=definition.end_line).contains(&hit.line);
        hit.confidence.is_certain() && !is_naming && !is_own
    };
    let use_at = refs.references.iter().find(is_use);
    let none_means_it = refs.references.is_empty()
        && refs
            .by_name
            .as_ref()
            .is_some_and(|by| by.n_uses == 0 && by.hidden.is_empty());
    let is_dead = |verdict: DeadVerdict| verdict == DeadVerdict::Dead;
    let in_list = listed.get(&(path.clone(), line)).copied();
    let caller = impact
        .callers
        .first()
        .map(|hit| hit.caller.qualified.as_str());
    let mut against = Vec::new();
    let mut say = |what: String| {
        against.push(format!("{path}:{line} {}: {what}", definition.qualified));
    };
    if let (Some(hit), true) = (use_at, is_dead(single.verdict)) {
        say(format!(
            "dead, and certainly used at {}:{}",
            hit.path, hit.line
        ));
    }
    if is_dead(single.verdict) && !none_means_it {
        say(format!("dead, and refs leaves it open: {:?}", refs.by_name));
    }
    if none_means_it
        && !matches!(
            single.verdict,
            DeadVerdict::Dead | DeadVerdict::ExportedUnused
        )
    {
        say(format!(
            "no place means it, and {}: {}",
            single.verdict, single.reason
        ));
    }
    if let (true, Some(verdict)) = (is_dead(single.verdict), in_list)
        && !is_dead(verdict)
    {
        say(format!("dead when asked about, {verdict} in the list"));
    }
    if let (Some(caller), true) = (caller, none_means_it) {
        say(format!("no place means it, and `{caller}` depends on it"));
    }
    if let (Some(hit), Some(DeadVerdict::Dead)) = (use_at, in_list)
        && !hit.test
        && hit.enclosing.is_none()
    {
        say(format!(
            "dead in the list, and used by none that is dead at {}:{}",
            hit.path, hit.line
        ));
    }
    against
}

fn refs(engine: &Engine, repo: &RepoId, definition: &SymbolLine) -> RefsResponse {
    let request = RefsRequest {
        repo: repo.clone(),
        symbol: definition.qualified.clone(),
        path: Some(definition.path.clone()),
        line: Some(definition.name_line),
        ..RefsRequest::default()
    };
    engine.refs(&request).unwrap()
}

fn single(engine: &Engine, repo: &RepoId, definition: &SymbolLine) -> DeadFinding {
    let request = DeadCodeRequest {
        repo: repo.clone(),
        symbols: vec![SymbolPlace {
            symbol: definition.qualified.clone(),
            path: Some(definition.path.clone()),
            line: Some(definition.name_line),
        }],
        coverage: vec!["none".to_owned()],
        ..DeadCodeRequest::default()
    };
    engine.dead_code(&request).unwrap().findings.remove(0)
}
