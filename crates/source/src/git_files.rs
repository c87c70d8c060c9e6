//! Git's own files, looked at before libgit2 opens them: it waits for a pipe without end.

use crate::SourceError;
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_system::regular;

/// What libgit2 reads of a repository before anybody asks for a commit.
const READ_AT_ONCE: [&str; 11] = [
    "HEAD",
    "commondir",
    "config",
    "config.worktree",
    "gitdir",
    "index",
    "info/attributes",
    "info/exclude",
    "objects/info/alternates",
    "packed-refs",
    "shallow",
];
/// Settings are short, and so are the chains in which they include one another.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
const MAX_INCLUDES: usize = 50;

/// Refuses pipes, devices and sockets in the place of files that would be opened.
///
/// # Errors
///
/// `SpecialFile`.
pub(crate) fn refuse_special(git_dir: &Path) -> Result<(), SourceError> {
    let common_dir = common_dir(git_dir)?;
    for name in READ_AT_ONCE {
        refuse(&git_dir.join(name))?;
        refuse(&common_dir.join(name))?;
    }
    if let Some(branch) = text(&git_dir.join("HEAD")).strip_prefix("ref: ") {
        refuse(&common_dir.join(branch.trim_end()))?;
    }
    let mut configs = vec![common_dir.join("config"), git_dir.join("config.worktree")];
    for at in 0..MAX_INCLUDES {
        let Some(config) = configs.get(at).cloned() else {
            break;
        };
        for included in included_by(&config) {
            refuse(&included)?;
            configs.push(included);
        }
    }
    Ok(())
}

fn common_dir(git_dir: &Path) -> Result<PathBuf, SourceError> {
    let file = git_dir.join("commondir");
    refuse(&file)?;
    Ok(git_dir.join(text(&file).trim_end()))
}

/// Paths under any section of includes, conditions aside: too many are looked at rather than too few.
fn included_by(config: &Path) -> Vec<PathBuf> {
    let text = text(config);
    let folder = config.parent().unwrap_or(config);
    let mut in_include = false;
    let mut paths = Vec::new();
    for line in text.lines().map(str::trim) {
        // A section's first setting may stand on its line.
        let setting = match line.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((section, rest)) => {
                in_include = section
                    .trim_start()
                    .to_ascii_lowercase()
                    .starts_with("include");
                rest
            }
            None => line,
        };
        let Some((name, value)) = setting.split_once('=').filter(|_| in_include) else {
            continue;
        };
        if name.trim().eq_ignore_ascii_case("path") {
            // What begins with ~/ is the person's own.
            paths.push(folder.join(value.trim().trim_matches('"')));
        }
    }
    paths
}

fn text(path: &Path) -> String {
    let bytes = regular::read(path, MAX_CONFIG_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn refuse(path: &Path) -> Result<(), SourceError> {
    let is_special = |meta: fs::Metadata| !meta.is_file() && !meta.is_dir();
    if fs::metadata(path).is_ok_and(is_special) {
        return Err(SourceError::SpecialFile {
            path: path.to_path_buf(),
        });
    }
    Ok(())
}
