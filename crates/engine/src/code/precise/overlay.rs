//! The SCIP indexes of a repository: found, read, laid over a view.
//!
//! Those that indexers wrote here, and the one that the person named; one that only lies in the usual
//! place is not read. The newest comes first for a file that several cover.

use super::made::{folder_of, made_indexes};
use super::scip_files::{ScipFile, ScipRead, USUAL};
use crate::Engine;
use crate::api::{RepoId, ScipImport};
use crate::clock::now_s;
use crate::code::graph_facts::GraphFacts;
use crate::code::reports::NamedReports;
use crate::error::{EngineError, Result};
use crate::interest::is_awaited;
use crate::registry::{NamedReport, Registered};
use crate::views::LiveView;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use whyrank_external::Budget;
use whyrank_external::scip::{Index, IndexReader};
use whyrank_external::{PathMatch, PathMatcher};
use whyrank_graph::ScipOverlay;

/// Paths named in a note.
const MAX_NAMED: usize = 5;

impl Engine {
    /// Sets the SCIP file that a repository's answers take in; `None` for none but those made here.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` for what is no file.
    pub fn set_scip(&self, repo: &RepoId, file: Option<&Path>) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let full = file.map(|file| registered.root.join(file));
        if let Some(file) = full.as_ref().filter(|file| !file.is_file()) {
            return Err(EngineError::bad_argument(
                format!("no SCIP file at `{}`", file.display()),
                "give the file that an indexer wrote, such as `scip-typescript index`",
            ));
        }
        match full {
            Some(file) => {
                self.use_reports(repo, std::slice::from_ref(&file))?;
                self.state.registry.set_scip(repo, Some(file))
            }
            None => {
                let usual = registered.root.join(USUAL);
                let others = |named: &mut Vec<NamedReport>| {
                    named.retain(|one| {
                        one.path != usual && Some(&one.path) != registered.scip.as_ref()
                    });
                };
                self.state.registry.set_reports(repo, others)?;
                self.state.registry.set_scip(repo, None)
            }
        }
    }

    /// The precise edges of a view; `None` where there is no SCIP file.
    pub(crate) fn scip_of(&self, repo: &RepoId, view: &LiveView) -> Result<Option<Arc<ScipRead>>> {
        // A compiler's index is of one repository.
        if view.pool.is_some() {
            return Ok(None);
        }
        let registered = self.state.registry.get(repo)?;
        let sources = sources(&registered, &self.state.paths.data_dir);
        if sources.is_empty() {
            return Ok(None);
        }
        let kept = || view.scip.lock();
        if let Some((_, read)) = kept().as_ref().filter(|(of, _)| *of == sources) {
            return Ok(Some(Arc::clone(read)));
        }
        // Nothing is held meanwhile: nobody waits for a reader.
        let facts = view.graph_facts(true)?;
        let mut budget = Budget::new(&is_awaited);
        let read = lay(&registered, view, &facts, &sources, &mut budget)?;
        if budget.is_cancelled() {
            return Err(EngineError::left());
        }
        let read = Arc::new(read);
        *kept() = Some((sources, Arc::clone(&read)));
        Ok(Some(read))
    }

    /// What was imported into the working tree's view, for `status`.
    pub(crate) fn scip_import(
        &self,
        repo: &Registered,
        view: &LiveView,
    ) -> Result<Option<ScipImport>> {
        if sources(repo, &self.state.paths.data_dir).is_empty() {
            let lost = repo.scip.as_ref().map(|path| ScipImport {
                path: path.to_string_lossy().into_owned(),
                notes: vec![
                    match path.is_file() {
                        true => "not read: another version was checked out since it was named",
                        false => "the file is gone: run the indexer again",
                    }
                    .to_owned(),
                ],
                ..ScipImport::default()
            });
            return Ok(lost);
        }
        let read = self.scip_of(&repo.id, view)?;
        Ok(read.map(|read| read.import.clone()))
    }
}

/// The indexes that there are, the newest first.
fn sources(repo: &Registered, data_dir: &Path) -> Vec<ScipFile> {
    let reports = NamedReports::of(repo);
    let named = repo.scip.clone().filter(|path| reports.is_used(path));
    let ours = folder_of(data_dir, &repo.id);
    let made = made_indexes(&ours).into_iter();
    let made = made.map(|made| (ours.join(made.file), Some(made.folder)));
    let all = made.chain(named.map(|named| (named, None)));
    let mut found: Vec<ScipFile> = all
        .filter_map(|(path, folder)| ScipFile::at(path, folder))
        .collect();
    for file in &mut found {
        file.is_brought = reports.is_brought(&file.path);
    }
    found.sort_by(|a, b| b.mtime_ns.cmp(&a.mtime_ns).then(a.path.cmp(&b.path)));
    found
}

