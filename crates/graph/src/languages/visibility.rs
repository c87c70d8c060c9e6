//! Visibility: the files and paths that can name a definition.

pub(crate) use super::rules::Visibility;

use whyrank_syntax::Symbol;

use crate::{
    input::{files::SymbolId, paths},
    resolution::resolver::Resolver,
};

impl Visibility {
    /// Says whether a file lies within the visibility of a definition.
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
            Self::Package => resolver.same_package(id.file, file),
            Self::Packages => {
                let space = (resolver.rules(id.file).space_of_private)(resolver, id);
                let name = resolver.graph.packages().name(file);
                space.is_none_or(|space| {
                    let rest = name.strip_prefix(space);
                    space.is_empty()
                        || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
                })
            }
            Self::Module => other.starts_with(&module_folder(own)),
            Self::Crate => crate_folder(resolver, own) == crate_folder(resolver, other),
            Self::Everywhere => true,
        }
    }

    /// Says whether a file that is not in the index lies within the visibility of a definition.
    pub(crate) fn has_path(self, resolver: &Resolver<'_>, id: SymbolId, path: &str) -> bool {
        let own = resolver.files[id.file as usize].path;
        match self {
            Self::File | Self::Includers => false,
            Self::Folder | Self::Package => paths::parent(own) == paths::parent(path),
            Self::Module => path.starts_with(&module_folder(own)),
            Self::Crate => crate_folder(resolver, own) == crate_folder(resolver, path),
            Self::Packages | Self::Everywhere => true,
        }
    }
}

/// What says that it is private is seen in its file; Scala's `private[a]` in a package.
pub(super) fn by_private_words(resolver: &Resolver<'_>, id: SymbolId) -> Visibility {
    let symbol = resolver.symbol(id);
    let is_of_package = || {
        let rest = symbol.signature.split_once("private[");
        rest.is_some_and(|(_, rest)| !rest.starts_with("this]"))
    };
    match says(symbol, "private") || says(symbol, "fileprivate") {
        true if !is_of_package() => Visibility::File,
        _ => Visibility::Everywhere,
    }
}

/// Says whether a member is private, in a language where nothing overrides it then.
pub(crate) fn is_private_member(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let rules = resolver.rules(id.file);
    let is_member = || {
        let parent = resolver.parent(id);
        parent.is_some_and(|parent| resolver.symbol(parent).kind.has_members())
    };
    rules.private_is_final && is_member() && (rules.visibility)(resolver, id) == Visibility::File
}

/// Says whether a word stands in a definition's head before its name.
pub(crate) fn says(symbol: &Symbol, word: &str) -> bool {
    let words = symbol
        .signature
        .split(|char: char| !char.is_alphanumeric() && char != '_');
    words
        .take_while(|found| *found != symbol.name)
        .any(|found| found == word)
}

/// Says whether a name begins with a capital letter.
pub(crate) fn is_upper(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
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
