//! Views made by hand.

use whyrank_graph::{FileInput, ImportGraph, ManifestInput};
use whyrank_syntax::{FileFacts, Import, ImportKind, ImportedName, Span, Symbol, SymbolKind};

/// A file with facts to be filled in.
pub(crate) struct File {
    pub(crate) path: &'static str,
    pub(crate) language: &'static str,
    pub(crate) facts: FileFacts,
}

pub(crate) fn file(path: &'static str) -> File {
    let language = match path.rsplit('.').next().unwrap_or("") {
        "ts" | "mts" | "cts" => "typescript",
        "tsx" => "tsx",
        "js" | "mjs" | "cjs" | "jsx" => "javascript",
        "py" | "pyi" => "python",
        "rs" => "rust",
        "kt" => "kotlin",
        "h" | "c" => "c",
        "hpp" | "cpp" => "cpp",
        "rb" => "ruby",
        "cs" => "csharp",
        "ex" => "elixir",
        "hs" => "haskell",
        other => other,
    };
    File {
        path,
        language,
        facts: FileFacts::default(),
    }
}

impl File {
    /// `names`: `Name`, `Name as local`, `* as local`.
    pub(crate) fn with(self, kind: ImportKind, module: &str, names: &[&str]) -> Self {
        let line = self.facts.imports.len() as u32 + 1;
        self.import_at(kind, module, names, line)
    }

    pub(crate) fn import(self, module: &str, names: &[&str]) -> Self {
        self.with(ImportKind::Import, module, names)
    }

    pub(crate) fn import_at(
        mut self,
        kind: ImportKind,
        module: &str,
        names: &[&str],
        line: u32,
    ) -> Self {
        let name = |text: &&str| {
            let (name, local) = text.split_once(" as ").unwrap_or((text, text));
            ImportedName {
                name: name.to_owned(),
                local: local.to_owned(),
            }
        };
        let names = names.iter().map(name).collect();
        self.facts.imports.push(Import {
            module: module.to_owned(),
            names,
            kind,
            line,
        });
        self
    }

    pub(crate) fn define(mut self, kind: SymbolKind, qualified: &str, lines: (u32, u32)) -> Self {
        let name = qualified
            .rsplit(['.', ':', '\\'])
            .next()
            .unwrap_or(qualified)
            .to_owned();
        let span = Span {
            start_line: lines.0,
            end_line: lines.1,
            start_byte: 0,
            end_byte: 0,
        };
        self.facts.symbols.push(Symbol {
            name,
            qualified: qualified.to_owned(),
            kind,
            span,
            name_line: lines.0,
            signature: String::new(),
            doc: None,
            parent: None,
            exported: true,
        });
        self
    }
}

pub(crate) fn inputs(files: &[File]) -> Vec<FileInput<'_>> {
    files
        .iter()
        .map(|file| FileInput {
            path: file.path,
            language: file.language,
            facts: &file.facts,
        })
        .collect()
}

pub(crate) fn graph(files: &[File], manifests: &[(&str, &str)]) -> ImportGraph {
    let manifests: Vec<ManifestInput<'_>> = manifests
        .iter()
        .map(|(path, text)| ManifestInput { path, text })
        .collect();
    ImportGraph::resolve(&inputs(files), &manifests)
}

/// The paths that the first file imports, and what is external in brackets, by line.
pub(crate) fn imported(files: &[File], manifests: &[(&str, &str)]) -> Vec<String> {
    let graph = graph(files, manifests);
    let show = |edge: &whyrank_graph::ImportEdge| match edge.target {
        Some(target) => files[target as usize].path.to_owned(),
        None => format!("({})", graph.module(edge)),
    };
    graph.imports(0).iter().map(show).collect()
}
