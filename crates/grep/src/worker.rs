//! One file at a time: searched, judged, and made into what is printed.

use crate::file_index::{FileIndex, Verdict};
use crate::flags::Mode;
use crate::judge::Judge;
use crate::options::Search;
use crate::output::Output;
use crate::walk::SearchedFile;
use grep_printer::{JSON, Standard, Stats, Summary};
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use std::fs::File;
use std::io::{self, Read as _};
use std::ops::Range;
use std::path::Path;
use whyrank_source::SearchedText;

/// The outcome of a file.
#[derive(Debug, Default)]
pub(crate) struct Searched {
    pub(crate) printed: Vec<u8>,
    pub(crate) has_match: bool,
    pub(crate) stats: Option<Stats>,
    /// Lines that are printed without the secrets in them.
    pub(crate) n_struck: u64,
    /// It matches, and none of it may be printed.
    pub(crate) is_left_out: bool,
    /// Why it could not be searched.
    pub(crate) failed: Option<String>,
}

enum Printer {
    Lines(Standard<Output>),
    Summary(Summary<Output>),
    Json(JSON<Output>),
}

/// Searches files, one after the other.
pub(crate) struct Worker<'s> {
    search: &'s Search,
    matcher: RegexMatcher,
    searcher: Searcher,
    printer: Printer,
}

/// The source of a text.
enum Text<'t> {
    Path(&'t Path),
    Whole(&'t [u8]),
    Stream(&'t [u8]),
    Input,
}

impl Text<'_> {
    fn search<S: Sink<Error = io::Error>>(
        &self,
        searcher: &mut Searcher,
        matcher: &RegexMatcher,
        sink: S,
    ) -> io::Result<()> {
        match self {
            Self::Path(path) => searcher.search_path(matcher, path, sink),
            Self::Whole(text) => searcher.search_slice(matcher, text, sink),
            Self::Stream(text) => searcher.search_reader(matcher, *text, sink),
            Self::Input => searcher.search_reader(matcher, io::stdin().lock(), sink),
        }
    }
}

impl<'s> Worker<'s> {
    pub(crate) fn new(search: &'s Search) -> Self {
        let output = Output::new(search.is_coloured, search.is_terminal);
        let printer = match search.summary_printer() {
            Some(summary) => Printer::Summary(summary.build(output)),
            None if search.mode == Mode::Json => Printer::Json(search.json_printer().build(output)),
            None => Printer::Lines(search.lines_printer().build(output)),
        };
        Self {
            search,
            matcher: search.matcher.clone(),
            searcher: search.searcher(),
            printer,
        }
    }

    /// Searches a file.
    pub(crate) fn search(
        &mut self,
        file: &SearchedFile,
        index: &dyn FileIndex,
        judge: &Judge,
    ) -> Searched {
        let path = file.path();
        let verdict = if file.is_input() {
            Verdict::WithoutSecrets
        } else {
            index.look(path)
        };
        if let Verdict::WithoutMatch { size_bytes } = verdict {
            return self.without_match(size_bytes);
        }
        self.searcher
            .set_binary_detection(self.search.binary(file.is_named()));
        let searched = self.as_it_is(file).and_then(|searched| {
            let is_told = searched.has_match || !searched.printed.is_empty();
            if is_told && verdict != Verdict::WithoutSecrets {
                self.judged(path, searched, judge)
            } else {
                Ok(searched)
            }
        });
        searched.unwrap_or_else(|error| {
            // What was printed before the failure stays printed, as ripgrep has it.
            Searched {
                printed: self.output().take(),
                failed: Some(format!("{}: {error}", path.display())),
                ..Searched::default()
            }
        })
    }

    fn without_match(&self, size_bytes: u64) -> Searched {
        let stats = (self.search.mode == Mode::Json).then(|| {
            let mut stats = Stats::new();
            stats.add_searches(1);
            stats.add_bytes_searched(size_bytes);
            stats
        });
        Searched {
            stats,
            ..Searched::default()
        }
    }

    fn as_it_is(&mut self, file: &SearchedFile) -> io::Result<Searched> {
        if file.is_input() {
            return self.print(file.path(), &Text::Input);
        }
        if !self.search.in_one_piece {
            return self.print(file.path(), &Text::Path(file.path()));
        }
        let mut bytes = Vec::new();
        File::open(file.path())?.read_to_end(&mut bytes)?;
        self.print(file.path(), &Text::Whole(&bytes))
    }

    /// The part that may be told of a file that matches: it is searched again without its secrets, if it has some.
    fn judged(&mut self, path: &Path, searched: Searched, judge: &Judge) -> io::Result<Searched> {
        let (text, struck) = match judge.judge(path)? {
            SearchedText::Plain => return Ok(searched),
            SearchedText::Secret => {
                return Ok(Searched {
                    is_left_out: true,
                    ..Searched::default()
                });
            }
            SearchedText::Struck { text, places } => (text, places),
        };
        let mut searched = self.print(path, &Text::Stream(&text))?;
        let prints_lines = matches!(self.search.mode, Mode::Lines | Mode::Json);
        if prints_lines && !searched.printed.is_empty() {
            let mut lines = StruckLines { struck, n: 0 };
            Text::Stream(&text).search(&mut self.searcher, &self.matcher, &mut lines)?;
            searched.n_struck = lines.n;
        }
        Ok(searched)
    }

    fn print(&mut self, path: &Path, text: &Text<'_>) -> io::Result<Searched> {
        let (searcher, matcher) = (&mut self.searcher, &self.matcher);
        let (has_match, stats) = match &mut self.printer {
            Printer::Lines(printer) => {
                let mut sink = printer.sink_with_path(matcher, path);
                text.search(searcher, matcher, &mut sink)?;
                (sink.has_match(), None)
            }
            Printer::Summary(printer) => {
                let mut sink = printer.sink_with_path(matcher, path);
                text.search(searcher, matcher, &mut sink)?;
                (sink.has_match(), sink.stats().cloned())
            }
            Printer::Json(printer) => {
                let mut sink = printer.sink_with_path(matcher, path);
                text.search(searcher, matcher, &mut sink)?;
                (sink.has_match(), Some(sink.stats().clone()))
            }
        };
        Ok(Searched {
            printed: self.output().take(),
            has_match,
            stats,
            ..Searched::default()
        })
    }

    fn output(&mut self) -> &mut Output {
        match &mut self.printer {
            Printer::Lines(printer) => printer.get_mut(),
            Printer::Summary(printer) => printer.get_mut(),
            Printer::Json(printer) => printer.get_mut(),
        }
    }
}

/// Counts lines that hold what was struck out.
struct StruckLines {
    struck: Vec<Range<usize>>,
    n: u64,
}

impl StruckLines {
    fn count(&mut self, start: u64, bytes: &[u8]) {
        let mut start = start as usize;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            let end = start + line.len();
            let after = self.struck.partition_point(|range| range.end <= start);
            let is_struck = self
                .struck
                .get(after)
                .is_some_and(|range| range.start < end);
            self.n += u64::from(is_struck);
            start = end;
        }
    }
}

impl Sink for StruckLines {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, matched: &SinkMatch<'_>) -> io::Result<bool> {
        self.count(matched.absolute_byte_offset(), matched.bytes());
        Ok(true)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        self.count(context.absolute_byte_offset(), context.bytes());
        Ok(true)
    }
}
