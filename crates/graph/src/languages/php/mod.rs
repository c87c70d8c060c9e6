//! PHP: names that say their namespace. `\A\B\C` is whole; `B\C` goes on where an import of `A\B` or the file's
//! own namespace ends.

pub(crate) mod imports;
mod names;

use whyrank_syntax::{Family, Import, SymbolKind};

use super::{
    rules::LanguageRules,
    visibility::{Visibility, says},
};
use crate::imports::resolve::{ImportResolver, Lead};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Php,
    free_name: Some(|resolver, site, name, wanted| resolver.free_name(site, name, wanted)),
    by_path: |resolver, file, reference| resolver.in_written_space(file, reference),
    by_leading_path: |resolver, site, text| resolver.headed_by_name(site, text),
    type_by_path: |resolver, site, dotted| resolver.type_in_space(site, dotted),
    visibility: |resolver, id| {
        let owner = resolver.parent(id).map(|owner| resolver.symbol(owner).kind);
        let is_private = says(resolver.symbol(id), "private");
        match is_private && owner != Some(SymbolKind::Trait) {
            true => Visibility::File,
            false => Visibility::Everywhere,
        }
    },
    free_name_follows_dot: |_, _, is_called| is_called,
    package_name: |_, facts| names::own_space(facts).to_owned(),
    manifests: &["composer.json"],
    provided_names: imports::provided_names,
    imported_files,
    functions_stand_in_types: true,
    calls_ignore_case: true,
    texts_reach_private: true,
    private_is_own: true,
    ..LanguageRules::PLAIN
};

/// The file of a class or function, else the files of a namespace whose names are used.
fn imported_files(resolver: &ImportResolver<'_>, file: u32, import: &Import) -> Vec<Lead> {
    let found = resolver
        .php
        .resolve(&resolver.places, &resolver.named, file, import);
    if !found.is_empty() || imports::names_a_file(import) {
        return found;
    }
    let below = imports::below_namespace(&resolver.named, &resolver.used(file), import);
    let mut leads: Vec<Lead> = below.into_iter().map(Lead::to).collect();
    leads.sort_unstable();
    leads.dedup();
    leads
}
