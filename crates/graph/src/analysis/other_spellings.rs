//! Names and paths that are written otherwise than what they mean: in another case, behind an alias, in parts.

use rustc_hash::FxHashMap;
use whyrank_syntax::{Reference, ReferenceKind};

use crate::{
    analysis::{
        doubt::{Proof, file_of},
        mentions::{Mention, MentionFile},
        question::in_other_language,
        ruling::{RuledPlace, Ruling},
    },
    input::{files::SymbolId, paths},
    references::reference_query::ReferenceQuery,
    resolution::resolver::Resolution,
};

/// The names that code of other languages may have for a definition.
pub(super) fn names_elsewhere(uses: &ReferenceQuery<'_>, id: SymbolId) -> Vec<String> {
    (uses.resolver.rules(id.file).names_elsewhere)(uses.resolver.symbol(id))
}

impl<'a> Proof<'_, 'a> {
    /// Code that puts names together, which may make that of a definition.
    pub(super) fn by_parts(&self, id: SymbolId) -> Option<String> {
        let resolver = &self.uses.resolver;
        let (name, rules) = (&resolver.symbol(id).name, resolver.rules(id.file));
        let mut parts = self.mentions.parts.iter();
        let part = parts.find(|part| resolver.rules(part.file) == rules && part.may_make(name))?;
        let path = resolver.files[part.file as usize].path;
        Some(format!("{path} puts names together with `{}`", part.text))
    }

    /// Says whether a module is written with the end of a path of the view behind an alias:
    /// `@site/src/card` where there is a `src/card.tsx`.
    pub(crate) fn names_a_file(&self, module: &str) -> bool {
        let Some((_, below)) = module.split_once('/') else {
            return false;
        };
        let stem = |path: &'a str| {
            let name = paths::base_name(path);
            let ending = name
                .split_once('.')
                .map_or(0, |(_, ending)| ending.len() + 1);
            let stem = &path[..path.len() - ending];
            stem.strip_suffix("/index").unwrap_or(stem)
        };
        let stems = self.stems.get_or_init(|| {
            let mut stems: FxHashMap<&'a str, Vec<&'a str>> = FxHashMap::default();
            for file in self.uses.resolver.files.iter() {
                let stem = stem(file.path);
                stems.entry(paths::base_name(stem)).or_default().push(stem);
            }
            stems
        });
        let below = below.trim_start_matches('/');
        let name = paths::base_name(below);
        let name = name.split_once('.').map_or(name, |(name, _)| name);
        let end = format!(
            "/{}{name}",
            &below[..below.len() - paths::base_name(below).len()]
        );
        let named = stems.get(name).into_iter().flatten();
        let mut named = named.map(|stem| format!("/{stem}"));
        below.contains('/') && named.any(|stem| stem.ends_with(&end))
    }

    /// The places in other languages that bear a name which these may have for a definition.
    pub(super) fn under_other_names(&self, id: SymbolId) -> Vec<RuledPlace> {
        let resolver = &self.uses.resolver;
        let own = resolver.rules(id.file);
        let names = names_elsewhere(self.uses, id);
        let mentions = names
            .iter()
            .filter_map(|name| self.mentions.places.get(name));
        let is_other =
            |mention: &&Mention| file_of(mention).is_none_or(|file| resolver.rules(file) != own);
        let ruled = mentions.flatten().filter(is_other).map(|mention| {
            let (within, ruling) = match &mention.file {
                MentionFile::Indexed(file) => (
                    self.around_line(*file, mention.line),
                    in_other_language(own, mention, "another language may name it so at"),
                ),
                MentionFile::LeftOut(path) => (
                    Vec::new(),
                    Ruling::Unsettled(format!("named at {path}:{}, not indexed", mention.line)),
                ),
            };
            RuledPlace {
                file: mention.file.clone(),
                line: mention.line,
                within,
                ruling,
            }
        });
        ruled.collect()
    }

    /// The places that call or name a definition in another case, where case does not count; `by_definitions`
    /// rules on a use that means some.
    pub(super) fn in_other_case(
        &self,
        id: SymbolId,
        by_definitions: &dyn Fn(u32, &'a Reference, &[SymbolId]) -> Ruling,
    ) -> Vec<RuledPlace> {
        let resolver = &self.uses.resolver;
        let symbol = resolver.symbol(id);
        let is_called = symbol.kind.is_callable() || symbol.kind.has_members();
        if !resolver.rules(id.file).calls_ignore_case || !is_called {
            return Vec::new();
        }
        let respelled = self.respelled.get_or_init(|| self.respelled());
        let places = respelled.get(&symbol.name.to_lowercase());
        let places = places.into_iter().flatten();
        let others = places.filter(|(_, reference)| reference.name != symbol.name);
        let ruled = others.map(|(file, reference)| {
            let ruling = match &*self.meaning(*file, reference) {
                Resolution::Definitions(ids) | Resolution::Instances(ids) if !ids.is_empty() => {
                    by_definitions(*file, reference, ids)
                }
                Resolution::External | Resolution::Elements(_) => {
                    Ruling::Outside(reference.name.clone())
                }
                _ => Ruling::Unsettled("called in another case at".to_owned()),
            };
            RuledPlace {
                file: MentionFile::Indexed(*file),
                line: reference.line,
                within: self.around_line(*file, reference.line),
                ruling,
            }
        });
        ruled.collect()
    }

    fn respelled(&self) -> FxHashMap<String, Vec<(u32, &'a Reference)>> {
        let resolver = &self.uses.resolver;
        let is_code = |id: &SymbolId| {
            let kind = resolver.symbol(*id).kind;
            kind.is_callable() || kind.has_members()
        };
        let mut is_written: FxHashMap<&str, bool> = FxHashMap::default();
        let mut respelled: FxHashMap<String, Vec<(u32, &'a Reference)>> = FxHashMap::default();
        let files = (0u32..).zip(resolver.files);
        for (file, input) in files.filter(|(file, _)| resolver.rules(*file).calls_ignore_case) {
            for reference in &input.facts().references {
                if matches!(reference.kind, ReferenceKind::Read | ReferenceKind::Write) {
                    continue;
                }
                let name = reference.name.as_str();
                let is_defined = is_written
                    .entry(name)
                    .or_insert_with(|| resolver.table.named(name).iter().any(is_code));
                if !*is_defined {
                    let folded = respelled.entry(name.to_lowercase()).or_default();
                    folded.push((file, reference));
                }
            }
        }
        respelled
    }
}
