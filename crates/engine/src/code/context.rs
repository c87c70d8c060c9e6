//! What an agent would have opened for a task: the files that search finds first, the code of their
//! definitions, who uses it and what it uses, and the tests to run.

use crate::Engine;
use crate::api::{
    CodeLine, ContextPiece, ContextRequest, ContextResponse, Hit, SearchFilters, SearchRequest,
};
use crate::code::tasks::{Neighbours, definition};
use crate::code::tests_to_run::tests_to_run;
use crate::code::whole::{self, MIN_COMMENT};
use crate::error::Result;
use crate::memory::{MAX_BESIDE, ShownCode};
use crate::views::{LiveView, Texts};
use whyrank_graph::SymbolId;
use whyrank_retrieval::{ParsedQuery, QueryShape};
use whyrank_syntax::Span;

const DEFAULT_FILES: u32 = 10;
const MAX_FILES: u32 = 30;
/// Hits for each file: those beyond its first are named with it.
const HITS_A_FILE: u32 = 2;
const MAX_ALSO: usize = 3;
const N_NEIGHBOURS: usize = 5;
/// Lines that are shown before the best one is worth a jump.
const SEEN_LINES: usize = 30;
/// Lines before the best one that come with it.
const BEFORE_BEST: u32 = 4;
/// Longer pieces are cut by anyone who shows them; more than this nobody shows.
const MAX_PIECE_LINES: usize = 400;
/// How tasks begin.
const ORDERS: [&str; 17] = [
    "add",
    "allow",
    "build",
    "change",
    "create",
    "delete",
    "enable",
    "extend",
    "implement",
    "improve",
    "introduce",
    "make",
    "refactor",
    "remove",
    "support",
    "update",
    "write",
];
/// Words that are left of a task without its first.
const MIN_SUBJECT: usize = 2;

impl Engine {
    /// Gathers what a task needs: code, who uses it, what it uses, the tests to run. Each file once.
    ///
    /// # Errors
    /// As [`Engine::search`].
    pub fn context(&self, request: &ContextRequest) -> Result<ContextResponse> {
        let limit = match request.limit {
            0 => DEFAULT_FILES,
            limit => limit.min(MAX_FILES),
        };
        let found = self.search(&SearchRequest {
            repo: request.repo.clone(),
            query: subject_of(&request.task).to_owned(),
            limit: limit * HITS_A_FILE,
            filters: SearchFilters::below(&request.paths),
            as_of: request.as_of.clone(),
            distinct_files: true,
            ..SearchRequest::default()
        })?;
        let is_issue = ParsedQuery::parse(&request.task).shape == QueryShape::Issue;
        let whole = request.lines > 0 || is_issue;
        let mut pieces = if whole {
            whole::pieces_of(found.hits)
        } else {
            by_file(found.hits, limit as usize)
        };
        let session = self.open_graph(&request.repo, request.as_of.as_deref())?;
        let mut texts = Texts::new(&session.view);
        let tests = session.with_structure(|structure| {
            let around = Neighbours::new(structure);
            let ids: Vec<Option<SymbolId>> = pieces
                .iter()
                .map(|piece| definition(structure, &piece.hit))
                .collect();
            for (piece, id) in pieces.iter_mut().zip(&ids) {
                surround(&around, piece, *id);
            }
            Ok(tests_to_run(structure, &ids))
        })?;
        if whole {
            let n_lines = match request.lines {
                0 => MAX_PIECE_LINES,
                n_lines => n_lines as usize,
            };
            whole::fill(&session.view, &mut texts, &mut pieces, n_lines)?;
        } else {
            for piece in &mut pieces {
                piece.lines = lines_of(&session.view, &mut texts, &piece.hit)?;
            }
        }
        let hits = pieces
            .iter()
            .flat_map(|piece| std::iter::once(&piece.hit).chain(&piece.also));
        let shown: Vec<ShownCode<'_>> = hits.map(ShownCode::from).collect();
        let beside = self.memos_about(&request.repo, request.as_of.as_deref(), &shown);
        let mut memos = beside.memos;
        for memo in found.memos {
            if memos.len() < MAX_BESIDE && memos.iter().all(|known| known.id != memo.id) {
                memos.push(memo);
            }
        }
        Ok(ContextResponse {
            query_id: found.query_id,
            pieces,
            whole,
            tests,
            memos,
            memory_gap: beside.gap,
            notes: found.notes,
        })
    }
}

