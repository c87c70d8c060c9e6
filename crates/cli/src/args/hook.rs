//! `whyrank hook`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Agents run it; `whyrank agents add claude-code --hooks` sets it up.

  whyrank hook after-edit    reads the hook's JSON, and says what the edit broke, in five lines at most

It says nothing where nothing is certain, where something fails, or after two seconds, and always ends
with 0. WHYRANK_HOOKS=0 switches it off; WHYRANK_HOOK_MS=500 gives it half a second; WHYRANK_LOG=debug says
why it was silent.")]
pub(crate) struct HookArgs {
    /// The event: after-edit
    // No list of values: an event of a later version is no error in an agent's way.
    pub(crate) event: String,
}
