//! Which indexers fit a repository, and exactly what a run of each would do.

use super::indexers::{INDEXERS, Indexer, IndexerSource, NPM_INSTALL, NPM_PROGRAMS, Projects};
use super::made::{UNFINISHED, folder_of};
use crate::api::{IndexerCommand, IndexerPlan, IndexerState};
use crate::registry::Registered;
use crate::views::LiveView;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use whyrank_system::program::{Program, SearchPath};

/// Manifests that are passed as arguments; a command line has an end.
const MAX_LISTED: usize = 200;

/// What a run needs to know of a repository.
pub(super) struct Site<'s> {
    pub(super) repo: &'s Registered,
    /// Paths of the view, with the share of each language.
    pub(super) files: Vec<(&'s str, &'static str)>,
    /// Where indexers are installed to.
    pub(super) tools: PathBuf,
    /// Where indexes, logs and scratch files go.
    pub(super) out: PathBuf,
    pub(super) path: SearchPath,
}

/// A command with what it is for.
pub(super) struct Step {
    pub(super) program: Program,
    /// The index that it writes and the folder that its paths start in; `None` for an installation.
    pub(super) index: Option<(PathBuf, String)>,
}

impl<'s> Site<'s> {
    pub(super) fn new(repo: &'s Registered, view: &'s LiveView, data_dir: &Path) -> Self {
        let files = view.files.iter();
        Self {
            repo,
            files: files
                .map(|file| (file.path.as_str(), file.language.name()))
                .collect(),
            tools: data_dir.join("tools"),
            out: folder_of(data_dir, &repo.id),
            path: SearchPath::outside(Some(&repo.root)),
        }
    }

    /// The indexers that fit, those for most files first.
    pub(super) fn plans(&self) -> Vec<IndexerPlan> {
        let mut plans: Vec<IndexerPlan> =
            INDEXERS.iter().filter_map(|one| self.plan(one)).collect();
        plans.sort_by(|a, b| b.n_files.cmp(&a.n_files).then(a.id.cmp(&b.id)));
        plans
    }

    fn plan(&self, indexer: &Indexer) -> Option<IndexerPlan> {
        let spoken = |language: &&str| indexer.languages.contains(language);
        let languages = self.files.iter().map(|(_, language)| *language);
        let n_files = languages.clone().filter(|one| spoken(one)).count() as u32;
        if n_files == 0 || self.projects(indexer).is_empty() {
            return None;
        }
        let found = self.installed(indexer);
        let state = match (&found, self.installer(indexer)) {
            (Some(_), _) => IndexerState::Ready,
            (None, Some(_)) => IndexerState::Installable,
            (None, None) => IndexerState::Missing,
        };
        let steps = self.steps(indexer).unwrap_or_default();
        Some(IndexerPlan {
            id: indexer.id.to_owned(),
            languages: languages
                .filter(spoken)
                .map(str::to_owned)
                .collect::<BTreeSet<_>>()
                .into_iter()
                .collect(),
            n_files,
            state,
            program: found.map(|file| file.to_string_lossy().into_owned()),
            commands: commands(&steps),
            runs_code: indexer.runs_code.map(str::to_owned),
            how_to_get: match state {
                IndexerState::Missing => how_to_get(indexer),
                IndexerState::Ready | IndexerState::Installable => String::new(),
            },
        })
    }