/// A task without the word that says what is to be done: code that adds, or sets, is not meant by it.
fn subject_of(task: &str) -> &str {
    let task = task.trim();
    let (first, rest) = task.split_once(char::is_whitespace).unwrap_or((task, ""));
    let is_order = ORDERS.contains(&first.to_lowercase().as_str());
    if is_order && rest.split_whitespace().count() >= MIN_SUBJECT {
        rest.trim_start()
    } else {
        task
    }
}

/// A piece for each file, in the order of its first hit.
fn by_file(hits: Vec<Hit>, limit: usize) -> Vec<ContextPiece> {
    let mut pieces: Vec<ContextPiece> = Vec::new();
    for hit in hits {
        match pieces.iter().position(|piece| piece.hit.path == hit.path) {
            Some(at) if pieces[at].also.len() < MAX_ALSO => pieces[at].also.push(hit),
            None if pieces.len() < limit => pieces.push(ContextPiece::of(hit)),
            _ => {}
        }
    }
    pieces
}

fn surround(around: &Neighbours<'_, '_, '_>, piece: &mut ContextPiece, id: Option<SymbolId>) {
    let Some(id) = id else {
        return;
    };
    let (used_by, n_used_by) = around.used_by(id, N_NEIGHBOURS);
    (piece.used_by, piece.n_used_by) = (used_by, n_used_by as u32);
    piece.uses = around.uses(id, N_NEIGHBOURS);
}

/// The lines of a hit that are to be read: head and body, without the documentation in it; of a long
/// one the head, and the rest from shortly before the line that matches best.
fn lines_of(view: &LiveView, texts: &mut Texts<'_>, hit: &Hit) -> Result<Vec<CodeLine>> {
    let Some(file) = view.file(&hit.path) else {
        return Ok(Vec::new());
    };
    let doc = doc_in(view, file, hit);
    let is_doc = |line: u32| doc.is_some_and(|doc| (doc.start_line..=doc.end_line).contains(&line));
    let numbered = (1u32..).zip(texts.get(file)?.lines());
    let inside = numbered
        .skip_while(|(line, _)| *line < hit.start_line)
        .take_while(|(line, _)| *line <= hit.end_line)
        .filter(|(line, _)| !is_doc(*line));
    let mut lines: Vec<CodeLine> = inside
        .map(|(line, text)| CodeLine {
            line,
            text: text.to_owned(),
        })
        .collect();
    let best = hit.snippet.iter().filter(|line| !is_doc(line.line));
    let best = best.max_by_key(|line| (line.matches.len(), std::cmp::Reverse(line.line)));
    let from = best.map_or(0, |best| best.line.saturating_sub(BEFORE_BEST));
    if lines.iter().filter(|line| line.line < from).count() > SEEN_LINES {
        let head = lines[0].clone();
        lines.retain(|line| line.line >= from);
        lines.insert(0, head);
    }
    lines.truncate(MAX_PIECE_LINES);
    Ok(lines)
}

/// The documentation inside a hit's definition, where it is long enough to be in the way.
fn doc_in(view: &LiveView, file: u32, hit: &Hit) -> Option<Span> {
    let symbols = &view.files[file as usize].outline().symbols;
    let it = symbols.iter().find(|symbol| {
        Some(&symbol.qualified) == hit.symbol.as_ref() && symbol.span.start_line == hit.start_line
    })?;
    it.doc.filter(|doc| {
        doc.start_line > hit.start_line && doc.end_line - doc.start_line + 1 >= MIN_COMMENT
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_no_part_of_what_is_looked_for() {
        assert_eq!(subject_of("Add a retry limit"), "a retry limit");
        assert_eq!(subject_of("add tests"), "add tests");
    }
}
