//! A search from its first file to its last: files are searched at the same time, and printed in order.

use crate::file_index::FileIndex;
use crate::flags::Mode;
use crate::judge::Judge;
use crate::options::Search;
use crate::output::Output;
use crate::walk::{SearchedFile, Step};
use crate::worker::{Searched, Worker};
use grep_printer::Stats;
use parking_lot::Mutex;
use rayon::prelude::*;
use std::io::{self, Write};
use std::time::Instant;

/// Files that are searched together: the next ones are looked for meanwhile.
const BATCH_FILES: usize = 512;
/// The first batch is small: who asks sees something soon.
const FIRST_FILES: usize = 16;

/// The outcome of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Something matched, or was listed.
    pub has_match: bool,
    /// Something could not be read.
    pub has_failed: bool,
    /// Lines that were printed without the secrets in them.
    pub n_struck: u64,
    /// Files that match and are not told of: all that they hold is secret.
    pub n_left_out: u64,
    is_quiet: bool,
}

impl Outcome {
    /// The exit code that ripgrep has for it.
    pub fn exit_code(&self) -> u8 {
        match (self.has_match, self.has_failed) {
            (true, failed) if self.is_quiet || !failed => 0,
            (_, true) => 2,
            _ => 1,
        }
    }
}

/// Workers that search files at the same time.
struct Pool<'r> {
    search: &'r Search,
    index: &'r dyn FileIndex,
    judge: Judge,
    /// Workers that are at nothing.
    idle: Mutex<Vec<Worker<'r>>>,
}

impl Pool<'_> {
    fn search(&self, files: &[SearchedFile]) -> Vec<Searched> {
        let search_file = |file: &SearchedFile| {
            let idle = self.idle.lock().pop();
            let mut worker = idle.unwrap_or_else(|| Worker::new(self.search));
            let searched = worker.search(file, self.index, &self.judge);
            self.idle.lock().push(worker);
            searched
        };
        files.par_iter().map(search_file).collect()
    }
}

/// A search under way.
struct Run<'r> {
    search: &'r Search,
    pool: Pool<'r>,
    out: &'r mut dyn Write,
    note: &'r dyn Fn(&str),
    outcome: Outcome,
    has_searched: bool,
    has_printed: bool,
    stats: Stats,
}

impl Search {
    /// Searches, and prints to `out`; `note` gets what could not be read, a line each.
    ///
    /// # Errors
    /// The error of writing. Who does not read any more ends the search, and is no error.
    pub fn run(
        &self,
        index: &dyn FileIndex,
        out: &mut dyn Write,
        note: &dyn Fn(&str),
    ) -> io::Result<Outcome> {
        let started = Instant::now();
        let mut run = Run {
            search: self,
            pool: Pool {
                search: self,
                index,
                judge: Judge::new(&self.folder),
                idle: Mutex::default(),
            },
            out,
            note,
            outcome: Outcome {
                is_quiet: self.flags.switches.quiet,
                ..Outcome::default()
            },
            has_searched: false,
            has_printed: false,
            stats: Stats::new(),
        };
        let done = if self.mode == Mode::Files {
            run.list()
        } else if self.may_match() {
            run.search()
        } else {
            return Ok(run.outcome);
        };
        let done = done.and_then(|()| run.end(started));
        match done {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
            _ => Ok(run.outcome),
        }
    }
}

impl Run<'_> {
    fn list(&mut self) -> io::Result<()> {
        let search = self.search;
        let mut output = Output::new(search.is_coloured, search.is_terminal);
        let printer = search.path_printer();
        for step in search.walk() {
            let Some(file) = self.noted(step) else {
                continue;
            };
            self.outcome.has_match = true;
            if search.stops_at_match() {
                return Ok(());
            }
            printer.build(&mut output).write(file.path())?;
            self.out.write_all(&output.take())?;
        }
        Ok(())
    }

    fn search(&mut self) -> io::Result<()> {
        let mut walk = self.search.walk();
        let mut batch = next_batch(&mut walk, FIRST_FILES);
        while !batch.is_empty() {
            let files: Vec<SearchedFile> = batch
                .into_iter()
                .filter_map(|step| self.noted(step))
                .collect();
            self.has_searched |= !files.is_empty();
            let pool = &self.pool;
            let (searched, next) = rayon::join(
                || pool.search(&files),
                || next_batch(&mut walk, BATCH_FILES),
            );
            for of_file in searched {
                self.print(of_file)?;
                if self.outcome.has_match && self.search.stops_at_match() {
                    return Ok(());
                }
            }
            batch = next;
        }
        Ok(())
    }

    fn print(&mut self, searched: Searched) -> io::Result<()> {
        self.outcome.has_match |= searched.has_match;
        self.outcome.n_struck += searched.n_struck;
        self.outcome.n_left_out += u64::from(searched.is_left_out);
        if let Some(stats) = &searched.stats {
            self.stats += stats;
        }
        if !searched.printed.is_empty() {
            let between = self.search.between_files().filter(|_| self.has_printed);
            self.out.write_all(between.unwrap_or_default())?;
            self.out.write_all(&searched.printed)?;
            self.has_printed = true;
        }
        if let Some(failed) = searched.failed {
            self.fail(&failed);
        }
        Ok(())
    }

    fn end(&mut self, started: Instant) -> io::Result<()> {
        if self.search.is_implicit && !self.has_searched && self.search.mode != Mode::Files {
            self.fail(
                "no file was searched: what is here may be ignored; --no-ignore or -uu searches it",
            );
        }
        if self.search.mode == Mode::Json {
            let elapsed = started.elapsed();
            let summary = serde_json::json!({
                "type": "summary",
                "data": {
                    "stats": self.stats,
                    "elapsed_total": {
                        "secs": elapsed.as_secs(),
                        "nanos": elapsed.subsec_nanos(),
                        "human": format!("{:0.6}s", elapsed.as_secs_f64()),
                    },
                },
            });
            writeln!(self.out, "{summary}")?;
        }
        self.out.flush()
    }

    /// The file that a walk came by; what else it came by is said.
    fn noted(&mut self, step: Step) -> Option<SearchedFile> {
        match step {
            Step::File(file) => return Some(file),
            Step::Failed(error) => self.fail(&error),
            Step::BadRule(error) if !self.search.flags.no_ignore.messages => self.say(&error),
            Step::BadRule(_) => {}
        }
        None
    }

    fn fail(&mut self, error: &str) {
        self.outcome.has_failed = true;
        self.say(error);
    }

    fn say(&self, text: &str) {
        if !self.search.flags.switches.no_messages {
            (self.note)(text);
        }
    }
}

fn next_batch(walk: &mut (impl Iterator<Item = Step> + Send), most: usize) -> Vec<Step> {
    walk.take(most).collect()
}
