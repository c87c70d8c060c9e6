//! Definitions, uses, dependencies.

use crate::Engine;
use crate::api::{
    ByName, LookupRequest, LookupResponse, Namesake, RefHit, RefsRequest, RefsResponse, RepoId,
    SymbolLine,
};
use crate::choices::{SYMBOL_KINDS, USE_KINDS, chosen, need};
use crate::code::graph::{GraphSession, OpenGraph};
use crate::code::graph_facts::GraphFacts;
use crate::code::implementations::{add_dispatching, heritage};
use crate::code::mentions::{KnownLines, Line, by_name, open_places, ruled_places};
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{Namesakes, SymbolSelector, targets};
use crate::code::undefined::{undefined_uses, unread};
use crate::code::use_hits::{MENTION, ref_hits, sort_hits};
use crate::code::view_definitions::ViewDefinitions;
use crate::error::Result;
use crate::memory::ShownCode;
use crate::views::LiveView;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;
use whyrank_graph::{
    Confidence, FileInput, ReferenceHit, ReferenceQuery, SymbolId, SymbolTable, in_test_module,
    is_naming,
};
use whyrank_retrieval::{FileRole, kind_name};
use whyrank_syntax::Symbol;

const DEFAULT_DEFINITIONS: usize = 20;
/// Files of which all words are read for every question; of more, only those that ask for it.
const MAX_FILES_READ: usize = 20_000;

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
        let (mut response, open) = self.certain_refs(&session, request, &kinds)?;
        let is_naming = |hit: &RefHit| matches!(&hit.kind[..], "import" | "re-export" | "mention");
        let is_sought = request.kinds.is_empty() && !response.definitions.is_empty();
        if is_sought && response.references.iter().all(is_naming) {
            let as_of = request.as_of.as_deref();
            response.by_name = self.by_name(&request.repo, as_of, request.into())?;
        }
        if request.mentions || kinds.contains(&MENTION) {
            self.add_mentions(request, &mut response)?;
        } else if response.by_name.is_none() {
            self.count_open(request, open, &mut response)?;
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

    /// Counts the places that may mean the symbol and are not listed; `open` are those of them that the graph knows.
    fn count_open(
        &self,
        request: &RefsRequest,
        open: HashSet<Line>,
        response: &mut RefsResponse,
    ) -> Result<()> {
        response.n_unsettled = open.len() as u32;
        if response.definitions.is_empty() || response.references.is_empty() {
            return Ok(());
        }
        let listed = response.references.iter();
        let listed = listed.map(|hit| (hit.path.clone(), hit.line)).collect();
        let as_of = request.as_of.as_deref();
        let lines = KnownLines { listed, open };
        let open = self.open_lines(&request.repo, as_of, request.into(), lines)?;
        response.are_places_unread = open.is_none();
        response.n_unsettled = open.map_or(response.n_unsettled, |open| open.len() as u32);
        Ok(())
    }

    /// The places that may mean a symbol beside those that are listed; `None` where they are too many to rule on
    /// unasked. O(text of the checkout).
    pub(crate) fn open_lines(
        &self,
        repo: &RepoId,
        as_of: Option<&str>,
        selector: SymbolSelector<'_>,
        lines: KnownLines,
    ) -> Result<Option<HashSet<Line>>> {
        let session = self.open_graph_with_facts(repo, as_of)?;
        let view = &session.view;
        if view.files.len() > MAX_FILES_READ {
            return Ok(None);
        }
        let names = self.name_reader(view, repo, as_of)?;
        let ruled = session.with(|known, uses| {
            let targets = targets(view, &known.table, selector)?;
            Ok(open_places(view, uses, &names, &targets))
        })?;
        names.finish()?;
        Ok(ruled.map(|ruled| {
            // What is ruled out as a word was left open by the graph for want of reading it.
            let KnownLines { listed, mut open } = lines;
            open.retain(|line| ruled.get(line).is_none_or(|is_open| *is_open));
            let of_words = ruled.into_iter().filter(|(_, is_open)| *is_open);
            open.extend(of_words.map(|(line, _)| line));
            open.retain(|line| !listed.contains(line));
            open
        }))
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
    ) -> Result<(RefsResponse, HashSet<Line>)> {
        session.with(|known, uses| {
            let view = &session.view;
            let targets = targets(view, &known.table, request.into())?;
            if targets.is_empty() {
                let near = known.table.near(&request.symbol, MAX_NEAR);
                let response = RefsResponse {
                    references: undefined_uses(view, &known.table, &request.symbol, kinds)?,
                    near: near.into_iter().map(|id| view.symbol_line(id)).collect(),
                    ..RefsResponse::default()
                };
                return Ok((response, HashSet::new()));
            }
            let mut found = uses.all(&targets);
            let through = add_dispatching(view, uses, &targets, &mut found);
            let open = match request.mentions {
                true => Vec::new(),
                false => take_unsettled(&mut found),
            };
            let line = |hit: &ReferenceHit| (view.files[hit.file as usize].path.clone(), hit.line);
            let open = open.iter().map(line).collect();
            let mut hits = ref_hits(view, found)?;
            let n_all = hits.len();
            hits.retain(|hit| kinds.is_empty() || kinds.contains(&hit.kind.as_str()));
            let n_other_kinds = (n_all - hits.len()) as u32;
            let (namesakes, n_namesakes_left_out) =
                namesakes(view, &known.table, uses, request, &targets);
            let heritage = heritage(view, uses, kinds, &targets);
            let (heirs, bases) = heritage.unwrap_or((Vec::new(), through));
            sort_hits(&mut hits);
            let compiled = session.compiled(&targets);
            let definitions = targets.into_iter().map(|id| view.symbol_line(id)).collect();
            let response = RefsResponse {
                compiled,
                brought: session.brought(),
                definitions,
                references: hits,
                namesakes,
                n_namesakes_left_out,
                n_other_kinds,
                heirs,
                bases,
                ..RefsResponse::default()
            };
            Ok((response, open))
        })
    }
}

