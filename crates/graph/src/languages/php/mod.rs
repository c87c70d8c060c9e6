//! PHP: names that say their namespace. `\A\B\C` is whole; `B\C` goes on where an import of `A\B` or the file's
//! own namespace ends.

pub(crate) mod imports;

use whyrank_syntax::{Family, Import, SymbolKind};

use super::{
    rules::{LanguageRules, LeadingPath},
    visibility::{Visibility, says},
};
use crate::{
    imports::resolve::{ImportResolver, Lead},
    input::files::SymbolId,
    resolution::resolver::Resolver,
};

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Php,
    by_path: |resolver, file, reference| {
        let path = format!("{}\\{}", reference.qualifier, reference.name);
        let found = resolver.in_named_space(file, &path);
        (!found.is_empty()).then_some(found)
    },
    by_leading_path: |resolver, file, text| resolver.headed_by_space(file, text),
    type_by_path: |resolver, file, dotted| resolver.type_in_named_space(file, dotted),
    visibility: |resolver, id| {
        let owner = resolver.parent(id).map(|owner| resolver.symbol(owner).kind);
        let is_private = says(resolver.symbol(id), "private");
        match is_private && owner != Some(SymbolKind::Trait) {
            true => Visibility::File,
            false => Visibility::Everywhere,
        }
    },
    free_name_follows_dot: |_, _, is_called| is_called,
    manifests: &["composer.json"],
    provided_names: imports::provided_names,
    imported_files,
    functions_stand_in_types: true,
    calls_ignore_case: true,
    texts_reach_private: true,
    ..LanguageRules::PLAIN
};

/// What stands for the file's own namespace.
const OWN: &str = "namespace";

impl<'a> Resolver<'a> {
    /// Definitions that a name with namespaces before it means; none for any other text.
    fn in_named_space(&self, file: u32, path: &str) -> Vec<SymbolId> {
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\');
        if !path.chars().all(is_path) {
            return Vec::new();
        }
        let Some((space, name)) = path.rsplit_once('\\') else {
            return Vec::new();
        };
        self.lookups.anywhere(name);
        let spaces = match path.strip_prefix('\\') {
            Some(_) => vec![space.trim_start_matches('\\').to_owned()],
            None => self.spaces_meant(file, space),
        };
        let mut found = spaces.iter().map(|space| self.in_space(space, name));
        found.find(|ids| !ids.is_empty()).unwrap_or_default()
    }

    /// The same of the longest beginning of an expression.
    fn headed_by_space(&self, file: u32, text: &str) -> Option<LeadingPath> {
        let text = text.trim();
        let made = text.strip_prefix("new");
        let made = made.filter(|rest| rest.starts_with([' ', '\\']));
        let text = made.unwrap_or(text).trim_start();
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\');
        let end = text.find(|c| !is_path(c)).unwrap_or(text.len());
        let path = &text[..end];
        let found = self.in_named_space(file, path);
        let n_parts = path.split('\\').filter(|part| !part.is_empty()).count();
        (!found.is_empty()).then_some(LeadingPath {
            definitions: found,
            n_parts,
        })
    }

    /// The same of a type as it is written, dots between its parts: whether it was written as whole is
    /// not known any more.
    fn type_in_named_space(&self, file: u32, dotted: &str) -> Vec<SymbolId> {
        let path = dotted.replace('.', "\\");
        let found = self.in_named_space(file, &path);
        if found.is_empty() {
            return self.in_named_space(file, &format!("\\{path}"));
        }
        found
    }

    /// The namespaces that one written in a file can be.
    fn spaces_meant(&self, file: u32, space: &str) -> Vec<String> {
        let (head, rest) = space.split_once('\\').unwrap_or((space, ""));
        let below = |outer: &str, inner: &str| match (outer, inner) {
            ("", one) | (one, "") => one.to_owned(),
            (outer, inner) => format!("{outer}\\{inner}"),
        };
        let imports = &self.files[file as usize].facts().imports;
        let named = imports.iter().flat_map(|import| {
            let names = import.names.iter().filter(|name| name.local == head);
            names.map(|name| {
                let module = import.module.trim_matches('\\');
                below(&below(module, &name.name), rest)
            })
        });
        let mut spaces: Vec<String> = named.collect();
        if spaces.is_empty() {
            let own = &self.scope(file).spaces;
            let inner = if head == OWN { rest } else { space };
            spaces.extend(own.iter().map(|own| below(own, inner)));
            if own.is_empty() {
                spaces.push(inner.to_owned());
            }
        }
        spaces
    }

    fn in_space(&self, space: &str, name: &str) -> Vec<SymbolId> {
        let space_of = |id: SymbolId| {
            let is_in_one =
                *self.rules(id.file) == RULES && self.symbol(id).kind != SymbolKind::Namespace;
            self.space_of(id).filter(|_| is_in_one)
        };
        self.sharing(name, |known| &known.names_by_space, space_of, space)
    }
}

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
