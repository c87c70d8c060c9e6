//! `whyrank lsp`.

use whyrank_lsp::{Ending, Mode, serve_stdio};

use crate::args::LspArgs;
use crate::exit::Exit;
use crate::workspace;

/// The exit code that the protocol asks for where a client ends without a word.
const UNANNOUNCED: u8 = 1;

pub(crate) fn run(args: &LspArgs) -> anyhow::Result<()> {
    let mode = match args.beside {
        true => Mode::Beside,
        false => Mode::Alone,
    };
    match serve_stdio(mode, workspace::open)? {
        Ending::Announced => Ok(()),
        Ending::Unannounced => Err(Exit(UNANNOUNCED).into()),
    }
}