fn lay(
    repo: &Registered,
    view: &LiveView,
    facts: &GraphFacts,
    sources: &[ScipFile],
    budget: &mut Budget<'_>,
) -> Result<ScipRead> {
    let mut reader = IndexReader::default();
    let mut read = Vec::new();
    for source in sources {
        let start = reader.n_documents();
        source.read(&mut reader, budget);
        let documents = start..reader.n_documents();
        read.push(SourceDocuments { source, documents });
    }
    let index = reader.finish();
    let mut import = ScipImport {
        path: sources
            .iter()
            .map(|source| source.shown(repo))
            .collect::<Vec<_>>()
            .join(", "),
        age_s: age_s(sources),
        brought: sources
            .iter()
            .filter(|source| source.is_brought)
            .map(|source| source.shown(repo))
            .collect(),
        ..ScipImport::default()
    };
    let inputs = facts.inputs(view);
    let (pairs, lost) = pairs(repo, view, &index, &read, budget);
    import.notes.extend(named("not in the index", &lost));
    let mut failed = None;
    let mut text = |file: u32| {
        let content = view.files[file as usize].content_id;
        let text = view.reader.text(content);
        text.map_err(|error| failed.get_or_insert(error).to_string())
            .ok()
    };
    let precise = ScipOverlay::new(&inputs, &index, &pairs, &mut text, budget);
    if let Some(error) = failed {
        return Err(error.into());
    }
    describe(view, &index, &precise, &mut import);
    if !budget.step(0) {
        let note = "left out: more work than an index of its size may make";
        import.notes.push(note.to_owned());
    }
    Ok(ScipRead { precise, import })
}

/// Of the oldest.
fn age_s(sources: &[ScipFile]) -> u32 {
    let oldest = sources.iter().map(|source| source.mtime_ns).min();
    let written_s = oldest.unwrap_or_default() / 1_000_000_000;
    now_s()
        .saturating_sub(written_s)
        .clamp(0, i64::from(u32::MAX)) as u32
}

/// The documents of an index that one of its files holds.
struct SourceDocuments<'s> {
    source: &'s ScipFile,
    documents: Range<usize>,
}

/// Pairs documents with the files that they cover, and gives the paths of those that cover none.
fn pairs<'i>(
    repo: &Registered,
    view: &LiveView,
    index: &'i Index,
    sources: &[SourceDocuments<'_>],
    budget: &mut Budget<'_>,
) -> (Vec<(u32, u32)>, BTreeSet<&'i str>) {
    let places = PathMatcher::new(view.files.iter().map(|file| file.path.as_str()));
    let documents = index.documents.iter();
    let paths: Vec<&str> = documents.map(|document| document.path.as_str()).collect();
    let mut pairs = Vec::new();
    let mut lost = BTreeSet::new();
    for SourceDocuments { source, documents } in sources {
        let shown = source.shown(repo);
        let beside = Path::new(&shown).parent().unwrap_or(Path::new(""));
        let folder = source.folder.clone();
        let folder = folder.unwrap_or_else(|| beside.to_string_lossy().into_owned());
        let meant = places.all(
            &paths[documents.clone()],
            &repo.root.to_string_lossy(),
            &folder,
            budget,
        );
        for (document, meant) in documents.clone().zip(meant) {
            match meant {
                PathMatch::File(file) => pairs.push((document as u32, file)),
                _ => drop(lost.insert(paths[document])),
            }
        }
    }
    (pairs, lost)
}

fn describe(view: &LiveView, index: &Index, precise: &ScipOverlay, import: &mut ScipImport) {
    let files = &view.files;
    let is_code = |file: &&whyrank_index::ViewFile| file.language.is_code();
    let of = |fits: bool| -> BTreeSet<&str> {
        let those = precise.fits().iter().filter(|fit| fit.fits == fits);
        those
            .map(|fit| files[fit.file as usize].path.as_str())
            .collect()
    };
    import.tool = index.tool.clone();
    import.n_documents = index.documents.len() as u32;
    import.n_files = of(true).len() as u32;
    import.n_code_files = files.iter().filter(is_code).count() as u32;
    import.n_uses = precise.n_uses() as u32;
    import
        .notes
        .extend(named("changed since, left out", &of(false)));
    let n_misnamed = precise.n_misnamed();
    if n_misnamed > 0 {
        let note = format!("{n_misnamed} uses over another name than their symbol's, left out");
        import.notes.push(note);
    }
    import.notes.extend(index.problems.iter().cloned());
}

fn named(what: &str, paths: &BTreeSet<&str>) -> Option<String> {
    let shown: Vec<&str> = paths.iter().copied().take(MAX_NAMED).collect();
    let more = if paths.len() > MAX_NAMED { ", …" } else { "" };
    let n = paths.len();
    (n > 0).then(|| format!("{n} {what}: {}{more}", shown.join(", ")))
}
