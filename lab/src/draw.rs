//! Repositories, and what a seed chooses of their files and definitions.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use whyrank_engine::Engine;
use whyrank_engine::api::{RepoId, SymbolLine};

use crate::dice::Dice;
use crate::git::git;

/// The folders that are git repositories, and those directly below the others.
pub(crate) fn repositories(folders: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let is_repository = |folder: &Path| folder.join(".git").exists();
    let mut repositories = Vec::new();
    for folder in folders {
        if is_repository(folder) {
            repositories.push(folder.clone());
            continue;
        }
        let entries = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
        let mut below: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| is_repository(path))
            .collect();
        below.sort();
        repositories.extend(below);
    }
    anyhow::ensure!(
        !repositories.is_empty(),
        "there is no git repository in the folders given"
    );
    Ok(repositories)
}

/// All files that git knows, in an order that the seed chooses.
pub(crate) fn files(folder: &Path, seed: u32) -> anyhow::Result<Vec<String>> {
    let listed = git(folder, &["ls-files", "-z"], |_| Ok(()))?;
    let files = listed.split('\0').filter(|path| !path.is_empty());
    Ok(Dice::new(seed.into()).shuffled(files.map(str::to_owned).collect()))
}

/// So many definitions of these files, each at most once; fewer where there are not so many.
pub(crate) fn definitions(
    engine: &Engine,
    repo: &RepoId,
    files: &[String],
    (wanted, seed): (usize, u32),
) -> Vec<SymbolLine> {
    let is_asked = |symbol: &SymbolLine| !matches!(&symbol.kind[..], "module" | "impl" | "heading");
    let mut definitions = Vec::new();
    let mut dice = Dice::new(seed.into());
    // A few of each file, so that large files do not fill the draw.
    for path in files {
        let Ok(file) = engine.preview(repo, path, None) else {
            continue;
        };
        let asked = file.symbols.into_iter().filter(is_asked).collect();
        definitions.extend(dice.shuffled(asked).into_iter().take(10));
        if definitions.len() >= wanted {
            break;
        }
    }
    definitions.truncate(wanted);
    definitions
}
