//! The arguments of `whyrank memo`.

use std::path::PathBuf;
use whyrank_engine::api::{MemoId, MemoTier};
use whyrank_engine::choices::MEMO_TIERS;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank memo add \"Retries stop after three attempts: the gateway blocks at five\" \\
      --kind decision --anchor src/retry.rs#next_delay
  whyrank memo recall \"how often do we retry\"
  whyrank memo recall \"how often do we retry\" --workspace shop
  whyrank memo edit m3f9                     opens $EDITOR
  whyrank memo as-of v1.2 --known-at 2026-05-01
  whyrank memo history m3f9
  whyrank memo export > memos.jsonl

A memo holds from a commit on, and only on branches that contain the commit. Outside git, time
alone decides. See docs/memory.md.")]
pub(crate) struct MemoCommandArgs {
    #[command(subcommand)]
    pub(crate) action: MemoAction,
    #[command(flatten)]
    pub(crate) repo: GlobalRepo,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalRepo {
    /// Repository (a path, name or id), or a folder outside git; recall and list take several, or
    /// `all` [default: where you are]
    #[arg(long, value_name = "REPO", global = true)]
    pub(crate) repo: Vec<String>,
    /// The repositories of a workspace, for recall and list (see whyrank workspace)
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) workspace: Option<String>,
    /// Author [default: git's user.name]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) author: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoAction {
    /// Record a memo; opens $EDITOR without text, reads standard input with -
    Add(AddArgs),
    /// List memos by state
    List(ListArgs),
    /// Show one memo and its code
    Show(ShowArgs),
    /// Change a memo from here on, as a new version; opens $EDITOR without options
    Edit(EditArgs),
    /// Bring back the text of an earlier version, as a new version
    Revert {
        /// The memo
        memo: MemoId,
        /// The version [default: the one before the last]
        version: Option<String>,
    },
    /// Ask memory a question
    Recall(RecallArgs),
    /// Show all versions of a memo
    History {
        /// The memo
        memo: MemoId,
    },
    /// Replace a memo with a new one, or with an existing one (--by)
    Supersede(SupersedeArgs),
    /// End a memo; its history stays
    Forget {
        /// The memo
        memo: MemoId,
        /// From this commit on [default: HEAD]
        #[arg(long, value_name = "COMMIT")]
        at: Option<String>,
    },
    /// Delete a memo and its history for good
    Purge {
        /// The memo
        memo: MemoId,
        /// Confirm: this cannot be undone
        #[arg(long)]
        yes: bool,
    },
    /// Show a memo first
    Pin {
        /// The memo
        memo: MemoId,
    },
    /// Stop showing a memo first
    Unpin {
        /// The memo
        memo: MemoId,
    },
    /// Set how prominent a memo is
    Tier {
        /// The memo
        memo: MemoId,
        /// core memos are shown at the beginning of every session
        #[arg(value_parser = tiers())]
        tier: MemoTier,
    },
    /// Anchor a memo to code, or with --follow to where its code is now
    Anchor(AnchorArgs),
    /// Show memos whose code changed, moved or is gone, with the difference
    Drift {
        /// Only this memo
        memo: Option<MemoId>,
    },
    /// Show which memos held at a commit, or were known at a time
    AsOf(AsOfArgs),
    /// Print everything that is recorded, one fact per line
    Export {
        /// Write to a file instead of standard output
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Merge an export into this memory
    Import {
        /// The file; - for standard input
        file: PathBuf,
        /// Take in what ends, demotes or unpins memos that are here, too; else it is left out and listed
        #[arg(long)]
        retire: bool,
        /// Skip the vectors, which a model makes; `encode` makes them later
        #[arg(long)]
        no_vectors: bool,
    },
    /// Make missing vectors, so that memos are found by meaning
    Encode,
    /// Show memos that contradict each other
    Conflicts {
        /// Mark two memos as not contradicting each other
        #[arg(long, num_args = 2, value_names = ["MEMO", "MEMO"])]
        agree: Option<Vec<MemoId>>,
    },
    /// Show what an agent sees at the beginning of a session
    Wakeup,
    /// Show where memory is stored, and other memories with this repository's commits
    Home,
    /// Use the memory of another place, such as from before the repository was moved
    Attach {
        /// The folder where it was recorded, or the name of its file
        from: String,
    },
    /// Go back to the memory of this place
    Detach,
}

#[derive(Debug, Args)]
pub(crate) struct AddArgs {
    /// The text, Markdown
    pub(crate) text: Option<String>,
    /// decision, preference, pattern, context, todo, procedure, correction
    #[arg(long, short)]
    pub(crate) kind: Option<String>,
    /// Tag (repeatable)
    #[arg(long, short, value_delimiter = ',')]
    pub(crate) tag: Vec<String>,
    /// Code it refers to: path, path:12-30, path#symbol (repeatable)
    #[arg(long, short)]
    pub(crate) anchor: Vec<String>,
    /// 0 to 1
    #[arg(long)]
    pub(crate) confidence: Option<f64>,
    /// How prominent it is
    #[arg(long, value_parser = ["core", "normal", "archive"])]
    pub(crate) tier: Option<String>,
    /// Memo that it replaces
    #[arg(long, value_name = "MEMO")]
    pub(crate) supersedes: Option<MemoId>,
    /// It holds from this commit on [default: HEAD]
    #[arg(long, value_name = "COMMIT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MomentArgs {
    /// As of this commit [default: HEAD]
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
    /// As known at this time: 2026-05-01, 2026-05-01T12:30:00Z, 3d
    #[arg(long, value_name = "MOMENT")]
    pub(crate) known_at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only memos with this text
    pub(crate) text: Option<String>,
    /// Which state
    #[arg(long, default_value = "valid", value_parser = ["valid", "superseded", "forgotten", "elsewhere", "unplaced", "drifted", "pinned", "orphaned", "all"])]
    pub(crate) state: String,
    /// Only this kind (repeatable)
    #[arg(long, short)]
    pub(crate) kind: Vec<String>,
    /// Only with this tag (repeatable)
    #[arg(long, short)]
    pub(crate) tag: Vec<String>,
    /// Print only the ids
    #[arg(long)]
    pub(crate) ids: bool,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The memo
    pub(crate) memo: MemoId,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// The memo
    pub(crate) memo: MemoId,
    /// The new text; - reads standard input
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// The new kind
    #[arg(long, short)]
    pub(crate) kind: Option<String>,
    /// The new tags, replacing the old
    #[arg(long, short, value_delimiter = ',')]
    pub(crate) tag: Option<Vec<String>>,
    /// The new confidence
    #[arg(long)]
    pub(crate) confidence: Option<f64>,
    /// It was wrong from the start: the new text holds from the same commit
    #[arg(long)]
    pub(crate) since_start: bool,
    /// From this commit on [default: HEAD]
    #[arg(long, value_name = "COMMIT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RecallArgs {
    /// The question; without one, what matters most
    #[arg(default_value = "", hide_default_value = true)]
    pub(crate) query: String,
    /// Only this kind (repeatable)
    #[arg(long, short)]
    pub(crate) kind: Vec<String>,
    /// Only with this tag (repeatable)
    #[arg(long, short)]
    pub(crate) tag: Vec<String>,
    /// Prefer memos near this file (repeatable)
    #[arg(long)]
    pub(crate) near: Vec<String>,
    /// Include these, marked: superseded, drifted, archived
    #[arg(long, value_delimiter = ',')]
    pub(crate) include: Vec<String>,
    /// Maximum number of memos
    #[arg(long, short = 'n', default_value_t = 8)]
    pub(crate) limit: u32,
    /// Show the terms of each score
    #[arg(long)]
    pub(crate) explain: bool,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SupersedeArgs {
    /// The memo that ends
    pub(crate) memo: MemoId,
    /// The text of the new memo
    pub(crate) text: Option<String>,
    /// An existing memo
    #[arg(long, value_name = "MEMO", conflicts_with = "text")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AnchorArgs {
    /// The memo
    pub(crate) memo: MemoId,
    /// Code: path, path:12-30, path#symbol; replaces the old anchors
    #[arg(required_unless_present = "follow")]
    pub(crate) anchors: Vec<String>,
    /// Follow the code to where it is now
    #[arg(long, conflicts_with = "anchors")]
    pub(crate) follow: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AsOfArgs {
    /// Branch, tag or commit [default: HEAD]
    pub(crate) commit: Option<String>,
    /// As known at this time: 2026-05-01, 2026-05-01T12:30:00Z, 3d
    #[arg(long, value_name = "MOMENT")]
    pub(crate) known_at: Option<String>,
    /// Only memos that answer this question
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) query: String,
}

impl GlobalRepo {
    /// Returns what was named, in order.
    pub(crate) fn selectors(&self) -> Vec<String> {
        self.repo.iter().chain(&self.workspace).cloned().collect()
    }
}

impl MemoAction {
    /// Says whether it can be asked of several repositories.
    pub(crate) fn takes_several(&self) -> bool {
        matches!(self, Self::Recall(_) | Self::List(_))
    }
}

/// The tiers, as help and completion list them.
fn tiers() -> impl TypedValueParser<Value = MemoTier> {
    PossibleValuesParser::new(MEMO_TIERS)
        .try_map(|word| MemoTier::from_word(&word).ok_or("not a tier"))
}
