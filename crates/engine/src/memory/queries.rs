//! Questions to memory: recall, lists, history, conflicts, drift.

use super::MemorySession;
use super::code::AnchoredCode;
use super::several::{AskedMemories, moment_of, named, of_repo, request_of};
use super::view::author_of;
use crate::Engine;
use crate::api::{
    AnchorState, DepsRequest, Memo, MemoConflict, MemoHistory, MemoId, MemoListRequest,
    MemoListResponse, MemoMarkLine, MemoMoment, MemoState, MemoVersion, RecallRequest,
    RecallResponse, RecallTerm, RecalledMemo, RepoId,
};
use crate::error::{EngineError, Result};
use std::collections::HashMap;
use std::time::Instant;
use whyrank_memory::{
    AsOf, Field, Kind, MemoStatus, Query, RecallPart, Recalled, ResolvedVersion, Snapshot, Version,
    check_path,
};
use whyrank_source::unified_diff;

const DEFAULT_LIMIT: u32 = 8;
const MAX_LIMIT: u32 = 200;
/// A file that the one asked near imports, or that imports it.
const IMPORT_NEARNESS: f32 = 0.5;

impl Engine {
    /// Ranks memos for a question. Superseded and archived ones come only when asked for; drifted ones
    /// come marked, since what changed under them is when they matter.
    ///
    /// Of several repositories (a joined id) it is one list, each memo with its repository; near paths
    /// then begin with a repository's name.
    ///
    /// # Errors
    /// `unknown-repository`, `unknown-revision`, `bad-argument` (kind, moment), and those of memory.
    pub fn recall(&self, request: &RecallRequest) -> Result<RecallResponse> {
        let started = Instant::now();
        let asked = self.asked_memories(&request.repo, &request.moment)?;
        let ids = asked
            .as_ref()
            .map_or_else(|| vec![request.repo.clone()], AskedMemories::ids);
        let mut questions = HashMap::new();
        for id in &ids {
            let repo = asked.as_ref().and_then(|asked| asked.named(id));
            let own = repo.map_or_else(|| request.clone(), |repo| request_of(request, repo));
            let mut query = query_of(&own)?;
            self.add_neighbours(&own, &mut query);
            questions.insert(id.clone(), query);
        }
        self.with_memories(&ids, |sessions| {
            let mut answer = recalled_of(sessions, questions, request, asked.as_ref())?;
            answer.missing = asked
                .as_ref()
                .map_or_else(Vec::new, |asked| asked.missing.clone());
            answer.elapsed_ms = started.elapsed().as_secs_f64() * 1e3;
            Ok(answer)
        })
    }

    /// Returns memos by their state, pinned ones first, then newest first.
    ///
    /// # Errors
    /// As [`Engine::recall`].
    pub fn memos(&self, request: &MemoListRequest) -> Result<MemoListResponse> {
        if let Some(asked) = self.asked_memories(&request.repo, &request.moment)? {
            return self.memos_of_several(request, asked);
        }
        self.with_memory(&request.repo, |session| {
            let as_of = session.as_of(&request.moment)?;
            let snapshot = session.snapshot(as_of)?;
            let kinds = kinds_of(&request.kinds)?;
            let wanted = wanted_state(&request.state)?;
            let ledger = session.open.memory.ledger();
            let mut found: Vec<(bool, i64, &str)> = Vec::new();
            snapshot.reach_all();
            for (id, facts) in ledger.memos() {
                let state = snapshot.state(id);
                let Some(version) = state.version().and_then(|version| ledger.version(version))
                else {
                    continue;
                };
                let is_wanted = match wanted {
                    "all" => true,
                    "drifted" | "orphaned" => matches!(state, MemoStatus::Valid(_)),
                    "pinned" => {
                        matches!(state, MemoStatus::Valid(_)) && facts.is_pinned(as_of.known_at)
                    }
                    name => state.name() == name,
                };
                if is_wanted && fits(version, request, &kinds) {
                    found.push((facts.is_pinned(as_of.known_at), version.recorded_at, id));
                }
            }
            found.sort_by(|a, b| (b.0, b.1).cmp(&(a.0, a.1)).then(a.2.cmp(b.2)));
            let code = session.code_at(as_of);
            let limit = if request.limit == 0 {
                usize::MAX
            } else {
                request.limit as usize
            };
            let offset = request.offset as usize;
            let (mut memos, mut n_found) = (Vec::new(), 0);
            for (_, _, id) in found {
                // Whether it is one shows only when it is looked at.
                let is_hidden = matches!(wanted, "drifted" | "orphaned");
                let is_on_page = |n: usize| (offset..offset.saturating_add(limit)).contains(&n);
                if !is_hidden && !is_on_page(n_found) {
                    n_found += 1;
                    continue;
                }
                let mut memo = session.memo(&snapshot, id, false)?;
                if request.with_drift || wanted == "drifted" {
                    session.compare(&mut memo, &code);
                }
                if passes(&memo, wanted) {
                    if is_on_page(n_found) {
                        memos.push(memo);
                    }
                    n_found += 1;
                }
            }
            Ok(MemoListResponse {
                memos,
                n_found: n_found as u32,
                n_total: ledger.memos().count() as u32,
                n_conflicts: session.open.conflicts(&snapshot).len() as u32,
                moment: session.moment_words(&request.moment, as_of),
                commit: as_of.commit.map(|commit| commit.to_string()),
                notes: session.notes(),
                missing: Vec::new(),
            })
        })
    }

