//! A checkout in memory with all that the graph makes of it, and what it answers about a definition.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use tree_sitter::{Parser, Tree};
use whyrank_graph::{
    FileInput, ImportGraph, ManifestInput, Mention, MentionFile, Mentions, NamePartAt,
    ReferenceIndex, ReferenceQuery, SymbolId, SymbolTable, ViewParts, is_unused, possible_uses,
    rulings, unused_doubt,
};
use whyrank_syntax::{FileFacts, Language, ReferenceKind, Symbol, SymbolKind, grammar_of, words};

/// A file that the graph reads.
pub(super) struct SourceFile {
    pub(super) path: String,
    pub(super) text: String,
    pub(super) language: Language,
    pub(super) facts: FileFacts,
    content: u64,
    /// Parts that it puts names together with, and whether they begin them.
    parts: Vec<(String, bool)>,
    tree: OnceCell<Option<Tree>>,
}

impl SourceFile {
    /// Reads a text; none where no language is known for its path.
    pub(super) fn new(path: &str, text: String) -> Option<Self> {
        let language = whyrank_syntax::detect(path, text.as_bytes())?;
        let content = text.bytes().fold(17u64, |sum, byte| {
            sum.wrapping_mul(1_000_003) ^ u64::from(byte)
        });
        Some(Self {
            path: path.to_owned(),
            facts: whyrank_syntax::analyze(&text, language),
            parts: whyrank_syntax::name_parts(&text, language)
                .into_iter()
                .map(|part| (part.text.to_owned(), part.is_prefix))
                .collect(),
            content: content | 1,
            language,
            text,
            tree: OnceCell::new(),
        })
    }

    /// The syntax tree, where its language has a grammar.
    pub(super) fn tree(&self) -> Option<&Tree> {
        let parse = || {
            let mut parser = Parser::new();
            parser.set_language(&grammar_of(self.language)?).ok()?;
            parser.parse(&self.text, None)
        };
        self.tree.get_or_init(parse).as_ref()
    }
}

/// What the graph says about a definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Answer {
    /// File and line of certain uses.
    pub(super) certain: BTreeSet<(u32, u32)>,
    /// Those of other uses that are listed.
    pub(super) open: BTreeSet<(u32, u32)>,
    pub(super) life: Life,
    /// Nothing is listed, and no place of the name is open.
    pub(super) none_means_it: bool,
}

/// The verdict of the single question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Life {
    #[default]
    Used,
    Maybe,
    Dead,
}

/// A checkout in memory.
pub(super) struct View {
    pub(super) files: Vec<Rc<SourceFile>>,
    manifests: Rc<Vec<(String, String)>>,
    imports: ImportGraph,
    table: SymbolTable,
    known: ReferenceIndex,
    mentions: RefCell<HashMap<String, Vec<Mention>>>,
}

impl View {
    /// Works out all uses, from those of an earlier view.
    pub(super) fn new(
        files: Vec<Rc<SourceFile>>,
        manifests: Rc<Vec<(String, String)>>,
        before: ReferenceIndex,
    ) -> Self {
        let inputs = inputs(&files);
        let texts = manifests.iter();
        let texts: Vec<ManifestInput<'_>> = texts
            .map(|(path, text)| ManifestInput { path, text })
            .collect();
        let imports = ImportGraph::resolve(&inputs, &texts);
        let table = SymbolTable::new(&inputs, &imports);
        let contents: Vec<u64> = files.iter().map(|file| file.content).collect();
        let known = before.update(&ViewParts {
            files: &inputs,
            imports: &imports,
            table: &table,
            contents: &contents,
        });
        drop(inputs);
        Self {
            files,
            manifests,
            imports,
            table,
            known,
            mentions: RefCell::default(),
        }
    }

    /// The view with some files replaced, and others behind them.
    pub(super) fn with(&self, replaced: Vec<(usize, SourceFile)>, added: Vec<SourceFile>) -> Self {
        let mut files = self.files.clone();
        for (at, file) in replaced {
            files[at] = Rc::new(file);
        }
        files.extend(added.into_iter().map(Rc::new));
        Self::new(files, Rc::clone(&self.manifests), self.known.clone())
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.files[id.file as usize].facts.symbols[id.symbol as usize]
    }

