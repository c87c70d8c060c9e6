//! Completions while typing.

use crate::Engine;
use crate::api::Suggestion;
use crate::error::Result;
use std::collections::HashSet;
use whyrank_graph::SymbolId;

const MAX_RECENT: u32 = 3;

impl Engine {
    /// Completions: recent queries, then symbols, then paths. At most `limit` of each kind.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing` and those of opening the view.
    pub fn suggest(&self, repo: &str, prefix: &str, limit: u32) -> Result<Vec<Suggestion>> {
        let registered = self.state.registry.get(repo)?;
        let prefix = prefix.trim();
        let recent = self
            .state
            .traces
            .recent_queries(repo, prefix, limit.min(MAX_RECENT));
        let mut suggestions: Vec<Suggestion> = recent
            .into_iter()
            .map(|text| Suggestion {
                text,
                kind: "recent".to_owned(),
                detail: String::new(),
            })
            .collect();
        if prefix.is_empty() {
            return Ok(suggestions);
        }
        let view = self.state.worktree_view(&registered)?;
        let wanted = prefix.to_lowercase();
        let mut seen = HashSet::new();
        let mut symbols: Vec<(bool, usize, SymbolId)> = Vec::new();
        for (file, entry) in view.index.view.files.iter().enumerate() {
            for (symbol, definition) in entry.outline.symbols.iter().enumerate() {
                let name = definition.name.to_lowercase();
                if let Some(at) = name.find(&wanted) {
                    let id = SymbolId {
                        file: file as u32,
                        symbol: symbol as u32,
                    };
                    symbols.push((at > 0, definition.name.len(), id));
                }
            }
        }
        symbols.sort_by_key(|(is_inner, length, id)| (*is_inner, *length, id.file, id.symbol));
        let lines = symbols.iter().map(|(_, _, id)| view.symbol_line(*id));
        let fresh = lines
            .filter(|line| seen.insert(line.qualified.clone()))
            .take(limit as usize);
        suggestions.extend(fresh.map(|line| Suggestion {
            detail: format!("{} · {}:{}", line.kind, line.path, line.name_line),
            kind: "symbol".to_owned(),
            text: line.qualified,
        }));
        let paths = view.index.view.files.iter().map(|file| &file.path);
        let matching = paths
            .filter(|path| path.to_lowercase().contains(&wanted))
            .take(limit as usize);
        suggestions.extend(matching.map(|path| Suggestion {
            text: path.clone(),
            kind: "path".to_owned(),
            detail: String::new(),
        }));
        Ok(suggestions)
    }
}
