//! The words that arguments choose from: each list once, other words that people write for them, and
//! one error that lists what there is.

use crate::error::{EngineError, Result};

pub use whyrank_retrieval::{CHUNK_KINDS, REFERENCE_KINDS, SYMBOL_KINDS};

/// Kinds of uses, and how a type or member comes by another.
pub const USE_KINDS: [&str; 12] = [
    "call",
    "read",
    "write",
    "type",
    "import",
    "re-export",
    "inherit",
    "decorator",
    "mention",
    "implements",
    "extends",
    "overrides",
];

/// What `dead_code` says about a definition.
pub const DEAD_VERDICTS: [&str; 6] = [
    "dead",
    "test-only",
    "possibly-dynamic",
    "exported-unused",
    "never-ran",
    "ran",
];
/// Kinds of definitions that can be dead by themselves.
pub const DEAD_SYMBOL_KINDS: [&str; 11] = [
    "function",
    "method",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "type",
    "constant",
    "variable",
    "macro",
];
/// What `audit` finds.
pub const AUDIT_KINDS: [&str; 5] = ["cycle", "layering", "god-file", "hub", "orphan"];
/// What a memo is.
pub const MEMO_KINDS: [&str; 7] = [
    "decision",
    "preference",
    "pattern",
    "context",
    "todo",
    "procedure",
    "correction",
];
/// How near at hand a memo is kept.
pub const MEMO_TIERS: [&str; 3] = ["core", "normal", "archive"];
/// Which memos are listed.
pub const MEMO_STATES: [&str; 10] = [
    "valid",
    "conflicts",
    "drifted",
    "superseded",
    "forgotten",
    "elsewhere",
    "unplaced",
    "pinned",
    "orphaned",
    "all",
];
/// What recall brings besides memos that hold.
pub const MEMO_INCLUDES: [&str; 3] = ["superseded", "drifted", "archived"];

/// What people write, and what it means where it is among the choices; the first that is counts.
const SYNONYMS: [(&str, &str); 87] = [
    ("extend", "extends"),
    ("implement", "implements"),
    ("implementation", "implements"),
    ("implementer", "implements"),
    ("subclass", "extends"),
    ("subtype", "implements"),
    ("override", "overrides"),
    ("overriding", "overrides"),
    ("extend", "inherit"),
    ("extended", "inherit"),
    ("implement", "inherit"),
    ("implementation", "inherit"),
    ("implementer", "inherit"),
    ("inheritance", "inherit"),
    ("subclass", "inherit"),
    ("subtype", "inherit"),
    ("base", "inherit"),
    ("caller", "call"),
    ("called", "call"),
    ("invoke", "call"),
    ("invocation", "call"),
    ("instantiation", "call"),
    ("assign", "write"),
    ("assignment", "write"),
    ("annotation", "decorator"),
    ("attribute", "decorator"),
    ("attribute", "field"),
    ("type-reference", "type"),
    ("typed", "type"),
    ("imported", "import"),
    ("reexport", "re-export"),
    ("export", "re-export"),
    ("comment", "mention"),
    ("string", "mention"),
    ("text", "mention"),
    ("fn", "function"),
    ("func", "function"),
    ("fun", "function"),
    ("def", "function"),
    ("procedure", "function"),
    ("ctor", "constructor"),
    ("init", "constructor"),
    ("protocol", "interface"),
    ("object", "class"),
    ("record", "struct"),
    ("const", "constant"),
    ("var", "variable"),
    ("let", "variable"),
    ("member", "field"),
    ("getter", "property"),
    ("accessor", "property"),
    ("mod", "module"),
    ("package", "module"),
    ("alias", "type"),
    ("type-alias", "type"),
    ("typedef", "type"),
    ("variant", "enum-member"),
    ("enum-variant", "enum-member"),
    ("enumerator", "enum-member"),
    ("heading", "section"),
    ("documentation", "doc"),
    ("markdown", "doc"),
    ("prose", "doc"),
    ("unused", "dead"),
    ("tests-only", "test-only"),
    ("dynamic", "possibly-dynamic"),
    ("maybe", "possibly-dynamic"),
    ("exported", "exported-unused"),
    ("public", "exported-unused"),
    ("never-run", "never-ran"),
    ("circular", "cycle"),
    ("import-cycle", "cycle"),
    ("god", "god-file"),
    ("god-class", "god-file"),
    ("layer", "layering"),
    ("imported-by", "importers"),
    ("dependent", "importers"),
    ("incoming", "importers"),
    ("dependency", "imports"),
    ("outgoing", "imports"),
    ("note", "context"),
    ("convention", "pattern"),
    ("task", "todo"),
    ("conflict", "conflicts"),
    ("conflicting", "conflicts"),
    ("current", "valid"),
    ("active", "valid"),
];

