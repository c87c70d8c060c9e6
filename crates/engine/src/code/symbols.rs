//! Definitions, uses, dependencies.

use crate::Engine;
use crate::api::{
    ByName, LookupRequest, LookupResponse, RefHit, RefsRequest, RefsResponse, RepoId, SymbolLine,
};
use crate::choices::{SYMBOL_KINDS, USE_KINDS, chosen, need};
use crate::code::graph::{GraphSession, OpenGraph};
use crate::code::graph_facts::GraphFacts;
use crate::code::implementations::{add_dispatching, heritage};
use crate::code::mentions::{by_name, ruled_places};
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{SymbolSelector, targets};
use crate::code::undefined::{undefined_uses, unread};
use crate::code::use_hits::{MENTION, ref_hits, sort_hits};
use crate::code::view_definitions::ViewDefinitions;
use crate::error::Result;
use crate::memory::ShownCode;
use crate::views::LiveView;
use std::collections::HashSet;
use std::sync::Arc;
use whyrank_graph::{Confidence, FileInput, ReferenceHit, SymbolId, SymbolTable, in_test_module};
use whyrank_retrieval::{FileRole, kind_name};
use whyrank_syntax::Symbol;

const DEFAULT_DEFINITIONS: usize = 20;

/// A definition as answers name it.
pub(crate) fn line_of(path: &str, symbol: &Symbol) -> SymbolLine {
    SymbolLine {
        path: path.to_owned(),
        start_line: symbol.span.start_line,
        end_line: symbol.span.end_line,
        name_line: symbol.name_line,
        kind: kind_name(symbol.kind).to_owned(),
        name: symbol.name.clone(),
        qualified: symbol.qualified.clone(),
        signature: symbol.signature.clone(),
        exported: symbol.exported,
    }
}

impl LiveView {
    pub(crate) fn graph_facts(&self, with_references: bool) -> Result<Arc<GraphFacts>> {
        let mut slot = self.facts.lock();
        match slot.as_ref().filter(|facts| facts.serve(with_references)) {
            Some(facts) => Ok(Arc::clone(facts)),
            None => {
                let facts = Arc::new(GraphFacts::new(self, with_references));
                *slot = Some(Arc::clone(&facts));
                Ok(facts)
            }
        }
    }

    /// Lets go of what files say once questions have read much of it: a server would end up with all of a
    /// large view.
    pub(crate) fn let_go_of_facts(&self) {
        let mut slot = self.facts.lock();
        if slot.as_ref().is_some_and(|facts| facts.hold_much()) {
            *slot = None;
        }
    }

    /// The definitions by name; of `inputs` only the definitions are read.
    pub(crate) fn table(&self, inputs: &[FileInput<'_>]) -> Arc<SymbolTable> {
        let table = self.table.get_or_init(|| {
            let graph = &self.graph;
            let table = match ViewDefinitions::of(&self.index) {
                Some(source) => SymbolTable::over(inputs, &graph.file_rank, Arc::new(source)),
                None => SymbolTable::new(inputs, &graph.imports),
            };
            Arc::new(table)
        });
        Arc::clone(table)
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.files[id.file as usize].outline().symbols[id.symbol as usize]
    }

    pub(crate) fn symbol_line(&self, id: SymbolId) -> SymbolLine {
        line_of(&self.files[id.file as usize].path, self.symbol(id))
    }

    pub(crate) fn is_test(&self, file: u32) -> bool {
        matches!(
            self.index.roles[file as usize],
            FileRole::Test | FileRole::Example
        )
    }

    /// Whether code in a definition, or outside of any, is part of a test.
    pub(crate) fn is_test_code(&self, file: u32, enclosing: Option<SymbolId>) -> bool {
        let symbols = &self.files[file as usize].outline().symbols;
        self.is_test(file) || enclosing.is_some_and(|id| in_test_module(symbols, id.symbol))
    }

    pub(crate) fn is_doc(&self, file: u32) -> bool {
        self.index.roles[file as usize] == FileRole::Docs
    }
}

impl Engine {
    /// The view of a repository, or that over several of a [`RepoScope`](crate::api::RepoScope).
    pub(crate) fn view_of(&self, repo: &RepoId, as_of: Option<&str>) -> Result<Arc<LiveView>> {
        if let Some(repos) = repo.several() {
            return self.linked_view(&repos, as_of);
        }
        let repo = self.state.registry.get(repo)?;
        self.state.view_as_of(&repo, as_of)
    }

