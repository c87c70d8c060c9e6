//! SCIP indexes beside a repository: found, read, laid over a view.

use crate::Engine;
use crate::api::ScipImport;
use crate::clock::now_s;
use crate::code::symbols::GraphFacts;
use crate::error::{EngineError, Result};
use crate::registry::Registered;
use crate::views::LiveView;
use std::collections::BTreeSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::UNIX_EPOCH;
use whyrank_foreign::scip::{Index, read};
use whyrank_foreign::{Meant, Places};
use whyrank_graph::Precise;

/// Where indexers leave their index.
pub(crate) const USUAL: &str = "index.scip";
/// A larger file is not read.
const MAX_BYTES: u64 = 2 << 30;
/// Paths named in a note.
const MAX_NAMED: usize = 5;

/// An index laid over a view.
pub(crate) struct ScipRead {
    pub(crate) precise: Precise,
    import: ScipImport,
}

/// The file as it lies on disk: path, size, modification time in nanoseconds.
type Stamp = (PathBuf, u64, i64);
/// What was read last, and from what.
type ScipCache = Mutex<Option<(Stamp, Arc<ScipRead>)>>;

impl Engine {
    /// Sets the SCIP file that a repository's answers take in; `None` for `index.scip` in its root.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` for what is no file.
    pub fn set_scip(&self, repo: &str, file: Option<&Path>) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let full = file.map(|file| registered.root.join(file));
        if let Some(file) = full.as_ref().filter(|file| !file.is_file()) {
            return Err(EngineError::bad_argument(
                format!("no SCIP file at `{}`", file.display()),
                "give the file that an indexer wrote, such as `scip-typescript index`",
            ));
        }
        self.state.registry.set_scip(repo, full)
    }

    /// The precise edges of a view; `None` where there is no SCIP file.
    pub(crate) fn scip_of(&self, repo: &str, view: &LiveView) -> Result<Option<Arc<ScipRead>>> {
        let registered = self.state.registry.get(repo)?;
        let Some(stamp) = stamp(&registered) else {
            return Ok(None);
        };
        let kept = view.part::<ScipCache>();
        let mut cache = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, read)) = cache.as_ref().filter(|(of, _)| *of == stamp) {
            return Ok(Some(Arc::clone(read)));
        }
        let facts = view.graph_facts(true)?;
        let read = Arc::new(lay(&registered, view, &facts, &stamp)?);
        *cache = Some((stamp, Arc::clone(&read)));
        Ok(Some(read))
    }

    /// What was imported into the working tree's view, for `status`.
    pub(crate) fn scip_import(
        &self,
        repo: &Registered,
        view: &LiveView,
    ) -> Result<Option<ScipImport>> {
        if stamp(repo).is_none() {
            let lost = repo.scip.as_ref().map(|path| ScipImport {
                path: path.to_string_lossy().into_owned(),
                notes: vec!["the file is gone: run the indexer again".to_owned()],
                ..ScipImport::default()
            });
            return Ok(lost);
        }
        let read = self.scip_of(&repo.id, view)?;
        Ok(read.map(|read| read.import.clone()))
    }
}

fn stamp(repo: &Registered) -> Option<Stamp> {
    let path = repo.scip.clone().unwrap_or_else(|| repo.root.join(USUAL));
    let meta = path.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let since = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some((path, meta.len(), since.as_nanos() as i64))
}

fn lay(
    repo: &Registered,
    view: &LiveView,
    facts: &GraphFacts,
    (path, size_bytes, mtime_ns): &Stamp,
) -> Result<ScipRead> {
    let shown = path.strip_prefix(&repo.root).unwrap_or(path);
    let mut import = ScipImport {
        path: shown.to_string_lossy().replace('\\', "/"),
        age_s: now_s()
            .saturating_sub(mtime_ns / 1_000_000_000)
            .clamp(0, i64::from(u32::MAX)) as u32,
        ..ScipImport::default()
    };
    let index = match std::fs::File::open(path) {
        _ if *size_bytes > MAX_BYTES => {
            let limit = MAX_BYTES >> 30;
            import
                .notes
                .push(format!("not read: larger than {limit} GB"));
            Index::default()
        }
        Ok(file) => read(&mut BufReader::new(file)),
        Err(error) => {
            import.notes.push(format!("cannot be read: {error}"));
            Index::default()
        }
    };
    let inputs = facts.inputs(view);
    let pairs = pairs(repo, view, &index, shown, &mut import);
    let mut failed = None;
    let mut text = |file: u32| {
        let content = view.index.view.files[file as usize].content_id;
        let text = view.reader.text(content);
        text.map_err(|error| failed.get_or_insert(error).to_string())
            .ok()
    };
    let precise = Precise::new(&inputs, &index, &pairs, &mut text);
    if let Some(error) = failed {
        return Err(error.into());
    }
    describe(view, &index, &precise, &mut import);
    Ok(ScipRead { precise, import })
}

/// Which document speaks of which file.
fn pairs(
    repo: &Registered,
    view: &LiveView,
    index: &Index,
    shown: &Path,
    import: &mut ScipImport,
) -> Vec<(u32, u32)> {
    let places = Places::new(view.index.view.files.iter().map(|file| file.path.as_str()));
    let folder = shown.parent().unwrap_or(shown).to_string_lossy();
    let documents = index.documents.iter();
    let paths: Vec<&str> = documents.map(|document| document.path.as_str()).collect();
    let meant = places.all(&paths, &repo.root.to_string_lossy(), &folder);
    let mut pairs = Vec::new();
    let mut lost = BTreeSet::new();
    for (document, meant) in (0u32..).zip(meant) {
        match meant {
            Meant::File(file) => pairs.push((document, file)),
            _ => drop(lost.insert(paths[document as usize])),
        }
    }
    import.notes.extend(named("not in the index", &lost));
    pairs
}

fn describe(view: &LiveView, index: &Index, precise: &Precise, import: &mut ScipImport) {
    let files = &view.index.view.files;
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
    import.notes.extend(index.problems.iter().cloned());
}

fn named(what: &str, paths: &BTreeSet<&str>) -> Option<String> {
    let shown: Vec<&str> = paths.iter().copied().take(MAX_NAMED).collect();
    let more = if paths.len() > MAX_NAMED { ", …" } else { "" };
    let n = paths.len();
    (n > 0).then(|| format!("{n} {what}: {}{more}", shown.join(", ")))
}
