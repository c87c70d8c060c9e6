//! How one symbol reaches another: by uses, or by the imports of their files.

use crate::Engine;
use crate::api::{CallPathRequest, CallPathResponse, CallStep, ImportPathStep};
use crate::choices::need;
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{SymbolSelector, targets};
use crate::error::Result;
use crate::views::LiveView;
use whyrank_graph::{ImportStep, PathStep, SymbolId, call_path, import_path};

const MAX_PATHS: usize = 5;

impl Engine {
    /// Finds the surest chains of uses from one symbol to another; the other way where there is none,
    /// if that is certain, and the shortest chain of imports between their files where neither is.
    ///
    /// # Errors
    /// As [`Engine::refs`].
    pub fn call_path(&self, request: &CallPathRequest) -> Result<CallPathResponse> {
        need(&request.from, "from")?;
        need(&request.to, "to")?;
        let session = self.open_graph_with_runs(&request.repo, request.as_of.as_deref())?;
        session.with(|known, uses| {
            let (view, table) = (&session.view, &known.table);
            let from = SymbolSelector {
                symbol: &request.from,
                path: request.from_path.as_deref(),
                line: request.from_line,
            };
            let from = targets(view, table, from)?;
            let to = SymbolSelector {
                symbol: &request.to,
                path: request.to_path.as_deref(),
                line: request.to_line,
            };
            let to = targets(view, table, to)?;
            let near = match (from.is_empty(), to.is_empty()) {
                (true, _) => table.near(&request.from, MAX_NEAR),
                (_, true) => table.near(&request.to, MAX_NEAR),
                _ => Vec::new(),
            };
            let mut paths = call_path(uses, &from, &to, MAX_PATHS);
            let mut reversed = paths.is_empty();
            if reversed {
                // The way back is no answer to the question, so it has to be certain.
                paths = call_path(uses, &to, &from, MAX_PATHS);
                paths.retain(|path| path.iter().all(|step| step.confidence.is_certain()));
            }
            let mut imports = Vec::new();
            if paths.is_empty() {
                (imports, reversed) = view.import_path(&from, &to);
            }
            let steps = paths.iter().map(|path| {
                let next = path.iter().skip(1).map(Some).chain([None]);
                let step = |(step, next): (&PathStep, Option<&PathStep>)| CallStep {
                    symbol: view.symbol_line(step.symbol),
                    line: step.line,
                    confidence: step.confidence.into(),
                    ran: next.map_or_else(String::new, |next| {
                        session.ran(uses, step.symbol, next.symbol)
                    }),
                };
                path.iter().zip(next).map(step).collect()
            });
            Ok(CallPathResponse {
                from: view.lines(&from),
                to: view.lines(&to),
                reversed,
                paths: steps.collect(),
                imports,
                runs: session.run_reports(),
                brought: session.brought(),
                near: view.lines(&near),
            })
        })
    }
}

impl LiveView {
    /// The shortest chain of imports between the files of definitions, and whether it leads back.
    fn import_path(&self, from: &[SymbolId], to: &[SymbolId]) -> (Vec<ImportPathStep>, bool) {
        let files = |ids: &[SymbolId]| ids.iter().map(|id| id.file).collect::<Vec<u32>>();
        let (from, to) = (files(from), files(to));
        let graph = &self.graph.imports;
        let there = import_path(graph, &from, &to);
        let (steps, reversed) = if there.is_empty() {
            (import_path(graph, &to, &from), true)
        } else {
            (there, false)
        };
        let reversed = reversed && !steps.is_empty();
        let step = |step: ImportStep| ImportPathStep {
            path: self.files[step.file as usize].path.clone(),
            line: step.line,
        };
        (steps.into_iter().map(step).collect(), reversed)
    }
}
