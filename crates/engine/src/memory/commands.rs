//! What changes memory: remember, edit, supersede, forget, mark, purge, re-anchor, import.

use super::MemorySession;
use super::calendar::{LEAD_MS, clock_ms};
use super::queries::kind_of;
use super::vectors::MemoVectors;
use super::view::author_of;
use crate::Engine;
use crate::api::{
    MemoActRequest, MemoAuthor, MemoConflict, MemoDone, MemoEditRequest, MemoEnding, MemoExport,
    MemoImport, MemoMark, MemoMoment, RememberRequest, RepoId,
};
use crate::error::{EngineError, Result};
use std::path::Path;
use whyrank_memory::{
    Anchor, AnchorState, AsOf, Author, AuthorKind, Change, Draft, Edit, Ending, Endings, Fact,
    FactWriter, Field, Memory, Point, Snapshot, Tier, check_anchor,
};
use whyrank_source::CommitId;

/// Memos named that an import would end.
const MAX_ENDINGS: usize = 50;

type Facts = whyrank_memory::Result<Vec<Fact>>;

impl Engine {
    /// Records a memo; one that it supersedes ends at the same commit.
    ///
    /// # Errors
    /// `bad-argument` (empty, too long, kind, tier, anchors), `not-found` for the memo to supersede,
    /// `unknown-revision`, `memory-read-only`, `disk-full`, `busy`.
    pub fn remember(&self, request: &RememberRequest) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let kind = match request.kind.trim() {
                "" => kind_of("context")?,
                kind => kind_of(kind)?,
            };
            let tier = tier_of(&request.tier)?;
            let draft = Draft {
                content: request.content.trim().to_owned(),
                kind,
                tags: request.tags.clone(),
                anchors: session.anchors(&request.anchors)?,
                confidence: request.confidence.unwrap_or(1.0),
            };
            let old = request.supersedes.as_deref();
            let facts = session.write(
                request.at.as_deref(),
                &request.author,
                |writer, snapshot| {
                    let mut facts = writer.add(draft)?;
                    let (memo, version) = first_version(&facts);
                    if tier != Tier::Normal {
                        facts.push(writer.mark(&memo, Field::Tier(tier)));
                    }
                    if let Some(old) = old {
                        let old = snapshot.ledger().find(old)?.to_owned();
                        facts.extend(writer.end(&snapshot.holding(&old)?, Some(&version)));
                    }
                    Ok(facts)
                },
            )?;
            session.done(&first_version(&facts).0)
        })
    }

    /// Records another version of a memo; the one before ends at the same commit.
    ///
    /// # Errors
    /// As [`Engine::remember`], and `not-found` for the memo or a version.
    pub fn edit_memo(&self, request: &MemoEditRequest) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let id = session.open.memory.ledger().find(&request.memo)?.to_owned();
            let edit = session.edit_of(request)?;
            let ledger = session.open.memory.ledger();
            let base: Vec<u32> = request
                .base
                .iter()
                .map(|version| ledger.find_version(version))
                .collect::<whyrank_memory::Result<_>>()?;
            session.write(
                request.at.as_deref(),
                &request.author,
                |writer, snapshot| {
                    let parents = if base.is_empty() {
                        snapshot.seen(&id)?
                    } else {
                        base
                    };
                    let change = match (edit.change, parents.len()) {
                        (Change::Edit, 2..) => Change::Resolve,
                        (change, _) => change,
                    };
                    writer.edit(&id, &parents, Edit { change, ..edit })
                },
            )?;
            session.done(&id)
        })
    }

    /// Ends a memo at a commit. Its history stays.
    ///
    /// # Errors
    /// `bad-argument` where it does not hold; as [`Engine::edit_memo`].
    pub fn forget_memo(&self, request: &MemoActRequest) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let id = session.open.memory.ledger().find(&request.memo)?.to_owned();
            session.write(
                request.at.as_deref(),
                &request.author,
                |writer, snapshot| Ok(writer.end(&snapshot.holding(&id)?, None)),
            )?;
            session.done(&id)
        })
    }

    /// Ends one memo because another, that there is already, takes its place.
    ///
    /// # Errors
    /// As [`Engine::forget_memo`].
    pub fn supersede_memo(&self, request: &MemoActRequest, by: &str) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let ledger = session.open.memory.ledger();
            let (id, by) = (
                ledger.find(&request.memo)?.to_owned(),
                ledger.find(by)?.to_owned(),
            );
            if id == by {
                return Err(EngineError::bad_argument(
                    "a memo cannot supersede itself",
                    "edit it instead",
                ));
            }
            session.write(
                request.at.as_deref(),
                &request.author,
                |writer, snapshot| {
                    let follows = snapshot.holding(&by)?;
                    let follows = follows
                        .last()
                        .and_then(|idx| snapshot.ledger().version(*idx));
                    let follows = follows.map(|version| version.id.clone());
                    Ok(writer.end(&snapshot.holding(&id)?, follows.as_deref()))
                },
            )?;
            session.done(&id)
        })
    }

    /// Sets a memo's tier or pin, or says that it contradicts another one not.
    ///
    /// # Errors
    /// As [`Engine::edit_memo`].
    pub fn mark_memo(&self, request: &MemoActRequest, mark: &MemoMark) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let ledger = session.open.memory.ledger();
            let id = ledger.find(&request.memo)?.to_owned();
            let says = match mark {
                MemoMark::Tier(tier) => Field::Tier((*tier).into()),
                MemoMark::Pinned(pinned) => Field::Pinned(*pinned),
                MemoMark::Agrees(other) => Field::Agrees(ledger.find(other)?.to_owned()),
            };
            session.write(None, &request.author, |writer, _| {
                Ok(vec![writer.mark(&id, says)])
            })?;
            session.done(&id)
        })
    }

    /// Deletes a memo and its history for good, and overwrites where they stood. The number of its
    /// versions is the answer.
    ///
    /// # Errors
    /// As [`Engine::edit_memo`].
    pub fn purge_memo(&self, request: &MemoActRequest) -> Result<u32> {
        self.with_memory(&request.repo, |session| {
            let ledger = session.open.memory.ledger();
            let id = ledger.find(&request.memo)?.to_owned();
            let n_versions = ledger.memo(&id).map_or(0, |facts| facts.versions.len());
            session.write(None, &request.author, |writer, _| {
                Ok(vec![writer.purge(&id)])
            })?;
            session.open.memory.scrub()?;
            if let Some(own) = session.place.own_file() {
                purge_copy(&own, &id, session.author(&request.author), clock_ms())?;
            }
            session.open.vectors = None;
            MemoVectors::clear(session.open.memory.path());
            Ok(n_versions as u32)
        })
    }

    /// Lets the anchors follow the code: every one that was found again is anchored to where it is now.
    ///
    /// # Errors
    /// `bad-argument` where nothing moved or changed; as [`Engine::edit_memo`].
    pub fn reanchor_memo(&self, request: &MemoActRequest) -> Result<MemoDone> {
        self.with_memory(&request.repo, |session| {
            let as_of = session.as_of(&MemoMoment::default())?;
            let id = session.open.memory.ledger().find(&request.memo)?.to_owned();
            let (anchors, n_followed) = session.followed(as_of, &id)?;
            if n_followed == 0 {
                return Err(EngineError::bad_argument(
                    "no anchor of this memo has moved or changed and was found again",
                    "see `whyrank memo drift`",
                ));
            }
            let edit = Edit {
                anchors: Some(anchors),
                change: Change::Anchor,
                ..Edit::default()
            };
            session.write(
                request.at.as_deref(),
                &request.author,
                |writer, snapshot| writer.edit(&id, &snapshot.seen(&id)?, edit),
            )?;
            session.done(&id)
        })
    }

    /// Writes everything that is recorded, one fact a line.
    ///
    /// # Errors
    /// Those of opening the memory; damage is in the answer.
    pub fn export_memos(&self, repo: &RepoId) -> Result<MemoExport> {
        self.with_memory(repo, |session| {
            // What damage there is shows only when everything was looked at.
            let mut damaged = session.open.memory.damaged().to_vec();
            if let Err(error) = session.open.memory.check() {
                damaged.push(error.to_string());
            }
            let text = session.open.memory.ledger().export();
            Ok(MemoExport {
                n_facts: text.lines().count() as u32,
                text,
                damaged,
            })
        })
    }

    /// Takes in an export, all of it or nothing. What would end, demote or unpin a memo that is here is left
    /// out unless `endings` says so; the answer names it either way.
    ///
    /// # Errors
    /// `bad-argument` for a line that is no fact, was changed, or names what cannot be; as [`Engine::remember`].
    pub fn import_memos(&self, repo: &RepoId, text: &str, endings: Endings) -> Result<MemoImport> {
        self.with_memory(repo, |session| {
            let latest_ms = session.now_ms + LEAD_MS;
            let imported = session.open.memory.import(text, latest_ms, endings)?;
            session.open.refresh(session.place, None)?;
            let as_of = session.as_of(&MemoMoment::default())?;
            let n_conflicts = session.open.conflicts(&session.snapshot(as_of)?).len();
            session.engine.encode_soon(repo);
            Ok(MemoImport {
                n_added: imported.n_added as u32,
                n_known: imported.n_known as u32,
                n_purged: imported.n_purged as u32,
                n_kept: imported.n_kept as u32,
                n_edited: imported.n_edited as u32,
                n_endings: imported.endings.len() as u32,
                are_endings_taken: endings == Endings::TakeIn,
                endings: session.endings(&imported.endings),
                n_conflicts: n_conflicts as u32,
            })
        })
    }
}

