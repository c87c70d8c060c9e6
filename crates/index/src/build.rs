//! Lane 1: scan, parse, catalog, lexical store, graph; then the view is published.

use crate::catalog::{
    Links, NewContent, NewGraph, NewView, NewViewFile, ViewFileRow, ViewKey, ViewRow,
};
use crate::control::{JobControl, Stage};
use crate::error::{IndexError, Result};
use crate::grams::GramLimits;
use crate::names::NamesLimits;
use crate::names::Outline;
use crate::store::Writer;
use crate::view::{self, GraphRecord};
use crate::worktree_record::{WorktreeRecord, describe_view};
use rayon::prelude::*;
use std::collections::HashMap;
use std::ops::ControlFlow;
use whyrank_graph::{FileSource, ImportGraph, ManifestInput, RULES};
use whyrank_source::{
    BlobId, FileFilter, Listing, Repository, SkipReason, SkippedFile, SourceError, SourceFile,
    blob_id,
};
use whyrank_syntax::{Import, Language};

/// Files parsed between two looks at the job's control.
const BATCH_FILES: usize = 64;
/// Text after which a first build first shows what it has so far; each further part is twice as
/// large, up to the largest: who asks early gets something, and showing costs little in all.
const FIRST_PART_BYTES: u64 = 1 << 20;
const LARGEST_PART_BYTES: u64 = 8 << 20;
/// Changed files whose imports are compared with what they were; with more the graph is made anew.
const MOST_COMPARED: usize = 100;
/// Files whose text tells where modules have their roots: what [`ImportGraph::resolve`] is given.
const MANIFEST_NAMES: [&str; 6] = [
    "package.json",
    "go.mod",
    "Cargo.toml",
    "composer.json",
    "pyproject.toml",
    "pubspec.yaml",
];

/// Tells whether a file says where modules lie, by its name; `tsconfig.base.json` too, which others extend.
pub fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_script_config =
        (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json");
    is_script_config || MANIFEST_NAMES.contains(&name)
}

/// What an update did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpdateReport {
    /// Files of the view.
    pub n_files: usize,
    /// Files left out.
    pub n_skipped: usize,
    /// Contents that had to be parsed.
    pub n_parsed: usize,
    /// Whether readers see a new view.
    pub changed: bool,
}

/// A file of the listing on its way to a content.
struct Pending<'a> {
    file: &'a SourceFile,
    /// Its content: the listing's, or the one that it was parsed with.
    blob: BlobId,
    content_id: Option<i64>,
}

/// A parsed file.
struct Parsed {
    language: Language,
    text: String,
    outline: Outline,
    links: Links,
    error: Option<String>,
}

enum ParseOutcome {
    Parsed(Box<Parsed>),
    Skipped(SkippedFile),
    Gone,
}

impl Writer {
    /// Brings a view up to date with its working tree or commit. `now_s`: seconds since the epoch.
    ///
    /// # Errors
    /// [`IndexError::Cancelled`] when the control says so; what was parsed so far is kept for the
    /// next run, and the view that was live stays.
    pub fn update_view(
        &mut self,
        repository: &Repository,
        key: &ViewKey,
        now_s: i64,
        control: &dyn JobControl,
    ) -> Result<UpdateReport> {
        let before = self.catalog.view(key)?;
        let known = match &before {
            Some(view) => self.catalog.view_files(view.view_id)?,
            None => Vec::new(),
        };
        let fingerprint = match key {
            ViewKey::Worktree(_) => repository.fingerprint()?,
            // A commit does not change; what the user hides does.
            ViewKey::Commit(_) => repository.hidden_digest(),
        };
        let mut record = before
            .as_ref()
            .map_or_else(WorktreeRecord::default, |view| {
                WorktreeRecord::of_rows(&known, view)
            });
        record.judge_by(repository.judged_by());
        let listing = match key {
            ViewKey::Worktree(_) => list(repository, &record, control)?,
            ViewKey::Commit(commit) => self.list_commit(repository, commit, control)?,
        };
        let (title, commit) = describe_view(repository, key)?;
        let mut update = Update {
            writer: self,
            repository,
            key,
            title,
            commit,
            fingerprint,
            now_s,
            n_expected: listing.files.len() as u32,
            skipped: listing.skipped.clone(),
            n_parsed: 0,
            is_first: before.is_none(),
            unflipped_bytes: 0,
            part_bytes: FIRST_PART_BYTES,
        };
        update.run(&listing, before.as_ref(), &known, control)
    }

