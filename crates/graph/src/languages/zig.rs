//! Zig: an import names a file.

use whyrank_syntax::Family;

use super::rules::LanguageRules;

pub(super) static RULES: LanguageRules = LanguageRules {
    family: Family::Zig,
    ..LanguageRules::PLAIN
};
