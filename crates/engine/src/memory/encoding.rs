//! Vectors for the memos that lack one: a batch at a time, so that memory is free for others in between.

use super::MemorySession;
use super::vectors::{MemoVectors, Missing};
use crate::Engine;
use crate::api::{EngineEvent, MemoEncoding, MemoMoment, RepoId};
use crate::error::{EngineError, Result, caught};
use whyrank_inference::BiEncoder;
use whyrank_memory::AsOf;

/// Texts of a batch: about a third of a second on two cores.
const BATCH: usize = 8;

/// Memos as a model compared them with a question.
#[derive(Default)]
pub(super) struct Compared {
    /// Versions by cosine, best first.
    pub(super) found: Vec<(u32, f32)>,
    /// What a reader should know where some have no vector yet.
    pub(super) note: Option<String>,
}

impl Engine {
    /// Makes vectors for the memos that hold now and lack one, newest first. `told` hears how far it
    /// is after each batch, and says whether to go on. What is made is kept: it can be ended at any
    /// time. About 40 ms a memo on a core.
    ///
    /// # Errors
    /// `model-missing` without an embedding model, `model` where it fails; those of memory.
    pub fn encode_memos(
        &self,
        repo: &RepoId,
        told: &mut dyn FnMut(&MemoEncoding) -> bool,
    ) -> Result<MemoEncoding> {
        let encoder = self.state.encoder();
        let encoder = encoder.map_err(|why| EngineError::new("model-missing", why, ""))?;
        let (missing, n_texts) =
            self.with_memory(repo, |session| session.missing(encoder.as_ref()))?;
        let mut encoding = MemoEncoding {
            repo: repo.to_owned(),
            done: (n_texts - missing.len()) as u32,
            total: n_texts as u32,
        };
        for batch in missing.chunks(BATCH) {
            if !told(&encoding) {
                break;
            }
            let texts: Vec<&str> = batch.iter().map(Missing::text).collect();
            let made = encoder.encode_documents(&texts, &|| false);
            let made = made.map_err(|error| EngineError::new("model", error.to_string(), ""))?;
            self.with_memory(repo, |session| {
                let vectors = session.vectors(encoder.as_ref());
                vectors.keep(batch.iter().zip(made));
                Ok(())
            })?;
            encoding.done += batch.len() as u32;
        }
        told(&encoding);
        Ok(encoding)
    }

    /// Gives memos that lack a vector one in the background from now on; listeners hear
    /// `MemoEncoding`. For processes that stay; others would take the time from their own answer.
    pub fn encode_memos_in_background(&self) {
        self.state.memories.encode_in_background();
    }

    /// Begins to make vectors in the background, where that was asked for and nobody does so yet.
    pub(super) fn encode_soon(&self, repo: &RepoId) {
        if !self.state.memories.begin_encoding(repo) {
            return;
        }
        let (engine, repo) = (self.clone(), repo.to_owned());
        let begun = std::thread::Builder::new()
            .name("whyrank-memo-vectors".to_owned())
            .spawn(move || engine.encode_until_done(&repo));
        if let Err(error) = begun {
            tracing::warn!(%error, "vectors of memos are not made in the background");
        }
    }

    fn encode_until_done(&self, repo: &RepoId) {
        let mut told = |encoding: &MemoEncoding| {
            let event = EngineEvent::MemoEncoding(encoding.clone());
            self.state.events.send(&event);
            true
        };
        let is_silent = self.state.encoder().is_err();
        if !is_silent && let Some(Err(error)) = caught(|| self.encode_memos(repo, &mut told)) {
            tracing::warn!(%error, "vectors of memos are not made");
        }
        self.state.memories.end_encoding(repo);
    }
}

impl MemorySession<'_> {
    /// The vectors of a model, as far as there are any.
    pub(super) fn vectors(&mut self, encoder: &dyn BiEncoder) -> &mut MemoVectors {
        let fingerprint = &encoder.spec().fingerprint;
        let path = self.open.memory.path();
        let known = self.open.vectors.take();
        let known = known.filter(|vectors| vectors.is_of(fingerprint));
        let known = known.unwrap_or_else(|| MemoVectors::open(path, fingerprint));
        self.open.vectors.insert(known)
    }

    /// The memos that hold by cosine with a question; none without a model.
    pub(super) fn cosines(&mut self, as_of: AsOf, text: &str) -> Result<Compared> {
        let wanted = self.holding(as_of)?;
        if text.trim().is_empty() || wanted.is_empty() {
            return Ok(Compared::default());
        }
        let Ok(encoder) = self.engine.state.encoder() else {
            return Ok(Compared::default());
        };
        self.vectors(encoder.as_ref());
        let open = &mut *self.open;
        let Some(vectors) = &mut open.vectors else {
            return Ok(Compared::default());
        };
        let ledger = open.memory.ledger();
        let (found, n_missing) = vectors.nearest(encoder.as_ref(), ledger, text, &wanted);
        if n_missing == 0 {
            return Ok(Compared { found, note: None });
        }
        self.engine.encode_soon(self.repo);
        let how = if self.engine.state.memories.is_encoding_in_background() {
            ""
        } else {
            " (`whyrank memo encode` makes them)"
        };
        let n = wanted.len();
        let note = format!(
            "{n_missing} of {n} memos have no vector yet and are found by their words{how}"
        );
        Ok(Compared {
            found,
            note: Some(note),
        })
    }

    /// The versions that hold, newest first.
    fn holding(&self, as_of: AsOf) -> Result<Vec<u32>> {
        let resolved_versions = self.snapshot(as_of)?.resolved_versions();
        let mut wanted: Vec<u32> = resolved_versions.iter().map(|one| one.version).collect();
        wanted.sort_unstable_by(|a, b| b.cmp(a));
        Ok(wanted)
    }

    /// The texts of memos that hold now and have no vector, newest first, and how many texts hold.
    fn missing(&mut self, encoder: &dyn BiEncoder) -> Result<(Vec<Missing>, usize)> {
        let as_of = self.as_of(&MemoMoment::default())?;
        let wanted = self.holding(as_of)?;
        self.vectors(encoder);
        let ledger = self.open.memory.ledger();
        let vectors = self.open.vectors.as_ref();
        Ok(vectors.map_or_else(Default::default, |vectors| vectors.missing(ledger, &wanted)))
    }
}

impl super::Memories {
    fn encode_in_background(&self) {
        let mut encoding = self.encoding();
        encoding.get_or_insert_default();
    }

    /// Whether the caller is to make the vectors of a repository's memos.
    fn begin_encoding(&self, repo: &RepoId) -> bool {
        let mut encoding = self.encoding();
        encoding
            .as_mut()
            .is_some_and(|at_work| at_work.insert(repo.to_owned()))
    }

    fn end_encoding(&self, repo: &RepoId) {
        if let Some(at_work) = self.encoding().as_mut() {
            at_work.remove(repo);
        }
    }

    fn encoding(&self) -> parking_lot::MutexGuard<'_, Option<std::collections::HashSet<RepoId>>> {
        self.encoding.lock()
    }

    pub(super) fn is_encoding_in_background(&self) -> bool {
        self.encoding().is_some()
    }
}
