//! Languages of whose names nothing is known.

use whyrank_syntax::Family;

use super::rules::LanguageRules;

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Other,
    names_are_known: false,
    ..LanguageRules::PLAIN
};
