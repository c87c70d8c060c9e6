//! C#: the namespaces that a file sees, and the types in them. Files, folders and assemblies say
//! nothing of what a name means there.

use crate::{
    input::{family::Family, files::SymbolId},
    resolution::resolver::Resolver,
};
use rustc_hash::FxHashSet;
use whyrank_syntax::{FileFacts, ImportKind, SymbolKind};

/// The key, among the names that are looked up, of namespaces that every file opens.
pub(crate) const GLOBAL_USING: &str = "global using";

impl Resolver<'_> {
    /// Types of a name that a C# file sees by its own namespaces, those around them and those that it
    /// opens; the only type of the view that bears the name, where it opens others.
    pub(crate) fn in_namespaces(&self, file: u32, name: &str) -> Vec<SymbolId> {
        if self.family(file) != Family::Dotnet {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        self.lookups.opened(file);
        let is_type = |id: &SymbolId| {
            let symbol = self.symbol(*id);
            self.family(id.file) == Family::Dotnet
                && symbol.kind.has_members()
                && self.space_of(*id).is_some()
        };
        let named = self.table.named(name).iter().copied();
        let types: Vec<SymbolId> = named.filter(is_type).collect();
        let seen = |id: &SymbolId| {
            self.space_of(*id)
                .is_some_and(|space| self.sees_namespace(file, space))
        };
        let found: Vec<SymbolId> = types.iter().copied().filter(seen).collect();
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

    /// Says whether a C# file sees what a namespace holds.
    pub(crate) fn sees_namespace(&self, file: u32, space: &str) -> bool {
        let scope = self.scope(file);
        scope.spaces.iter().any(|own| is_inside(own, space))
            || self.files[file as usize]
                .facts()
                .imports
                .iter()
                .any(|import| import.names.is_empty() && import.module == space)
            || self.shared_usings().contains(space)
    }

    /// `global using`, of all files.
    fn shared_usings(&self) -> &FxHashSet<&str> {
        self.lookups.anywhere(GLOBAL_USING);
        self.shared_usings.get_or_init(|| {
            let files = self.files.iter().filter(|file| file.language == "csharp");
            files.flat_map(|file| global_usings(file.facts())).collect()
        })
    }

    /// The namespace that a type stands in: empty for the global one, none for an inner type.
    pub(super) fn space_of(&self, id: SymbolId) -> Option<&str> {
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
