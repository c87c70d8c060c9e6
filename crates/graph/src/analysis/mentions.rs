//! Where a name stands as a word, and where a definition can be named at all.
//!
//! The caller reads the texts: this module only says what it wants to know of them, and how far the
//! language lets a definition be seen. What it rules out, it rules out for certain.

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Symbol, SymbolKind, WordJoint, WordPlace};

use crate::{
    input::{family::Family, files::SymbolId, paths},
    resolution::resolver::Resolver,
};

/// A place where a name stands as a whole word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The file.
    pub file: MentionFile,
    /// Line, from 1.
    pub line: u32,
    /// Byte column in the line, from 0.
    pub column: u32,
    /// What it is part of.
    pub place: WordPlace,
    /// What joins it to what comes before it.
    pub joint: WordJoint,
    /// An opening bracket or brace follows.
    pub is_called: bool,
}

/// The file of a mention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MentionFile {
    /// Index in the view.
    Indexed(u32),
    /// Path of a file that the index leaves out.
    LeftOut(String),
}

/// What the texts of a checkout say about the names asked for.
#[derive(Clone, Debug, Default)]
pub struct Mentions {
    /// All places of each name; one that stands nowhere has no entry.
    pub places: HashMap<String, Vec<Mention>>,
    /// Parts that code puts names together with.
    pub parts: Vec<NamePartAt>,
    /// Files read.
    pub n_files: usize,
    /// Files of the view that could be parsed only in part.
    pub partly_parsed: HashSet<u32>,
}

/// A part of names that code puts together: `visit_` in `getattr(self, f"visit_{kind}")`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePartAt {
    /// The part.
    pub text: String,
    /// It begins the names; else it ends them.
    pub is_prefix: bool,
    /// Index of the file in the view.
    pub file: u32,
}

impl NamePartAt {
    pub(crate) fn may_make(&self, name: &str) -> bool {
        name.len() > self.text.len()
            && if self.is_prefix {
                name.starts_with(&self.text)
            } else {
                name.ends_with(&self.text)
            }
    }
}

/// Reads the texts of a checkout for names.
pub type ReadMentions<'m> = dyn Fn(&HashSet<&str>) -> Mentions + 'm;

/// The word of a definition's name that is looked for: `foo?` and `foo=` are `foo` to a reader of
/// words; an operator is none.
pub(crate) fn word_of(name: &str) -> Option<&str> {
    let word = name.trim_end_matches(['?', '!', '=']);
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    (!word.is_empty() && word.chars().all(is_part)).then_some(word)
}

/// Where the language lets a definition be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In its own file.
    File,
    /// In its own file and in those that include it.
    Includers,
    /// In its folder.
    Folder,
    /// In its module and those below (Rust).
    Module,
    /// In its crate (Rust).
    Crate,
    /// Anywhere.
    Everywhere,
}

impl Reach {
    /// How far a definition can be seen, as its head and the language say.
    pub(crate) fn of(resolver: &Resolver<'_>, id: SymbolId) -> Self {
        let symbol = resolver.symbol(id);
        let says = |word: &str| says(symbol, word);
        match resolver.family(id.file) {
            family if family.rules().capitals_are_exported && !is_upper(&symbol.name) => {
                Self::Folder
            }
            Family::Rust => rust_reach(symbol),
            Family::Script if is_own(resolver, id) || says("private") => Self::File,
            Family::Native if says("static") && !is_owned(resolver, id) => Self::Includers,
            Family::Jvm | Family::Swift if says("private") || says("fileprivate") => Self::File,
            Family::Dotnet if says("private") && !in_head_of_owner(resolver, id, "partial") => {
                Self::File
            }
            Family::Php
                if says("private") && owner_kind(resolver, id) != Some(SymbolKind::Trait) =>
            {
                Self::File
            }
            _ => Self::Everywhere,
        }
    }

    /// Says whether a file lies within the reach of a definition.
    pub(crate) fn has(self, resolver: &Resolver<'_>, id: SymbolId, file: u32) -> bool {
        if id.file == file {
            return true;
        }
        let path = |file: u32| resolver.files[file as usize].path;
        let (own, other) = (path(id.file), path(file));
        match self {
            Self::File => false,
            Self::Includers => resolver.reaches(file, id.file),
            Self::Folder => paths::parent(own) == paths::parent(other),
            Self::Module => other.starts_with(&module_folder(own)),
            Self::Crate => crate_folder(resolver, own) == crate_folder(resolver, other),
            Self::Everywhere => true,
        }
    }

