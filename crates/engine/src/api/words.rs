//! The words that answers choose from. Each is an enum; on the wire and in text a variant is its word.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;
use whyrank_graph::{Confidence, Descent};

/// Defines enums whose variants are words.
macro_rules! words {
    ($($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type,
        )]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl $name {
            /// Holds all of them, in the order of answers.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns its word.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            /// Returns what a word means.
            pub fn from_word(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    )+};
}

words! {
    /// Says how sure it is that a use means a definition.
    UseConfidence {
        /// A SCIP index says so.
        Precise = "precise",
        /// Scope, imports or types settle it.
        Resolved = "resolved",
        /// It uses what the definition overrides or implements.
        Possible = "possible",
        /// It may as well mean another definition.
        Ambiguous = "ambiguous",
        /// Only the name suggests it.
        NameOnly = "name-only",
        /// It was changed in the same commits; of edges of a picture.
        History = "history",
    }

    /// Says what `dead_code` found of a definition.
    DeadVerdict {
        /// Nothing needs it.
        Dead = "dead",
        /// Only tests use it.
        TestOnly = "test-only",
        /// Something may reach it without naming it.
        PossiblyDynamic = "possibly-dynamic",
        /// Users of the package can name it, and nothing in the checkout uses it.
        ExportedUnused = "exported-unused",
        /// It is used, and coverage never saw it run.
        NeverRan = "never-ran",
        /// It is alive for having run alone.
        Ran = "ran",
        /// It is used; of symbols asked about by name.
        Used = "used",
    }

    /// Says how much.
    Level {
        /// Much.
        High = "high",
        /// Some.
        Medium = "medium",
        /// Little.
        Low = "low",
    }

    /// Says how a definition comes by another.
    Relation {
        /// It uses it.
        Uses = "uses",
        /// It implements it.
        Implements = "implements",
        /// It extends it.
        Extends = "extends",
        /// It overrides it.
        Overrides = "overrides",
        /// It uses what the other overrides or implements.
        Through = "through",
    }

    /// Says which imports of a file are meant.
    #[derive(Default)]
    DepsDirection {
        /// Both.
        #[default]
        Both = "both",
        /// What it imports.
        Imports = "imports",
        /// Who imports it.
        Importers = "importers",
    }

    /// Says what became of a piece of evidence.
    EvidenceState {
        /// The same lines lie in the same place.
        Unchanged = "unchanged",
        /// The same lines lie elsewhere.
        Moved = "moved",
        /// Most of the lines are there.
        Modified = "modified",
        /// The lines are gone.
        Deleted = "deleted",
        /// A place without a content hash is there.
        Present = "present",
        /// It is not.
        Absent = "absent",
        /// The old text is no longer kept.
        Unknown = "unknown",
        /// It cannot be read.
        Malformed = "malformed",
    }

    /// Says what of a claim the index bears out, what matters most first.
    ClaimVerdict {
        /// The index shows the opposite.
        Contradicted = "contradicted",
        /// Neither is proven.
        Maybe = "maybe",
        /// It is no relation that is read.
        NotJudged = "not judged",
        /// A name of a library.
        Unknown = "unknown",
        /// The index shows it.
        Holds = "holds",
    }

    /// Says how a check of `doctor` went.
    CheckState {
        /// All is well.
        Ok = "ok",
        /// Something is missing or slow.
        Warn = "warn",
        /// Something does not work.
        Fail = "fail",
    }
}

impl UseConfidence {
    /// Whether scope, imports, types or a compiler settle the use.
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Precise | Self::Resolved)
    }
}

impl From<Confidence> for UseConfidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Precise => Self::Precise,
            Confidence::Resolved => Self::Resolved,
            Confidence::Possible => Self::Possible,
            Confidence::Ambiguous => Self::Ambiguous,
            Confidence::NameOnly => Self::NameOnly,
        }
    }
}

impl From<Descent> for Relation {
    fn from(descent: Descent) -> Self {
        match descent {
            Descent::Implements => Self::Implements,
            Descent::Extends => Self::Extends,
            Descent::Overrides => Self::Overrides,
        }
    }
}
