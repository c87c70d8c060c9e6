//! Asks several tools about one definition: whoever says "dead" and whoever lists a use cannot both be
//! right.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use whyrank_engine::Engine;
use whyrank_engine::api::{
    DeadCodeRequest, DeadFinding, DeadVerdict, ImpactHit, ImpactRequest, RefHit, RefsRequest,
    RefsResponse, Relation, RepoId, SymbolLine, SymbolPlace,
};

use crate::violation::Violation;

/// The whole list of dead code, by place.
pub(super) type Listing = HashMap<(String, u32), Listed>;

/// An entry of the list of dead code.
pub(super) struct Listed {
    verdict: DeadVerdict,
    lines: RangeInclusive<u32>,
}

/// Asks for the whole list of dead code.
pub(super) fn listing(engine: &Engine, repo: &RepoId) -> anyhow::Result<Listing> {
    let request = DeadCodeRequest {
        repo: repo.clone(),
        kinds: ["dead", "test-only", "maybe", "exported"]
            .map(str::to_owned)
            .to_vec(),
        coverage: vec!["none".to_owned()],
        ..DeadCodeRequest::default()
    };
    let findings = engine.dead_code(&request)?.findings.into_iter();
    let listed = |it: DeadFinding| {
        let lines = it.symbol.start_line..=it.symbol.end_line;
        let verdict = it.verdict;
        (
            (it.symbol.path, it.symbol.name_line),
            Listed { verdict, lines },
        )
    };
    Ok(findings.map(listed).collect())
}

/// What the tools say about one definition that cannot all be true.
pub(super) fn contradictions(
    engine: &Engine,
    repo: &RepoId,
    definition: &SymbolLine,
    listed: &Listing,
) -> anyhow::Result<Vec<Violation>> {
    let refs = refs(engine, repo, definition)?;
    if refs.definitions.len() != 1 {
        return Ok(Vec::new());
    }
    let single = single(engine, repo, definition)?;
    let impact = engine.impact(&ImpactRequest {
        repo: repo.clone(),
        symbol: definition.qualified.clone(),
        path: Some(definition.path.clone()),
        line: Some(definition.name_line),
        depth: 1,
        as_of: None,
    })?;
    // A part of the definition that uses it is no place outside of it.
    let own = definition.start_line..=definition.end_line;
    let uses_it = |hit: &&ImpactHit| {
        let is_own = hit.caller.path == definition.path && own.contains(&hit.caller.name_line);
        hit.relation == Relation::Uses && !is_own
    };
    let callers = impact.callers.iter().find(uses_it);
    let answers = Answers {
        in_list: listed
            .get(&(definition.path.clone(), definition.name_line))
            .map(|listed| listed.verdict),
        listed,
        caller: callers.map(|hit| hit.caller.qualified.as_str()),
        definition,
        refs,
        single,
    };
    let against = answers.against().into_iter();
    let violation = |what| Violation {
        check: "agreement",
        place: format!("{}:{}", definition.path, definition.name_line),
        what: format!("`{}`: {what}", definition.qualified),
    };
    Ok(against.map(violation).collect())
}

/// The answers about one definition.
struct Answers<'a> {
    definition: &'a SymbolLine,
    refs: RefsResponse,
    single: Option<DeadFinding>,
    in_list: Option<DeadVerdict>,
    listed: &'a Listing,
    caller: Option<&'a str>,
}

impl Answers<'_> {
    /// The first certain use that is neither an import nor in the definition itself.
    fn use_at(&self) -> Option<&RefHit> {
        self.refs.references.iter().find(|hit| {
            let is_naming = matches!(&hit.kind[..], "import" | "re-export" | "mention");
            hit.confidence.is_certain() && !is_naming && !self.is_own(hit)
        })
    }

    fn is_own(&self, hit: &RefHit) -> bool {
        let own = self.definition.start_line..=self.definition.end_line;
        hit.path == self.definition.path && own.contains(&hit.line)
    }

    /// Says whether a use lies in code that is dead as well: what only that uses is dead.
    fn is_in_dead_code(&self, hit: &RefHit) -> bool {
        let is_around = |(place, listed): (&(String, u32), &Listed)| {
            let is_dead = listed.verdict == DeadVerdict::Dead;
            is_dead && place.0 == hit.path && listed.lines.contains(&hit.line)
        };
        self.listed.iter().any(is_around)
    }

    /// Says whether `refs` claims that no place outside of the definition means it.
    fn none_means_it(&self) -> bool {
        let hits = &self.refs.references;
        let by_name = self.refs.by_name.as_ref();
        hits.iter().all(|hit| self.is_own(hit))
            && self.refs.n_unsettled == 0
            && by_name.map_or(!hits.is_empty(), |by| {
                by.n_uses == 0 && by.hidden.is_empty()
            })
    }

    /// Pairs of claims of which one is wrong, in words.
    fn against(&self) -> Vec<String> {
        let Some(single) = &self.single else {
            return vec!["dead-code says nothing of it".to_owned()];
        };
        let is_dead = single.verdict == DeadVerdict::Dead;
        let is_unneeded = is_dead || single.verdict == DeadVerdict::ExportedUnused;
        let (use_at, none_means_it) = (self.use_at(), self.none_means_it());
        let mut against = Vec::new();
        if let (Some(hit), true) = (use_at, is_dead)
            && !self.is_in_dead_code(hit)
        {
            let (path, line) = (&hit.path, hit.line);
            against.push(format!("dead, and certainly used at {path}:{line}"));
        }
        if is_dead && !none_means_it && use_at.is_none() {
            let open = &self.refs.by_name;
            against.push(format!("dead, and refs leaves it open: {open:?}"));
        }
        // What is found by convention is found at no place.
        let is_by_convention = single.verdict == DeadVerdict::PossiblyDynamic
            && single.reason.contains("by convention");
        if none_means_it && !is_unneeded && !is_by_convention {
            let (verdict, reason) = (single.verdict, &single.reason);
            against.push(format!("no place means it, and {verdict}: {reason}"));
        }
        if let (true, Some(verdict)) = (is_dead, self.in_list)
            && verdict != DeadVerdict::Dead
        {
            against.push(format!("dead when asked about, {verdict} in the list"));
        }
        if let (Some(caller), true) = (self.caller, none_means_it) {
            against.push(format!("no place means it, and `{caller}` depends on it"));
        }
        if let (Some(hit), Some(DeadVerdict::Dead)) = (use_at, self.in_list)
            && !hit.test
            && hit.enclosing.is_none()
        {
            let (path, line) = (&hit.path, hit.line);
            against.push(format!("dead in the list, and used at {path}:{line}"));
        }
        against
    }
}

fn refs(engine: &Engine, repo: &RepoId, definition: &SymbolLine) -> anyhow::Result<RefsResponse> {
    Ok(engine.refs(&RefsRequest {
        repo: repo.clone(),
        symbol: definition.qualified.clone(),
        path: Some(definition.path.clone()),
        line: Some(definition.name_line),
        ..RefsRequest::default()
    })?)
}

fn single(
    engine: &Engine,
    repo: &RepoId,
    definition: &SymbolLine,
) -> anyhow::Result<Option<DeadFinding>> {
    let request = DeadCodeRequest {
        repo: repo.clone(),
        symbols: vec![SymbolPlace {
            symbol: definition.qualified.clone(),
            path: Some(definition.path.clone()),
            line: Some(definition.name_line),
        }],
        coverage: vec!["none".to_owned()],
        ..DeadCodeRequest::default()
    };
    Ok(engine.dead_code(&request)?.findings.into_iter().next())
}
