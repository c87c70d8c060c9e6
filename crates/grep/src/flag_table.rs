//! The flags that are understood here: names, and what each does to the others that were given.

use crate::flags::{Binary, Boundary, CaseMode, Colour, Flags, Mode, PatternSource, TypeChange};
use std::ffi::OsString;
use std::path::PathBuf;

/// A flag.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) short: Option<char>,
    pub(crate) set: FlagValue,
}

/// The value that a flag takes, or none.
pub(crate) enum FlagValue {
    Switch(fn(&mut Flags)),
    /// `Ok(false)` is for a value that only ripgrep itself knows.
    Value(fn(&mut Flags, OsString) -> Result<bool, String>),
}

const fn switch(name: &'static str, set: fn(&mut Flags)) -> Row {
    Row {
        name,
        short: None,
        set: FlagValue::Switch(set),
    }
}

const fn value(name: &'static str, set: fn(&mut Flags, OsString) -> Result<bool, String>) -> Row {
    Row {
        name,
        short: None,
        set: FlagValue::Value(set),
    }
}

impl Row {
    const fn short(self, short: char) -> Self {
        Self {
            short: Some(short),
            ..self
        }
    }
}

pub(crate) const ROWS: &[Row] = &[
    // What is sought.
    value("regexp", |flags, value| {
        flags.patterns.push(PatternSource::Pattern(value));
        Ok(true)
    })
    .short('e'),
    value("file", |flags, value| {
        flags
            .patterns
            .push(PatternSource::File(PathBuf::from(value)));
        Ok(true)
    })
    .short('f'),
    switch("fixed-strings", |flags| flags.switches.fixed_strings = true).short('F'),
    switch("no-fixed-strings", |flags| {
        flags.switches.fixed_strings = false
    }),
    switch("ignore-case", |flags| flags.case = CaseMode::Insensitive).short('i'),
    switch("case-sensitive", |flags| flags.case = CaseMode::Sensitive).short('s'),
    switch("smart-case", |flags| flags.case = CaseMode::Smart).short('S'),
    switch("word-regexp", |flags| flags.boundary = Some(Boundary::Word)).short('w'),
    switch("line-regexp", |flags| flags.boundary = Some(Boundary::Line)).short('x'),
    switch("invert-match", |flags| flags.switches.invert_match = true).short('v'),
    switch("no-invert-match", |flags| {
        flags.switches.invert_match = false
    }),
    switch("multiline", |flags| flags.switches.multiline = true).short('U'),
    switch("no-multiline", |flags| flags.switches.multiline = false),
    switch("multiline-dotall", |flags| {
        flags.switches.multiline_dotall = true
    }),
    switch("no-multiline-dotall", |flags| {
        flags.switches.multiline_dotall = false
    }),
    switch("no-unicode", |flags| flags.switches.no_unicode = true),
    switch("unicode", |flags| flags.switches.no_unicode = false),
    value("max-count", |flags, value| {
        flags.max_count = Some(number(&value)?);
        Ok(true)
    })
    .short('m'),
    // Where.
    value("glob", |flags, value| {
        flags.globs.push(text(value)?);
        Ok(true)
    })
    .short('g'),
    value("iglob", |flags, value| {
        flags.iglobs.push(text(value)?);
        Ok(true)
    }),
    switch("glob-case-insensitive", |flags| flags.globs_any_case = true),
    switch("no-glob-case-insensitive", |flags| {
        flags.globs_any_case = false
    }),
    value("type", |flags, value| {
        flags.types.push(TypeChange::Select(text(value)?));
        Ok(true)
    })
    .short('t'),
    value("type-not", |flags, value| {
        flags.types.push(TypeChange::Negate(text(value)?));
        Ok(true)
    })
    .short('T'),
    value("type-add", |flags, value| {
        flags.types.push(TypeChange::Add(text(value)?));
        Ok(true)
    }),
    value("type-clear", |flags, value| {
        flags.types.push(TypeChange::Clear(text(value)?));
        Ok(true)
    }),
    switch("follow", |flags| flags.switches.follow = true).short('L'),
    switch("no-follow", |flags| flags.switches.follow = false),
    switch("hidden", |flags| flags.switches.hidden = true).short('.'),
    switch("no-hidden", |flags| flags.switches.hidden = false),
    switch("one-file-system", |flags| {
        flags.switches.one_file_system = true
    }),
    switch("no-one-file-system", |flags| {
        flags.switches.one_file_system = false
    }),
    value("max-depth", max_depth).short('d'),
    value("maxdepth", max_depth),
    value("max-filesize", |flags, value| {
        flags.max_filesize = Some(size(&text(value)?)?);
        Ok(true)
    }),
    switch("text", |flags| flags.binary = Binary::Text).short('a'),
    switch("no-text", |flags| flags.binary = Binary::Auto),
    switch("binary", |flags| flags.binary = Binary::Searched),
    switch("no-binary", |flags| flags.binary = Binary::Auto),
    switch("unrestricted", unrestricted).short('u'),
    switch("no-ignore", |flags| flags.no_ignore.set_all(true)),
    switch("ignore", |flags| flags.no_ignore.set_all(false)),
    switch("no-ignore-dot", |flags| flags.no_ignore.dot = true),
    switch("ignore-dot", |flags| flags.no_ignore.dot = false),
    switch("no-ignore-exclude", |flags| flags.no_ignore.exclude = true),
    switch("ignore-exclude", |flags| flags.no_ignore.exclude = false),
    switch("no-ignore-files", |flags| flags.no_ignore.files = true),
    switch("ignore-files", |flags| flags.no_ignore.files = false),
    switch("no-ignore-global", |flags| flags.no_ignore.global = true),
    switch("ignore-global", |flags| flags.no_ignore.global = false),
    switch("no-ignore-parent", |flags| flags.no_ignore.parent = true),
    switch("ignore-parent", |flags| flags.no_ignore.parent = false),
    switch("no-ignore-vcs", |flags| flags.no_ignore.vcs = true),
    switch("ignore-vcs", |flags| flags.no_ignore.vcs = false),
    switch("no-require-git", |flags| flags.no_ignore.require_git = true),
    switch("require-git", |flags| flags.no_ignore.require_git = false),
    switch("no-ignore-messages", |flags| {
        flags.no_ignore.messages = true
    }),
    switch("ignore-messages", |flags| flags.no_ignore.messages = false),
    value("ignore-file", |flags, value| {
        flags.ignore_files.push(PathBuf::from(value));
        Ok(true)
    }),
    switch("ignore-file-case-insensitive", |flags| {
        flags.ignore_files_any_case = true
    }),
    switch("no-ignore-file-case-insensitive", |flags| {
        flags.ignore_files_any_case = false
    }),
    // What is printed.
    switch("files", |flags| flags.mode.update(Mode::Files)),
    switch("files-with-matches", |flags| {
        flags.mode.update(Mode::FilesWithMatches)
    })
    .short('l'),
    switch("files-without-match", |flags| {
        flags.mode.update(Mode::FilesWithoutMatch)
    }),
    switch("count", |flags| flags.mode.update(Mode::Count)).short('c'),
    switch("count-matches", |flags| {
        flags.mode.update(Mode::CountMatches)
    }),
    switch("include-zero", |flags| flags.switches.include_zero = true),
    switch("no-include-zero", |flags| {
        flags.switches.include_zero = false
    }),
    switch("json", |flags| flags.mode.update(Mode::Json)),
    switch("no-json", |flags| flags.mode.update(Mode::Lines)),
    switch("quiet", |flags| flags.switches.quiet = true).short('q'),
    switch("only-matching", |flags| flags.switches.only_matching = true).short('o'),
    value("replace", |flags, value| {
        flags.replace = Some(value.into_encoded_bytes());
        Ok(true)
    })
    .short('r'),
    value("after-context", |flags, value| {
        flags.context.after = Some(number(&value)?);
        Ok(true)
    })
    .short('A'),
    value("before-context", |flags, value| {
        flags.context.before = Some(number(&value)?);
        Ok(true)
    })
    .short('B'),
    value("context", |flags, value| {
        flags.context.both = Some(number(&value)?);
        Ok(true)
    })
    .short('C'),
    switch("line-number", |flags| flags.line_number = Some(true)).short('n'),
    switch("no-line-number", |flags| flags.line_number = Some(false)).short('N'),
    switch("with-filename", |flags| flags.with_filename = Some(true)).short('H'),
    switch("no-filename", |flags| flags.with_filename = Some(false)).short('I'),
    switch("heading", |flags| flags.heading = Some(true)),
    switch("no-heading", |flags| flags.heading = Some(false)),
    switch("column", |flags| flags.column = Some(true)),
    switch("no-column", |flags| flags.column = Some(false)),
    switch("byte-offset", |flags| flags.switches.byte_offset = true).short('b'),
    switch("no-byte-offset", |flags| flags.switches.byte_offset = false),
    value("max-columns", |flags, value| {
        flags.max_columns = Some(number(&value)?).filter(|max| *max > 0);
        Ok(true)
    })
    .short('M'),
    switch("max-columns-preview", |flags| {
        flags.switches.max_columns_preview = true
    }),
    switch("no-max-columns-preview", |flags| {
        flags.switches.max_columns_preview = false
    }),
    switch("null", |flags| flags.switches.null = true).short('0'),
    switch("trim", |flags| flags.switches.trim = true),
    switch("no-trim", |flags| flags.switches.trim = false),
    switch("vimgrep", |flags| flags.switches.vimgrep = true),
    switch("pretty", |flags| {
        flags.colour = Colour::Always;
        flags.heading = Some(true);
        flags.line_number = Some(true);
    })
    .short('p'),
    value("color", |flags, value| {
        flags.colour = match text(value)?.as_str() {
            "never" => Colour::Never,
            "auto" => Colour::Auto,
            "always" | "ansi" => Colour::Always,
            other => return Err(format!("{other} is none of never, auto, always and ansi")),
        };
        Ok(true)
    }),
    value("colors", |flags, value| {
        let spec = text(value)?.parse();
        flags
            .colours
            .push(spec.map_err(|error: grep_printer::ColorError| error.to_string())?);
        Ok(true)
    }),
    // How.
    value("sort", |_, value| Ok(value == "path")),
    switch("sort-files", |_| {}),
    value("threads", |_, value| number::<usize>(&value).map(|_| true)).short('j'),
    switch("no-config", |flags| flags.switches.no_config = true),
    switch("no-messages", |flags| flags.switches.no_messages = true),
    switch("messages", |flags| flags.switches.no_messages = false),
];

fn max_depth(flags: &mut Flags, value: OsString) -> Result<bool, String> {
    flags.max_depth = Some(number(&value)?);
    Ok(true)
}

fn unrestricted(flags: &mut Flags) {
    flags.unrestricted += 1;
    match flags.unrestricted {
        1 => flags.no_ignore.set_all(true),
        2 => flags.switches.hidden = true,
        _ => flags.binary = Binary::Searched,
    }
}

fn text(value: OsString) -> Result<String, String> {
    let text = value.into_string();
    text.map_err(|value| format!("{} is not valid UTF-8", value.to_string_lossy()))
}

fn number<N: std::str::FromStr>(value: &OsString) -> Result<N, String> {
    let parsed = value.to_str().and_then(|text| text.parse().ok());
    parsed.ok_or_else(|| format!("{} is not a number", value.to_string_lossy()))
}

/// Bytes, as in `512`, `10K`, `2M` and `1G`.
fn size(text: &str) -> Result<u64, String> {
    let parsed = grep_cli::parse_human_readable_size(text);
    parsed.map_err(|error| error.to_string())
}
