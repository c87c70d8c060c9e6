//! Views made by hand.

use whyrank_graph::{
    Confidence, FileInput, ImportGraph, ManifestInput, ReferenceHit, SymbolId, SymbolTable,
    references,
};
use whyrank_syntax::{
    FileFacts, Import, ImportKind, ImportedName, ReferenceKind, Span, Symbol, SymbolKind,
};

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

/// A view from source text, with all that the crate makes of it.
pub(crate) struct View {
    sources: Vec<(&'static str, &'static str, FileFacts)>,
    pub(crate) graph: ImportGraph,
    pub(crate) table: SymbolTable,
}

impl View {
    /// `files` are path and text; manifests may be among them.
    pub(crate) fn new(files: &[(&'static str, &'static str)]) -> Self {
        let sources: Vec<(&str, &str, FileFacts)> = files
            .iter()
            .filter_map(|(path, text)| {
                let language = whyrank_syntax::detect(path, text.as_bytes())?;
                Some((
                    *path,
                    language.name(),
                    whyrank_syntax::analyze(text, language),
                ))
            })
            .collect();
        let manifests: Vec<ManifestInput<'_>> = files
            .iter()
            .map(|(path, text)| ManifestInput { path, text })
            .collect();
        let inputs = view_inputs(&sources);
        let graph = ImportGraph::resolve(&inputs, &manifests);
        let table = SymbolTable::new(&inputs, &graph);
        drop(inputs);
        Self {
            sources,
            graph,
            table,
        }
    }

    pub(crate) fn inputs(&self) -> Vec<FileInput<'_>> {
        view_inputs(&self.sources)
    }

    fn show(&self, id: SymbolId) -> String {
        let (path, _, facts) = &self.sources[id.file as usize];
        let symbol = &facts.symbols[id.symbol as usize];
        format!("{path}:{} {}", symbol.name_line, symbol.qualified)
    }

    pub(crate) fn definitions(&self, query: &str) -> Vec<String> {
        self.table
            .definitions(query)
            .into_iter()
            .map(|id| self.show(id))
            .collect()
    }

    pub(crate) fn near(&self, query: &str) -> Vec<String> {
        self.table
            .near(query, 3)
            .into_iter()
            .map(|id| self.show(id))
            .collect()
    }

    fn hits(&self, query: &str) -> Vec<ReferenceHit> {
        let targets = self.table.definitions(query);
        assert!(!targets.is_empty(), "{query} has no definition");
        references(&self.inputs(), &self.graph, &self.table, &targets)
    }

    /// The uses of what a query means: `path:line`, imports and mentions left out; `?` marks an
    /// ambiguous one, `~` one that only the name speaks for.
    pub(crate) fn uses(&self, query: &str) -> Vec<String> {
        let kinds = [
            ReferenceKind::Import,
            ReferenceKind::ReExport,
            ReferenceKind::Mention,
        ];
        self.hits(query)
            .into_iter()
            .filter(|hit| !kinds.contains(&hit.kind))
            .map(|hit| {
                let mark = match hit.confidence {
                    Confidence::Resolved => "",
                    Confidence::Ambiguous => "?",
                    Confidence::NameOnly => "~",
                };
                format!("{}:{}{mark}", self.sources[hit.file as usize].0, hit.line)
            })
            .collect()
    }

    pub(crate) fn uses_of_kind(&self, query: &str, kind: ReferenceKind) -> Vec<String> {
        let of_kind = self.hits(query).into_iter().filter(|hit| hit.kind == kind);
        of_kind
            .map(|hit| format!("{}:{}", self.sources[hit.file as usize].0, hit.line))
            .collect()
    }
}

fn view_inputs<'a>(sources: &'a [(&'static str, &'static str, FileFacts)]) -> Vec<FileInput<'a>> {
    let input = |(path, language, facts): &'a (&'static str, &'static str, FileFacts)| FileInput {
        path,
        language,
        facts,
    };
    sources.iter().map(input).collect()
}
