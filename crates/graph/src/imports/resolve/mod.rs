//! From an import as written to the files that it means, language by language.

mod go;
mod jvm;
mod named;
mod native;
mod php;
mod python;
mod rust;
mod script;

use std::collections::HashSet;

use whyrank_syntax::{FileFacts, Import, SymbolKind};

use crate::input::{
    family::Family,
    files::{FileInput, ManifestInput},
    view_paths::ViewPaths,
};

/// A file that an import means; `name_idx` when one of its names is that file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Lead {
    pub(crate) file: u32,
    pub(crate) name_idx: Option<u32>,
}

impl Lead {
    fn to(file: u32) -> Self {
        Self {
            file,
            name_idx: None,
        }
    }
}

/// What the view's files and manifests say about where modules lie.
pub(crate) struct ImportResolver<'a> {
    places: ViewPaths<'a>,
    families: Vec<Family>,
    script: script::ScriptRoots,
    python: python::PythonRoots,
    go: go::GoModules,
    rust: rust::ModuleTree<'a>,
    php: php::Autoload,
    named: named::NamedModules<'a>,
}

impl<'a> ImportResolver<'a> {
    pub(crate) fn new(files: &'a [FileInput<'a>], manifests: &[ManifestInput<'_>]) -> Self {
        let places = ViewPaths::new(files);
        Self {
            families: files.iter().map(|file| Family::of(file.language)).collect(),
            script: script::ScriptRoots::new(manifests),
            python: python::PythonRoots::new(&places, manifests),
            go: go::GoModules::new(manifests),
            rust: rust::ModuleTree::new(&places, manifests),
            php: php::Autoload::new(manifests),
            named: named::NamedModules::new(files),
            places,
        }
    }

    /// The files that an import of `file` means; none when it is not in the view.
    pub(crate) fn leads(&self, file: u32, import: &Import) -> Vec<Lead> {
        let places = &self.places;
        match self.families[file as usize] {
            Family::Script => to_leads(self.script.resolve(places, file, &import.module)),
            Family::Python => self.python.resolve(places, file, import),
            Family::Go => to_leads(self.go.resolve(places, file, import)),
            Family::Rust => self.rust.resolve(places, file, import),
            Family::Jvm => jvm::resolve(places, file, import),
            Family::Native => to_leads(native::resolve(places, file, &import.module)),
            Family::Ruby => to_leads(named::ruby(places, file, import)),
            Family::Php => self.php.resolve(places, &self.named, file, import),
            Family::Dotnet => self.named.dotnet(file, import),
            Family::Elixir => self.named.elixir(import),
            Family::Lua => to_leads(named::lua(places, file, &import.module)),
            Family::Haskell => to_leads(named::haskell(places, file, &import.module)),
            Family::Swift => {
                let files = named::swift(places, &import.module);
                let used = used_names(places.files[file as usize].facts());
                to_leads(those_defining(places, files, &used))
            }
            Family::Zig | Family::Other => to_leads(named::by_path(places, file, &import.module)),
        }
    }
}

fn to_leads(files: impl IntoIterator<Item = u32>) -> Vec<Lead> {
    files.into_iter().map(Lead::to).collect()
}

/// The dotted paths that an import names: the module, and the module with each name added.
fn full_paths<'a>(import: &'a Import, separator: &'a str) -> Vec<(Vec<&'a str>, Option<u32>)> {
    let module: Vec<&str> = split(&import.module, separator).collect();
    if import.names.is_empty() {
        return vec![(module, None)];
    }
    let with_name = |(idx, name): (u32, &'a whyrank_syntax::ImportedName)| {
        let mut path = module.clone();
        let parts: Vec<&str> = split(&name.name, separator).collect();
        if !path.ends_with(&parts) {
            path.extend(parts);
        }
        (path, Some(idx))
    };
    (0u32..).zip(&import.names).map(with_name).collect()
}

/// The names that a file uses without a qualifier, or as the head of one.
fn used_names(facts: &FileFacts) -> HashSet<&str> {
    let head = |reference: &'_ whyrank_syntax::Reference| -> usize {
        let qualifier = reference.qualifier.as_str();
        let end = qualifier.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        end.unwrap_or(qualifier.len())
    };
    let impls = facts
        .symbols
        .iter()
        .filter(|symbol| symbol.kind == SymbolKind::Impl)
        .map(|symbol| symbol.name.as_str());
    let references = facts.references.iter();
    let used = references.map(|reference| match reference.qualifier.as_str() {
        "" => reference.name.as_str(),
        qualifier => &qualifier[..head(reference)],
    });
    used.chain(impls).collect()
}

/// Of the files those that define one of the names at their top; all when none does.
fn those_defining(places: &ViewPaths<'_>, files: Vec<u32>, names: &HashSet<&str>) -> Vec<u32> {
    let defines = |file: &u32| {
        let symbols = places.files[*file as usize].symbols();
        symbols
            .iter()
            .any(|symbol| symbol.parent.is_none() && names.contains(symbol.name.as_str()))
    };
    let needed: Vec<u32> = files.iter().copied().filter(defines).collect();
    if needed.is_empty() { files } else { needed }
}

fn split<'a>(path: &'a str, separator: &'a str) -> impl Iterator<Item = &'a str> {
    path.split(separator)
        .map(str::trim)
        .filter(|part| !part.is_empty())
}
