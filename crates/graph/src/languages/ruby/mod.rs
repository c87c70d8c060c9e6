//! Ruby: constants of the modules around a place, which any file may add to.

mod receivers;

use whyrank_syntax::{Family, Import, ImportKind, SymbolKind};

use super::rules::{InnerTypes, LanguageRules, Overriding};
use crate::{
    imports::resolve::to_leads,
    input::{
        files::{ManifestInput, SymbolId},
        paths,
        view_paths::ViewPaths,
    },
    resolution::resolver::{Resolution, Resolver, UseSite},
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Ruby,
    paths_begin_at_root: true,
    root_names_are_global: true,
    in_spaces_around: |resolver, site, name| resolver.in_modules(site, name),
    seen_of_opened: |resolver, site, ids| resolver.seen_bare(site, ids),
    setters_have_names: true,
    of_receiver: |resolver, site, before, ids| resolver.at_level(site, before, ids),
    modules_lend_functions: true,
    types_make_by_new: true,
    inner_types: InnerTypes::ByName,
    opens_foreign_type: Some(opens_foreign_type),
    overriding: Overriding::SameReceiver,
    manifests: &[".gemspec"],
    provided_names,
    imported_files: |imports, file, import| to_leads(required(&imports.places, file, import)),
    reached_unnamed: in_opened_class,
    ..LanguageRules::PLAIN
};

/// Types of Ruby itself that programs open to add methods.
const RUBY_TYPES: [&str; 19] = [
    "Array",
    "BasicObject",
    "Class",
    "Comparable",
    "Enumerable",
    "FalseClass",
    "Float",
    "Hash",
    "IO",
    "Integer",
    "Kernel",
    "Module",
    "NilClass",
    "Numeric",
    "Object",
    "Proc",
    "String",
    "Symbol",
    "TrueClass",
];

/// `class String`: a type that the language defines.
fn opens_foreign_type(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let qualified = resolver.symbol(id).qualified.as_str();
    RUBY_TYPES.binary_search(&qualified).is_ok()
}

impl<'a> Resolver<'a> {
    /// Constants of a name in the modules and classes around a place, innermost first.
    fn in_modules(&self, site: UseSite, name: &str) -> Vec<SymbolId> {
        if !name.starts_with(char::is_uppercase) {
            return Vec::new();
        }
        self.lookups.anywhere(name);
        let first = site.enclosing.map(|symbol| SymbolId {
            file: site.file,
            symbol,
        });
        let mut around = std::iter::successors(first, |id| self.parent(*id));
        let nearest = around.find_map(|id| {
            let inside = format!("{}::{name}", self.symbol(id).qualified);
            let found = self.constants(name, &inside);
            (!found.is_empty()).then_some(found)
        });
        nearest.unwrap_or_default()
    }

    /// Of what other files define those that a bare name means: a constant of a module only inside of it.
    fn seen_bare(&self, site: UseSite, mut ids: Vec<SymbolId>) -> Resolution {
        ids.retain(|id| {
            let kind = self.symbol(*id).kind;
            let is_constant = kind.has_members() || kind == SymbolKind::Module;
            !is_constant || !self.is_inner_type(*id) || self.lies_in_owner(site, *id)
        });
        if ids.is_empty() {
            Resolution::Unknown
        } else {
            Resolution::Definitions(ids)
        }
    }

    fn constants(&self, name: &str, qualified: &str) -> Vec<SymbolId> {
        let qualified_of = |id: SymbolId| {
            let symbol = self.symbol(id);
            let is_constant = symbol.kind.has_members()
                || matches!(symbol.kind, SymbolKind::Module | SymbolKind::Constant);
            (is_constant && *self.rules(id.file) == RULES).then_some(symbol.qualified.as_str())
        };
        self.sharing(name, |known| &known.constants, qualified_of, qualified)
    }
}

/// A method inside a method mostly stands in a block that opens a class (`class_eval do`).
fn in_opened_class(resolver: &Resolver<'_>, id: SymbolId) -> Option<String> {
    let parent = resolver.symbol(resolver.parent(id)?);
    let is_nested = matches!(parent.kind, SymbolKind::Method | SymbolKind::Function);
    is_nested.then(|| "may override a method of what its block opens".to_owned())
}

/// `require_relative` from the file, `require` below `lib`, other roots, or beside the file.
fn required(places: &ViewPaths<'_>, file: u32, import: &Import) -> Option<u32> {
    let module = import.module.trim_end_matches(".rb");
    let beside = || paths::join(places.folder_of(file), &format!("{module}.rb"));
    let relative = import.kind == ImportKind::Include || module.starts_with('.');
    let near = relative
        .then(|| beside().and_then(|path| places.file(&path)))
        .flatten();
    if near.is_some() {
        return near;
    }
    let found = places.ending_with(&format!("{module}.rb"));
    let below_root = |file: &u32| {
        let root = places
            .path(*file)
            .strip_suffix(".rb")
            .and_then(|path| path.strip_suffix(module));
        root.is_some_and(|root| {
            let root = root.trim_end_matches('/');
            let name = paths::base_name(root);
            matches!(name, "" | "lib" | "test" | "spec") || paths::parent(root).ends_with("app")
        })
    };
    let rooted: Vec<u32> = found.iter().copied().filter(below_root).collect();
    places.nearest(&rooted, file)
}

/// What lies in `lib`.
fn provided_names(manifest: &ManifestInput<'_>, files: &[&str]) -> Vec<String> {
    let folder = paths::parent(manifest.path);
    let Some(root) = paths::join(folder, "lib") else {
        return Vec::new();
    };
    let tops = files.iter().filter_map(|path| {
        let rest = paths::below(path, &root).and_then(|rest| rest.strip_suffix(".rb"));
        rest?.split('/').next().map(str::to_owned)
    });
    tops.collect()
}
