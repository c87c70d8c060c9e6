//! Files, definitions and uses as rows.

use super::EachRow;
use crate::Engine;
use crate::api::{FileRow, SymbolRow, TableRequest, TableRow, UseConfidence, UseRow};
use crate::error::Result;
use crate::views::LiveView;
use std::ops::ControlFlow;
use whyrank_graph::{Confidence, ReferenceHit, ReferenceQuery, SymbolId};
use whyrank_retrieval::{kind_name, reference_name};
use whyrank_syntax::Symbol;

impl Engine {
    pub(super) fn file_rows(&self, request: &TableRequest, each: &mut EachRow<'_>) -> Result<()> {
        let view = self.view_of(&request.repo, request.as_of.as_deref())?;
        for file in 0..view.files.len() as u32 {
            if each(TableRow::File(file_row(&view, file))).is_break() {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn symbol_rows(&self, request: &TableRequest, each: &mut EachRow<'_>) -> Result<()> {
        let session = self.open_graph(&request.repo, request.as_of.as_deref())?;
        session.with(|known, uses| {
            let view = &session.view;
            let _stopped = each_symbol(view, &mut |id, symbol| {
                let rank = f64::from(known.ranks.get(id));
                each(TableRow::Symbol(symbol_row(view, uses, (id, symbol), rank)))
            });
            Ok(())
        })
    }

    pub(super) fn use_rows(&self, request: &TableRequest, each: &mut EachRow<'_>) -> Result<()> {
        let session = self.open_graph(&request.repo, request.as_of.as_deref())?;
        session.with(|_, uses| {
            let view = &session.view;
            let _stopped = each_symbol(view, &mut |id, symbol| {
                // A declaration, its body and its overloads have their uses in common: the first has the rows.
                if uses.same(id).iter().any(|other| *other < id) {
                    return ControlFlow::Continue(());
                }
                let hits = uses.settled(&[id]).into_iter();
                hits.filter(|hit| hit.confidence != Confidence::Ambiguous)
                    .try_for_each(|hit| each(TableRow::Use(use_row(view, id, symbol, &hit))))
            });
            Ok(())
        })
    }
}

/// Calls `each` with all definitions, by file and place, until it has enough.
fn each_symbol(
    view: &LiveView,
    each: &mut dyn FnMut(SymbolId, &Symbol) -> ControlFlow<()>,
) -> ControlFlow<()> {
    (0u32..).zip(&view.files).try_for_each(|(file, known)| {
        known.with_outline(|outline| {
            let mut symbols = (0u32..).zip(&outline.symbols);
            symbols.try_for_each(|(symbol, it)| each(SymbolId { file, symbol }, it))
        })
    })
}

fn file_row(view: &LiveView, file: u32) -> FileRow {
    let it = &view.files[file as usize];
    let imports = &view.graph.imports;
    let mut targets: Vec<u32> = imports
        .imports(file)
        .iter()
        .filter_map(|edge| edge.target)
        .collect();
    targets.sort_unstable();
    targets.dedup();
    FileRow {
        path: it.path.clone(),
        language: it.language.name().to_owned(),
        role: view.index.roles[file as usize].name().to_owned(),
        blob: it.blob.to_string(),
        lines: it.n_lines,
        definitions: it.n_symbols,
        imports: targets.len() as u32,
        imported_by: imports.importers(file).len() as u32,
        rank: f64::from(view.file_rank(file)),
    }
}

fn symbol_row(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    (id, symbol): (SymbolId, &Symbol),
    rank: f64,
) -> SymbolRow {
    let (settled, open) = uses.settled_and_open(&[id]);
    let is_certain = |hit: &&ReferenceHit| hit.confidence.is_certain();
    let certain = || settled.iter().filter(is_certain);
    let role = view.index.roles[id.file as usize];
    SymbolRow {
        path: view.path(id.file).to_owned(),
        line: symbol.name_line,
        name: symbol.name.clone(),
        qualified: symbol.qualified.clone(),
        kind: kind_name(symbol.kind).to_owned(),
        start_line: symbol.span.start_line,
        end_line: symbol.span.end_line,
        exported: symbol.exported,
        documented: symbol.doc.is_some(),
        role: role.name().to_owned(),
        uses: certain().count() as u32,
        test_uses: certain().filter(|hit| is_in_test(view, hit)).count() as u32,
        open_uses: (settled.len() - certain().count() + open.len()) as u32,
        rank,
        signature: symbol.signature.clone(),
    }
}

fn use_row(view: &LiveView, id: SymbolId, symbol: &Symbol, hit: &ReferenceHit) -> UseRow {
    let around = |id: SymbolId| {
        let symbols = &view.files[id.file as usize].outline().symbols;
        symbols[id.symbol as usize].qualified.clone()
    };
    UseRow {
        path: view.path(hit.file).to_owned(),
        line: hit.line,
        kind: reference_name(hit.kind).to_owned(),
        confidence: UseConfidence::from(hit.confidence).as_str().to_owned(),
        within: hit.enclosing.map(around),
        is_test: is_in_test(view, hit),
        to_path: view.path(id.file).to_owned(),
        to_line: symbol.name_line,
        to_qualified: symbol.qualified.clone(),
    }
}

fn is_in_test(view: &LiveView, hit: &ReferenceHit) -> bool {
    view.is_test_code(hit.file, hit.enclosing)
}
