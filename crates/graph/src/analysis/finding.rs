//! A finding about dead code, and how sure it is.

use crate::input::files::SymbolId;

/// What is the matter with a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing uses it but dead code.
    Dead,
    /// Only tests use it.
    TestOnly,
    /// No use, but something may reach it in a way that the text does not show.
    PossiblyDynamic,
    /// Visible to users of the package; nothing in the checkout uses it.
    ExportedUnused,
    /// Needed, as the text says, but coverage measured it and it never ran.
    NeverRan,
    /// Alive although nothing in the text needs it: coverage saw it run.
    Ran,
}

/// How sure a verdict is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VerdictConfidence {
    /// Nothing speaks against it.
    High,
    /// It rests on another verdict, or on what others outside do.
    Medium,
    /// A guess.
    Low,
}

/// A definition that could go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The definition.
    pub symbol: SymbolId,
    /// What is the matter.
    pub verdict: Verdict,
    /// Why, in words.
    pub reason: String,
    /// How sure it is.
    pub confidence: VerdictConfidence,
}
