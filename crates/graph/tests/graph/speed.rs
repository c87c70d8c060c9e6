//! What the graph of a real tree costs. Run by hand:
//! `WHYRANK_TREE=<folder> cargo test -p whyrank-graph speed -- --ignored --nocapture`; with `WHYRANK_EDITS=1` also
//! what an edit costs.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "run by hand; the figures are what it is for"
)]

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::sections::{stored, written};
use whyrank_graph::{
    FileInput, ImportGraph, ManifestInput, MentionFile, Mentions, ReferenceIndex, ReferenceQuery,
    Surroundings, SymbolTable, ViewParts, dead_code, symbol_rank,
};
use whyrank_syntax::FileFacts;

use crate::updates::Snapshot;

type Source = (String, String, FileFacts, String);

fn tree(root: &Path) -> Vec<Source> {
    let mut folders = vec![root.to_owned()];
    let mut found: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            match (kind.is_dir(), kind.is_file()) {
                (true, _) if !hidden => folders.push(entry.path()),
                (_, true) => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).ok()?;
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let language = whyrank_syntax::detect(&name, text.as_bytes())?;
        let facts = whyrank_syntax::analyze(&text, language);
        Some((name, language.name().to_owned(), facts, text))
    };
    found.iter().filter_map(read).collect()
}

/// Milliseconds that this thread has run, where the system tells (Linux); other load does not count.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let ns = stat.split(' ').next().and_then(|ns| ns.parse::<f64>().ok());
    ns.unwrap_or_default() / 1e6
}

fn timed<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let started = cpu_ms();
    let value = run();
    println!("{what:<28}{:>9.1} ms", cpu_ms() - started);
    value
}

#[test]
#[ignore = "measures; needs WHYRANK_TREE"]
fn speed() {
    let root = std::env::var("WHYRANK_TREE").expect("WHYRANK_TREE names a folder");
    let sources = timed("parse", || tree(Path::new(&root)));
    let inputs: Vec<FileInput<'_>> = sources
        .iter()
        .map(|(path, language, facts, _)| FileInput {
            path,
            language,
            facts,
        })
        .collect();
    let manifests: Vec<ManifestInput<'_>> = sources
        .iter()
        .filter(|(path, ..)| {
            path.ends_with(".json") || path.ends_with(".toml") || path.ends_with("go.mod")
        })
        .map(|(path, _, _, text)| ManifestInput { path, text })
        .collect();
    let n_lines: usize = sources.iter().map(|source| source.3.lines().count()).sum();
    let n_references: usize = inputs
        .iter()
        .map(|input| input.facts().references.len())
        .sum();
    let n_symbols: usize = inputs.iter().map(|input| input.facts().symbols.len()).sum();
    println!(
        "{} files, {n_lines} lines, {n_symbols} definitions, {n_references} uses",
        inputs.len()
    );
    let imports = timed("imports", || ImportGraph::resolve(&inputs, &manifests));
    let _ = timed("page rank", || imports.page_rank());
    let table = timed("table", || SymbolTable::new(&inputs, &imports));
    let contents: Vec<u64> = (1..).take(inputs.len()).collect();
    let parts = ViewParts {
        files: &inputs,
        imports: &imports,
        table: &table,
        contents: &contents,
    };
    let known = timed("uses", || ReferenceIndex::default().update(&parts));
    let _ = timed("ranks", || {
        symbol_rank(&ReferenceQuery::new(&inputs, &imports, &table, &known))
    });
    let sections = timed("store", || written(&known));
    println!("{} bytes", sections.iter().map(Vec::len).sum::<usize>());
    let counts: Vec<usize> = inputs
        .iter()
        .map(|file| file.facts().symbols.len())
        .collect();
    let stored: ReferenceIndex = timed("load", || stored(&known, &counts));
    let asked = timed("ask", || {
        ReferenceQuery::new(&inputs, &imports, &table, &stored)
    });
    if std::env::var_os("WHYRANK_EDITS").is_some() {
        drop(asked);
        after_edits(&sources, &manifests, &stored);
        return;
    }
    let read = |names: &HashSet<&str>| mentions(&sources, names);
    let around = Surroundings {
        is_test: &|file| sources[file as usize].0.contains("test"),
        mentions: &read,
        with_tests: false,
        runtime: None,
    };
    let found = timed("dead code", || dead_code(&asked, &around));
    println!("{} findings", found.len());
}

