//! Runs checks that need no truth over repositories, and lists what breaks them, with places.
//!
//! Tools that are asked about one definition must not contradict each other; a place of a dead
//! definition's name must have a ruling; an import that is written like a file of the repository
//! must lead to one; files must be read whole; no repository may cost many times what others do.
//! What it is not for: figures of quality, which need tasks with answers (`whyrank bench`).

mod agreement;
mod checks;
mod print;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use serde::Serialize;
use whyrank_engine::api::{IndexOptions, JobState, RepoId};
use whyrank_engine::{Engine, EnginePaths};

use crate::args::CorpusArgs;
use crate::violation::Violation;
use crate::{cpu, draw, out};

/// A repository costs too much from so many times the median on.
const MAX_RATIO: f64 = 3.0;

/// The files of a language in a repository.
#[derive(Debug, Default, Serialize)]
struct LanguageFigures {
    n_files: u32,
    n_lines: u32,
    /// Files of which something could not be parsed.
    n_half_read: u32,
}

/// What the checks found in a repository.
#[derive(Debug, Serialize)]
struct RepositoryReport {
    folder: String,
    n_lines: u32,
    /// CPU milliseconds of indexing for each 1,000 lines; none where the system does not tell.
    cpu_ms: Option<f64>,
    languages: BTreeMap<String, LanguageFigures>,
    n_definitions: usize,
    n_dead: usize,
    n_imports: usize,
    violations: Vec<Violation>,
}

/// Checks each repository and prints what breaks a check.
///
/// # Errors
/// That a folder is no git repository or cannot be indexed.
pub(crate) fn run(args: &CorpusArgs, json: bool) -> anyhow::Result<ExitCode> {
    let home = tempfile::tempdir().context("a temporary folder cannot be made")?;
    let mut reports = Vec::new();
    for (at, folder) in draw::repositories(&args.folders)?.iter().enumerate() {
        out::note(&format!("{}", folder.display()));
        let engine = Engine::open(EnginePaths::below(&home.path().join(at.to_string())))?;
        reports.push(check(&engine, folder, args)?);
    }
    note_costly(&mut reports);
    if json {
        out::json(&reports)?;
    } else {
        print::reports(&reports)?;
    }
    let is_clean = reports.iter().all(|report| report.violations.is_empty());
    Ok(if is_clean {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn check(engine: &Engine, folder: &Path, args: &CorpusArgs) -> anyhow::Result<RepositoryReport> {
    let repo = engine.add_repo(folder)?.id;
    let before = cpu::own_ms();
    index(engine, &repo)?;
    let spent = cpu::own_ms()
        .zip(before)
        .map(|(after, before)| after - before);
    let languages = checks::languages(engine, &repo)?;
    let n_lines = languages.values().map(|figures| figures.n_lines).sum();
    let mut violations = checks::half_read(&languages);
    let files = draw::files(folder, args.seed)?;
    let imports = checks::imports(engine, &repo, &files, args.files as usize)?;
    violations.extend(imports.violations);
    let drawn = draw::definitions(engine, &repo, &files, (args.symbols as usize, args.seed));
    let listed = agreement::listing(engine, &repo)?;
    for definition in &drawn {
        violations.extend(agreement::contradictions(
            engine, &repo, definition, &listed,
        )?);
    }
    let dead = checks::unruled(engine, &repo, args.symbols as usize)?;
    violations.extend(dead.violations);
    Ok(RepositoryReport {
        folder: folder.display().to_string(),
        n_lines,
        cpu_ms: spent.map(|spent| spent / (f64::from(n_lines) / 1e3).max(1.0)),
        languages,
        n_definitions: drawn.len(),
        n_dead: dead.n_checked,
        n_imports: imports.n_checked,
        violations,
    })
}

/// Makes the index without vectors.
fn index(engine: &Engine, repo: &RepoId) -> anyhow::Result<()> {
    let options = IndexOptions {
        skip_vectors: true,
        ..IndexOptions::default()
    };
    let job = engine.start_index(repo, options)?;
    let end = engine.wait_job(&job)?;
    anyhow::ensure!(end.state == JobState::Done, "{end:?}");
    Ok(())
}

/// Adds a violation to each repository that costs many times the median.
fn note_costly(reports: &mut [RepositoryReport]) {
    let mut costs: Vec<f64> = reports.iter().filter_map(|report| report.cpu_ms).collect();
    costs.sort_by(f64::total_cmp);
    let Some(median) = costs.get(costs.len() / 2).copied() else {
        return;
    };
    for report in reports {
        let Some(cost) = report.cpu_ms.filter(|cost| *cost > MAX_RATIO * median) else {
            continue;
        };
        report.violations.push(Violation {
            check: "cost",
            place: report.folder.clone(),
            what: format!("{cost:.0} ms for 1,000 lines, where the median is {median:.0}"),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use whyrank_engine::{Engine, EnginePaths};

    use super::check;
    use crate::args::CorpusArgs;
    use crate::git::git;

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
        let root = home.path().join("repo");
        let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for part in PARTS {
            copy(&checkout.join(part), &root.join(part));
        }
        git(&root, &["init", "-q"], |_| Ok(())).unwrap();
        git(&root, &["add", "-A"], |_| Ok(())).unwrap();
        let engine = Engine::open(EnginePaths::below(&home.path().join("home"))).unwrap();
        let args = CorpusArgs {
            folders: Vec::new(),
            symbols: 300,
            files: 0,
            seed: 7,
        };
        let report = check(&engine, &root, &args).unwrap();
        assert!(report.n_definitions > 200);
        let against = report.violations.iter();
        let against: Vec<_> = against.filter(|it| it.check != "half-read").collect();
        assert!(against.is_empty(), "{against:#?}");
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
}