impl MemorySession<'_> {
    fn endings(&self, endings: &[Ending]) -> Vec<MemoEnding> {
        let ledger = self.open.memory.ledger();
        let text = |memo: &str| {
            let newest = ledger.memo(memo)?.versions.last();
            Some(ledger.version(*newest?)?.content.clone())
        };
        let first = endings.iter().take(MAX_ENDINGS);
        first
            .map(|ending| MemoEnding {
                memo: ending.memo.as_str().into(),
                content: text(&ending.memo).unwrap_or_default(),
                act: ending.act.into(),
                author: author_of(&ending.author),
            })
            .collect()
    }

    /// Records what `make` makes, as of a commit.
    fn write(
        &mut self,
        at: Option<&str>,
        author: &MemoAuthor,
        make: impl FnOnce(&FactWriter<'_>, &Snapshot<'_>) -> Facts,
    ) -> Result<Vec<Fact>> {
        let commit = self.commit(at)?;
        self.open.follow_history(self.place, commit)?;
        let author = self.author(author);
        let clock = clock_ms();
        let commit_history = self.place.repository.as_ref();
        let commit_history = commit_history.and(self.open.commit_history.as_ref());
        let remembered = |recorded_at: i64| {
            let history = &commit_history?.history;
            history.remember(commit?, recorded_at)
        };
        let point_at = |recorded_at: i64| match (
            at,
            commit.and_then(|commit| remembered(0).map(|fact| (commit, fact))),
        ) {
            // Written for an earlier commit, it holds since that was committed.
            (Some(_), Some((_, fact))) => fact.at,
            _ => recorded_at,
        };
        let facts = self.open.memory.write(clock, |ledger, recorded_at| {
            let as_of = AsOf {
                commit,
                time_ms: recorded_at,
                known_at: i64::MAX,
            };
            let writer = FactWriter {
                ledger,
                recorded_at,
                clock: (recorded_at != clock).then_some(clock),
                at: Point {
                    sha: commit.map(|commit| commit.to_string()),
                    at: point_at(recorded_at),
                },
                commit: remembered(recorded_at),
                author,
            };
            // Another process may have named commits since: those are placed at the next look.
            let is_current = commit_history
                .is_none_or(|commit_history| commit_history.n_placed() == ledger.shas().len());
            let snapshot = is_current
                .then(|| Snapshot::new(ledger, commit_history, as_of))
                .flatten();
            match snapshot {
                Some(snapshot) => make(&writer, &snapshot),
                None => Err(whyrank_memory::MemoryError::BadField {
                    what: "another process recorded at the same moment".to_owned(),
                    hint: "nothing was recorded: try again".to_owned(),
                }),
            }
        })?;
        self.open.refresh(self.place, commit)?;
        self.engine.encode_soon(self.repo);
        self.now_ms = clock.max(self.open.memory.ledger().last_recorded_at());
        Ok(facts)
    }

    fn author(&self, author: &MemoAuthor) -> Author {
        let of_git = || {
            self.place
                .repository
                .as_ref()
                .and_then(whyrank_source::Repository::user_name)
        };
        let name = match author.name.trim() {
            "" => of_git().unwrap_or_else(|| "someone".to_owned()),
            name => name.to_owned(),
        };
        Author {
            kind: if author.is_client {
                AuthorKind::Client
            } else {
                AuthorKind::Person
            },
            name,
            call: author.call.clone(),
        }
    }

    fn edit_of(&self, request: &MemoEditRequest) -> Result<Edit> {
        let ledger = self.open.memory.ledger();
        let mut edit = Edit {
            content: request.content.as_ref().map(|text| text.trim().to_owned()),
            kind: request.kind.as_deref().map(kind_of).transpose()?,
            tags: request.tags.clone(),
            anchors: None,
            confidence: request.confidence,
            change: Change::Edit,
            since_start: request.since_start,
        };
        if let Some(version) = &request.revert_to {
            let version = ledger.find_version(version)?;
            if let Some(version) = ledger.version(version) {
                edit.content = Some(version.content.clone());
                edit.kind = Some(version.kind);
                edit.tags = Some(version.tags.clone());
                edit.anchors = Some(version.anchors.clone());
                edit.confidence = Some(version.confidence);
            }
            edit.change = Change::Revert;
        }
        if let Some(targets) = &request.anchors {
            edit.anchors = Some(self.kept_or_new(&request.memo, targets)?);
        }
        Ok(edit)
    }

    /// A memo's anchors at where their code is now, and how many of them are elsewhere than before.
    fn followed(&self, as_of: AsOf, memo: &str) -> Result<(Vec<Anchor>, usize)> {
        let snapshot = self.snapshot(as_of)?;
        let seen = snapshot.seen(memo)?;
        let version = seen.last().and_then(|idx| snapshot.ledger().version(*idx));
        let code = self.code(None);
        let mut n_followed = 0;
        let anchors = version
            .map_or(&[][..], |version| &version.anchors)
            .iter()
            .map(|anchor| {
                let drift = check_anchor(anchor, &code);
                match (drift.state, drift.now) {
                    (AnchorState::Moved | AnchorState::Changed, Some(now)) => {
                        n_followed += 1;
                        now
                    }
                    _ => anchor.clone(),
                }
            });
        let anchors = anchors.collect();
        Ok((anchors, n_followed))
    }

    /// The memo as it stands after a write, and what contradicts it.
    fn done(&mut self, memo: &str) -> Result<MemoDone> {
        let as_of = self.as_of(&MemoMoment::default())?;
        let snapshot = self.snapshot(as_of)?;
        let conflicts: Vec<MemoConflict> = self
            .open
            .conflicts(&snapshot)
            .iter()
            .map(|one| self.conflict(&snapshot, one))
            .filter(|one| one.memos.iter().any(|other| other.id == memo))
            .collect();
        Ok(MemoDone {
            memo: self.memo(&snapshot, memo, true)?,
            conflicts,
            notes: self.notes(),
        })
    }
}

