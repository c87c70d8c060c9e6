//! The names of a file with what they mean, so that who reads it can follow them.

use crate::Engine;
use crate::api::{FileNames, FileNamesRequest, NamePlace, RepoId, SymbolLine, UseConfidence};
use crate::code::deps::find_file;
use crate::error::Result;
use crate::views::LiveView;
use std::collections::HashMap;
use whyrank_graph::{NameInFile, ReferenceQuery, SymbolId};
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

/// A screen shows some hundreds; more than these only makes an answer large.
const MAX_NAMES: usize = 10_000;

impl Engine {
    /// Returns what the names of a file mean, by line and column.
    ///
    /// # Errors
    /// `bad-argument` for a path that is not in the index; those of opening the view.
    pub fn names_in_file(&self, request: &FileNamesRequest) -> Result<FileNames> {
        let session = self.open_graph_with_facts(&request.repo, request.as_of.as_deref())?;
        let view = &session.view;
        let file = find_file(view, &request.path)?;
        let (text, _) = view.shown_text(file)?;
        let is_whole = view.graph.imports.n_files() == view.files.len();
        session.with_kept(|uses| {
            let mut placed = PlacedNames::new(view, &text);
            placed.add_own(file);
            for name in uses.names_in(file) {
                placed.add_use(uses, &name);
            }
            let note = match is_whole {
                true => String::new(),
                false => self.graph_note(&request.repo),
            };
            Ok(placed.answer(file, note))
        })
    }

    /// Returns a definition with all that is one with it: a declaration and its body, overloads. None of a
    /// definition that the index does not have.
    ///
    /// # Errors
    /// `bad-argument` for a path that is not in the index; those of opening the view.
    pub fn parts_of(&self, repo: &RepoId, definition: &SymbolLine) -> Result<Vec<SymbolLine>> {
        let session = self.open_graph_with_facts(repo, None)?;
        let view = &session.view;
        let file = find_file(view, &definition.path)?;
        let symbols = &view.files[file as usize].outline().symbols;
        let is_meant = |symbol: &Symbol| {
            symbol.name_line == definition.name_line && symbol.name == definition.name
        };
        let Some(symbol) = symbols.iter().position(is_meant) else {
            return Ok(Vec::new());
        };
        let symbol = symbol as u32;
        session.with_kept(|uses| Ok(view.lines(&uses.same(SymbolId { file, symbol }))))
    }
}

/// The names of a file as they are put in place.
struct PlacedNames<'a> {
    view: &'a LiveView,
    lines: Vec<&'a str>,
    ids: Vec<SymbolId>,
    index: HashMap<SymbolId, u32>,
    names: Vec<NamePlace>,
}

impl<'a> PlacedNames<'a> {
    fn new(view: &'a LiveView, text: &'a str) -> Self {
        Self {
            view,
            lines: text.split('\n').collect(),
            ids: Vec::new(),
            index: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// The heads of the file's own definitions.
    fn add_own(&mut self, file: u32) {
        let view = self.view;
        for (symbol, definition) in (0..).zip(&view.files[file as usize].outline().symbols) {
            // A section is prose, and the head of an `impl` block names a type.
            if matches!(definition.kind, SymbolKind::Section | SymbolKind::Impl) {
                continue;
            }
            let Some((start, end)) = self.columns(definition.name_line, None, &definition.name)
            else {
                continue;
            };
            let target = self.index_of(SymbolId { file, symbol });
            self.names.push(NamePlace {
                line: definition.name_line,
                start,
                end,
                targets: vec![target],
                confidence: UseConfidence::Resolved,
                certain: true,
                own: true,
            });
        }
    }

    fn add_use(&mut self, uses: &ReferenceQuery<'_>, name: &NameInFile) {
        if self.is_part_of_module(name) {
            return;
        }
        let Some((start, end)) = self.columns(name.line, name.column, &name.name) else {
            return;
        };
        let targets = uses.apart(&name.targets);
        let targets = targets.into_iter().map(|id| self.index_of(id)).collect();
        self.names.push(NamePlace {
            line: name.line,
            start,
            end,
            targets,
            confidence: name.confidence.into(),
            certain: name.confidence.is_certain(),
            own: false,
        });
    }

    /// Says whether a name of an import is a part of its module's, which a definition may bear as well:
    /// the first of `from .tax import tax`.
    fn is_part_of_module(&self, name: &NameInFile) -> bool {
        let is_import = matches!(name.kind, ReferenceKind::Import | ReferenceKind::ReExport);
        let line = self.lines.get(name.line.saturating_sub(1) as usize);
        let end = name.column.unwrap_or(0) as usize + name.name.len();
        let rest = line.and_then(|line| line.get(end..)).unwrap_or("");
        // A module in quotes is written like a text.
        let code = rest.split(['"', '\'', '`']).next().unwrap_or("");
        let can_hold = |id: &SymbolId| {
            let kind = self.view.symbol(*id).kind;
            kind == SymbolKind::Module || kind.has_members()
        };
        let leads_on = rest.starts_with(['.', ':']) && !name.targets.iter().any(can_hold);
        is_import && (leads_on || place_of(code, &name.name).is_some())
    }

    fn index_of(&mut self, id: SymbolId) -> u32 {
        *self.index.entry(id).or_insert_with(|| {
            self.ids.push(id);
            self.ids.len() as u32 - 1
        })
    }

    /// The columns of a name on a line: those that its facts say where the text has it there, and its first place as
    /// a word where they say none.
    fn columns(&self, line: u32, column: Option<u32>, name: &str) -> Option<(u32, u32)> {
        let text = *self.lines.get(line.checked_sub(1)? as usize)?;
        let is_here = |byte: &usize| text.get(*byte..).is_some_and(|rest| rest.starts_with(name));
        let byte = match column {
            Some(column) => Some(column as usize).filter(is_here),
            None => place_of(text, name),
        }?;
        let units = |text: &str| text.encode_utf16().count() as u32;
        let start = units(&text[..byte]);
        Some((start, start + units(name)))
    }

    fn answer(mut self, file: u32, note: String) -> FileNames {
        // The head of a definition before what else is said of the same place.
        self.names
            .sort_by_key(|name| (name.line, name.start, !name.own, !name.certain));
        let mut last = (0, 0);
        self.names.retain(|name| {
            let is_free = (name.line, name.start) >= last;
            if is_free {
                last = (name.line, name.end);
            }
            is_free
        });
        let n_left_out = self.names.len().saturating_sub(MAX_NAMES) as u32;
        self.names.truncate(MAX_NAMES);
        FileNames {
            path: self.view.files[file as usize].path.clone(),
            definitions: self.view.lines(&self.ids),
            names: self.names,
            n_left_out,
            note,
        }
    }
}

/// The first place of a name in a line where it is no part of another.
fn place_of(text: &str, name: &str) -> Option<usize> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !name.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::place_of;

    #[test]
    fn a_name_is_found_where_it_is_no_part_of_another() {
        assert_eq!(place_of("retax = tax(total)", "tax"), Some(8));
        assert_eq!(place_of("retaxed", "tax"), None);
        assert_eq!(place_of("été = 1", "été"), Some(0));
        assert_eq!(place_of("a", ""), None);
    }
}