/// The definitions that a name by itself may mean, with their uses, and how many more there are; none where it
/// means one.
fn namesakes(
    view: &LiveView,
    table: &SymbolTable,
    uses: &ReferenceQuery<'_>,
    request: &RefsRequest,
    targets: &[SymbolId],
) -> (Vec<Namesake>, u32) {
    let all = match (&request.path, request.line) {
        (None, None) => table.definitions(&request.symbol),
        _ => targets.to_vec(),
    };
    let Namesakes { groups, n_left_out } = Namesakes::of(uses, &all);
    if groups.len() < 2 {
        return (Vec::new(), 0);
    }
    let namesake = |same: Vec<SymbolId>| {
        let id = same[0];
        let hits = uses.all(&[id]);
        let is_use = |hit: &&ReferenceHit| !is_naming(hit.kind);
        let is_certain = |hit: &&ReferenceHit| hit.confidence.is_certain();
        let n = hits.iter().filter(is_use).count();
        let n_uses = hits.iter().filter(is_use).filter(is_certain).count();
        let namesake = Namesake {
            definition: view.symbol_line(id),
            n_uses: n_uses as u32,
            n_maybe: (n - n_uses) as u32,
        };
        (view.is_test_code(id.file, Some(id)), namesake)
    };
    let mut namesakes: Vec<_> = groups.into_iter().map(namesake).collect();
    namesakes.sort_by_key(|(is_test, namesake)| (*is_test, Reverse(namesake.n_uses)));
    let namesakes = namesakes.into_iter().map(|(_, namesake)| namesake);
    (namesakes.collect(), n_left_out as u32)
}

/// Takes out the uses that may mean another definition as well, where others are settled.
///
/// Where scope or imports settle some uses, those that they do not are mostly of others that bear the
/// name. A call that may come here from a base settles none.
fn take_unsettled(found: &mut Vec<ReferenceHit>) -> Vec<ReferenceHit> {
    let is_open = |hit: &ReferenceHit| hit.confidence == Confidence::Ambiguous;
    let settles = |hit: &ReferenceHit| !is_open(hit) && hit.confidence != Confidence::Possible;
    if !found.iter().any(settles) {
        return Vec::new();
    }
    found.extract_if(.., |hit| is_open(hit)).collect()
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
