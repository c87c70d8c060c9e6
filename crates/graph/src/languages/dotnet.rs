//! C#: the namespaces that a file sees, and the types in them. Files, folders and assemblies say
//! nothing of what a name means there.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use whyrank_syntax::{Family, FileFacts, Import, ImportKind, Symbol, SymbolKind};

use super::{
    rules::{LanguageRules, TypeExports},
    visibility::{Visibility, says},
};
use crate::{
    imports::resolve::{ImportResolver, Lead, to_leads},
    input::{
        files::{ManifestInput, SymbolId},
        paths,
    },
    resolution::{dependency_tracking::SHARED_SPACES, resolver::Resolver},
    steps,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Dotnet,
    in_spaces_around: |resolver, site, name| resolver.in_namespaces(site.file, name),
    shared_spaces,
    types_in_space: Some(|resolver, file, space, name| resolver.types_below_own(file, space, name)),
    visibility: |resolver, id| {
        let owner = resolver.parent(id);
        let is_part = || owner.is_some_and(|owner| says(resolver.symbol(owner), "partial"));
        match says(resolver.symbol(id), "private") && !is_part() {
            true => Visibility::File,
            false => Visibility::Everywhere,
        }
    },
    calls_choose_overloads: &["csharp"],
    extensions_are_in_namespaces: true,
    type_exports: TypeExports::Members,
    extended_type,
    types_may_be_named_as_wrappers: true,
    joins_files: |resolver, left, right| {
        let is_part = |id| {
            let symbol = resolver.symbol(id);
            symbol.kind.is_callable() && says(symbol, "partial")
        };
        is_part(left) && is_part(right)
    },
    manifests: &[".csproj", ".fsproj"],
    provided_names,
    imported_files,
    functions_stand_in_types: true,
    entry_functions: &["Main"],
    texts_reach_private: true,
    ..LanguageRules::PLAIN
};

impl<'a> Resolver<'a> {
    /// Types of a name that a file sees by its own namespaces, those around them and those that it
    /// opens; the only type of the view that bears the name, where it opens others.
    fn in_namespaces(&self, file: u32, name: &str) -> Vec<SymbolId> {
        self.lookups.anywhere(name);
        self.lookups.opened(file);
        let seen = self.seen_namespaces(file);
        let named = self.table.named(name);
        let found: Vec<SymbolId> = if named.len() <= seen.len() {
            let is_seen = |id: &SymbolId| {
                let space = self.space_of_type(*id);
                space.is_some_and(|space| seen.binary_search(&space).is_ok())
            };
            steps::count(named.len());
            named.iter().copied().filter(is_seen).collect()
        } else {
            let found = seen.iter().flat_map(|space| self.types_in(name, space));
            let mut found: Vec<SymbolId> = found.collect();
            found.sort_unstable();
            found
        };
        // The innermost namespace wins.
        let depth = |id: &SymbolId| {
            let space = self.space_of(*id).unwrap_or("");
            let own = self.scope(file).spaces.iter();
            let inner = own.filter(|own| is_inside(own, space)).map(|_| space.len());
            inner.max()
        };
        match found.iter().filter_map(depth).max() {
            Some(nearest) => found
                .into_iter()
                .filter(|id| depth(id) == Some(nearest))
                .collect(),
            None => found,
        }
    }

    /// Types of a name in a namespace as it is written in a file: the name may begin where the file's own
    /// one ends.
    fn types_below_own(&self, file: u32, space: &str, name: &str) -> Vec<SymbolId> {
        let spaces = self.spaces_below_own(file, space);
        let found = spaces.iter().flat_map(|space| self.types_in(name, space));
        let mut found: Vec<SymbolId> = found.collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The namespaces that one written in a file can be: itself, or one inside of those around the file.
    fn spaces_below_own(&self, file: u32, space: &str) -> Vec<String> {
        let mut spaces = vec![space.to_owned()];
        for own in &self.scope(file).spaces {
            let ends = own.match_indices('.').map(|(at, _)| at);
            let around = ends.chain([own.len()]).map(|end| &own[..end]);
            spaces.extend(around.map(|around| format!("{around}.{space}")));
        }
        spaces.sort_unstable();
        spaces.dedup();
        spaces
    }

    /// Types of a name in a namespace.
    fn types_in(&self, name: &str, space: &str) -> Vec<SymbolId> {
        let space_of = |id| self.space_of_type(id);
        self.sharing(name, |known| &known.types_by_space, space_of, space)
    }

    fn space_of_type(&self, id: SymbolId) -> Option<&'a str> {
        let is_type = *self.rules(id.file) == RULES && self.symbol(id).kind.has_members();
        is_type.then(|| self.space_of(id)).flatten()
    }