/// What was attached elsewhere stays in its own file as well: there, too, a purge leaves nothing.
fn purge_copy(file: &Path, memo: &str, author: Author, now_ms: i64) -> Result<()> {
    let mut copy = Memory::open(file)?;
    if copy.ledger().memo(memo).is_none() {
        return Ok(());
    }
    copy.write(now_ms, |ledger, recorded_at| {
        Ok(vec![
            FactWriter::by_time(ledger, recorded_at, author).purge(memo),
        ])
    })?;
    copy.scrub()?;
    MemoVectors::clear(file);
    Ok(())
}

fn first_version(facts: &[Fact]) -> (String, String) {
    let version = facts.iter().find_map(|fact| match fact {
        Fact::Version(version) => Some((version.memo.clone(), version.id.clone())),
        _ => None,
    });
    version.unwrap_or_default()
}

fn tier_of(name: &str) -> Result<Tier> {
    match name.trim() {
        "" => Ok(Tier::Normal),
        name => Tier::from_name(name).ok_or_else(|| {
            EngineError::bad_argument(
                format!("`{name}` is not a tier"),
                "the tiers are core, normal, archive",
            )
        }),
    }
}

/// A commit in short, for messages.
pub(super) fn short(commit: CommitId) -> String {
    commit.to_string()[..8].to_owned()
}
