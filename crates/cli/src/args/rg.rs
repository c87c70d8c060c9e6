//! `whyrank rg`.

use clap::Args;
use std::ffi::OsString;

#[derive(Debug, Args)]
#[command(
    override_usage = "whyrank rg [FLAGS] PATTERN [PATH]...\n       whyrank rg [FLAGS] -e PATTERN... [PATH]...\n       whyrank rg [FLAGS] --files [PATH]...",
    after_help = "\
Examples:
  whyrank rg 'fn \\w+_route\\(' src        lines that match, by path
  whyrank rg -n -w -t rust Router          with line numbers, whole words, in Rust
  whyrank rg -l -i todo -g '!vendor'       files that hold it
  whyrank rg -U 'impl Drop.*\\{\\n' --json   over line ends, as JSON

It prints what `rg --sort path` prints and ends with the same codes: 0 found, 1 not found, 2 failed. It
knows -n -N -i -s -S -w -x -F -e -f -v -l -c -o -m -q -r -A -B -C -U -a -b -L -H -I -M -0 -g -t -T -u -p -d -., --json,
--files, --no-ignore, --hidden, --vimgrep and more; with a flag that it does not know ripgrep itself runs, if
it is installed, and strikes out no secrets. RIPGREP_CONFIG_PATH holds here too.

It needs no index. With one, files that are as they were indexed and hold no match are not read. Lines that
hold a secret are printed without it, and counted on standard error. Standard input is searched where it is
piped in and no path is given."
)]
pub(crate) struct RgArgs {
    /// Arguments as ripgrep takes them
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENTS"
    )]
    pub(crate) args: Vec<OsString>,
}