    /// What a run does, in order; `None` where the program is missing and cannot be fetched.
    pub(super) fn steps(&self, indexer: &Indexer) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        let program = match self.installed(indexer) {
            Some(program) => program,
            None => {
                let (installer, installed) = self.installer(indexer)?;
                steps.push(Step {
                    program: installer,
                    index: None,
                });
                installed
            }
        };
        for (at, folder) in self.projects(indexer).into_iter().enumerate() {
            let out = self
                .out
                .join(format!("{}-{at}.scip.{UNFINISHED}", indexer.id));
            let mut args: Vec<String> = indexer
                .args
                .iter()
                .map(|arg| self.filled(arg, indexer, &out))
                .collect();
            args.extend(self.listed(indexer));
            let place = if folder.is_empty() {
                self.repo.root.clone()
            } else {
                self.repo.root.join(&folder)
            };
            steps.push(Step {
                program: Program::new(&program, place).args(args),
                index: Some((out, folder)),
            });
        }
        Some(steps)
    }

    fn installed(&self, indexer: &Indexer) -> Option<PathBuf> {
        let ours = self.place(indexer).filter(|file| self.path.has(file));
        ours.or_else(|| self.path.find(indexer.program))
    }

    /// Where an indexer that is fetched lies.
    fn place(&self, indexer: &Indexer) -> Option<PathBuf> {
        match indexer.source {
            IndexerSource::Npm(_) => Some(self.tools.join(NPM_PROGRAMS).join(indexer.program)),
            IndexerSource::ByHand(_) => None,
        }
    }

    /// What fetches an indexer, and where it lies then.
    fn installer(&self, indexer: &Indexer) -> Option<(Program, PathBuf)> {
        let (IndexerSource::Npm(package), Some(place)) = (indexer.source, self.place(indexer))
        else {
            return None;
        };
        let tools = self.tools.to_string_lossy();
        let args = NPM_INSTALL.iter().map(|arg| arg.replace("{tools}", &tools));
        let npm = Program::new(self.path.find("npm")?, &self.tools)
            .args(args)
            .args([package]);
        Some((npm, place))
    }

    /// The folders that an indexer is started in, from the root; the root is empty.
    fn projects(&self, indexer: &Indexer) -> Vec<String> {
        match indexer.projects {
            Projects::Root | Projects::Listed => vec![String::new()],
            Projects::Topmost => topmost(self.manifests(indexer).iter().map(|path| folder(path))),
        }
    }

    /// The manifests of the first name that there is, those nearest to the root first.
    fn manifests(&self, indexer: &Indexer) -> Vec<&str> {
        for name in indexer.manifests {
            let is_named = |path: &str| path.rsplit('/').next() == Some(name);
            let known = self.files.iter().map(|(path, _)| *path);
            let mut found: Vec<&str> = known.filter(|path| is_named(path)).collect();
            // What is not indexed, as generated manifests are not, counts in the root.
            if found.is_empty() && self.repo.root.join(name).is_file() {
                found.push(name);
            }
            if !found.is_empty() {
                found.sort_by_key(|path| (path.matches('/').count(), *path));
                return found;
            }
        }
        Vec::new()
    }

    /// Manifests as arguments; the scratch file where there is none.
    fn listed(&self, indexer: &Indexer) -> Vec<String> {
        if indexer.projects != Projects::Listed {
            return Vec::new();
        }
        let found = self.manifests(indexer);
        if found.is_empty() {
            self.scratch(indexer)
                .into_iter()
                .map(|path| text_of(&path))
                .collect()
        } else {
            found
                .into_iter()
                .take(MAX_LISTED)
                .map(|path| text_of(&self.repo.root.join(path)))
                .collect()
        }
    }

    /// Where the scratch file of an indexer lies.
    pub(super) fn scratch(&self, indexer: &Indexer) -> Option<PathBuf> {
        let scratch = indexer.scratch?;
        Some(self.out.join(indexer.id).join(scratch.name))
    }

    fn filled(&self, arg: &str, indexer: &Indexer, out: &Path) -> String {
        let config = self.scratch(indexer).unwrap_or_default();
        arg.replace("{out}", &text_of(out))
            .replace("{config}", &text_of(&config))
            .replace("{name}", &plain(&self.repo.name))
    }
}

/// How a person gets an indexer.
pub(super) fn how_to_get(indexer: &Indexer) -> String {
    match indexer.source {
        IndexerSource::ByHand(how) => how.to_owned(),
        IndexerSource::Npm(_) => "install npm, then run this again".to_owned(),
    }
}

fn text_of(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A name that no program reads as an option.
fn plain(name: &str) -> String {
    let kept = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '.');
    let name: String = name
        .chars()
        .map(|char| if kept(char) { char } else { '_' })
        .collect();
    match name.trim_start_matches('.') {
        "" => "project".to_owned(),
        name => name.to_owned(),
    }
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The folders that lie in none of the others, in order.
fn topmost<'p>(folders: impl Iterator<Item = &'p str>) -> Vec<String> {
    let all: BTreeSet<&str> = folders.collect();
    let is_below = |folder: &str, other: &str| {
        other.is_empty()
            || folder
                .strip_prefix(other)
                .is_some_and(|rest| rest.starts_with('/'))
    };
    let is_topmost = |folder: &&&str| {
        let mut others = all.iter().filter(|other| other != folder);
        !others.any(|other| is_below(folder, other))
    };
    all.iter()
        .filter(is_topmost)
        .map(|one| (*one).to_owned())
        .collect()
}

/// Steps as a person is shown them, and agrees to them.
pub(super) fn commands(steps: &[Step]) -> Vec<IndexerCommand> {
    let shown = steps.iter().map(|step| IndexerCommand {
        line: line(&step.program),
        folder: text_of(&step.program.folder),
    });
    shown.collect()
}

/// A program with its arguments, as a shell would be told.
pub(super) fn line(program: &Program) -> String {
    let args = program.args.iter().map(|arg| arg.to_string_lossy());
    let words = std::iter::once(program.path.to_string_lossy()).chain(args);
    let words: Vec<String> = words.map(|word| quoted(&word)).collect();
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "-_./=:@+,".contains(char);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projects_are_the_topmost_folders() {
        let folders = ["crates/a", "crates", "tools/x", "crates-b"];
        assert_eq!(
            topmost(folders.into_iter()),
            ["crates", "crates-b", "tools/x"]
        );
        assert_eq!(topmost(["", "a"].into_iter()), [""]);
    }

    #[test]
    fn what_a_manifest_may_name_is_said_or_not_read() {
        use super::super::indexers::by_id;
        let clang = by_id("scip-clang").and_then(|one| one.runs_code);
        assert!(clang.is_some_and(|code| code.contains("compiler")));
        let ruby = by_id("scip-ruby").expect("it is listed");
        assert!(ruby.args.contains(&"--no-config"));
    }

    #[test]
    fn names_are_no_options_and_words_are_quoted() {
        assert_eq!(plain("--rm -rf"), "__rm__rf");
        assert_eq!(plain("..."), "project");
        assert_eq!(quoted("/a b"), "'/a b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
    }
}
