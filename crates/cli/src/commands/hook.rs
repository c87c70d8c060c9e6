//! `whyrank hook`: what an agent is told after its edit, if the edit broke something.
//!
//! It stands in an agent's way: it never fails, is silent where it has nothing certain to say, and ends
//! after its deadline whatever it was at.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use whyrank_engine::api::{BreakageRequest, IndexOptions, RepoState};
use whyrank_engine::{Engine, EnginePaths};
use whyrank_mcp::present::{self, BreakageLine};

use crate::args::HookArgs;
use crate::{out, workspace};

mod told;

const DEADLINE: Duration = Duration::from_secs(2);
/// A larger input is none that an agent writes.
const MAX_INPUT: u64 = 32 << 20;
/// The update of an index is waited for this part of the deadline.
const PART_TO_WAIT: u32 = 4;

/// The part of a hook's input that is read.
#[derive(Debug, Deserialize)]
struct HookInput {
    #[serde(default)]
    session_id: String,
    #[serde(default)]
    cwd: PathBuf,
    hook_event_name: String,
    tool_input: ToolInput,
}

#[derive(Debug, Deserialize)]
struct ToolInput {
    file_path: PathBuf,
}

/// Never an error.
pub(crate) fn run(args: &HookArgs) -> ! {
    let is_off = std::env::var("WHYRANK_HOOKS").is_ok_and(|value| value == "0");
    if args.event == "after-edit" && !is_off {
        // A fault is said where it was asked for, and nowhere else.
        if !is_logged() {
            std::panic::set_hook(Box::new(|_| {}));
        }
        answer(deadline());
    }
    // Threads that are still at something end here; an index is safe against that at any moment.
    std::process::exit(0)
}

fn is_logged() -> bool {
    std::env::var_os("WHYRANK_LOG").is_some()
}

fn deadline() -> Duration {
    let asked = std::env::var("WHYRANK_HOOK_MS").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    asked.map_or(DEADLINE, Duration::from_millis)
}

fn answer(deadline: Duration) {
    let (done, outcome) = mpsc::channel();
    std::thread::spawn(move || {
        let said = whyrank_engine::whole(|| after_edit(deadline));
        let _ = done.send(said);
    });
    let failed = match outcome.recv_timeout(deadline) {
        Ok(Ok(Some(said))) => out::line(&said).err(),
        Ok(Ok(None)) => None,
        Ok(Err(error)) => Some(error),
        Err(error) => Some(error.into()),
    };
    if let Some(error) = failed.filter(|_| is_logged()) {
        out::note(&format!("whyrank hook: {error:#}"));
    }
}

/// The answer to a hook on standard input, in the form that the agent shows to its model.
fn after_edit(deadline: Duration) -> anyhow::Result<Option<String>> {
    let mut text = String::new();
    std::io::stdin().take(MAX_INPUT).read_to_string(&mut text)?;
    let input: HookInput = serde_json::from_str(&text)?;
    if input.hook_event_name != "PostToolUse" {
        return Ok(None);
    }
    let file = input.cwd.join(&input.tool_input.file_path);
    let found = breakages(&workspace::open()?, &file, deadline)?;
    let folder = EnginePaths::from_env()?.data_dir.join("hooks");
    let new = told::new_ones(&folder, &input.session_id, &file, &found);
    let note = present::breakage_note(&new);
    Ok(note.map(|note| {
        json!({"hookSpecificOutput": {
            "hookEventName": input.hook_event_name,
            "additionalContext": note,
        }})
        .to_string()
    }))
}

fn breakages(
    engine: &Engine,
    file: &Path,
    deadline: Duration,
) -> anyhow::Result<Vec<BreakageLine>> {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Ok(Vec::new());
    };
    let folder = std::fs::canonicalize(folder)?;
    let known = engine.known_repo(&folder.to_string_lossy())?;
    let Some(repo) = known.map(|known| engine.repo(&known.id)).transpose()? else {
        return Ok(Vec::new());
    };
    if matches!(repo.state, RepoState::NotIndexed | RepoState::Missing) {
        return Ok(Vec::new());
    }
    let root = std::fs::canonicalize(&repo.root)?;
    let path = folder.strip_prefix(&root)?.join(name);
    let path = path.to_string_lossy().replace('\\', "/");
    let wait_ms = (deadline / PART_TO_WAIT).as_millis();
    let options = IndexOptions {
        rebuild: false,
        skip_vectors: true,
        impatient: false,
        as_of: None,
    };
    engine.freshen(
        &repo.id,
        u32::try_from(wait_ms).unwrap_or(u32::MAX),
        options,
    )?;
    let found = engine.breakages(&BreakageRequest {
        repo: repo.id,
        path,
    })?;
    Ok(present::breakages(&found))
}
