//! The words that answers choose from. Each is an enum; on the wire and in text a variant is its word.

use serde::{Deserialize, Serialize};
use specta::Type;
use std::fmt;
use whyrank_graph::{Confidence, Descent};
use whyrank_index::Stage;

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
    /// Says what the person made of a hit.
    HitVerdict {
        /// It answers the query.
        Right = "right",
        /// It does not.
        Wrong = "wrong",
    }
    /// Says how sure it is that a use means a definition.
    UseConfidence {
        /// A SCIP index says so.
        Precise = "precise",
        /// Scope, imports or types settle it.
        Resolved = "resolved",
        /// A profile or trace saw it.
        Observed = "observed",
        /// It uses what the definition overrides or implements.
        Possible = "possible",
        /// It may as well mean another definition.
        Ambiguous = "ambiguous",
        /// Only the name suggests it.
        NameOnly = "name-only",
        /// It was changed in the same commits; of edges of a picture.
        History = "history",
    }

    /// Says what a place means that bears the name of a definition, as seen from that definition.
    PlaceRuling {
        /// It resolves to the definition.
        Used = "used",
        /// It may mean the definition.
        Unsettled = "unsettled",
        /// It is part of the definition.
        Own = "own",
        /// It imports or re-exports, and uses nothing.
        Imported = "imported",
        /// It is the head of another definition.
        Defines = "another definition",
        /// It resolves to another definition.
        Elsewhere = "elsewhere",
        /// It resolves to a module or a file.
        Module = "module",
        /// It comes from outside of the checkout.
        Outside = "outside",
        /// A local or a parameter hides the definition.
        Shadowed = "shadowed",
        /// Nothing brings the definition's name into its scope.
        NotInScope = "not in scope",
        /// The definition cannot be seen from there.
        OutOfReach = "out of reach",
        /// Its language has no such use of such a definition.
        NoSuchUse = "no such use",
        /// Its language cannot name what the definition's language defines.
        OtherLanguage = "other language",
        /// A word of a message, or the path of an import.
        NotCode = "not code",
        /// A comment or a documentation string.
        Comment = "comment",
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

    /// Says what an indexing job is at, in the order in which it comes about.
    JobStage {
        /// Another process writes the index; or, in the lane of vectors, another repository's come first.
        Waiting = "waiting",
        /// Files are listed.
        Scan = "scan",
        /// Files are parsed; catalog and text index are written.
        Parse = "parse",
        /// Imports are resolved and files ranked.
        Graph = "graph",
        /// What every use means is worked out.
        SymbolGraph = "symbol graph",
        /// Chunks are encoded.
        Vectors = "vectors",
        /// Chunks that have a vector get token vectors.
        TokenVectors = "token vectors",
    }

    /// Says whether a model's files are there.
    ModelPresence {
        /// All of them, as pinned.
        Present = "present",
        /// None.
        Absent = "absent",
        /// Some are missing, cut or changed; the model is not loaded.
        Damaged = "damaged",
    }

    /// Says what a download or import of a model is at.
    ModelStage {
        /// Another process fetches the same model.
        Waiting = "waiting",
        /// Bytes are coming in.
        Fetch = "fetch",
        /// Files are copied from a folder.
        Copy = "copy",
        /// Files are unpacked and hashed.
        Verify = "verify",
        /// A source failed, the next is tried.
        SourceFailed = "source-failed",
        /// The model is in the store.
        Done = "done",
        /// It ended with an error.
        Failed = "failed",
        /// It was cancelled.
        Cancelled = "cancelled",
    }

    /// Says what kind of vectors a chunk has.
    VectorKind {
        /// One of the static table.
        Static = "static vectors",
        /// One of the bi-encoder.
        Dense = "dense vectors",
        /// One for each token.
        Token = "token vectors",
    }

    /// Says whether a memo holds at a moment.
    MemoState {
        /// It holds.
        Valid = "valid",
        /// Another memo or version took its place.
        Superseded = "superseded",
        /// Someone said that it no longer holds.
        Forgotten = "forgotten",
        /// Its commit lies ahead, or on another branch.
        Elsewhere = "elsewhere",
        /// Its commit is not here.
        Unplaced = "unplaced",
        /// It was recorded later.
        NotYet = "not-yet",
    }

    /// Says what a memo is.
    #[derive(Default)]
    MemoKind {
        /// What was decided, and why.
        Decision = "decision",
        /// How someone wants things.
        Preference = "preference",
        /// How things are done here.
        Pattern = "pattern",
        /// What one has to know.
        #[default]
        Context = "context",
        /// What is to be done.
        Todo = "todo",
        /// Steps in their order.
        Procedure = "procedure",
        /// What was wrong, and is right.
        Correction = "correction",
    }

    /// Says how near at hand a memo is kept.
    #[derive(Default)]
    MemoTier {
        /// Shown at the beginning of every session.
        Core = "core",
        /// Found when it fits.
        #[default]
        Normal = "normal",
        /// Found only when nothing else is.
        Archive = "archive",
    }

    /// Says what became of the code that a memo is about.
    AnchorState {
        /// There, word for word.
        Unchanged = "unchanged",
        /// Word for word, elsewhere.
        Moved = "moved",
        /// Not what it was.
        Changed = "changed",
        /// Not found.
        Gone = "gone",
        /// It was not compared.
        NotCompared = "",
    }

    /// Says why memos cannot all be right.
    MemoConflictKind {
        /// Versions of one memo hold at once.
        Writers = "writers",
        /// Two memos may contradict each other.
        Contradiction = "contradiction",
    }

    /// Says what an import makes of a memo that is here.
    MemoEndingAct {
        /// It no longer holds.
        Forgotten = "forgotten",
        /// Another memo takes its place.
        Superseded = "superseded",
        /// Its text ends, and none that follows holds from then on.
        Edited = "edited away",
        /// It is kept further from hand.
        Demoted = "demoted",
        /// It is no longer shown first.
        Unpinned = "unpinned",
    }

    /// Says why a version of a memo ends.
    MemoEnd {
        /// A version of the same memo follows.
        Edit = "edit",
        /// Another memo takes its place.
        Supersede = "supersede",
        /// It no longer holds.
        Forget = "forget",
    }

    /// Says how a version of a memo came about.
    MemoChange {
        /// It is the memo's first.
        Add = "add",
        /// The text or its fields are another from here on.
        Edit = "edit",
        /// It takes an earlier version's text again.
        Revert = "revert",
        /// The anchors follow the code.
        Anchor = "anchor",
        /// Versions that contradicted each other become one.
        Resolve = "resolve",
    }

    /// Says what made a memo rank where it does.
    RecallChannel {
        /// It shares words with the question.
        Words = "words",
        /// It means something near.
        Vector = "vector",
        /// It is about files near those that are asked about.
        Anchor = "anchor",
        /// It is recent.
        Recency = "recency",
        /// It is pinned.
        Pinned = "pinned",
        /// Its writer was more or less sure.
        Confidence = "confidence",
        /// Its commit was reverted.
        Reverted = "reverted",
    }

    /// Says how a definition changed.
    SymbolChange {
        /// It was not there before.
        New = "new",
        /// Its body changed.
        Changed = "changed",
        /// Its signature changed.
        Signature = "signature",
        /// It had another name, or lay in another file.
        Renamed = "renamed",
        /// It is gone.
        Removed = "removed",
    }

    /// Says what makes a change risky.
    RiskKind {
        /// The definition is gone.
        Removed = "removed",
        /// Its signature changed.
        Signature = "signature",
        /// A type no longer implements an interface.
        Heritage = "heritage",
        /// Users of it did not change.
        Callers = "callers",
        /// No test reaches it, or only through others.
        Untested = "untested",
        /// Much of the code base depends on it.
        Central = "central",
        /// Many lines changed.
        Size = "size",
        /// The same code lies elsewhere and did not change.
        Duplicate = "duplicate",
    }

    /// Says what a completion is.
    SuggestionKind {
        /// A definition's name.
        Symbol = "symbol",
        /// A file.
        Path = "path",
        /// A query of late.
        Recent = "recent",
        /// What code does, in words.
        Words = "words",
    }

    /// Says what `audit` found, in the order of its answers.
    AuditKind {
        /// Files that import each other.
        Cycle = "cycle",
        /// An edge against the layers.
        Layering = "layering",
        /// A large file that much depends on.
        GodFile = "god-file",
        /// A file that much depends on, or that depends on much.
        Hub = "hub",
        /// A file that nothing needs.
        Orphan = "orphan",
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
    /// Tells whether scope, imports, types, a compiler or a run settle the use.
    pub fn is_certain(self) -> bool {
        matches!(self, Self::Precise | Self::Resolved | Self::Observed)
    }
}

impl From<Confidence> for UseConfidence {
    fn from(confidence: Confidence) -> Self {
        match confidence {
            Confidence::Precise => Self::Precise,
            Confidence::Resolved => Self::Resolved,
            Confidence::Observed => Self::Observed,
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

impl From<Stage> for JobStage {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::Scan => Self::Scan,
            Stage::Parse => Self::Parse,
            Stage::Graph => Self::Graph,
            Stage::Uses => Self::SymbolGraph,
            Stage::Vectors => Self::Vectors,
            Stage::Tokens => Self::TokenVectors,
        }
    }
}

/// Defines how words of memory's own types become words of answers.
macro_rules! same_words {
    ($($theirs:ident => $ours:ident { $($variant:ident),+ })+) => {$(
        impl From<whyrank_memory::$theirs> for $ours {
            fn from(theirs: whyrank_memory::$theirs) -> Self {
                match theirs {
                    $(whyrank_memory::$theirs::$variant => Self::$variant,)+
                }
            }
        }
    )+};
}

same_words! {
    Kind => MemoKind { Decision, Preference, Pattern, Context, Todo, Procedure, Correction }
    Tier => MemoTier { Core, Normal, Archive }
    AnchorState => AnchorState { Unchanged, Moved, Changed, Gone }
    ConflictKind => MemoConflictKind { Writers, Contradiction }
    Reason => MemoEnd { Edit, Supersede, Forget }
    EndingAct => MemoEndingAct { Forgotten, Superseded, Edited, Demoted, Unpinned }
    Change => MemoChange { Add, Edit, Revert, Anchor, Resolve }
    RecallChannel => RecallChannel { Words, Vector, Anchor, Recency, Pinned, Confidence, Reverted }
}

impl From<MemoTier> for whyrank_memory::Tier {
    fn from(tier: MemoTier) -> Self {
        match tier {
            MemoTier::Core => Self::Core,
            MemoTier::Normal => Self::Normal,
            MemoTier::Archive => Self::Archive,
        }
    }
}

impl From<&whyrank_memory::MemoStatus> for MemoState {
    fn from(state: &whyrank_memory::MemoStatus) -> Self {
        use whyrank_memory::MemoStatus;
        match state {
            MemoStatus::Valid(_) => Self::Valid,
            MemoStatus::Superseded { .. } => Self::Superseded,
            MemoStatus::Forgotten { .. } => Self::Forgotten,
            MemoStatus::Elsewhere { .. } => Self::Elsewhere,
            MemoStatus::Unplaced { .. } => Self::Unplaced,
            MemoStatus::NotYet => Self::NotYet,
        }
    }
}