    /// The definitions of a file that can be asked about.
    pub(super) fn definitions(&self, file: u32) -> impl Iterator<Item = SymbolId> + '_ {
        let symbols = (0u32..).zip(&self.files[file as usize].facts.symbols);
        let is_asked = |kind| {
            !matches!(
                kind,
                SymbolKind::Section
                    | SymbolKind::Module
                    | SymbolKind::Namespace
                    | SymbolKind::Impl
                    | SymbolKind::Constructor
            )
        };
        symbols
            .filter(move |(_, symbol)| is_asked(symbol.kind))
            .map(move |(symbol, _)| SymbolId { file, symbol })
    }

    /// What is said of definitions that are one.
    pub(super) fn answers(&self, asked: &[Vec<SymbolId>]) -> Vec<Answer> {
        let inputs = inputs(&self.files);
        let uses = ReferenceQuery::new(&inputs, &self.imports, &self.table, &self.known);
        asked.iter().map(|ids| self.answer(&uses, ids)).collect()
    }

    fn answer(&self, uses: &ReferenceQuery<'_>, ids: &[SymbolId]) -> Answer {
        let mut answer = Answer::default();
        let is_use = |kind| {
            !matches!(
                kind,
                ReferenceKind::Import | ReferenceKind::ReExport | ReferenceKind::Mention
            )
        };
        for hit in uses.all(ids).into_iter().filter(|hit| is_use(hit.kind)) {
            let places = match hit.confidence.is_certain() {
                true => &mut answer.certain,
                false => &mut answer.open,
            };
            places.insert((hit.file, hit.line));
        }
        let read = |names: &HashSet<&str>| self.read(names);
        if answer.certain.is_empty() && answer.open.is_empty() {
            let possible = possible_uses(uses, ids, &read);
            answer.none_means_it = possible.uses.is_empty() && possible.hidden.is_none();
            let lines = possible.uses.iter().map(|it| (it.file, it.line));
            answer.open.extend(lines);
        }
        if is_unused(uses, ids) {
            answer.life = match unused_doubt(uses, ids, &read) {
                Some(_) => Life::Maybe,
                None => Life::Dead,
            };
        }
        answer
    }

    /// The places of a definition's name that may mean it.
    pub(super) fn open_places(&self, ids: &[SymbolId]) -> BTreeSet<(u32, u32)> {
        let inputs = inputs(&self.files);
        let uses = ReferenceQuery::new(&inputs, &self.imports, &self.table, &self.known);
        let places = rulings(&uses, ids, &|names: &HashSet<&str>| self.read(names));
        let open = places.iter().filter(|place| place.ruling.is_open());
        open.filter_map(|place| match place.file {
            MentionFile::Indexed(file) => Some((file, place.line)),
            MentionFile::LeftOut(_) => None,
        })
        .collect()
    }

    fn read(&self, names: &HashSet<&str>) -> Mentions {
        let mut kept = self.mentions.borrow_mut();
        let missing = names.iter().filter(|name| !kept.contains_key(**name));
        let missing: HashSet<&str> = missing.copied().collect();
        if !missing.is_empty() {
            for name in &missing {
                kept.insert((*name).to_owned(), Vec::new());
            }
            let mut read = Mentions::default();
            for (file, source) in (0u32..).zip(&self.files) {
                for word in words(&source.text, source.language, &missing) {
                    read.add(MentionFile::Indexed(file), &word);
                }
            }
            kept.extend(read.places);
        }
        let places = names.iter().filter_map(|name| kept.get_key_value(*name));
        let places = places.filter(|(_, places)| !places.is_empty());
        let files = || (0u32..).zip(&self.files);
        let parts = files().flat_map(|(file, source)| {
            source
                .parts
                .iter()
                .map(move |(text, is_prefix)| NamePartAt {
                    text: text.clone(),
                    is_prefix: *is_prefix,
                    file,
                })
        });
        let partly = files().filter(|(_, source)| !source.facts.errors.is_empty());
        Mentions {
            places: places
                .map(|(name, places)| (name.clone(), places.clone()))
                .collect(),
            parts: parts.collect(),
            n_files: self.files.len(),
            partly_parsed: partly.map(|(file, _)| file).collect(),
        }
    }
}

fn inputs(files: &[Rc<SourceFile>]) -> Vec<FileInput<'_>> {
    files
        .iter()
        .map(|file| FileInput {
            path: &file.path,
            language: file.language.name(),
            facts: &file.facts,
        })
        .collect()
}