    /// Returns one memo as it stands, anchors compared with the code.
    ///
    /// # Errors
    /// `not-found`, and as [`Engine::recall`].
    pub fn memo(&self, repo: &RepoId, memo: &MemoId, moment: &MemoMoment) -> Result<Memo> {
        if let Some(asked) = self.asked_memories(repo, moment)? {
            return self.memo_of_several(&asked, memo, moment);
        }
        self.with_memory(repo, |session| {
            let as_of = session.as_of(moment)?;
            let snapshot = session.snapshot(as_of)?;
            let id = session.open.memory.ledger().find(memo)?.to_owned();
            session.memo(&snapshot, &id, true)
        })
    }

    /// Returns all versions of a memo, newest first, with their ends and the difference of each.
    ///
    /// # Errors
    /// As [`Engine::memo`].
    pub fn memo_history(&self, repo: &RepoId, memo: &MemoId) -> Result<MemoHistory> {
        self.with_memory(repo, |session| {
            let as_of = session.as_of(&MemoMoment::default())?;
            let snapshot = session.snapshot(as_of)?;
            let ledger = session.open.memory.ledger();
            let id = ledger.find(memo)?.to_owned();
            let facts = ledger.memo(&id).cloned().unwrap_or_default();
            let versions = facts.versions.iter().rev();
            let versions = versions
                .filter_map(|idx| session.history_line(as_of, *idx))
                .collect();
            let marks = facts.marks.iter().rev().map(|mark| MemoMarkLine {
                says: match &mark.says {
                    Field::Tier(tier) => format!("tier {}", tier.name()),
                    Field::Pinned(true) => "pinned".to_owned(),
                    Field::Pinned(false) => "unpinned".to_owned(),
                    Field::Agrees(other) => format!("agrees with {other}"),
                },
                recorded_at: mark.recorded_at as f64,
                author: author_of(&mark.author),
            });
            Ok(MemoHistory {
                memo: session.memo(&snapshot, &id, true)?,
                versions,
                marks: marks.collect(),
            })
        })
    }

    /// Lists what cannot all be right at a moment.
    ///
    /// # Errors
    /// As [`Engine::recall`].
    pub fn memo_conflicts(&self, repo: &RepoId, moment: &MemoMoment) -> Result<Vec<MemoConflict>> {
        if let Some(asked) = self.asked_memories(repo, moment)? {
            return self.conflicts_of_several(&asked, moment);
        }
        self.with_memory(repo, |session| {
            let as_of = session.as_of(moment)?;
            let snapshot = session.snapshot(as_of)?;
            let conflicts = session.open.conflicts(&snapshot);
            Ok(conflicts
                .iter()
                .map(|one| session.conflict(&snapshot, one))
                .collect())
        })
    }
}

impl Engine {
    /// What a file imports and who imports it lies near as well, where there is an index.
    fn add_neighbours(&self, request: &RecallRequest, query: &mut Query) {
        for path in &request.near {
            let asked = DepsRequest {
                repo: request.repo.clone(),
                path: path.clone(),
                ..DepsRequest::default()
            };
            let Ok(deps) = self.deps(&asked) else {
                continue;
            };
            let edges = deps.imports.into_iter().chain(deps.importers);
            for edge in edges.filter(|edge| !edge.external) {
                query.near.entry(edge.path).or_insert(IMPORT_NEARNESS);
            }
        }
    }
}

