//! What a language means for names, types, imports and dead code: one file a family.
//!
//! What for: who resolves a name asks a rule, and no rule says which language it is. What not: what the
//! text of a file says is read by `syntax`, which has the rules for that beside each grammar.

pub(crate) mod dart;
mod dotnet;
mod elixir;
pub(crate) mod go;
mod haskell;
mod jvm;
mod lua;
mod modules;
mod native;
mod other;
pub(crate) mod php;
mod proto;
pub(crate) mod python;
mod ruby;
mod rules;
pub(crate) mod rust;
pub(crate) mod script;
mod spellings;
mod sql;
mod swift;
mod terraform;
pub(crate) mod visibility;
mod zig;

use whyrank_syntax::Family;

use crate::input::{files::FileInput, paths};

pub(crate) use rules::{BuildChoice, InnerTypes, LanguageRules, Overriding, Rules, TypeExports};

/// The rules of each family, in the order of [`Family`].
static ALL: [Rules; Family::N] = [
    &script::RULES,
    &python::RULES,
    &go::RULES,
    &rust::RULES,
    &jvm::RULES,
    &native::RULES,
    &ruby::RULES,
    &php::RULES,
    &dotnet::RULES,
    &lua::RULES,
    &elixir::RULES,
    &haskell::RULES,
    &zig::RULES,
    &swift::RULES,
    &dart::RULES,
    &proto::RULES,
    &terraform::RULES,
    &sql::RULES,
    &other::RULES,
];

impl LanguageRules {
    /// How many families there are.
    pub(crate) const N: usize = Family::N;

    /// The number of the family, below [`Self::N`].
    pub(crate) fn number(&self) -> usize {
        self.family as usize
    }

    /// The rules of a language by its name. O(languages).
    pub(crate) fn of(language: &str) -> Rules {
        Self::of_family(Family::of(language))
    }

    /// Returns the rules of a family.
    pub(crate) fn of_family(family: Family) -> Rules {
        ALL[family as usize]
    }

    /// The rules of each file.
    pub(crate) fn of_each(files: &[FileInput<'_>]) -> Vec<Rules> {
        files.iter().map(|file| Self::of(file.language)).collect()
    }

    /// The families whose packages a manifest describes.
    pub(crate) fn reading(path: &str) -> impl Iterator<Item = Rules> {
        let name = paths::base_name(path);
        let is_named = move |manifest: &&str| match manifest.starts_with('.') {
            true => name.ends_with(*manifest),
            false => name == *manifest,
        };
        ALL.into_iter()
            .filter(move |rules| rules.manifests.iter().any(is_named))
    }
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn each_family_is_at_its_number() {
        let numbers = ALL.iter().map(|rules| rules.number());
        assert!(numbers.eq(0..ALL.len()));
    }
}