fn mentions(sources: &[Source], names: &HashSet<&str>) -> Mentions {
    let mut found = Mentions::default();
    for (file, (path, _, _, text)) in (0u32..).zip(sources) {
        let language = whyrank_syntax::detect(path, text.as_bytes()).unwrap();
        for word in whyrank_syntax::words(text, language, names) {
            found.add(MentionFile::Indexed(file), &word);
        }
    }
    found
}

/// The worst, the median and the mean over edits of one file: its first definition gets another name.
fn after_edits(sources: &[Source], manifests: &[ManifestInput<'_>], known: &ReferenceIndex) {
    let edited: Vec<usize> = (0..sources.len())
        .filter(|at| !sources[*at].2.symbols.is_empty())
        .step_by(sources.len() / 40 + 1)
        .collect();
    let mut took: Vec<(f64, usize, &str)> = Vec::new();
    for at in edited {
        let mut facts = sources[at].2.clone();
        facts.symbols[0].name.push_str("Renamed");
        facts.symbols[0].qualified.push_str("Renamed");
        let inputs: Vec<FileInput<'_>> = (0..)
            .zip(sources)
            .map(|(idx, (path, language, own, _))| FileInput {
                path,
                language,
                facts: if idx == at { &facts } else { own },
            })
            .collect();
        let mut contents: Vec<u64> = (1..).take(inputs.len()).collect();
        contents[at] = u64::MAX;
        let before = known.clone();
        let started = cpu_ms();
        let imports = ImportGraph::resolve(&inputs, manifests);
        let table = SymbolTable::new(&inputs, &imports);
        let parts = ViewParts {
            files: &inputs,
            imports: &imports,
            table: &table,
            contents: &contents,
        };
        let mut n_resolved = 0;
        let updated = before.update_watched(&parts, &mut |progress| {
            n_resolved = progress.n_files;
            ControlFlow::Continue(())
        });
        let _ = symbol_rank(&ReferenceQuery::new(&inputs, &imports, &table, known));
        took.push((cpu_ms() - started, n_resolved, &sources[at].0));
        assert!(
            updated == Some(ReferenceIndex::new(&inputs, &imports, &table)),
            "{}",
            sources[at].0
        );
    }
    took.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = took.iter().map(|one| one.0).sum::<f64>() / took.len() as f64;
    println!(
        "one file edited: median {:?}, mean {mean:.1} ms",
        took[took.len() / 2]
    );
    println!("                 worst {:?}", took[took.len() - 1]);
}

/// Each of the last commits of a tree, as an update of the one before it.
#[test]
#[ignore = "needs WHYRANK_TREE, a git checkout with its history"]
fn history() {
    let root = std::env::var("WHYRANK_TREE").expect("WHYRANK_TREE names a folder");
    let git = |args: &[&str]| {
        let output = std::process::Command::new("git")
            .current_dir(&root)
            .args(args)
            .output();
        output.unwrap().stdout
    };
    let n_commits = std::env::var("WHYRANK_COMMITS").unwrap_or_else(|_| "60".to_owned());
    let commits = git(&[
        "log",
        "--first-parent",
        "--reverse",
        "--format=%H",
        "-n",
        &n_commits,
    ]);
    let commits = String::from_utf8(commits).unwrap();
    let mut known = ReferenceIndex::default();
    let mut n_all = (0, 0);
    let mut texts: HashMap<String, String> = HashMap::new();
    for commit in commits.lines() {
        let rows = String::from_utf8(git(&["ls-tree", "-r", commit])).unwrap();
        let mut files: Vec<(String, String)> = Vec::new();
        for (head, name) in rows.lines().filter_map(|row| row.split_once('\t')) {
            if whyrank_syntax::detect(name, b"").is_some() {
                let blob = head.rsplit(' ').next().unwrap_or_default();
                let read = || String::from_utf8_lossy(&git(&["cat-file", "blob", blob])).into();
                let text = texts.entry(blob.to_owned()).or_insert_with(read);
                files.push((name.to_owned(), text.clone()));
            }
        }
        files.sort();
        let now = Snapshot::new(files);
        n_all = (
            n_all.0 + now.n_resolved(known.clone()),
            n_all.1 + now.files.len(),
        );
        known = now.graph(known);
        assert!(known == now.graph(ReferenceIndex::default()), "{commit}");
    }
    println!(
        "{} commits; {} of {} files resolved",
        commits.lines().count(),
        n_all.0,
        n_all.1
    );
}