impl MemorySession<'_> {
    pub(super) fn seen_memo(
        &self,
        as_of: AsOf,
        resolved: &ResolvedVersion,
        code: &AnchoredCode<'_>,
    ) -> Memo {
        let mut memo = self.shown(as_of, resolved.version, MemoState::Valid);
        self.describe(&mut memo, resolved);
        if !memo.anchors.is_empty() {
            self.compare(&mut memo, code);
        }
        memo
    }

    /// Memos that held once and match the question, marked.
    fn superseded(
        &self,
        snapshot: &Snapshot<'_>,
        query: &Query,
        limit: usize,
    ) -> Result<Vec<RecalledMemo>> {
        let ledger = self.open.memory.ledger();
        let tokens = self.open.words.tokens(&query.text);
        let mut found: Vec<(usize, &str)> = ledger
            .memos()
            .filter(|(id, _)| matches!(snapshot.state(id), MemoStatus::Superseded { .. }))
            .filter_map(|(id, facts)| {
                let version = ledger.version(*facts.versions.last()?)?;
                let own = self.open.words.tokens(&version.content);
                let n_shared = tokens.iter().filter(|token| own.contains(token)).count();
                (n_shared > 0 || tokens.is_empty()).then_some((n_shared, id))
            })
            .collect();
        found.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        found.truncate(limit);
        let memos = found.into_iter().map(|(_, id)| {
            Ok(RecalledMemo {
                memo: self.memo(snapshot, id, false)?,
                score: 0.0,
                terms: Vec::new(),
            })
        });
        memos.collect()
    }

    fn history_line(&self, as_of: AsOf, idx: u32) -> Option<MemoVersion> {
        let ledger = self.open.memory.ledger();
        let version = ledger.version(idx)?;
        let parent = version.parents.last();
        let parent = parent.and_then(|id| ledger.version(ledger.find_version(id).ok()?));
        let ended = ledger.closings(idx).next().is_some();
        let state = if ended {
            MemoState::Superseded
        } else {
            MemoState::Valid
        };
        Some(MemoVersion {
            memo: self.shown(as_of, idx, state),
            change: version.change.into(),
            parents: version.parents.clone(),
            closings: ledger
                .closings(idx)
                .map(|closing| self.closing(closing))
                .collect(),
            diff: parent.map_or_else(String::new, |parent| {
                unified_diff(&parent.content, &version.content)
            }),
        })
    }

    /// What a reader should know of the memory itself.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self.open.found.iter().cloned().collect();
        notes.extend(self.damage());
        if !self.open.memory.is_writable() && self.open.memory.damaged().is_empty() {
            notes.push("the memory is on a read-only disk: nothing can be recorded".to_owned());
        }
        notes
    }

    /// What of the memory cannot be read, or is gone.
    pub(super) fn damage(&self) -> Option<String> {
        let parts = match self.open.memory.damaged().len() {
            0 => return self.open.loss(),
            1 => "a part".to_owned(),
            n => format!("{n} parts"),
        };
        let unread = format!(
            "{parts} of the memory cannot be read: export the rest with `whyrank memo export`"
        );
        let loss = self.open.loss();
        Some(loss.map_or_else(|| unread.clone(), |loss| format!("{unread}; {loss}")))
    }
}

/// One list of what the memories have on a question; of several each memo has its repository.
fn recalled_of(
    sessions: &mut [MemorySession<'_>],
    mut questions: HashMap<RepoId, Query>,
    request: &RecallRequest,
    asked: Option<&AskedMemories>,
) -> Result<RecallResponse> {
    let mut response = RecallResponse::default();
    let mut questioned = Vec::with_capacity(sessions.len());
    for session in sessions.iter_mut() {
        let as_of = session.as_of(&request.moment)?;
        let mut query = questions.remove(session.repo).unwrap_or_default();
        let compared = session.cosines(as_of, &query.text)?;
        query.vector = compared.found;
        let notes = session.notes().into_iter().chain(compared.note);
        match asked.and_then(|asked| asked.of(session)) {
            Some(repo) => response.notes.extend(named(repo, notes)),
            None => response.notes.extend(notes),
        }
        questioned.push((as_of, query));
    }
    let sessions = &*sessions;
    let mut snapshots = Vec::with_capacity(sessions.len());
    let mut moments = Vec::with_capacity(sessions.len());
    for (session, (as_of, _)) in sessions.iter().zip(&questioned) {
        snapshots.push(session.snapshot(*as_of)?);
        let name = asked.and_then(|asked| asked.of(session));
        let name = name.map_or("", |repo| repo.name.as_str());
        moments.push((name, session.moment_words(&request.moment, *as_of)));
    }
    response.moment = moment_of(&moments);
    let parts = sessions.iter().zip(&snapshots).zip(&questioned);
    let parts: Vec<RecallPart<'_>> = parts
        .map(|((session, snapshot), (_, query))| RecallPart {
            snapshot,
            words: &session.open.words,
            query,
        })
        .collect();
    let found = whyrank_memory::recall(&parts);
    response.n_found = found.len() as u32;
    let in_repo = |memo: Memo, session: &MemorySession<'_>| {
        let repo = asked.and_then(|asked| asked.of(session));
        match repo {
            Some(repo) => of_repo(memo, repo),
            None => memo,
        }
    };
    let codes = sessions.iter().zip(&questioned);
    let codes: Vec<AnchoredCode<'_>> = codes
        .map(|(session, (as_of, _))| session.code_at(*as_of))
        .collect();
    let limit = limit_of(request.limit);
    for one in found.iter().take(limit) {
        let (session, (as_of, _)) = (&sessions[one.part], &questioned[one.part]);
        let memo = session.seen_memo(*as_of, &one.resolved, &codes[one.part]);
        response.n_drifted += u32::from(memo.drifted);
        response.memos.push(recalled(in_repo(memo, session), one));
    }
    if request.include.iter().any(|asked| asked == "superseded") {
        for (session, part) in sessions.iter().zip(&parts) {
            let left = limit.saturating_sub(response.memos.len());
            let superseded = session.superseded(part.snapshot, part.query, left)?;
            response
                .memos
                .extend(superseded.into_iter().map(|one| RecalledMemo {
                    memo: in_repo(one.memo, session),
                    ..one
                }));
        }
    }
    Ok(response)
}

