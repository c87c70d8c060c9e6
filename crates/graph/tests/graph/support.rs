//! Views made by hand.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use whyrank_external::Budget;
use whyrank_external::runs::Unit;
use whyrank_graph::{
    Confidence, FileInput, Implementations, ImportGraph, ManifestInput, MentionFile, Mentions,
    NamePartAt, ReferenceHit, ReferenceIndex, ReferenceQuery, Surroundings, SymbolId, SymbolTable,
    Verdict, call_path, dead_code, impact, is_unused, references, symbol_rank,
};
use whyrank_syntax::{
    FileFacts, Import, ImportKind, ImportedName, Language, ReferenceKind, Span, Symbol, SymbolKind,
    words,
};

use crate::sections::{MemorySections, stored};

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
    texts: Vec<&'static str>,
    pub(crate) graph: ImportGraph,
    pub(crate) table: SymbolTable,
}

impl View {
    /// `files` are path and text; manifests may be among them.
    pub(crate) fn new(files: &[(&'static str, &'static str)]) -> Self {
        let (mut sources, mut texts) = (Vec::new(), Vec::new());
        for (path, text) in files {
            if let Some(language) = whyrank_syntax::detect(path, text.as_bytes()) {
                let facts = whyrank_syntax::analyze(text, language);
                sources.push((*path, language.name(), facts));
                texts.push(*text);
            }
        }
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
            texts,
            graph,
            table,
        }
    }

    fn mentions(&self, names: &HashSet<&str>) -> Mentions {
        let mut found = Mentions::default();
        for (file, (source, text)) in (0u32..).zip(self.sources.iter().zip(&self.texts)) {
            let language = Language::from_name(source.1).expect("a language");
            for word in words(text, language, names) {
                found.add(MentionFile::Indexed(file), &word);
            }
            if !source.2.errors.is_empty() {
                found.partly_parsed.insert(file);
            }
            let parts = whyrank_syntax::name_parts(text, language).into_iter();
            found.parts.extend(parts.map(|part| NamePartAt {
                text: part.text.to_owned(),
                is_prefix: part.is_prefix,
                file,
            }));
        }
        found
    }

    /// The paths that a file's imports lead to, by line.
    pub(crate) fn imports_of(&self, path: &str) -> Vec<&str> {
        let file = self.sources.iter().position(|source| source.0 == path);
        let edges = self.graph.imports(file.expect("a file of the view") as u32);
        let targets = edges.iter().filter_map(|edge| edge.target);
        targets.map(|file| self.sources[file as usize].0).collect()
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

    pub(crate) fn hits(&self, query: &str) -> Vec<ReferenceHit> {
        let targets = self.table.definitions(query);
        assert!(!targets.is_empty(), "{query} has no definition");
        references(&self.inputs(), &self.graph, &self.table, &targets)
    }

    /// The uses of what a query means: `path:line`, imports and mentions left out; `?` marks an
    /// ambiguous one, `~` one that only the name speaks for.
    pub(crate) fn uses(&self, query: &str) -> Vec<String> {
        self.shown(self.hits(query))
    }

    /// The same from an index that knows all uses of the view.
    pub(crate) fn kept_uses(&self, query: &str) -> Vec<String> {
        self.shown(self.kept_hits(query))
    }

    fn shown(&self, hits: Vec<ReferenceHit>) -> Vec<String> {
        let kinds = [
            ReferenceKind::Import,
            ReferenceKind::ReExport,
            ReferenceKind::Mention,
        ];
        hits.into_iter()
            .filter(|hit| !kinds.contains(&hit.kind))
            .map(|hit| {
                let mark = match hit.confidence {
                    Confidence::Precise => "!",
                    Confidence::Resolved => "",
                    Confidence::Possible | Confidence::Ambiguous => "?",
                    Confidence::NameOnly => "~",
                    Confidence::Observed => "run",
                };
                format!("{}:{}{mark}", self.sources[hit.file as usize].0, hit.line)
            })
            .collect()
    }

    /// Names of the types that a SCIP index, too, says to implement or extend one.
    pub(crate) fn precise_heirs(
        &self,
        query: &str,
        precise: &whyrank_graph::ScipOverlay,
    ) -> Vec<String> {
        let inputs = self.inputs();
        let known = ReferenceIndex::new(&inputs, &self.graph, &self.table);
        let uses = ReferenceQuery::new(&inputs, &self.graph, &self.table, &known);
        let uses = uses.with_precise(Some(precise));
        let heirs = uses.subtypes(&self.table.definitions(query)).into_iter();
        let name = |id: whyrank_graph::SymbolId| {
            let facts = inputs[id.file as usize].facts();
            facts.symbols[id.symbol as usize].name.clone()
        };
        heirs.map(|heir| name(heir.symbol)).collect()
    }

    /// As [`View::uses`], with a SCIP index; `!` marks what it says.
    pub(crate) fn precise_uses(
        &self,
        query: &str,
        precise: &whyrank_graph::ScipOverlay,
    ) -> Vec<String> {
        let inputs = self.inputs();
        let known = ReferenceIndex::new(&inputs, &self.graph, &self.table);
        let uses = ReferenceQuery::new(&inputs, &self.graph, &self.table, &known);
        let uses = uses.with_precise(Some(precise));
        let hits = uses.all(&self.table.definitions(query)).into_iter();
        let hits = hits.filter(|hit| hit.kind != ReferenceKind::Import);
        hits.map(|hit| {
            let mark = match hit.confidence {
                Confidence::Precise => "!",
                Confidence::Resolved => "",
                Confidence::Possible | Confidence::Ambiguous => "?",
                Confidence::NameOnly => "~",
                Confidence::Observed => "run",
            };
            format!("{}:{}{mark}", self.sources[hit.file as usize].0, hit.line)
        })
        .collect()
    }

    pub(crate) fn with_uses<T>(&self, ask: impl FnOnce(&ReferenceQuery<'_>) -> T) -> T {
        self.with_observed(None, ask)
    }

    /// The same, with uses and what types implement read from a file.
    pub(crate) fn with_stored_uses<T>(&self, ask: impl FnOnce(&ReferenceQuery<'_>) -> T) -> T {
        let inputs = self.inputs();
        let counts: Vec<usize> = inputs
            .iter()
            .map(|input| input.facts().symbols.len())
            .collect();
        let known = ReferenceIndex::new(&inputs, &self.graph, &self.table);
        let known = stored(&known, &counts);
        let uses = || ReferenceQuery::new(&inputs, &self.graph, &self.table, &known);
        let ties = MemorySections::of(&Implementations::new(&uses()).sections());
        let ties =
            OnceLock::from(Implementations::stored(Arc::new(ties), 0).expect("they were written"));
        ask(&uses().keeping(&ties))
    }

    /// The same, with calls that a run saw.
    pub(crate) fn with_observed<T>(
        &self,
        observed: Option<&whyrank_graph::ObservedCalls>,
        ask: impl FnOnce(&ReferenceQuery<'_>) -> T,
    ) -> T {
        let inputs = self.inputs();
        let known = ReferenceIndex::new(&inputs, &self.graph, &self.table);
        let uses = ReferenceQuery::new(&inputs, &self.graph, &self.table, &known);
        ask(&uses.with_observed(observed))
    }

    pub(crate) fn kept_hits(&self, query: &str) -> Vec<ReferenceHit> {
        self.with_uses(|uses| uses.all(&self.table.definitions(query)))
    }

    pub(crate) fn names(&self) -> HashSet<String> {
        let symbols = self.sources.iter().flat_map(|(_, _, facts)| &facts.symbols);
        symbols.map(|symbol| symbol.name.clone()).collect()
    }

    pub(crate) fn path(&self, file: u32) -> &'static str {
        self.sources[file as usize].0
    }

    /// The index of a path.
    pub(crate) fn file(&self, path: &str) -> u32 {
        let at = self.sources.iter().position(|source| source.0 == path);
        at.expect("a file of the view") as u32
    }

    pub(crate) fn qualified(&self, id: SymbolId) -> &str {
        &self.sources[id.file as usize].2.symbols[id.symbol as usize].qualified
    }

    /// `depth name` of each caller.
    pub(crate) fn callers(&self, query: &str, depth: u32) -> Vec<String> {
        let targets = self.table.definitions(query);
        let callers = self.with_uses(|uses| impact(uses, &targets, depth, &symbol_rank(uses)));
        let mut shown: Vec<String> = callers
            .iter()
            .map(|caller| format!("{} {}", caller.depth, self.qualified(caller.symbol)))
            .collect();
        shown.sort();
        shown
    }

    /// `start@line … end` of each path.
    pub(crate) fn paths(&self, from: &str, to: &str, limit: usize) -> Vec<String> {
        let (from, to) = (self.table.definitions(from), self.table.definitions(to));
        let paths = self.with_uses(|uses| call_path(uses, &from, &to, limit));
        let show = |step: &whyrank_graph::PathStep| match step.line {
            Some(line) => format!("{}@{line}", self.qualified(step.symbol)),
            None => self.qualified(step.symbol).to_owned(),
        };
        paths
            .iter()
            .map(|path| path.iter().map(show).collect::<Vec<_>>().join(" "))
            .collect()
    }

    pub(crate) fn is_unused(&self, query: &str) -> bool {
        let targets = self.table.definitions(query);
        self.with_uses(|uses| is_unused(uses, &targets))
    }

    pub(crate) fn dead(&self) -> Vec<String> {
        self.judged(false)
    }

    /// `verdict name: reason` of each finding.
    pub(crate) fn dead_with_reasons(&self) -> Vec<String> {
        let is_test = |file: u32| self.sources[file as usize].0.contains("test");
        let around = Surroundings {
            is_test: &is_test,
            mentions: &|names| self.mentions(names),
            with_tests: false,
            runtime: None,
        };
        let findings = self.with_uses(|uses| dead_code(uses, &around));
        let found = findings
            .iter()
            .filter(|one| one.verdict != Verdict::ExportedUnused);
        let verdict = |finding: &whyrank_graph::Finding| match finding.verdict {
            Verdict::Dead => "dead",
            Verdict::PossiblyDynamic => "possibly-dynamic",
            _ => "other",
        };
        found
            .map(|one| {
                format!(
                    "{} {}: {}",
                    verdict(one),
                    self.qualified(one.symbol),
                    one.reason
                )
            })
            .collect()
    }

    /// `path:line` of the places that only their name makes uses.
    pub(crate) fn possible(&self, query: &str) -> Vec<String> {
        let targets = self.table.definitions(query);
        let read = |names: &HashSet<&str>| self.mentions(names);
        let found = self.with_uses(|uses| whyrank_graph::possible_uses(uses, &targets, &read));
        let place = |one: &whyrank_graph::PossibleUse| {
            format!("{}:{}", self.sources[one.file as usize].0, one.line)
        };
        found.uses.iter().map(place).collect()
    }

    /// `path:line ruling` of every place that bears the name.
    pub(crate) fn rulings(&self, query: &str) -> Vec<String> {
        let targets = self.table.definitions(query);
        let read = |names: &HashSet<&str>| self.mentions(names);
        let places = self.with_uses(|uses| whyrank_graph::rulings(uses, &targets, &read));
        let line = |place: &whyrank_graph::RuledPlace| {
            let whyrank_graph::MentionFile::Indexed(file) = place.file else {
                return format!("{:?}", place.file);
            };
            let ruling = match &place.ruling {
                whyrank_graph::Ruling::ResolvedElsewhere(id) => self.qualified(*id).to_owned(),
                ruling => format!("{ruling:?}"),
            };
            format!("{}:{} {ruling}", self.sources[file as usize].0, place.line)
        };
        places.iter().map(line).collect()
    }

    /// Why each extension or `impl` block of a name may be used.
    pub(crate) fn impl_doubts(&self, name: &str) -> Vec<String> {
        let read = |names: &HashSet<&str>| self.mentions(names);
        let files = (0u32..).zip(&self.sources);
        let blocks = files.flat_map(|(file, (_, _, facts))| {
            let symbols = (0u32..).zip(&facts.symbols);
            let blocks = symbols.filter(|(_, symbol)| {
                symbol.kind == whyrank_syntax::SymbolKind::Impl && symbol.name == name
            });
            blocks.map(move |(symbol, _)| SymbolId { file, symbol })
        });
        let doubt = |id| self.with_uses(|uses| whyrank_graph::unused_doubt(uses, &[id], &read));
        blocks.filter_map(doubt).collect()
    }

    /// Why something may use what no certain use is known of.
    pub(crate) fn doubt(&self, query: &str) -> Option<String> {
        let targets = self.table.definitions(query);
        let read = |names: &HashSet<&str>| self.mentions(names);
        self.with_uses(|uses| whyrank_graph::unused_doubt(uses, &targets, &read))
    }

    /// The same, definitions in tests included.
    pub(crate) fn dead_with_tests(&self) -> Vec<String> {
        self.judged(true)
    }

    /// `verdict name confidence: reason` of each finding, with a coverage report of one or more files.
    pub(crate) fn dead_with_coverage(&self, report: &str) -> Vec<String> {
        let inputs = self.inputs();
        let mut budget = Budget::new(&|| true);
        let report = whyrank_external::coverage::read(report.as_bytes(), &mut budget);
        let report = report.expect("a report");
        let mut runtime = whyrank_graph::ExecutionCoverage::default();
        runtime.report("cov", Unit::Calls);
        for coverage in &report.files {
            let path = |input: &FileInput<'_>| input.path == coverage.path;
            let file = inputs.iter().position(path).expect("a file of the view") as u32;
            runtime.file(&inputs, file, coverage, &mut budget);
        }
        let is_test = |file: u32| self.sources[file as usize].0.contains("test");
        let around = Surroundings {
            is_test: &is_test,
            mentions: &|names| self.mentions(names),
            with_tests: false,
            runtime: Some(&runtime),
        };
        let findings = self.with_uses(|uses| dead_code(uses, &around));
        let show = |finding: &whyrank_graph::Finding| {
            let name = self.qualified(finding.symbol);
            let (verdict, confidence) = (finding.verdict, finding.confidence);
            format!("{verdict:?} {name} {confidence:?}: {}", finding.reason)
        };
        findings.iter().map(show).collect()
    }

    fn judged(&self, with_tests: bool) -> Vec<String> {
        let is_test = |file: u32| self.sources[file as usize].0.contains("test");
        let around = Surroundings {
            is_test: &is_test,
            mentions: &|names| self.mentions(names),
            with_tests,
            runtime: None,
        };
        let findings = self.with_uses(|uses| dead_code(uses, &around));
        let show = |finding: &whyrank_graph::Finding| {
            let verdict = match finding.verdict {
                Verdict::Dead => "dead",
                Verdict::TestOnly => "test-only",
                Verdict::PossiblyDynamic => "possibly-dynamic",
                Verdict::ExportedUnused => "exported-unused",
                Verdict::NeverRan => "never-ran",
                Verdict::Ran => "ran",
            };
            format!("{verdict} {}", self.qualified(finding.symbol))
        };
        findings.iter().map(show).collect()
    }

    /// The verdict of the single question and that of the list on each definition of a name: one word where
    /// they agree.
    pub(crate) fn verdicts(&self, query: &str) -> Vec<String> {
        let is_test = |file: u32| self.sources[file as usize].0.contains("test");
        let around = Surroundings {
            is_test: &is_test,
            mentions: &|names| self.mentions(names),
            with_tests: false,
            runtime: None,
        };
        let findings = self.with_uses(|uses| dead_code(uses, &around));
        let read = |names: &HashSet<&str>| self.mentions(names);
        let verdict = |id: SymbolId| {
            let found = findings.iter().find(|finding| finding.symbol == id);
            let listed = match found.map(|finding| finding.verdict) {
                Some(Verdict::Dead) => "dead",
                Some(Verdict::PossiblyDynamic) => "maybe",
                Some(Verdict::ExportedUnused) => "shown",
                Some(Verdict::TestOnly) => "tests",
                _ => "alive",
            };
            let single = self.with_uses(|uses| match is_unused(uses, &[id]) {
                false => "alive",
                true => match whyrank_graph::unused_doubt(uses, &[id], &read) {
                    Some(_) => "maybe",
                    None => "dead",
                },
            });
            match single == listed {
                true => single.to_owned(),
                false => format!("{single}, listed {listed}"),
            }
        };
        let ids = self.table.definitions(query).into_iter();
        ids.map(verdict).collect()
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

/// Asks for certain uses, fresh and as stored.
pub(crate) fn check(files: &[(&'static str, &'static str)], expected: &[(&str, &[&str])]) {
    let view = View::new(files);
    for (query, uses) in expected {
        assert_eq!(view.uses(query), *uses, "{query}");
        assert_eq!(view.kept_uses(query), *uses, "{query}, kept");
    }
}
