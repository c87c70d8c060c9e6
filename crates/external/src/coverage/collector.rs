//! Takes what a reader finds, within limits.

use crate::Budget;

use super::report::{
    At, CoverageFormat, FileCoverage, FunctionHits, LineHits, MAX_PROBLEMS, MAX_RECORDS, Problem,
    Report,
};

/// Longer names and paths are damage.
const MAX_NAME_BYTES: usize = 4096;
/// Folders of sources that are tried.
const MAX_ROOTS: usize = 50;
/// A later line is damage, too.
const MAX_LINE: u32 = 10_000_000;

pub(super) struct Collector<'b, 'a> {
    budget: &'b mut Budget<'a>,
    pub(super) format: Option<CoverageFormat>,
    pub(super) roots: Vec<String>,
    pub(super) written_s: Option<i64>,
    files: Vec<FileCoverage>,
    problems: Vec<Problem>,
    n_more_problems: u32,
    n_records: usize,
    is_spent: bool,
}

impl<'b, 'a> Collector<'b, 'a> {
    pub(super) fn new(budget: &'b mut Budget<'a>) -> Self {
        Self {
            budget,
            format: None,
            roots: Vec::new(),
            written_s: None,
            files: Vec::new(),
            problems: Vec::new(),
            n_more_problems: 0,
            n_records: 0,
            is_spent: false,
        }
    }

    /// Takes the step of a line or tag; false when the rest is to be left out.
    pub(super) fn step(&mut self, at: At) -> bool {
        let goes_on = self.budget.step(1);
        if !goes_on && !std::mem::replace(&mut self.is_spent, true) {
            self.problem(
                at,
                "more work than a file of its size may make; the rest is left out",
            );
        }
        !self.is_spent
    }

    /// A folder that relative paths may stand in. Each is tried with every path.
    pub(super) fn root(&mut self, root: &str, at: At) {
        if self.roots.len() < MAX_ROOTS {
            self.roots.push(cut(root));
        } else {
            self.problem(at, "a folder of sources more than any report has");
        }
    }

    /// Starts a file; what follows belongs to it.
    pub(super) fn file(&mut self, path: &str, at: At) {
        if !self.has_room(at) {
            return;
        }
        if path.is_empty() || path.len() > MAX_NAME_BYTES {
            self.problem(at, "a file without a usable path");
        }
        self.files.push(FileCoverage {
            path: cut(path),
            ..FileCoverage::default()
        });
    }

    pub(super) fn line(&mut self, first: u32, last: u32, hits: u64, at: At) {
        if first == 0 || last < first || first > MAX_LINE {
            self.problem(at, &format!("no line {first}"));
        } else if let Some(file) = self.take(at) {
            file.lines.push(LineHits { first, last, hits });
        }
    }

    pub(super) fn function(&mut self, name: &str, line: u32, hits: u64, at: At) {
        if let Some(file) = self.take(at) {
            let name = cut(name);
            file.functions.push(FunctionHits { name, line, hits });
        }
    }

    pub(super) fn problem(&mut self, at: At, message: &str) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem {
                at,
                message: message.to_owned(),
            })
        } else {
            self.n_more_problems = self.n_more_problems.saturating_add(1)
        }
    }

    pub(super) fn report(mut self) -> Option<Report> {
        let format = self.format?;
        self.files.retain(|file| !file.path.is_empty());
        Some(Report {
            format,
            files: self.files,
            roots: self.roots,
            written_s: self.written_s,
            problems: self.problems,
            n_more_problems: self.n_more_problems,
        })
    }

    /// The file at work, while there is room.
    fn take(&mut self, at: At) -> Option<&mut FileCoverage> {
        if self.step(at) && self.has_room(at) {
            self.files.last_mut()
        } else {
            None
        }
    }

    /// Says whether one more record is kept: a file, a line, a function or its name.
    pub(super) fn has_room(&mut self, at: At) -> bool {
        self.n_records += 1;
        if self.n_records == MAX_RECORDS {
            self.problem(at, "too many records; the rest is left out");
        }
        self.n_records < MAX_RECORDS
    }
}

fn cut(name: &str) -> String {
    name.chars().take(MAX_NAME_BYTES).collect()
}