    /// Returns definitions of a symbol, best first; near names when there is none.
    ///
    /// # Errors
    /// `bad-argument` (no name, unknown kind, path without an indexed file), `index-missing` and those
    /// of opening the view.
    pub fn lookup(&self, request: &LookupRequest) -> Result<LookupResponse> {
        need(&request.symbol, "symbol")?;
        let kinds = chosen("kinds", &SYMBOL_KINDS, request.kind.as_slice())?;
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        let facts = view.graph_facts(false)?;
        let table = view.table(&facts.inputs(&view));
        let inside = view.narrowed(request.path.as_deref())?;
        let fits = |id: &SymbolId| {
            kinds
                .iter()
                .all(|kind| *kind == kind_name(view.symbol(*id).kind))
                && inside.has(id.file)
        };
        let all = table.definitions(&request.symbol);
        let fitting: Vec<SymbolId> = all.iter().copied().filter(fits).collect();
        // What was asked for by kind or place may stand behind better ones of another.
        let is_narrowed = !kinds.is_empty() || request.path.is_some();
        let mut found = if is_narrowed {
            fitting.clone()
        } else {
            table.principal_definitions(&request.symbol)
        };
        let n_left_out = (all.len() - fitting.len()) as u32;
        found.truncate(match request.limit {
            0 => DEFAULT_DEFINITIONS,
            limit => limit as usize,
        });
        let near = match (found.is_empty(), all.is_empty()) {
            (false, _) => Vec::new(),
            (true, false) => all.into_iter().take(MAX_NEAR).collect(),
            (true, true) => table.near(&request.symbol, MAX_NEAR),
        };
        let is_spelled = |id: &SymbolId| request.symbol.ends_with(&view.symbol(*id).name);
        let unread = if n_left_out > 0 || found.iter().any(is_spelled) {
            Vec::new()
        } else {
            let root = self.state.registry.get(&request.repo)?.root;
            unread(&view, &root, &request.symbol, found.is_empty())
        };
        let definitions = view.lines(&found);
        let shown: Vec<ShownCode<'_>> = definitions.iter().map(ShownCode::from).collect();
        let beside = self.memos_about(&request.repo, request.as_of.as_deref(), &shown);
        Ok(LookupResponse {
            memos: beside.memos,
            memory_gap: beside.gap,
            definitions,
            n_definitions: fitting.len() as u32,
            n_left_out,
            near: view.lines(&near),
            unread,
        })
    }

    /// Finds the uses of a symbol, by path and line, production code first.
    ///
    /// # Errors
    /// As [`Engine::lookup`]; `bad-argument` also for a path that is not in the index.
    pub fn refs(&self, request: &RefsRequest) -> Result<RefsResponse> {
        need(&request.symbol, "symbol")?;
        let kinds = chosen("kinds of use", &USE_KINDS, &request.kinds)?;
        let session = match self.graph_or_note(&request.repo, request.as_of.as_deref())? {
            OpenGraph::Made(session) => session,
            OpenGraph::Pending(pending) => return pending.refs(request, &kinds),
        };
        let mut response = self.certain_refs(&session, request, &kinds)?;
        let is_naming = |hit: &RefHit| matches!(&hit.kind[..], "import" | "re-export" | "mention");
        let is_sought = request.kinds.is_empty() && !response.definitions.is_empty();
        if is_sought && response.references.iter().all(is_naming) {
            let as_of = request.as_of.as_deref();
            response.by_name = self.by_name(&request.repo, as_of, request.into())?;
        }
        if request.mentions || kinds.contains(&MENTION) {
            self.add_mentions(request, &mut response)?;
        }
        Ok(response)
    }

