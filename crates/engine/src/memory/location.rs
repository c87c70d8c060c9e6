//! Where a repository's memory lies, and how it is found again when the repository was moved.
//!
//! A memory's file is named after the place of its repository. A note beside it says which place that
//! was, and whether the place uses the memory of another one. A repository whose own memory is empty
//! looks through the others for one that names its commits. Memories are shared by such a note or
//! merged by union when someone says so; no file is ever moved, copied over or deleted.

use super::place::Place;
use crate::Engine;
use crate::api::{MemoElsewhere, MemoHome, RepoId};
use crate::error::{EngineError, Result};
use crate::registry::{Registry, replace_file};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use whyrank_memory::{Endings, LAST_MOMENT_MS, Memory, MemoryHeader, peek_header};
use whyrank_source::{Repository, commit_from_hex};

/// The note beside a memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Home {
    /// The repository's or the folder's place.
    root: PathBuf,
    /// The memory that it uses instead of its own, by the name of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    uses: Option<String>,
    /// Someone said that it uses its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_settled: bool,
}

impl Home {
    fn path(folder: &Path, name: &str) -> PathBuf {
        folder.join(format!("{name}.json"))
    }

    fn read(folder: &Path, name: &str) -> Option<Self> {
        let text = fs::read_to_string(Self::path(folder, name)).ok()?;
        serde_json::from_str(&text).ok()
    }

    fn write(&self, folder: &Path, name: &str) -> Result<()> {
        let text = serde_json::to_string(self).unwrap_or_default();
        replace_file(&Self::path(folder, name), text.as_bytes())
    }
}

/// A memory that names commits of a repository, and the places that use it.
struct OtherMemory {
    name: String,
    header: MemoryHeader,
    n_here: usize,
    roots: Vec<PathBuf>,
    /// One of the places still has its commits.
    is_there: bool,
}

/// The file of a place's memory: its own, or the one that it uses. Notes where the place is.
pub(super) fn settle(folder: &Path, own: &str, root: &Path) -> PathBuf {
    let known = Home::read(folder, own);
    // Working trees of one repository share its memory: any of them is its place.
    let is_noted = |home: &Home| home.root == root || home.root.exists();
    if !known.as_ref().is_some_and(is_noted) {
        let home = Home {
            root: root.to_owned(),
            ..known.clone().unwrap_or_default()
        };
        // On a read-only disk the place is looked up in the list of repositories.
        let _ = home.write(folder, own);
    }
    let used = known.and_then(|home| home.uses);
    let used = used
        .map(|name| file(folder, &name))
        .filter(|file| file.exists());
    used.unwrap_or_else(|| file(folder, own))
}

fn file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.db"))
}

impl Engine {
    /// Tells where the memory of a repository or folder lies, and others that name its commits.
    ///
    /// # Errors
    /// `unknown-repository`, `io`.
    pub fn memory_home(&self, repo: &RepoId) -> Result<MemoHome> {
        let place = self.memory_place(repo)?;
        let found = others(&place, &self.state.registry)?;
        let roots = |one: &OtherMemory| one.roots.first().cloned().unwrap_or_default();
        Ok(MemoHome {
            file: place.file.display().to_string(),
            used_from: place.used_from().map(|root| root.display().to_string()),
            found: found
                .iter()
                .filter(|one| file(&place.folder, &one.name) != place.file)
                .map(|one| MemoElsewhere {
                    path: roots(one).display().to_string(),
                    name: one.name.clone(),
                    n_memos: one.header.n_memos,
                    n_commits: one.header.commits.len() as u32,
                    n_here: one.n_here as u32,
                    is_there: one.is_there,
                })
                .collect(),
        })
    }

    /// Lets a repository or folder use the memory that was recorded at another place, given by its
    /// path or the name of its file. What it had so far is added to that by union, and stays where it
    /// was as well.
    ///
    /// # Errors
    /// `not-found` where there is no such memory, `bad-argument` for its own; those of an import.
    pub fn attach_memory(&self, repo: &RepoId, from: &str) -> Result<MemoHome> {
        let place = self.memory_place(repo)?;
        let name = named(&place, &self.state.registry, from)?;
        if file(&place.folder, &name) == place.file {
            return Err(EngineError::bad_argument(
                format!("the memory of {from} is the one that is used here"),
                "see `whyrank memo home`",
            ));
        }
        let own = Memory::open(&place.file)?.ledger().export();
        if !own.is_empty() {
            Memory::open(&file(&place.folder, &name))?.import(
                &own,
                LAST_MOMENT_MS,
                Endings::TakeIn,
            )?;
        }
        place.use_memory(Some(&name))?;
        self.memory_home(repo)
    }

    /// Goes back to a place's own memory. What was recorded meanwhile stays in the one that was used.
    ///
    /// # Errors
    /// `bad-argument` where its own is used.
    pub fn detach_memory(&self, repo: &RepoId) -> Result<MemoHome> {
        let place = self.memory_place(repo)?;
        if place.used_from().is_none() {
            return Err(EngineError::bad_argument(
                "this place uses its own memory",
                "see `whyrank memo home`",
            ));
        }
        place.use_memory(None)?;
        self.memory_home(repo)
    }
}

impl Place {
    /// Where the memory was recorded that is used instead of its own.
    fn used_from(&self) -> Option<PathBuf> {
        let name = Home::read(&self.folder, &self.own)?.uses?;
        let home = Home::read(&self.folder, &name);
        Some(home.map_or_else(|| file(&self.folder, &name), |home| home.root))
    }

