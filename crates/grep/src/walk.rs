//! The files of a search, in the order of their paths.

use crate::flags::Mode;
use crate::options::Search;
use ignore::{DirEntry, Walk, WalkBuilder};
use std::path::Path;

/// A file to be searched.
pub(crate) struct SearchedFile {
    entry: DirEntry,
    is_implicit: bool,
}

impl SearchedFile {
    /// The file as it is shown.
    pub(crate) fn path(&self) -> &Path {
        let path = self.entry.path();
        if self.is_implicit {
            path.strip_prefix("./").unwrap_or(path)
        } else {
            path
        }
    }

    pub(crate) fn is_input(&self) -> bool {
        self.entry.is_stdin()
    }

    /// It was named itself, not a folder that it lies in.
    pub(crate) fn is_named(&self) -> bool {
        self.is_input() || (self.entry.depth() == 0 && !self.is_folder())
    }

    fn is_folder(&self) -> bool {
        let Some(kind) = self.entry.file_type() else {
            return false;
        };
        kind.is_dir() || (self.entry.path_is_symlink() && self.entry.path().is_dir())
    }

    fn is_file(&self) -> bool {
        self.entry.file_type().is_some_and(|kind| kind.is_file())
    }
}

/// A step of a walk.
pub(crate) enum Step {
    File(SearchedFile),
    /// Something that could not be read, in words.
    Failed(String),
    /// An ignore file that makes no sense; files are ignored as far as it does.
    BadRule(String),
}

impl Search {
    /// Walks through what is to be searched.
    pub(crate) fn walk(&self) -> impl Iterator<Item = Step> + Send + use<> {
        let mut early = Vec::new();
        let walk = self.walker(&mut early);
        let is_implicit = self.is_implicit;
        let steps = walk.flat_map(move |entry| steps_of(entry, is_implicit));
        early.into_iter().chain(steps)
    }

    fn walker(&self, early: &mut Vec<Step>) -> Walk {
        let flags = &self.flags;
        let no = flags.no_ignore;
        let mut builder = WalkBuilder::new(&self.paths[0]);
        for path in &self.paths[1..] {
            builder.add(path);
        }
        if !no.files {
            for path in &flags.ignore_files {
                let failed = builder.add_ignore(path);
                early.extend(failed.map(|error| Step::BadRule(error.to_string())));
            }
        }
        builder
            .max_depth(flags.max_depth)
            .follow_links(flags.switches.follow)
            .max_filesize(flags.max_filesize)
            .same_file_system(flags.switches.one_file_system)
            .skip_stdout(self.mode != Mode::Files)
            .overrides(self.globs.clone())
            .types(self.types.clone())
            .hidden(!flags.switches.hidden)
            .parents(!no.parent)
            .ignore(!no.dot)
            .git_global(!no.vcs && !no.global)
            .git_ignore(!no.vcs)
            .git_exclude(!no.vcs && !no.exclude)
            .require_git(!no.require_git)
            .ignore_case_insensitive(flags.ignore_files_any_case)
            .current_dir(&self.folder)
            .sort_by_file_name(|a, b| a.cmp(b));
        if !no.dot {
            builder.add_custom_ignore_filename(".rgignore");
        }
        builder.build()
    }
}

fn steps_of(entry: Result<DirEntry, ignore::Error>, is_implicit: bool) -> Vec<Step> {
    let entry = match entry {
        Ok(entry) => entry,
        Err(error) => return vec![Step::Failed(error.to_string())],
    };
    let mut steps = Vec::with_capacity(1);
    steps.extend(entry.error().map(|error| Step::BadRule(error.to_string())));
    let file = SearchedFile { entry, is_implicit };
    // Of the others only files: no links, unless they are followed.
    if file.is_named() || file.is_file() {
        steps.push(Step::File(file));
    }
    steps
}
