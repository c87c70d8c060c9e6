//! Why a text is no pattern, and what to write instead.

use std::borrow::Cow;
/// Why a text is no pattern.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// There is nothing in it.
    #[error("the pattern is empty; {}", self.hint())]
    Empty {
        /// A valid one.
        example: &'static str,
    },
    /// It is longer or deeper than any that tells something.
    #[error("the pattern is too large ({what}); {}", self.hint())]
    TooLarge {
        /// What there is too much of.
        what: String,
    },
    /// It is a metavariable and nothing else.
    #[error("`{pattern}` alone matches everything; {}", self.hint())]
    OnlyMetavariable {
        /// The pattern.
        pattern: String,
        /// A valid one.
        example: &'static str,
    },
    /// One name is used for one node and for many.
    #[error("`${name}` and `$$${name}` cannot both be used; {}", self.hint())]
    OneAndMany {
        /// The name.
        name: String,
    },
    /// `$$X`, which means nothing.
    #[error("`$${name}` is not a metavariable; {}", self.hint())]
    TwoSigns {
        /// The name.
        name: String,
    },
    /// A metavariable in lower case, where the language has no such word.
    #[error("`${name}` is not a metavariable; {}", self.hint())]
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
        "the pattern is not valid {language}: line {line}, column {column}, {near}; {}", self.hint()
    )]
    Syntax {
        /// The language.
        language: &'static str,
        /// Line in the pattern, from 1.
        line: usize,
        /// Character in that line, from 1.
        column: usize,
        /// What is there, in words.
        near: String,
        /// A valid one.
        example: &'static str,
    },
    /// The language has no grammar.
    #[error("structural search does not know {language}; {}", self.hint())]
    NoGrammar {
        /// The language.
        language: String,
        /// All that it knows.
        known: String,
    },
}

impl PatternError {
    /// Says what to do about it.
    pub fn hint(&self) -> Cow<'static, str> {
        let hint = match self {
            Self::TooLarge { .. } => "search for a part of it",
            Self::OneAndMany { .. } => "give one of them another name",
            Self::Empty { example, .. } => {
                return format!("write code with metavariables, such as `{example}`").into();
            }
            Self::OnlyMetavariable { example, .. } => {
                return format!("put it where it stands in code, such as `{example}`").into();
            }
            Self::TwoSigns { name, .. } => {
                return format!("write `${name}` for one node or `$$${name}` for many").into();
            }
            Self::LowerCase {
                capitals, example, ..
            } => return format!("they are in capitals: `{capitals}`, such as `{example}`").into(),
            Self::NoGrammar { known, .. } => return format!("it knows {known}").into(),
            Self::Syntax { example, .. } => {
                return format!(
                    "write a whole expression, statement or definition, such as `{example}`"
                )
                .into();
            }
        };
        hint.into()
    }
}
