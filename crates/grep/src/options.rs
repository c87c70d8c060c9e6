//! The meaning of flags together, with what is known of the surroundings: the matcher, the searcher and the
//! printers, set up as ripgrep sets them up.

use crate::error::GrepError;
use crate::flags::{Binary, Boundary, CaseMode, Colour, Flags, Mode, PatternSource, TypeChange};
use grep_printer::{ColorSpecs, JSONBuilder, StandardBuilder, SummaryBuilder, SummaryKind};
use grep_regex::{RegexMatcher, RegexMatcherBuilder};
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};
use ignore::overrides::{Override, OverrideBuilder};
use ignore::types::{Types, TypesBuilder};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use whyrank_grams::PatternSyntax;

const NUL: u8 = 0;
/// Files that are named and searched in one piece: of more none is.
const MOST_MAPPED: usize = 10;

/// The surroundings of a search.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The folder that paths are relative to.
    pub folder: PathBuf,
    /// Standard output is a terminal.
    pub is_terminal: bool,
    /// Standard input holds something: it is searched where no path is given.
    pub has_input: bool,
}

/// A search that is ready to be run.
pub struct Search {
    pub(crate) flags: Flags,
    pub(crate) folder: PathBuf,
    pub(crate) mode: Mode,
    pub(crate) patterns: Vec<String>,
    pub(crate) paths: Vec<PathBuf>,
    /// The folder itself is searched since nothing else was named: paths are shown without `./`.
    pub(crate) is_implicit: bool,
    pub(crate) matcher: RegexMatcher,
    pub(crate) globs: Override,
    pub(crate) types: Types,
    pub(crate) is_coloured: bool,
    pub(crate) is_terminal: bool,
    is_one_file: bool,
    is_only_input: bool,
    /// ripgrep maps a few files that are named, and searches them in one piece.
    pub(crate) in_one_piece: bool,
}

impl Search {
    /// Works out what the flags mean.
    ///
    /// # Errors
    /// No pattern, or one that is none; globs and types that make no sense.
    pub fn new(mut flags: Flags, surroundings: &Surroundings) -> Result<Self, GrepError> {
        let mode = match flags.mode {
            Mode::CountMatches if flags.switches.invert_match => Mode::Count,
            Mode::Count if flags.switches.only_matching => Mode::CountMatches,
            mode => mode,
        };
        let mut input_is_read = false;
        let patterns = patterns(&mut flags, mode, &mut input_is_read)?;
        let may_read_input = surroundings.has_input && !input_is_read && mode != Mode::Files;
        let (paths, is_implicit) = paths(&mut flags, may_read_input);
        if input_is_read && paths.iter().any(|path| is_input(path)) {
            return Err(GrepError::StandardInputTwice);
        }
        let is_single = paths.len() == 1;
        let is_file = |path: &PathBuf| surroundings.folder.join(path).is_file();
        let is_folder = |path: &PathBuf| surroundings.folder.join(path).is_dir();
        Ok(Self {
            matcher: matcher(&flags, &patterns)?,
            globs: globs(&flags, &surroundings.folder)?,
            types: types(&flags)?,
            is_coloured: match flags.colour {
                Colour::Never => false,
                Colour::Auto => surroundings.is_terminal,
                Colour::Always => true,
            },
            is_terminal: surroundings.is_terminal,
            is_only_input: is_single && is_input(&paths[0]),
            is_one_file: is_single && (is_input(&paths[0]) || !is_folder(&paths[0])),
            in_one_piece: !cfg!(target_os = "macos")
                && paths.len() <= MOST_MAPPED
                && paths.iter().all(is_file),
            folder: surroundings.folder.clone(),
            mode,
            patterns,
            paths,
            is_implicit,
            flags,
        })
    }

    /// Returns the folder that its paths are relative to.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Says whether it goes through folders, and not through a few files that were named.
    pub fn is_over_folders(&self) -> bool {
        !self.in_one_piece && !self.is_only_input && self.mode != Mode::Files
    }

    /// The patterns, for an index that knows what a match needs; `None` where files without a match are told of too.
    pub fn pattern_syntax(&self) -> Option<PatternSyntax> {
        let switches = self.flags.switches;
        let tells_all = switches.invert_match
            || switches.include_zero
            || matches!(self.mode, Mode::FilesWithoutMatch | Mode::Files);
        (!tells_all).then(|| PatternSyntax {
            patterns: self.patterns.clone(),
            is_text: switches.fixed_strings,
            // Smart case too: grams are of no case, and other letters are few.
            ignores_case: self.flags.case != CaseMode::Sensitive,
            unicode: !switches.no_unicode,
        })
    }

