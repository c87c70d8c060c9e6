//! Opening the repositories that a search asks, and what they have together.

use crate::Engine;
use crate::api::{MissingRepo, RepoId, SearchRequest};
use crate::error::{EngineError, Result};
use crate::names::told_apart;
use crate::registry::Registered;
use crate::views::{LivePart, LivePool, LiveView};
use std::sync::Arc;
use whyrank_retrieval::{Coverage, IndexTokens, ParsedQuery, PastChanges, QueryShape};

impl Engine {
    /// Opens what a search asks: `repo`, or all of `repos`. What cannot be opened is told, as long as
    /// one can.
    pub(super) fn open_pool(
        &self,
        request: &SearchRequest,
    ) -> Result<(Arc<LivePool>, Vec<MissingRepo>)> {
        if let Some(repos) = request.repo.several() {
            return self.open_several(&repos, request.as_of.as_deref());
        }
        if request.repos.is_empty() {
            let repo = self.state.registry.get(&request.repo)?;
            let view = self.state.view_as_of(&repo, request.as_of.as_deref())?;
            let name = repo.name.clone();
            let pool = LivePool::new(vec![LivePart { name, repo, view }]);
            return Ok((Arc::new(pool), Vec::new()));
        }
        let selectors: Vec<String> = request.repos.iter().map(|repo| repo.to_string()).collect();
        let scope = self.scope(&selectors)?;
        let (pool, closed) = self.open_several(&scope.ids(), request.as_of.as_deref())?;
        Ok((pool, [scope.missing, closed].concat()))
    }

    /// Opens several repositories, in the order of their names.
    pub(crate) fn open_several(
        &self,
        repos: &[RepoId],
        as_of: Option<&str>,
    ) -> Result<(Arc<LivePool>, Vec<MissingRepo>)> {
        let (mut parts, mut missing, mut first_error) = (Vec::new(), Vec::new(), None);
        for (name, repo) in self.named_repos(repos)? {
            match self.open_part(&repo, as_of) {
                Ok(view) => parts.push(LivePart { name, repo, view }),
                Err(error) => {
                    let why = why_missing(&error);
                    missing.push(MissingRepo { name, why });
                    first_error.get_or_insert(error);
                }
            }
        }
        match first_error {
            Some(error) if parts.is_empty() => Err(error),
            _ => Ok((self.state.live.pool(parts), missing)),
        }
    }

    fn open_part(&self, repo: &Registered, as_of: Option<&str>) -> Result<Arc<LiveView>> {
        if !repo.root.exists() {
            let gone = format!("{} is gone", repo.root.display());
            let hint = format!("`whyrank repos remove {}` forgets it", repo.id);
            return Err(EngineError::new("path-missing", gone, hint));
        }
        self.state.view_as_of(repo, as_of)
    }

    /// The registrations of some ids, each once, under names that tell all registered ones apart.
    pub(crate) fn named_repos(&self, ids: &[RepoId]) -> Result<Vec<(String, Registered)>> {
        let mut all = self.state.registry.all()?;
        for id in ids {
            if !all.iter().any(|repo| repo.id == *id) {
                all.push(self.state.registry.get(id)?);
            }
        }
        let mut all = told_apart(all);
        all.retain(|(_, repo)| ids.contains(&repo.id));
        Ok(all)
    }

    /// The one repository in which a path of several lies, and the path there; of one as it is.
    pub(crate) fn part_of(&self, repo: &RepoId, path: &str) -> Result<(RepoId, String)> {
        let Some(ids) = repo.several() else {
            return Ok((repo.clone(), path.to_owned()));
        };
        let found = self
            .named_repos(&ids)?
            .into_iter()
            .find_map(|(name, part)| {
                let below = path.strip_prefix(&name)?.strip_prefix('/')?;
                Some((part.id, below.to_owned()))
            });
        found.ok_or_else(|| {
            EngineError::bad_argument(
                format!("{path} lies in none of these repositories"),
                "begin the path with the repository's name",
            )
        })
    }

