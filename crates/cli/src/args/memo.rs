//! The arguments of `whyrank memo`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::RepoArg;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank memo add \"Retries stop after three attempts: the gateway blocks at five\" \\
      --kind decision --anchor src/retry.rs#next_delay
  whyrank memo recall \"how often do we retry\"
  whyrank memo edit m3f9                     opens $EDITOR
  whyrank memo as-of v1.2 --known-at 2026-05-01
  whyrank memo history m3f9
  whyrank memo export > memos.jsonl

A memo holds from a commit on: on a branch that has it, and nowhere else. Outside git, time alone
decides. See docs/memory.md.")]
pub(crate) struct MemoCommandArgs {
    #[command(subcommand)]
    pub(crate) action: MemoAction,
    #[command(flatten)]
    pub(crate) repo: GlobalRepo,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalRepo {
    /// Repository (a path, name or id), or a folder outside git [default: where you are]
    #[arg(long, value_name = "REPO", global = true)]
    pub(crate) repo: Option<String>,
    /// Who writes [default: the name that git knows]
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) author: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoAction {
    /// Record a memo; without text $EDITOR opens, - reads standard input
    Add(AddArgs),
    /// List memos by state
    List(ListArgs),
    /// Show one memo as it stands, and its code
    Show(ShowArgs),
    /// Change a memo: a new version from here on; without options $EDITOR opens
    Edit(EditArgs),
    /// Take an earlier version's text again, as a new version
    Revert {
        /// The memo
        memo: String,
        /// The version [default: the one before the last]
        version: Option<String>,
    },
    /// Ask memory a question
    Recall(RecallArgs),
    /// Show all versions of a memo
    History {
        /// The memo
        memo: String,
    },
    /// Let another memo take the place of one: that with this text, or with --by one that is there
    Supersede(SupersedeArgs),
    /// End a memo; its history stays
    Forget {
        /// The memo
        memo: String,
        /// From this commit on [default: HEAD]
        #[arg(long, value_name = "COMMIT")]
        at: Option<String>,
    },
    /// Delete a memo and its history for good
    Purge {
        /// The memo
        memo: String,
        /// Do it: there is no way back
        #[arg(long)]
        yes: bool,
    },
    /// Show a memo first
    Pin {
        /// The memo
        memo: String,
    },
    /// No longer show a memo first
    Unpin {
        /// The memo
        memo: String,
    },
    /// Say how near at hand a memo is kept
    Tier {
        /// The memo
        memo: String,
        /// core is told at the beginning of every session
        #[arg(value_parser = ["core", "normal", "archive"])]
        tier: String,
    },
    /// Anchor a memo to code, or with --follow to where its code is now
    Anchor(AnchorArgs),
    /// Show memos whose code changed, moved or is gone, with the difference
    Drift {
        /// Only this memo
        memo: Option<String>,
    },
    /// Show what memory held at a commit, or what was known at a moment
    AsOf(AsOfArgs),
    /// Print everything that is recorded, one fact a line
    Export {
        /// Into a file
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Take in an export; what is here stays
    Import {
        /// The file; - for standard input
        file: PathBuf,
        /// Leave vectors for later; `encode` makes them
        #[arg(long)]
        no_vectors: bool,
    },
    /// Make the vectors that memos lack, so that they are found by meaning
    Encode,
    /// Show what cannot all be right
    Conflicts {
        /// Say that two memos do not contradict each other
        #[arg(long, num_args = 2, value_names = ["MEMO", "MEMO"])]
        agree: Option<Vec<String>>,
    },
    /// Show what an agent's session begins with
    Wakeup,
    /// Show where memory lies, and other memories that name this repository's commits
    Home,
    /// Use the memory that was recorded at another place, such as before the repository was moved
    Attach {
        /// The folder where it was recorded, or the name of its file
        from: String,
    },
    /// Go back to the memory of this place
    Detach,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  whyrank bench memory /tmp/memory
  WHYRANK_HOME=/tmp/memory/home whyrank memo recall retry --repo /tmp/memory/repo

The folder gets a repository and a home, and keeps them: the second time they are only measured.")]
pub(crate) struct BenchMemoryArgs {
    /// The folder for repository and memory
    pub(crate) folder: PathBuf,
    /// Memos
    #[arg(long, default_value_t = 10_000)]
    pub(crate) memos: u32,
    /// Commits
    #[arg(long, default_value_t = 5_000)]
    pub(crate) commits: u32,
    /// Questions of each sort
    #[arg(long, default_value_t = 200)]
    pub(crate) looks: u32,
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
    /// Code it speaks of: path, path:12-30, path#symbol (repeatable)
    #[arg(long, short)]
    pub(crate) anchor: Vec<String>,
    /// 0 to 1
    #[arg(long)]
    pub(crate) confidence: Option<f64>,
    /// How near at hand
    #[arg(long, value_parser = ["core", "normal", "archive"])]
    pub(crate) tier: Option<String>,
    /// Memo that it takes the place of
    #[arg(long, value_name = "MEMO")]
    pub(crate) supersedes: Option<String>,
    /// It holds from this commit on [default: HEAD]
    #[arg(long, value_name = "COMMIT")]
    pub(crate) at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MomentArgs {
    /// As of this commit [default: HEAD]
    #[arg(long, value_name = "COMMIT")]
    pub(crate) as_of: Option<String>,
    /// As known then: 2026-05-01, 2026-05-01T12:30:00Z, 3d
    #[arg(long, value_name = "MOMENT")]
    pub(crate) known_at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    /// Only memos with this text
    pub(crate) text: Option<String>,
    /// Which
    #[arg(long, default_value = "valid", value_parser = ["valid", "superseded", "forgotten", "elsewhere", "unplaced", "drifted", "pinned", "orphaned", "all"])]
    pub(crate) state: String,
    /// Only this kind (repeatable)
    #[arg(long, short)]
    pub(crate) kind: Vec<String>,
    /// Only with this tag (repeatable)
    #[arg(long, short)]
    pub(crate) tag: Vec<String>,
    /// Print nothing but the ids
    #[arg(long)]
    pub(crate) ids: bool,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The memo
    pub(crate) memo: String,
    #[command(flatten)]
    pub(crate) moment: MomentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct EditArgs {
    /// The memo
    pub(crate) memo: String,
    /// The new text; - reads standard input
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// The new kind
    #[arg(long, short)]
    pub(crate) kind: Option<String>,
    /// The new tags, in place of the old
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
    /// The question; empty for what matters most
    #[arg(default_value = "", hide_default_value = true)]
    pub(crate) query: String,
    /// Only this kind (repeatable)
    #[arg(long, short)]
    pub(crate) kind: Vec<String>,
    /// Only with this tag (repeatable)
    #[arg(long, short)]
    pub(crate) tag: Vec<String>,
    /// File near which you ask (repeatable)
    #[arg(long)]
    pub(crate) near: Vec<String>,
    /// Also these, marked: superseded, drifted, archived
    #[arg(long, value_delimiter = ',')]
    pub(crate) include: Vec<String>,
    /// Memos at most
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
    pub(crate) memo: String,
    /// The text of the memo that takes its place
    pub(crate) text: Option<String>,
    /// A memo that is there already
    #[arg(long, value_name = "MEMO", conflicts_with = "text")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AnchorArgs {
    /// The memo
    pub(crate) memo: String,
    /// Code: path, path:12-30, path#symbol; they take the place of the old ones
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
    /// As known then: 2026-05-01, 2026-05-01T12:30:00Z, 3d
    #[arg(long, value_name = "MOMENT")]
    pub(crate) known_at: Option<String>,
    /// Only what answers this
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) query: String,
}

impl MemoCommandArgs {
    /// The repository as other commands take it.
    pub(crate) fn selector(&self) -> RepoArg {
        RepoArg {
            repo: self.repo.repo.clone(),
        }
    }
}
