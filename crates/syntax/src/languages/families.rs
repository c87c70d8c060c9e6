//! What the languages of a family have in common.

use std::sync::OnceLock;

use super::{name_rules, rows};
use crate::family::Family;
use crate::name_rules::NameRules;

impl Family {
    /// Returns the family of a language by its name. O(languages).
    pub fn of(language: &str) -> Self {
        name_rules(language).family
    }

    /// Returns what a name can mean in its first language; they agree within a family, but for what is
    /// asked by language.
    pub fn rules(self) -> &'static NameRules {
        static RULES: OnceLock<[&NameRules; Family::N]> = OnceLock::new();
        RULES.get_or_init(|| {
            let mut rules = [&NameRules::NONE; Self::N];
            for (_, names) in rows().collect::<Vec<_>>().into_iter().rev() {
                rules[names.family as usize] = names;
            }
            rules
        })[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use crate::family::Family;
    use crate::languages::rows;
    use crate::name_rules::{NameRules, OverrideWord};

    #[test]
    fn languages_of_a_family_agree_on_names() {
        let shared = |rules: &NameRules| NameRules {
            last_value_is_result: false,
            makes_with_new: false,
            functions_need_brackets: false,
            override_word: OverrideWord::Optional,
            values_are_untyped: false,
            locals_are_untyped: false,
            called_by_name: &[],
            is_read_by_lines: false,
            methods_have_other_names: false,
            bases_ask_for_types: false,
            ..*rules
        };
        for (language, rules) in rows() {
            let family = Family::of(language);
            if family != Family::Other {
                assert_eq!(shared(rules), shared(family.rules()), "{language}");
            }
        }
        assert_eq!(Family::of("kotlin"), Family::Jvm);
        assert_eq!(Family::of("text"), Family::Other);
    }
}