/// Whether a version has the kind, the tags and the text that are asked for.
fn fits(version: &Version, request: &MemoListRequest, kinds: &[Kind]) -> bool {
    let text = request.text.to_lowercase();
    let has_text = || {
        version.content.to_lowercase().contains(&text) || version.memo.starts_with(text.as_str())
    };
    (kinds.is_empty() || kinds.contains(&version.kind))
        && request.tags.iter().all(|tag| version.tags.contains(tag))
        && (text.is_empty() || has_text())
}

/// Whether a memo is what a state means that shows only when it is looked at.
fn passes(memo: &Memo, wanted: &str) -> bool {
    match wanted {
        "drifted" => {
            memo.drifted
                || memo
                    .anchors
                    .iter()
                    .any(|anchor| anchor.state == AnchorState::Moved)
        }
        "orphaned" => memo.orphaned,
        _ => true,
    }
}

fn recalled(memo: Memo, one: &Recalled) -> RecalledMemo {
    let terms = one.terms.iter().map(|term| RecallTerm {
        channel: term.channel.into(),
        rank: term.rank,
        contribution: term.contribution,
        reason: term.reason.clone(),
    });
    RecalledMemo {
        memo,
        score: one.score,
        terms: terms.collect(),
    }
}

fn query_of(request: &RecallRequest) -> Result<Query> {
    let known = ["superseded", "drifted", "archived"];
    if let Some(word) = request
        .include
        .iter()
        .find(|word| !known.contains(&word.as_str()))
    {
        return Err(EngineError::bad_argument(
            format!("`{word}` cannot be included"),
            format!("include {}", known.join(", ")),
        ));
    }
    let near = request.near.iter().filter_map(|path| check_path(path).ok());
    Ok(Query {
        text: request.query.clone(),
        kinds: kinds_of(&request.kinds)?,
        tags: request
            .tags
            .iter()
            .map(|tag| tag.trim_start_matches('#').to_lowercase())
            .collect(),
        near: near.map(|path| (path, 1.0)).collect(),
        archived: request.include.iter().any(|word| word == "archived"),
        ..Query::default()
    })
}

fn limit_of(limit: u32) -> usize {
    match limit {
        0 => DEFAULT_LIMIT as usize,
        limit => limit.min(MAX_LIMIT) as usize,
    }
}

pub(super) fn kinds_of(names: &[String]) -> Result<Vec<Kind>> {
    names.iter().map(|name| kind_of(name)).collect()
}

pub(super) fn kind_of(name: &str) -> Result<Kind> {
    Kind::from_name(name.trim().to_lowercase().as_str()).ok_or_else(|| {
        let known: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        EngineError::bad_argument(
            format!("`{name}` is not a kind of memo"),
            format!("the kinds are {}", known.join(", ")),
        )
    })
}

fn wanted_state(name: &str) -> Result<&str> {
    const STATES: [&str; 9] = [
        "valid",
        "superseded",
        "forgotten",
        "elsewhere",
        "unplaced",
        "drifted",
        "pinned",
        "orphaned",
        "all",
    ];
    match name {
        "" => Ok("valid"),
        name if STATES.contains(&name) => Ok(name),
        name => Err(EngineError::bad_argument(
            format!("`{name}` is not a state of a memo"),
            format!("the states are {}", STATES.join(", ")),
        )),
    }
}
