//! Go: folders are packages, and methods alone make a type fit an interface.

pub(crate) mod imports;

use whyrank_syntax::{Family, FileFacts, Import, OUTER_PACKAGE, Symbol, SymbolKind};

use super::{
    modules,
    rules::{BuildChoice, LanguageRules},
    visibility::{Visibility, is_upper},
};
use crate::{
    imports::resolve::{ImportResolver, Lead, definers::those_defining, to_leads},
    input::paths,
    resolution::{
        scope::{Binding, Bound},
        signature_types::{returned_unmarked, unnamed_parts},
    },
};

/// Packages of the library whose functions have parameters of types.
const GENERIC_PACKAGES: &[&str] = &[
    "atomic", "cmp", "iter", "maps", "slices", "sync", "unique", "weak",
];

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Go,
    reads_may_be_keys: true,
    packages_qualify_names: true,
    visibility: |resolver, id| match is_upper(&resolver.symbol(id).name) {
        true => Visibility::Everywhere,
        false => Visibility::Folder,
    },
    free_name_follows_dot: |symbol, _, _| is_upper(&symbol.name),
    embedded_types_are_fields: true,
    types_span_packages: true,
    structs_are_anonymous: true,
    lists_have_names: true,
    stated_result: |symbol| {
        let result = returned_unmarked(&symbol.signature)?;
        Some(match unnamed_parts(result)[..] {
            [only] => only,
            _ => result,
        })
    },
    result_parts: |result| match unnamed_parts(result) {
        parts if parts.is_empty() => vec![result],
        parts => parts,
    },
    has_method_sets: true,
    gives_any_type: |package| GENERIC_PACKAGES.contains(&package),
    inherited_members_fulfil: false,
    is_base: |around, name| around.kind.has_members() && !is_constraint(around, name),
    manifests: &["go.mod"],
    provided_names: imports::provided_names,
    renamed_packages: imports::renamed_packages,
    imported_files,
    replacements_keep_names: true,
    opens_module: |_| false,
    bind_module: |scope, import, files| {
        let binding = Binding::of(import, files, Bound::Module);
        scope.add(imports::likely_name(&import.module), binding);
    },
    submodule: modules::own_module,
    is_outside_package,
    constants_count_on: true,
    // A library's folder, too, may hold a file with a `main` that is built apart.
    is_program: |resolver, file| {
        let path = resolver.view_paths.path(file);
        paths::base_name(path) == "main.go" || path.split('/').any(|part| part == "cmd")
    },
    errors_are_told_by_method: true,
    build_choice: BuildChoice::Alike,
    ..LanguageRules::PLAIN
};

/// A test may stand outside of the package of its folder.
fn is_outside_package(path: &str, facts: &FileFacts) -> bool {
    let mut locals = facts.locals.iter();
    path.ends_with("_test.go") && locals.any(|local| local.name == OUTER_PACKAGE)
}

/// A name in a union of types (`~int | Name`) is no embedded interface.
fn is_constraint(around: &Symbol, name: &str) -> bool {
    around.kind == SymbolKind::Interface
        && around.signature.split(['{', ';', '\n']).any(|part| {
            let is_union = part.contains('|') || part.contains('~');
            is_union
                && part
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == name)
        })
}

/// Of the files of a package those whose names are used.
fn imported_files(imports: &ImportResolver<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let used = imports.used(file);
    let (files, names) = imports.go.resolve(&imports.places, import, &used);
    to_leads(match names {
        Some(names) if !files.is_empty() => {
            let package = imports.together.package(&imports.places, &files);
            those_defining(&[package], &names)
        }
        _ => files,
    })
}