    /// Lists a commit. What other views have of it is not read again.
    fn list_commit(
        &self,
        repository: &Repository,
        commit: &str,
        control: &dyn JobControl,
    ) -> Result<Listing> {
        control.progress(Stage::Scan, 0, 0, None);
        let rules = repository.judged_by();
        let mut known: HashMap<(String, BlobId), u64> = HashMap::new();
        for (key, _) in self.catalog.views()? {
            let judged_alike = |view: &ViewRow| view.fingerprint.split(' ').next() == Some(&rules);
            if let Some(view) = self.catalog.view(&key)?.filter(judged_alike) {
                let files = self.catalog.view_files(view.view_id)?.into_iter();
                known.extend(files.map(|file| ((file.path, file.blob), file.size_bytes)));
            }
        }
        let size = |path: &str, blob: BlobId| known.get(&(path.to_owned(), blob)).copied();
        let commit = repository.resolve(commit)?;
        Ok(repository.list_commit(commit, &repository.filter(), &size)?)
    }
}

fn list(
    repository: &Repository,
    known: &WorktreeRecord,
    control: &dyn JobControl,
) -> Result<Listing> {
    control.progress(Stage::Scan, 0, 0, None);
    let filter = repository.filter();
    let listing = repository.list_worktree(&filter, known, &mut |n_files| {
        control.progress(Stage::Scan, n_files, 0, None);
        if control.should_stop() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    listing.map_err(|error| {
        if control.should_stop() {
            IndexError::Cancelled
        } else {
            error.into()
        }
    })
}

struct Update<'a> {
    writer: &'a mut Writer,
    repository: &'a Repository,
    key: &'a ViewKey,
    title: String,
    commit: Option<String>,
    fingerprint: String,
    now_s: i64,
    n_expected: u32,
    skipped: Vec<SkippedFile>,
    n_parsed: usize,
    is_first: bool,
    /// Text written since readers last saw something new.
    unflipped_bytes: u64,
    /// How much of it is worth showing.
    part_bytes: u64,
}

impl Update<'_> {
    fn run(
        &mut self,
        listing: &Listing,
        before: Option<&ViewRow>,
        known: &[ViewFileRow],
        control: &dyn JobControl,
    ) -> Result<UpdateReport> {
        let mut pending = self.match_known(&listing.files, known)?;
        if let Some(view) = before.filter(|view| self.is_unchanged(view, &pending, known)) {
            self.writer
                .catalog
                .touch_view(view.view_id, &self.fingerprint, self.now_s)?;
            self.writer.go_live()?;
            self.writer.follow_static()?;
            self.keep_derived();
            return Ok(self.report(&pending, false));
        }
        self.parse_missing(&mut pending, control)?;
        self.writer.commit_contents()?;
        control.progress(Stage::Graph, 0, 1, None);
        if self.keeps_graph(&pending, before, known)? {
            self.publish(&pending, NewGraph::Kept)?;
        } else {
            let graph = self.graph(&pending)?.stored()?;
            self.publish(&pending, NewGraph::Made(&graph))?;
        }
        self.keep_derived();
        control.progress(Stage::Graph, 1, 1, None);
        control.searchable();
        Ok(self.report(&pending, true))
    }

    /// What cannot be written now is read from the catalog, and the next update tries again.
    fn keep_derived(&mut self) {
        let _ = self.writer.keep_names(self.key, NamesLimits::default());
        let _ = self.writer.keep_grams(self.key, GramLimits::default());
    }

    fn report(&self, pending: &[Pending<'_>], changed: bool) -> UpdateReport {
        UpdateReport {
            n_files: pending
                .iter()
                .filter(|file| file.content_id.is_some())
                .count(),
            n_skipped: self.skipped.len(),
            n_parsed: self.n_parsed,
            changed,
        }
    }

    /// Finds the contents that the store has already, by blob.
    fn match_known<'f>(
        &self,
        files: &'f [SourceFile],
        known: &[ViewFileRow],
    ) -> Result<Vec<Pending<'f>>> {
        let by_path: HashMap<(&str, BlobId), i64> = known
            .iter()
            .map(|row| ((row.path.as_str(), row.blob), row.content_id))
            .collect();
        files
            .iter()
            .map(|file| {
                let content_id = match by_path.get(&(file.path.as_str(), file.blob)) {
                    Some(content_id) => Some(*content_id),
                    None => self.content_of(file)?,
                };
                Ok(Pending {
                    file,
                    blob: file.blob,
                    content_id,
                })
            })
            .collect()
    }

    /// The content of a file whose language its name tells; others are read to be sure.
    fn content_of(&self, file: &SourceFile) -> Result<Option<i64>> {
        match whyrank_syntax::detect(&file.path, b"") {
            Some(language) => self.writer.catalog.content(file.blob, language.name()),
            None => Ok(None),
        }
    }

    fn is_unchanged(&self, view: &ViewRow, pending: &[Pending<'_>], known: &[ViewFileRow]) -> bool {
        let same_files = pending.len() == known.len()
            && pending.iter().zip(known).all(|(pending, row)| {
                pending.content_id == Some(row.content_id)
                    && pending.file.path == row.path
                    && pending.file.mtime_ns == row.mtime_ns
            });
        same_files
            && view.title == self.title
            && view.commit == self.commit
            && view.n_expected == self.n_expected
    }

    fn parse_missing(
        &mut self,
        pending: &mut [Pending<'_>],
        control: &dyn JobControl,
    ) -> Result<()> {
        let missing: Vec<usize> = (0..pending.len())
            .filter(|&idx| pending[idx].content_id.is_none())
            .collect();
        let n_missing = missing.len();
        for (batch_idx, batch) in missing.chunks(BATCH_FILES).enumerate() {
            let current = pending[batch[0]].file.path.clone();
            control.progress(
                Stage::Parse,
                batch_idx * BATCH_FILES,
                n_missing,
                Some(&current),
            );
            if control.should_stop() {
                self.writer.commit_contents()?;
                return Err(IndexError::Cancelled);
            }
            self.parse_batch(pending, batch)?;
            if self.is_first && self.unflipped_bytes > self.part_bytes {
                self.show_part(pending, control)?;
            }
        }
        control.progress(Stage::Parse, n_missing, n_missing, None);
        Ok(())
    }

    fn parse_batch(&mut self, pending: &mut [Pending<'_>], batch: &[usize]) -> Result<()> {
        // libgit2 handles are not shared between threads: read here, parse on the pool.
        let texts: Vec<(usize, Result<Vec<u8>>)> = batch
            .iter()
            .map(|&idx| (idx, self.read(pending[idx].file)))
            .collect();
        let filter = self.repository.filter();
        let outcomes: Vec<(usize, BlobId, ParseOutcome)> = texts
            .into_par_iter()
            .map(|(idx, bytes)| {
                // It may have been written since it was listed; a text under the name of another
                // would be wrong for as long as the store lives.
                let blob = bytes
                    .as_ref()
                    .map_or(pending[idx].blob, |bytes| blob_id(bytes));
                (idx, blob, parse(&pending[idx].file.path, bytes, &filter))
            })
            .collect();
        let mut parsed: Vec<(usize, Box<Parsed>)> = Vec::with_capacity(outcomes.len());
        for (idx, blob, outcome) in outcomes {
            pending[idx].blob = blob;
            match outcome {
                ParseOutcome::Parsed(file) => parsed.push((idx, file)),
                ParseOutcome::Skipped(skipped) => self.skipped.push(skipped),
                ParseOutcome::Gone => {}
            }
        }
        self.write_batch(pending, parsed)
    }

    fn read(&self, file: &SourceFile) -> Result<Vec<u8>> {
        Ok(match self.key {
            ViewKey::Worktree(_) => self.repository.read_worktree(&file.path)?,
            ViewKey::Commit(_) => self.repository.read_blob(file.blob)?,
        })
    }

    /// Writes parsed files; a content that stands at several paths is written once.
    fn write_batch(
        &mut self,
        pending: &mut [Pending<'_>],
        parsed: Vec<(usize, Box<Parsed>)>,
    ) -> Result<()> {
        let mut unique: HashMap<(BlobId, &'static str), usize> = HashMap::new();
        let mut new: Vec<usize> = Vec::new();
        for (slot, (idx, file)) in parsed.iter().enumerate() {
            let blob = pending[*idx].blob;
            if let Some(content_id) = self.writer.catalog.content(blob, file.language.name())? {
                pending[*idx].content_id = Some(content_id);
            } else if let std::collections::hash_map::Entry::Vacant(entry) =
                unique.entry((blob, file.language.name()))
            {
                entry.insert(new.len());
                new.push(slot);
            }
        }
        let contents: Vec<NewContent<'_>> = new
            .iter()
            .map(|&slot| {
                let (idx, file) = &parsed[slot];
                NewContent {
                    blob: pending[*idx].blob,
                    language: file.language.name(),
                    text: &file.text,
                    outline: &file.outline,
                    links: &file.links,
                    error: file.error.as_deref(),
                }
            })
            .collect();
        let rows = self.writer.insert_contents(&contents)?;
        self.unflipped_bytes += contents
            .iter()
            .map(|content| content.text.len() as u64)
            .sum::<u64>();
        self.n_parsed += contents.len();
        for (idx, file) in &parsed {
            if let Some(&at) = unique.get(&(pending[*idx].blob, file.language.name())) {
                pending[*idx].content_id.get_or_insert(rows[at].content_id);
            }
        }
        Ok(())
    }

    /// Shows what a first build has so far: useful at once, and said to be partial.
    fn show_part(&mut self, pending: &[Pending<'_>], control: &dyn JobControl) -> Result<()> {
        self.writer.commit_contents()?;
        self.publish(pending, NewGraph::None)?;
        self.part_bytes = (2 * self.part_bytes).min(LARGEST_PART_BYTES);
        control.searchable();
        Ok(())
    }

    fn publish(&mut self, pending: &[Pending<'_>], graph: NewGraph<'_>) -> Result<()> {
        let files: Vec<NewViewFile<'_>> = pending
            .iter()
            .filter_map(|file| {
                Some(NewViewFile {
                    path: &file.file.path,
                    content_id: file.content_id?,
                    size_bytes: file.file.size_bytes,
                    mtime_ns: file.file.mtime_ns,
                })
            })
            .collect();
        // A view without its graph is never whole, even when all its files are there; and files that
        // turned out to be gone or unreadable no longer count as expected at the end.
        let n_files = files.len() as u32;
        let n_expected = if matches!(graph, NewGraph::None) {
            self.n_expected.max(n_files + 1)
        } else {
            n_files
        };
        self.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        self.skipped.dedup_by(|a, b| a.path == b.path);
        self.writer.flip_view(&NewView {
            key: self.key,
            title: &self.title,
            commit: self.commit.as_deref(),
            fingerprint: &self.fingerprint,
            updated_at: self.now_s,
            n_expected,
            files: &files,
            skipped: &self.skipped,
            graph,
        })?;
        self.unflipped_bytes = 0;
        Ok(())
    }

    /// Whether the view's graph stays as it is, because nothing changed that it follows from: this
    /// version's rules, the same files and manifests, and in files that are other than before the same
    /// imports.
    fn keeps_graph(
        &self,
        pending: &[Pending<'_>],
        before: Option<&ViewRow>,
        known: &[ViewFileRow],
    ) -> Result<bool> {
        let shown = pending
            .iter()
            .filter_map(|file| Some((file.file.path.as_str(), file.content_id?)));
        let paths = shown.clone().map(|(path, _)| path);
        let Some(view) = before.filter(|_| paths.eq(known.iter().map(|row| row.path.as_str())))
        else {
            return Ok(false);
        };
        let changed = shown
            .zip(known)
            .filter(|((_, content_id), row)| *content_id != row.content_id);
        for (n_changed, ((path, content_id), row)) in changed.enumerate() {
            if n_changed == MOST_COMPARED
                || !follows_from_imports(path, &row.language)
                || self.imports(content_id)? != self.imports(row.content_id)?
            {
                return Ok(false);
            }
        }
        let end = RULES.len();
        let end = self.writer.catalog.view_graph_end(view.view_id, end)?;
        Ok(end.is_some_and(|end| GraphRecord::is_by_these_rules(&end)))
    }

    /// The imports of a content, wherever they stand.
    fn imports(&self, content_id: i64) -> Result<Vec<Import>> {
        let mut imports = self.writer.catalog.links(content_id)?.imports;
        for import in &mut imports {
            import.line = 0;
        }
        Ok(imports)
    }

    /// The language of a file as far as imports go: its name says it, else its content, as its first line does
    /// (`#!/usr/bin/env php`); of a notebook its kernel.
    fn language(&self, path: &str, content_id: i64) -> Result<&'static str> {
        let named = whyrank_syntax::detect(path, b"").filter(|named| named.is_code());
        let by_content = match named.filter(|_| !path.ends_with(".ipynb")) {
            None => Language::from_name(&self.writer.catalog.language(content_id)?),
            Some(_) => None,
        };
        Ok(by_content.or(named).map_or("text", Language::name))
    }

    fn graph(&self, pending: &[Pending<'_>]) -> Result<GraphRecord> {
        let shown = pending
            .iter()
            .filter_map(|file| Some((file.file.path.as_str(), file.content_id?)));
        let mut manifests: Vec<(&str, String)> = Vec::new();
        for (path, content_id) in shown.clone() {
            if is_manifest(path) {
                manifests.push((path, self.writer.catalog.text(content_id)?));
            }
        }
        let manifests: Vec<ManifestInput<'_>> = manifests
            .iter()
            .map(|(path, text)| ManifestInput { path, text })
            .collect();
        let named = |(path, id)| Ok((path, self.language(path, id)?, id));
        let files = shown.map(named).collect::<Result<Vec<_>>>()?;
        let facts = self.writer.view_facts(files.into_iter())?;
        let mut imports = ImportGraph::default();
        facts.open(&mut |open| imports = ImportGraph::resolve(open.files, &manifests));
        facts.outcome()?;
        Ok(GraphRecord {
            file_rank: imports.page_rank(),
            imports,
        })
    }
}

/// Whether nothing but the imports of a file makes it the graph's, in the language that it had.
fn follows_from_imports(path: &str, language: &str) -> bool {
    !is_manifest(path)
        && whyrank_syntax::detect(path, b"").is_some_and(|now| now.name() == language)
        && ImportGraph::follows_from_imports(language)
}

fn parse(path: &str, bytes: Result<Vec<u8>>, filter: &FileFilter) -> ParseOutcome {
    let skipped = |reason| {
        let path = path.to_owned();
        ParseOutcome::Skipped(SkippedFile { path, reason })
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(IndexError::Source(SourceError::PathMissing { .. })) => return ParseOutcome::Gone,
        Err(error) => {
            let message = error.to_string();
            return skipped(SkipReason::Unreadable { message });
        }
    };
    let text = match whyrank_source::shown(path, &bytes, filter) {
        Ok(text) => text,
        Err(reason) => return skipped(reason),
    };
    let head = &text.as_bytes()[..text.len().min(4096)];
    let language = whyrank_syntax::detect(path, head).unwrap_or_else(view::plain_text);
    let facts = whyrank_syntax::analyze(&text, language);
    let error = facts
        .errors
        .first()
        .map(|error| format!("line {}: {}", error.line, error.message));
    ParseOutcome::Parsed(Box::new(Parsed {
        language,
        text: text.into_owned(),
        outline: Outline {
            symbols: facts.symbols,
            chunks: facts.chunks,
        },
        links: Links {
            references: facts.references,
            locals: facts.locals,
            imports: facts.imports,
        },
        error,
    }))
}
