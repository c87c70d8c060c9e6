//! C#: the namespaces that a file sees, and the types in them. Files, folders and assemblies say
//! nothing of what a name means there.

use std::collections::{BTreeSet, HashSet};
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
    visibility,
    calls_choose_overloads: &["csharp"],
    classes_take_parameters: true,
    extensions_are_in_namespaces: true,
    type_exports: TypeExports::Members,
    imports_name_packages: true,
    named_imports_may_be_modules: true,
    arity_tells_types: true,
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
    reached_unnamed,
    entry_functions: &["Main"],
    private_is_final: true,
    enums_convert: true,
    texts_reach_private: true,
    ..LanguageRules::PLAIN
};

/// What is private to a type that is no part of one is seen in its file. A member says nothing to be it.
fn visibility(resolver: &Resolver<'_>, id: SymbolId) -> Visibility {
    let (symbol, owner) = (resolver.symbol(id), resolver.parent(id));
    let owner = owner.map(|owner| resolver.symbol(owner));
    let is_part = owner.is_some_and(|owner| says(owner, "partial"));
    let says_another = |words: &[&str]| words.iter().any(|word| says(symbol, word));
    let is_private = match says(symbol, "private") {
        true => !says(symbol, "protected"),
        false => {
            let in_type = owner
                .is_some_and(|owner| matches!(owner.kind, SymbolKind::Class | SymbolKind::Struct));
            let words = ["public", "internal", "protected", "partial", "extern"];
            in_type && has_own_modifiers(symbol) && !says_another(&words)
        }
    };
    match is_private && !is_part {
        true => Visibility::File,
        false => Visibility::Everywhere,
    }
}

/// Says whether a member's head is where it would say that others see it: a parameter of a record has none,
/// and what implements `IShape.Draw` is called through that.
fn has_own_modifiers(symbol: &Symbol) -> bool {
    let before = symbol.signature.split_once(symbol.name.as_str());
    let is_explicit = before.is_some_and(|(before, _)| before.ends_with('.'));
    let is_told = match symbol.kind {
        SymbolKind::Property => symbol.signature.contains(['{', '=', ';']),
        SymbolKind::Method | SymbolKind::Field | SymbolKind::Constant => true,
        _ => false,
    };
    is_told && !is_explicit
}

/// Methods that Unity calls by their names, private ones too; those that begin with `On` aside.
const OF_UNITY: [&str; 6] = [
    "Awake",
    "FixedUpdate",
    "LateUpdate",
    "Reset",
    "Start",
    "Update",
];

/// Who calls what no text names.
fn reached_unnamed(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    let symbol = resolver.symbol(id);
    let space = resolver.space_of(id).unwrap_or("");
    if symbol.kind.has_members() && OF_COMPILER.contains(&space) {
        return Some("the compiler may look for it".to_owned());
    }
    let owner = resolver.parent(id)?;
    let name = symbol.name.as_str();
    let may_be_called = symbol.kind == SymbolKind::Method
        && (OF_UNITY.contains(&name) || name.starts_with("On"))
        && !resolver.all_bases_known(owner, &mut HashSet::new(), 0);
    may_be_called.then(|| {
        let owner = &resolver.symbol(owner).name;
        format!("what `{owner}` inherits from may call it by its name")
    })
}

/// Namespaces of types that the compiler looks for by their names, whoever defines them.
const OF_COMPILER: [&str; 2] = [
    "System.Diagnostics.CodeAnalysis",
    "System.Runtime.CompilerServices",
];

impl<'a> Resolver<'a> {
    /// Types of a name that a file sees by its own namespaces, those around them and those that it
    /// opens; the only type of the view that bears the name, where it opens others.
    fn in_namespaces(&self, file: u32, name: &str) -> Vec<SymbolId> {
        self.lookups.anywhere(name);
        self.lookups.opened(file);
        let seen = self.seen_namespaces(file);
        let named = self.table.named(name);
        let meant: Vec<SymbolId> = if named.len() <= seen.len() {
            let is_seen = |id: &SymbolId| {
                let space = self.space_of_type(*id);
                space.is_some_and(|space| seen.binary_search(&space).is_ok())
            };
            steps::count(named.len());
            named.iter().copied().filter(is_seen).collect()
        } else {
            let meant = seen.iter().flat_map(|space| self.types_in(name, space));
            let mut meant: Vec<SymbolId> = meant.collect();
            meant.sort_unstable();
            meant
        };
        let meant = match meant.is_empty() {
            true => self.shared_alias(file, name),
            false => meant,
        };
        // The innermost namespace wins.
        let depth = |id: &SymbolId| {
            let space = self.space_of(*id).unwrap_or("");
            let own = self.scope(file).spaces.iter();
            let inner = own.filter(|own| is_inside(own, space)).map(|_| space.len());
            inner.max()
        };
        match meant.iter().filter_map(depth).max() {
            Some(nearest) => meant
                .into_iter()
                .filter(|id| depth(id) == Some(nearest))
                .collect(),
            None => meant,
        }
    }

    /// Types of a name in a namespace as it is written in a file: the name may begin where the file's own
    /// one ends.
    fn types_below_own(&self, file: u32, space: &str, name: &str) -> Vec<SymbolId> {
        let spaces = self.spaces_below_own(file, space);
        let meant = spaces.iter().flat_map(|space| self.types_in(name, space));
        let mut meant: Vec<SymbolId> = meant.collect();
        meant.sort_unstable();
        meant.dedup();
        meant
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

    /// What a `global using` of any file gives a name to.
    fn shared_alias(&self, file: u32, name: &str) -> Vec<SymbolId> {
        self.lookups.anywhere(SHARED_SPACES);
        let aliases = self.shared_aliases.get_or_init(|| {
            let files = self.files.iter();
            let files = files.filter(|file| *LanguageRules::of(file.language) == RULES);
            let imports = files.flat_map(|file| &file.facts().imports);
            let shared = imports.filter(|import| import.kind == ImportKind::ReExport);
            let named = shared.flat_map(|import| {
                let names = import.names.iter();
                names.map(|name| (name.local.as_str(), import.module.as_str()))
            });
            named.collect()
        });
        let path = aliases.get(name);
        path.map_or_else(Vec::new, |path| self.by_qualified_name(file, path))
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
    let mut lists = symbol.signature.split('(').skip(1);
    let rest = lists.find_map(|list| list.trim_start().strip_prefix("this "))?;
    let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// `using A.B`: of the files that declare A.B those whose types are used here, else all.
fn imported_files(imports: &ImportResolver<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let own_family =
        |target: &u32| *target != file && imports.families[*target as usize] == Family::Dotnet;
    if !import.names.is_empty() {
        let meant = aliased_files(imports, &import.module);
        let is_known = |target: &u32| imports.families[*target as usize] == Family::Dotnet;
        let meant: BTreeSet<u32> = meant.into_iter().filter(is_known).collect();
        return to_leads(meant);
    }
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

/// The files of what `using Name = A.B` gives a name to: a type of a namespace, one inside of a type, or a
/// namespace.
fn aliased_files(imports: &ImportResolver<'_>, path: &str) -> Vec<u32> {
    let ends = path.match_indices('.').map(|(at, _)| at);
    let spaces: Vec<usize> = ends.collect();
    let of_type = spaces.into_iter().rev().find_map(|end| {
        let outermost = path[end + 1..].split('.').next()?;
        let defining = imports.named.defining_types(&path[..end]);
        defining.get(outermost).cloned()
    });
    of_type.unwrap_or_else(|| imports.named.declaring(path).to_vec())
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
