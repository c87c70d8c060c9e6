//! `whyrank lsp`.

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = "\
Editors start it and speak the Language Server Protocol over standard input and output:
  Neovim        cmd = { \"whyrank\", \"lsp\", \"--beside\" }
  Helix         command = \"whyrank\", args = [\"lsp\", \"--beside\"]
docs/editors.md has a block for each editor, and lists what is not offered.

Folders that the editor opens are indexed in the background; no answer waits for a whole index.
Exit codes: 0 after `shutdown`, 1 where the editor goes away without it.")]
pub(crate) struct LspArgs {
    /// Beside the language's own server: workspace symbols, lenses, call hierarchy and who uses a name
    #[arg(long)]
    pub(crate) beside: bool,
    /// Standard input and output, as some editors ask for; it is the only way
    #[arg(long, hide = true)]
    pub(crate) stdio: bool,
}