/// Returns the choice that a word means: itself in any case and number, or what another word stands
/// for.
pub fn choice<'c>(choices: &[&'c str], word: &str) -> Option<&'c str> {
    let word = word.trim().to_lowercase().replace(['_', ' '], "-");
    let among = |word: &str| choices.iter().copied().find(|choice| *choice == word);
    let meant = |word: &str| {
        let others = SYNONYMS.iter().filter(|(other, _)| *other == word);
        among(word).or_else(|| others.filter_map(|(_, ours)| among(ours)).next())
    };
    let singular =
        |ending: &str, instead: &str| Some(format!("{}{instead}", word.strip_suffix(ending)?));
    let forms = [
        singular("ies", "y"),
        singular("es", ""),
        singular("s", ""),
        Some(format!("{word}s")),
    ];
    meant(&word).or_else(|| forms.iter().flatten().find_map(|word| meant(word)))
}

/// Returns the choices that words mean; `what` they are choices of, in the plural.
///
/// # Errors
/// `bad-argument` for a word that means none of them, with all that there are.
pub fn chosen<'c>(what: &str, choices: &[&'c str], words: &[String]) -> Result<Vec<&'c str>> {
    let one = |word: &String| {
        choice(choices, word).ok_or_else(|| {
            EngineError::bad_argument(
                format!("`{word}` is not one of the {what}"),
                format!("{what}: {}", choices.join(", ")),
            )
        })
    };
    words.iter().map(one).collect()
}

/// Checks that an argument says something.
pub(crate) fn need(value: &str, name: &str) -> Result<()> {
    if value.trim().is_empty() {
        return Err(EngineError::bad_argument(
            format!("`{name}` is empty"),
            format!("give a {name}"),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_understood() {
        let of_use = |word| choice(&REFERENCE_KINDS, word);
        for word in ["calls", "Call", " callers", "invocations"] {
            assert_eq!(of_use(word), Some("call"), "{word}");
        }
        for (word, expected) in [
            ("subclasses", "extends"),
            ("implementations", "implements"),
            ("override", "overrides"),
            ("inherits", "inherit"),
        ] {
            assert_eq!(choice(&USE_KINDS, word), Some(expected), "{word}");
        }
        for word in ["extends", "implements", "inherits", "subclasses"] {
            assert_eq!(of_use(word), Some("inherit"), "{word}");
        }
        assert_eq!(of_use("re_export"), Some("re-export"));
        assert_eq!(of_use("nonsense"), None);
        let of_symbol = |word| choice(&SYMBOL_KINDS, word);
        assert_eq!(of_symbol("classes"), Some("class"));
        assert_eq!(of_symbol("properties"), Some("property"));
        assert_eq!(of_symbol("func"), Some("function"));
        assert_eq!(of_symbol("attribute"), Some("field"));
        assert_eq!(
            choice(&["both", "imports", "importers"], "importer"),
            Some("importers")
        );
    }

    #[test]
    fn the_words_of_memos_are_those_of_memory() {
        assert_eq!(
            MEMO_KINDS,
            whyrank_memory::Kind::ALL.map(|kind| kind.name())
        );
        let is_tier = |name: &&str| whyrank_memory::Tier::from_name(name).is_some();
        assert!(MEMO_TIERS.iter().all(is_tier));
    }

    #[test]
    fn what_means_none_is_an_error_with_all_that_there_are() {
        let error = chosen("kinds of finding", &AUDIT_KINDS, &["smell".to_owned()]).unwrap_err();
        assert_eq!(error.message, "`smell` is not one of the kinds of finding");
        assert_eq!(
            error.hint,
            "kinds of finding: cycle, layering, god-file, hub, orphan"
        );
    }
}