    /// The namespaces of which a file sees what they hold, each once.
    pub(crate) fn seen_namespaces(&self, file: u32) -> Rc<[&'a str]> {
        let shared = self.shared_usings();
        if let Some(known) = self.known_spaces.borrow().get(&file) {
            return Rc::clone(known);
        }
        let mut seen: Vec<&'a str> = Vec::new();
        seen.extend(self.scope(file).spaces.first().map(|_| ""));
        for own in &self.scope(file).spaces {
            let ends = own.match_indices('.').map(|(at, _)| at);
            seen.extend(ends.chain([own.len()]).map(|end| &own[..end]));
        }
        let imports = self.files[file as usize].facts().imports.iter();
        let opened = imports.filter(|import| import.names.is_empty());
        seen.extend(opened.map(|import| import.module.as_str()));
        seen.extend(shared.iter().copied());
        seen.sort_unstable();
        seen.dedup();
        let seen: Rc<[&'a str]> = seen.into();
        *self.known_spaces.borrow_mut() = FxHashMap::from_iter([(file, Rc::clone(&seen))]);
        seen
    }

    /// Says whether a file sees what a namespace holds.
    pub(crate) fn sees_namespace(&self, file: u32, space: &str) -> bool {
        self.seen_namespaces(file).binary_search(&space).is_ok()
    }

    /// `global using`, of all files.
    fn shared_usings(&self) -> &FxHashSet<&'a str> {
        self.lookups.anywhere(SHARED_SPACES);
        self.shared_usings.get_or_init(|| {
            let files = self
                .files
                .iter()
                .filter(|file| *LanguageRules::of(file.language) == RULES);
            files.flat_map(|file| shared_spaces(file.facts())).collect()
        })
    }

    /// The namespace that a type stands in: empty for the global one, none for an inner type.
    pub(crate) fn space_of(&self, id: SymbolId) -> Option<&'a str> {
        match self.parent(id) {
            None => Some(""),
            Some(parent) => {
                let parent = self.symbol(parent);
                (parent.kind == SymbolKind::Namespace).then_some(parent.qualified.as_str())
            }
        }
    }
}

/// `global using`: the namespaces that a file opens for all files.
fn shared_spaces(facts: &FileFacts) -> Vec<&str> {
    let imports = facts.imports.iter();
    let global = imports.filter(|import| import.kind == ImportKind::ReExport);
    global.map(|import| import.module.as_str()).collect()
}

fn is_inside(own: &str, space: &str) -> bool {
    own.strip_prefix(space)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || space.is_empty())
}

/// The type after `(this ` in the head of a method.
fn extended_type(symbol: &Symbol) -> Option<&str> {
    if symbol.kind != SymbolKind::Method {
        return None;
    }
    let rest = symbol.signature.split_once("(this ")?.1;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// `using A.B`: of the files that declare A.B those whose types are used here, else all.
fn imported_files(imports: &ImportResolver<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let own_family =
        |target: &u32| *target != file && imports.families[*target as usize] == Family::Dotnet;
    let used = imports.used(file);
    let defining = imports.named.defining_types(&import.module);
    let needed = used
        .all
        .iter()
        .filter_map(|name| defining.get(name))
        .flatten();
    let needed = needed.filter(|target| own_family(target));
    let needed: BTreeSet<u32> = needed.copied().collect();
    if !needed.is_empty() {
        return to_leads(needed);
    }
    let declaring = imports.named.declaring(&import.module).iter().copied();
    to_leads(declaring.filter(own_family))
}

/// What a project calls itself, and the name of its file.
fn provided_names(manifest: &ManifestInput<'_>, _: &[&str]) -> Vec<String> {
    let (name, text) = (paths::base_name(manifest.path), manifest.text);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let tags = ["RootNamespace", "AssemblyName", "PackageId"];
    let said = tags.iter().filter_map(|tag| {
        let (_, rest) = text.split_once(&format!("<{tag}>"))?;
        rest.split_once('<').map(|(name, _)| name)
    });
    let said = said.filter(|name| !name.contains('$'));
    said.chain([stem]).map(str::to_owned).collect()
}
