//! The definitions of a file, as the index has it and as an editor holds it.

use crate::Engine;
use crate::api::{FileOutline, LocalPlace, OutlinedSymbol, RepoId};
use crate::code::symbols::line_of;
use crate::error::Result;
use whyrank_syntax::{Import, ImportKind, Symbol};

/// The first bytes of a text, by which its language is told where its name does not.
const HEAD_BYTES: usize = 4096;
/// Languages in which an import binds a name of its file, whatever it leads to.
const IMPORTS_BIND: [&str; 4] = ["go", "javascript", "typescript", "tsx"];

impl Engine {
    /// Returns the definitions of a file as the index has them, with the text that they were read from;
    /// `None` for a path that is not in the index: a file that was just made, or is left out of it.
    ///
    /// # Errors
    /// Those of opening the view.
    pub fn file_outline(&self, repo: &RepoId, path: &str) -> Result<Option<FileOutline>> {
        let view = self.view_of(repo, None)?;
        let Some(number) = view.file(path) else {
            return Ok(None);
        };
        let file = &view.files[number as usize];
        Ok(Some(FileOutline {
            language: file.language.name().to_owned(),
            text: view.text(number)?,
            symbols: outlined(&file.path, &file.outline().symbols),
        }))
    }

    /// Returns the definitions of a text that no index has: of a file that an editor holds and has not saved.
    pub fn outline_of(&self, path: &str, text: &str) -> FileOutline {
        let Some(language) = language_of(path, text) else {
            return FileOutline::default();
        };
        let facts = whyrank_syntax::analyze(text, language);
        FileOutline {
            language: language.name().to_owned(),
            text: text.to_owned(),
            symbols: outlined(path, &facts.symbols),
        }
    }

    /// Returns the places of a text at which a name means a parameter or a variable of the function around it, in
    /// order. All are certain; a name that is left out may be one as well.
    pub fn locals_of(&self, path: &str, text: &str) -> Vec<LocalPlace> {
        let Some(language) = language_of(path, text) else {
            return Vec::new();
        };
        let names = whyrank_syntax::local_names(text, language).into_iter();
        let place = |name: whyrank_syntax::LocalName| LocalPlace {
            start: name.start as usize,
            end: name.end as usize,
            binding: name.binding,
            declares: name.declares,
            sets: name.sets,
        };
        names.map(place).collect()
    }

    /// Returns the line, from 1, of the import that brings a name into a text, where the name at a line and a byte
    /// column of it is used bare; in Go, JavaScript and TypeScript.
    pub fn import_of(&self, path: &str, text: &str, (line, column): (u32, u32)) -> Option<u32> {
        let language = language_of(path, text)?;
        if !IMPORTS_BIND.contains(&language.name()) {
            return None;
        }
        let facts = whyrank_syntax::analyze(text, language);
        let mut uses = facts.references.iter();
        let used = uses
            .find(|used| used.line == line && used.column == column && used.qualifier.is_empty())?;
        let brings = |import: &&Import| {
            import.kind == ImportKind::Import && brings(import, language.name(), &used.name)
        };
        let import = facts.imports.iter().find(brings)?;
        Some(import.line)
    }
}

/// Says whether an import binds a name in its file.
fn brings(import: &Import, language: &str, name: &str) -> bool {
    match import.names.is_empty() {
        true => language == "go" && import.module.rsplit('/').next() == Some(name),
        false => import.names.iter().any(|bound| bound.local == name),
    }
}

fn language_of(path: &str, text: &str) -> Option<whyrank_syntax::Language> {
    let head = &text.as_bytes()[..text.len().min(HEAD_BYTES)];
    whyrank_syntax::detect(path, head)
}

fn outlined(path: &str, symbols: &[Symbol]) -> Vec<OutlinedSymbol> {
    let one = |symbol: &Symbol| OutlinedSymbol {
        line: line_of(path, symbol),
        doc: symbol
            .doc
            .as_ref()
            .map(|doc| (doc.start_line, doc.end_line)),
        parent: symbol.parent,
    };
    symbols.iter().map(one).collect()
}