    /// Says that something can match at all.
    pub(crate) fn may_match(&self) -> bool {
        let has_pattern = !self.patterns.is_empty() || self.flags.switches.invert_match;
        has_pattern && self.flags.max_count != Some(0)
    }

    pub(crate) fn stops_at_match(&self) -> bool {
        self.flags.switches.quiet && self.mode != Mode::Json
    }

    fn with_filename(&self) -> bool {
        let unsaid = self.flags.switches.vimgrep || !self.is_one_file;
        self.flags.with_filename.unwrap_or(unsaid)
    }

    fn heading(&self) -> bool {
        let unsaid = self.is_terminal;
        !self.flags.switches.vimgrep && self.flags.heading.unwrap_or(unsaid)
    }

    fn column(&self) -> bool {
        self.flags.column.unwrap_or(self.flags.switches.vimgrep)
    }

    /// The line between the lines of two files.
    pub(crate) fn between_files(&self) -> Option<&'static [u8]> {
        let has_context = self.flags.context.sides() != (0, 0);
        match self.mode {
            Mode::Lines if self.heading() => Some(b"\n"),
            Mode::Lines if has_context => Some(b"--\n"),
            _ => None,
        }
    }

    fn line_number(&self) -> bool {
        let unsaid = match self.mode {
            _ if self.flags.switches.quiet => false,
            Mode::Json => true,
            Mode::Lines => {
                let for_a_person = self.is_terminal && !self.is_only_input;
                for_a_person || self.column() || self.flags.switches.vimgrep
            }
            _ => false,
        };
        self.flags.line_number.unwrap_or(unsaid)
    }

    /// The treatment of NUL bytes in files that were named, or come along with a folder.
    pub(crate) fn binary(&self, is_named: bool) -> BinaryDetection {
        match self.flags.binary {
            Binary::Text => BinaryDetection::none(),
            Binary::Auto if !is_named => BinaryDetection::quit(NUL),
            Binary::Auto | Binary::Searched => BinaryDetection::convert(NUL),
        }
    }

    pub(crate) fn searcher(&self) -> Searcher {
        let (before, after) = self.flags.context.sides();
        let switches = self.flags.switches;
        SearcherBuilder::new()
            .max_matches(self.flags.max_count)
            .invert_match(switches.invert_match)
            .line_number(self.line_number())
            .multi_line(switches.multiline)
            .before_context(before)
            .after_context(after)
            .build()
    }

    fn colours(&self) -> ColorSpecs {
        let mut specs = grep_printer::default_color_specs();
        specs.extend(self.flags.colours.iter().cloned());
        ColorSpecs::new(&specs)
    }

    fn terminator(&self) -> Option<u8> {
        self.flags.switches.null.then_some(NUL)
    }

    pub(crate) fn lines_printer(&self) -> StandardBuilder {
        let switches = self.flags.switches;
        let mut builder = StandardBuilder::new();
        builder
            .byte_offset(switches.byte_offset)
            .color_specs(self.colours())
            .column(self.column())
            .heading(self.heading())
            .max_columns_preview(switches.max_columns_preview)
            .max_columns(self.flags.max_columns)
            .only_matching(switches.only_matching)
            .path(self.with_filename())
            .path_terminator(self.terminator())
            .per_match_one_line(true)
            .per_match(switches.vimgrep)
            .replacement(self.flags.replace.clone())
            .trim_ascii(switches.trim);
        builder
    }

    pub(crate) fn json_printer(&self) -> JSONBuilder {
        let mut builder = JSONBuilder::new();
        builder.replacement(self.flags.replace.clone());
        builder
    }

    /// For what is said once a file; `None` where lines are printed.
    pub(crate) fn summary_printer(&self) -> Option<SummaryBuilder> {
        let kind = match self.mode {
            Mode::FilesWithoutMatch if self.flags.switches.quiet => SummaryKind::QuietWithoutMatch,
            _ if self.flags.switches.quiet => SummaryKind::QuietWithMatch,
            Mode::FilesWithMatches => SummaryKind::PathWithMatch,
            Mode::FilesWithoutMatch => SummaryKind::PathWithoutMatch,
            Mode::Count => SummaryKind::Count,
            Mode::CountMatches => SummaryKind::CountMatches,
            Mode::Lines | Mode::Json | Mode::Files => return None,
        };
        let mut builder = SummaryBuilder::new();
        builder
            .color_specs(self.colours())
            .exclude_zero(!self.flags.switches.include_zero)
            .kind(kind)
            .path(self.with_filename())
            .path_terminator(self.terminator())
            .separator_field(b":".to_vec())
            .stats(self.mode == Mode::Json);
        Some(builder)
    }

    pub(crate) fn path_printer(&self) -> grep_printer::PathPrinterBuilder {
        let mut builder = grep_printer::PathPrinterBuilder::new();
        builder
            .color_specs(self.colours())
            .terminator(self.terminator().unwrap_or(b'\n'));
        builder
    }
}