    /// The name that the asking repository has among those that are searched.
    pub(super) fn asking_name(&self, request: &SearchRequest) -> Option<String> {
        let asking = self.named_repos(std::slice::from_ref(&request.repo));
        let (name, _) = asking.ok()?.into_iter().next()?;
        Some(name)
    }

    /// How far each lane has come, over the chunks and files of all.
    pub(super) fn pooled_coverage(&self, pool: &LivePool) -> Coverage {
        let each: Vec<Coverage> = (pool.parts.iter())
            .map(|part| self.state.coverage(&part.view, 0))
            .collect();
        if let [one] = each.as_slice() {
            return one.clone();
        }
        let sizes = pool.parts.iter().map(|part| part.view.visible.len() as f64);
        let sizes: Vec<f64> = sizes.collect();
        let total: f64 = sizes.iter().sum::<f64>().max(1.0);
        let share = |of: fn(&Coverage) -> f64| {
            let parts = each.iter().zip(&sizes);
            let covered: f64 = parts.map(|(one, size)| of(one) * size).sum();
            // A sum of shares that are all 1 is to be 1.
            if each.iter().all(|one| of(one) >= 1.0) {
                1.0
            } else {
                covered / total
            }
        };
        let note = |of: fn(&Coverage) -> Option<&String>| {
            let parts = each.iter().zip(&pool.parts);
            let mut notes = parts.filter_map(|(one, part)| Some((of(one)?, &part.name)));
            let (note, name) = notes.next()?;
            Some(match notes.count() {
                0 => format!("{name}: {note}"),
                n => format!("{name} and {n} more: {note}"),
            })
        };
        Coverage {
            lexical: share(|one| one.lexical),
            vector: share(|one| one.vector),
            vector_note: note(|one| one.vector_note.as_ref()),
            vector_model: each.iter().find_map(|one| one.vector_model.clone()),
            tokens: share(|one| one.tokens),
            tokens_note: note(|one| one.tokens_note.as_ref()),
            static_vectors: share(|one| one.static_vectors),
            n_skipped: 0,
        }
    }

    /// Token vectors of all that have any; why there are none, where none has.
    pub(super) fn pooled_tokens(
        &self,
        pool: &LivePool,
    ) -> std::result::Result<IndexTokens, String> {
        let starts = pool.index.chunk_starts();
        let (mut encoder, mut why, mut readers) = (None, String::new(), Vec::new());
        for (part, start) in pool.parts.iter().zip(starts) {
            match self.state.tokens(&part.view) {
                Ok((found, reader)) => {
                    encoder = Some(found);
                    readers.push((start, Some(reader)));
                }
                Err(reason) => {
                    why = reason;
                    readers.push((start, None));
                }
            }
        }
        let encoder = encoder.ok_or(why)?;
        Ok(IndexTokens { encoder, readers })
    }

    /// What the newest commits of each changed, for an issue; nothing for other queries.
    pub(super) fn past_of<'p>(
        &self,
        query: &str,
        pool: &'p LivePool,
    ) -> Vec<Option<&'p PastChanges>> {
        if ParsedQuery::parse(query).shape != QueryShape::Issue {
            return Vec::new();
        }
        let parts = pool.parts.iter();
        let past = parts.map(|part| self.state.past.of(&part.view, &part.repo.root));
        past.collect()
    }
}

/// Why a repository cannot be asked with the others, in a few words.
fn why_missing(error: &EngineError) -> String {
    match error.code {
        "path-missing" => "its folder is gone".to_owned(),
        "index-missing" => "not indexed yet".to_owned(),
        "index-incompatible" => {
            "indexed by another version; `whyrank index` rebuilds it".to_owned()
        }
        "unknown-revision" => "it has no such revision".to_owned(),
        _ => error.message.clone(),
    }
}
