//! C#: the namespaces that a file sees, and the types in them. Files, folders and assemblies say
//! nothing of what a name means there.

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
    steps,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use whyrank_syntax::{FileFacts, ImportKind, SymbolKind};

/// The key, among the names that are looked up, of namespaces that every file opens.
pub(crate) const GLOBAL_USING: &str = "global using";

impl<'a> Resolver<'a> {
    /// Types of a name that a C# file sees by its own namespaces, those around them and those that it
    /// opens; the only type of the view that bears the name, where it opens others.
    pub(crate) fn in_namespaces(&self, file: u32, name: &str) -> Vec<SymbolId> {
        if self.family(file) != Family::Dotnet {
            return Vec::new();
        }
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
            let found = seen.iter().flat_map(|space| self.dotnet_types(name, space));
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

    /// Types of a name in a namespace.
    pub(super) fn dotnet_types(&self, name: &str, space: &str) -> Vec<SymbolId> {
        let space_of = |id| self.space_of_type(id);
        self.sharing(name, |known| &known.dotnet_types, space_of, space)
    }

    fn space_of_type(&self, id: SymbolId) -> Option<&'a str> {
        let is_type = self.family(id.file) == Family::Dotnet && self.symbol(id).kind.has_members();
        is_type.then(|| self.space_of(id)).flatten()
    }

    /// The namespaces of which a C# file sees what they hold, each once.
    pub(super) fn seen_namespaces(&self, file: u32) -> Rc<[&'a str]> {
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

    /// Says whether a C# file sees what a namespace holds.
    pub(crate) fn sees_namespace(&self, file: u32, space: &str) -> bool {
        self.seen_namespaces(file).binary_search(&space).is_ok()
    }

    /// `global using`, of all files.
    fn shared_usings(&self) -> &FxHashSet<&'a str> {
        self.lookups.anywhere(GLOBAL_USING);
        self.shared_usings.get_or_init(|| {
            let files = self.files.iter().filter(|file| file.language == "csharp");
            files.flat_map(|file| global_usings(file.facts())).collect()
        })
    }

    /// The namespace that a type stands in: empty for the global one, none for an inner type.
    pub(super) fn space_of(&self, id: SymbolId) -> Option<&'a str> {
        match self.parent(id) {
            None => Some(""),
            Some(parent) => {
                let parent = self.symbol(parent);
                (parent.kind == SymbolKind::Namespace).then_some(parent.qualified.as_str())
            }
        }
    }
}

/// The namespaces that a file opens for all files.
pub(crate) fn global_usings(facts: &FileFacts) -> impl Iterator<Item = &str> {
    let imports = facts.imports.iter();
    let global = imports.filter(|import| import.kind == ImportKind::ReExport);
    global.map(|import| import.module.as_str())
}

fn is_inside(own: &str, space: &str) -> bool {
    own.strip_prefix(space)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('.') || space.is_empty())
}