pub(crate) fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// The paths that were given, or what is searched without any: then `true` comes with it.
fn paths(flags: &mut Flags, may_read_input: bool) -> (Vec<PathBuf>, bool) {
    let given: Vec<PathBuf> = flags.positional.drain(..).map(PathBuf::from).collect();
    if !given.is_empty() {
        return (given, false);
    }
    let path = if may_read_input { "-" } else { "./" };
    (vec![PathBuf::from(path)], true)
}

fn patterns(
    flags: &mut Flags,
    mode: Mode,
    input_is_read: &mut bool,
) -> Result<Vec<String>, GrepError> {
    if mode == Mode::Files {
        return Ok(Vec::new());
    }
    let text = |pattern: std::ffi::OsString| {
        let text = pattern.into_string();
        text.map_err(|_| GrepError::PatternEncoding)
    };
    if flags.patterns.is_empty() {
        if flags.positional.is_empty() {
            return Err(GrepError::NoPattern);
        }
        return Ok(vec![text(flags.positional.remove(0))?]);
    }
    let mut all = Vec::new();
    for source in std::mem::take(&mut flags.patterns) {
        match source {
            PatternSource::Pattern(pattern) => all.push(text(pattern)?),
            PatternSource::File(path) => {
                let read = if !is_input(&path) {
                    grep_cli::patterns_from_path(&path)
                } else if std::mem::replace(input_is_read, true) {
                    return Err(GrepError::StandardInputTwice);
                } else {
                    grep_cli::patterns_from_stdin()
                };
                all.extend(read.map_err(|source| GrepError::Patterns { path, source })?);
            }
        }
    }
    let mut seen = HashSet::new();
    all.retain(|pattern| seen.insert(pattern.clone()));
    Ok(all)
}

fn matcher(flags: &Flags, patterns: &[String]) -> Result<RegexMatcher, GrepError> {
    let switches = flags.switches;
    let mut builder = RegexMatcherBuilder::new();
    builder
        .multi_line(true)
        .unicode(!switches.no_unicode)
        .octal(false)
        .fixed_strings(switches.fixed_strings)
        .case_insensitive(flags.case == CaseMode::Insensitive)
        .case_smart(flags.case == CaseMode::Smart)
        .whole_line(flags.boundary == Some(Boundary::Line))
        .word(flags.boundary == Some(Boundary::Word));
    if switches.multiline {
        builder.dot_matches_new_line(switches.multiline_dotall);
    } else {
        builder.line_terminator(Some(b'\n'));
    }
    if flags.binary != Binary::Text {
        builder.ban_byte(Some(NUL));
    }
    builder.build_many(patterns).map_err(|error| {
        let said = error.to_string();
        let hint = if said.contains("the literal") && said.contains("not allowed") {
            "; with --multiline a pattern may hold the end of a line"
        } else if said.contains("pattern contains \"\\0\"") {
            "; with --text a pattern may hold a NUL byte"
        } else {
            ""
        };
        GrepError::Pattern(error, hint)
    })
}

fn types(flags: &Flags) -> Result<Types, GrepError> {
    let mut builder = TypesBuilder::new();
    builder.add_defaults();
    for change in &flags.types {
        match change {
            TypeChange::Add(definition) => builder.add_def(definition)?,
            TypeChange::Clear(name) => {
                builder.clear(name);
            }
            TypeChange::Select(name) => {
                builder.select(name);
            }
            TypeChange::Negate(name) => {
                builder.negate(name);
            }
        }
    }
    Ok(builder.build()?)
}

fn globs(flags: &Flags, folder: &Path) -> Result<Override, GrepError> {
    if flags.globs.is_empty() && flags.iglobs.is_empty() {
        return Ok(Override::empty());
    }
    let mut builder = OverrideBuilder::new(folder);
    if flags.globs_any_case {
        builder.case_insensitive(true)?;
    }
    for glob in &flags.globs {
        builder.add(glob)?;
    }
    // Only for those that follow.
    builder.case_insensitive(true)?;
    for glob in &flags.iglobs {
        builder.add(glob)?;
    }
    Ok(builder.build()?)
}
