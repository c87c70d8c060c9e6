//! Draws files and definitions of a repository by a seed.

use std::path::Path;

use whyrank_engine::Engine;
use whyrank_engine::api::{RepoId, SymbolLine};

use crate::git::git;

/// All files that git knows, in an order that the seed chooses.
pub(super) fn files(folder: &Path, seed: u32) -> anyhow::Result<Vec<String>> {
    let listed = git(folder, &["ls-files", "-z"], |_| Ok(()))?;
    let files = listed.split('\0').filter(|path| !path.is_empty());
    Ok(shuffled(files.map(str::to_owned).collect(), seed))
}

/// So many definitions of these files, each at most once; fewer where there are not so many.
pub(super) fn definitions(
    engine: &Engine,
    repo: &RepoId,
    files: &[String],
    (wanted, seed): (usize, u32),
) -> Vec<SymbolLine> {
    let is_asked = |symbol: &SymbolLine| !matches!(&symbol.kind[..], "module" | "impl" | "heading");
    let mut definitions = Vec::new();
    // A few of each file, so that large files do not fill the draw.
    for path in files {
        let Ok(file) = engine.preview(repo, path, None) else {
            continue;
        };
        let asked = file.symbols.into_iter().filter(is_asked).collect();
        definitions.extend(shuffled(asked, seed).into_iter().take(10));
        if definitions.len() >= wanted {
            break;
        }
    }
    definitions.truncate(wanted);
    definitions
}

/// The items in an order that the seed chooses.
fn shuffled<T>(mut items: Vec<T>, seed: u32) -> Vec<T> {
    let mut state = u64::from(seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    for at in (1..items.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        items.swap(at, (state % (at as u64 + 1)) as usize);
    }
    items
}