    fn use_memory(&self, name: Option<&str>) -> Result<()> {
        let home = Home {
            root: self.root.clone(),
            uses: name.map(str::to_owned),
            is_settled: true,
        };
        home.write(&self.folder, &self.own)
    }

    /// The place's own memory where it uses another one.
    pub(super) fn own_file(&self) -> Option<PathBuf> {
        let own = file(&self.folder, &self.own);
        (own != self.file && own.exists()).then_some(own)
    }

    /// Looks for the memory of a repository that was moved; its own has nothing yet.
    ///
    /// It is taken where it is the only one that names this repository's commits, half of them at
    /// least, and the place where it was recorded has them no more. Else a note says what there is.
    /// The answer is a note for anyone who asks, and whether another memory is used from now on.
    pub(super) fn look_for_memory(&self, registry: &Registry) -> Result<(bool, Option<String>)> {
        let home = Home::read(&self.folder, &self.own).unwrap_or_default();
        if self.repository.is_none() || home.uses.is_some() || home.is_settled {
            return Ok((false, None));
        }
        let found = others(self, registry)?;
        let root = |one: &OtherMemory| match one.roots.first() {
            Some(root) => root.display().to_string(),
            None => one.name.clone(),
        };
        match found.as_slice() {
            [] => Ok((false, None)),
            [one] if !one.is_there && 2 * one.n_here >= one.header.commits.len() => {
                let home = Home {
                    uses: Some(one.name.clone()),
                    root: self.root.clone(),
                    ..home
                };
                home.write(&self.folder, &self.own)?;
                Ok((
                    true,
                    Some(format!(
                        "{} memos recorded at {} followed the repository here (`whyrank memo detach` undoes it)",
                        one.header.n_memos,
                        root(one)
                    )),
                ))
            }
            several => {
                let most = several.iter().max_by_key(|one| one.header.n_memos);
                Ok((
                    false,
                    most.map(|one| {
                        format!(
                            "{} memos of this history were recorded at {}: `whyrank memo attach {}` uses them here",
                            one.header.n_memos,
                            root(one),
                            root(one)
                        )
                    }),
                ))
            }
        }
    }
}

/// Memories of other places that name commits of a place's repository.
fn others(place: &Place, registry: &Registry) -> Result<Vec<OtherMemory>> {
    let Some(repository) = &place.repository else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for name in names(&place.folder)? {
        if name == place.own || name.starts_with("folder-") {
            continue;
        }
        // One that cannot be read is nobody's; opening it by name says why.
        let Ok(header) = peek_header(&file(&place.folder, &name)) else {
            continue;
        };
        let n_here = n_known(repository, &header.commits);
        if header.n_memos == 0 || n_here == 0 {
            continue;
        }
        let roots = roots_of(place, registry, &name);
        let has = |root: &PathBuf| {
            let known = Repository::discover(root);
            known.is_ok_and(|known| known.root() == root && n_known(&known, &header.commits) > 0)
        };
        let is_there = roots.iter().any(has);
        found.push(OtherMemory {
            name,
            n_here,
            roots,
            is_there,
            header,
        });
    }
    Ok(found)
}

fn n_known(repository: &Repository, commits: &[String]) -> usize {
    let ids = commits.iter().filter_map(|sha| commit_from_hex(sha));
    ids.filter(|id| repository.commit_info(*id).is_ok()).count()
}

/// The names of all memories, in order.
fn names(folder: &Path) -> Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EngineError::io(folder, &error)),
    };
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let name = name.strip_suffix(".db")?;
            (!name.ends_with(".vectors")).then(|| name.to_owned())
        })
        .collect();
    names.sort();
    Ok(names)
}

/// The places that use a memory: its own first, then those that were attached to it. A memory without
/// a note is looked up among the registered repositories.
fn roots_of(place: &Place, registry: &Registry, name: &str) -> Vec<PathBuf> {
    let mut roots: Vec<PathBuf> = Home::read(&place.folder, name)
        .into_iter()
        .map(|home| home.root)
        .collect();
    if roots.is_empty() {
        let known = registry.all().unwrap_or_default();
        let own = known.into_iter().filter(|repo| repo.store_key() == name);
        roots.extend(own.map(|repo| repo.root));
    }
    let others = names(&place.folder).unwrap_or_default();
    let users = others
        .iter()
        .filter_map(|other| Home::read(&place.folder, other))
        .filter(|home| home.uses.as_deref() == Some(name));
    roots.extend(
        users
            .map(|home| home.root)
            .filter(|root| *root != place.root),
    );
    roots
}

/// The memory that someone means: by the place where it was recorded, or by the name of its file.
fn named(place: &Place, registry: &Registry, from: &str) -> Result<String> {
    let given = Path::new(from);
    let full = given.canonicalize().unwrap_or_else(|_| given.to_owned());
    let all = names(&place.folder)?;
    let is_meant = |name: &&String| {
        let roots = roots_of(place, registry, name);
        name.as_str() == from || roots.iter().any(|root| *root == full || root == given)
    };
    let meant: Vec<&String> = all
        .iter()
        .filter(|name| **name != place.own)
        .filter(is_meant)
        .collect();
    match meant.as_slice() {
        [one] => Ok((*one).clone()),
        [] => Err(EngineError::new(
            "not-found",
            format!("no memory was recorded at {from}"),
            "`whyrank memo home` lists those that name commits of this repository",
        )),
        _ => Err(EngineError::bad_argument(
            format!("several memories were recorded at {from}"),
            "give the name of one: see `whyrank memo home --json`",
        )),
    }
}
