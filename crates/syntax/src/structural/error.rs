//! Why a text is no pattern, and what to write instead.

/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("the pattern is empty; write code with metavariables, such as `{example}`")]
    Empty {
        /// A valid one.
        example: &'static str,
    },
    /// It is longer or deeper than any that tells something.
    #[error("the pattern is too large ({what}); search for a part of it")]
    TooLarge {
        /// What there is too much of.
        what: String,
    },
    /// It is a metavariable and nothing else.
    #[error(
        "`{pattern}` alone matches everything; put it where it stands in code, such as `{example}`"
    )]
    OnlyMetavariable {
        /// The pattern.
        pattern: String,
        /// A valid one.
        example: &'static str,
    },
    /// One name is used for one node and for many.
    #[error("`${name}` and `$$${name}` cannot both be used; give one of them another name")]
    OneAndMany {
        /// The name.
        name: String,
    },
    /// `$$X`, which means nothing.
    #[error(
        "`$${name}` is not a metavariable; write `${name}` for one node or `$$${name}` for many"
    )]
    TwoSigns {
        /// The name.
        name: String,
    },
    /// A metavariable in lower case, where the language has no such word.
    #[error(
        "`${name}` is not a metavariable; they are in capitals: `{capitals}`, such as `{example}`"
    )]
    LowerCase {
        /// The name as written.
        name: String,
        /// The name as it should be.
        capitals: String,
        /// A valid pattern.
        example: &'static str,
    },
    /// The grammar cannot read it.
    #[error(
        "the pattern is no valid {language}: line {line}, column {column}, {near}; write a whole \
         expression, statement or definition, such as `{example}`"
    )]
    Syntax {
        /// The language.
        language: &'static str,
        /// Line in the pattern, from 1.
        line: usize,
        /// Character in that line, from 1.
        column: usize,
        /// What stands there, in words.
        near: String,
        /// A valid one.
        example: &'static str,
    },
    /// The language has no grammar.
    #[error("structural search does not know {language}; it knows {known}")]
    NoGrammar {
        /// The language.
        language: String,
        /// All that it knows.
        known: String,
    },
}