    /// Adds the other places of the name, each with its ruling. O(text of the checkout).
    fn add_mentions(&self, request: &RefsRequest, response: &mut RefsResponse) -> Result<()> {
        if response.definitions.is_empty() {
            return Ok(());
        }
        let as_of = request.as_of.as_deref();
        let session = self.open_graph_with_facts(&request.repo, as_of)?;
        let view = &session.view;
        let names = self.name_reader(view, &request.repo, as_of)?;
        let mut places = session.with(|known, uses| {
            let targets = targets(view, &known.table, request.into())?;
            ruled_places(view, uses, &names, &targets)
        })?;
        names.finish()?;
        let lines: HashSet<(&str, u32)> = {
            let hits = response.references.iter();
            let heads = response.definitions.iter();
            hits.map(|hit| (hit.path.as_str(), hit.line))
                .chain(heads.map(|head| (head.path.as_str(), head.name_line)))
                .collect()
        };
        places.retain(|place| !lines.contains(&(place.path.as_str(), place.line)));
        response.references.extend(places);
        sort_hits(&mut response.references);
        Ok(())
    }

    /// Places that may use a symbol of which no use is known. O(text of the checkout).
    pub(crate) fn by_name(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
        selector: SymbolSelector<'_>,
    ) -> Result<Option<ByName>> {
        let session = self.open_graph_with_facts(repo, as_of)?;
        let view = &session.view;
        let names = self.name_reader(view, repo, as_of)?;
        let found = session.with(|known, uses| {
            let targets = targets(view, &known.table, selector)?;
            by_name(view, uses, &names, &targets)
        })?;
        names.finish()?;
        Ok(Some(found))
    }

    fn certain_refs(
        &self,
        session: &GraphSession,
        request: &RefsRequest,
        kinds: &[&str],
    ) -> Result<RefsResponse> {
        session.with(|known, uses| {
            let view = &session.view;
            let targets = targets(view, &known.table, request.into())?;
            if targets.is_empty() {
                let near = known.table.near(&request.symbol, MAX_NEAR);
                return Ok(RefsResponse {
                    references: undefined_uses(view, &known.table, &request.symbol, kinds)?,
                    near: near.into_iter().map(|id| view.symbol_line(id)).collect(),
                    ..RefsResponse::default()
                });
            }
            let mut found = uses.all(&targets);
            let through = add_dispatching(view, uses, &targets, &mut found);
            let n_unsettled = if request.mentions {
                0
            } else {
                take_unsettled(&mut found)
            };
            let mut hits = ref_hits(view, found)?;
            let n_all = hits.len();
            hits.retain(|hit| kinds.is_empty() || kinds.contains(&hit.kind.as_str()));
            let n_other_kinds = (n_all - hits.len()) as u32;
            let heritage = heritage(view, uses, kinds, &targets);
            let (heirs, bases) = heritage.unwrap_or((Vec::new(), through));
            sort_hits(&mut hits);
            let compiled = session.compiled(&targets);
            let definitions = targets.into_iter().map(|id| view.symbol_line(id)).collect();
            Ok(RefsResponse {
                compiled,
                definitions,
                references: hits,
                n_other_kinds,
                n_unsettled,
                heirs,
                bases,
                ..RefsResponse::default()
            })
        })
    }
}

/// Takes out the uses that may mean another definition as well, where others are settled: how many.
///
/// Where scope or imports settle some uses, those that they do not are mostly of others that bear the
/// name. A call that may come here from a base settles none.
fn take_unsettled(found: &mut Vec<ReferenceHit>) -> u32 {
    let is_open = |hit: &ReferenceHit| hit.confidence == Confidence::Ambiguous;
    let settles = |hit: &ReferenceHit| !is_open(hit) && hit.confidence != Confidence::Possible;
    if !found.iter().any(settles) {
        return 0;
    }
    let n_all = found.len();
    found.retain(|hit| !is_open(hit));
    (n_all - found.len()) as u32
}

/// Whether a text holds a word that is no part of another.
pub(crate) fn has_word(text: &str, word: &str) -> bool {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}