    /// Says whether a file that is not in the index lies within the reach of a definition.
    pub(crate) fn has_path(self, resolver: &Resolver<'_>, id: SymbolId, path: &str) -> bool {
        let own = resolver.files[id.file as usize].path;
        match self {
            Self::File | Self::Includers => false,
            Self::Folder => paths::parent(own) == paths::parent(path),
            Self::Module => path.starts_with(&module_folder(own)),
            Self::Crate => crate_folder(resolver, own) == crate_folder(resolver, path),
            Self::Everywhere => true,
        }
    }
}

/// Whether a word stands in a definition's head before its name.
pub(crate) fn says(symbol: &Symbol, word: &str) -> bool {
    let words = symbol
        .signature
        .split(|char: char| !char.is_alphanumeric() && char != '_');
    words
        .take_while(|found| *found != symbol.name)
        .any(|found| found == word)
}

/// Go: a constant without a value of its own repeats the one before, mostly with the next `iota`.
pub(crate) fn is_counted(symbol: &Symbol, family: Family) -> bool {
    let is_constant = family == Family::Go && symbol.kind == SymbolKind::Constant;
    let is_repeated = !symbol.signature.contains('=');
    is_constant && (is_repeated || symbol.signature.contains("iota"))
}

/// Whether a name begins with a capital letter: exported, in Go.
pub(crate) fn is_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

fn rust_reach(symbol: &Symbol) -> Reach {
    let head = symbol.signature.trim_start();
    if symbol.kind == SymbolKind::Macro || head.starts_with("pub(") {
        Reach::Crate
    } else if head.starts_with("pub ") || symbol.exported {
        Reach::Everywhere
    } else {
        Reach::Module
    }
}

/// A script that imports or exports is a module: what it does not export is its own.
fn is_own(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let symbol = resolver.symbol(id);
    let facts = resolver.files[id.file as usize].facts();
    let is_module = || {
        matches!(resolver.files[id.file as usize].language, "vue" | "svelte")
            || !facts.imports.is_empty()
            || facts.symbols.iter().any(|symbol| symbol.exported)
    };
    let is_local = resolver
        .parent(id)
        .is_some_and(|parent| resolver.symbol(parent).kind == SymbolKind::Function);
    !symbol.kind.is_member()
        && resolver.owner_name(id).is_none()
        && (is_local || (!symbol.exported && symbol.parent.is_none() && is_module()))
}

fn is_owned(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    resolver.owner_name(id).is_some()
}

fn owner_kind(resolver: &Resolver<'_>, id: SymbolId) -> Option<SymbolKind> {
    resolver.parent(id).map(|owner| resolver.symbol(owner).kind)
}

fn in_head_of_owner(resolver: &Resolver<'_>, id: SymbolId, word: &str) -> bool {
    resolver
        .parent(id)
        .is_some_and(|owner| says(resolver.symbol(owner), word))
}

/// `src/a/` for `src/a.rs` and for `src/a/mod.rs`; what lies in a crate's root is seen by all of it.
fn module_folder(path: &str) -> String {
    let folder = paths::parent(path);
    let stem = paths::base_name(paths::without_extension(path));
    match (stem, folder) {
        ("mod" | "lib" | "main", "") => String::new(),
        ("mod" | "lib" | "main", folder) => format!("{folder}/"),
        (stem, "") => format!("{stem}/"),
        (stem, folder) => format!("{folder}/{stem}/"),
    }
}

/// The folder of a crate: the nearest one with a manifest; in a view without any, what lies above `src`,
/// `tests`, `benches` and `examples`.
fn crate_folder<'p>(resolver: &Resolver<'_>, path: &'p str) -> &'p str {
    let mut folder = paths::parent(path);
    loop {
        let manifest = match folder {
            "" => "Cargo.toml".to_owned(),
            folder => format!("{folder}/Cargo.toml"),
        };
        if resolver.view_paths.file(&manifest).is_some() {
            return folder;
        }
        if folder.is_empty() {
            break;
        }
        folder = paths::parent(folder);
    }
    let roots = ["src", "tests", "benches", "examples"];
    let mut at = 0;
    for part in paths::parent(path).split('/') {
        if roots.contains(&part) {
            return path[..at].trim_end_matches('/');
        }
        at += part.len() + 1;
    }
    paths::parent(path)
}
