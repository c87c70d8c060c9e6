//! From text to a tree, within a bound of work.

use crate::spec::{Spec, Tables};
use crate::types::FileFacts;
use crate::walk;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Range, Tree};

/// The parser reports every hundred steps: typical code takes 40 reports per 1,000 bytes, and this
/// much is 45,000 of them, about two seconds. Steps after an error cost more.
const MOST_WORK: u32 = 90_000;
const WORK_OF_REPORT: u32 = 2;
const WORK_AFTER_ERROR: u32 = 3;

/// The parser is given so many bytes at a time: what a grammar's own scanner runs over is seen by how
/// often it asks.
const CHUNK_BYTES: usize = 4 << 10;
/// It may run over a text so many times, and over this much of a small one. Typical code is read twice;
/// scanners that look for an end which never comes would read on to the last byte from each start.
const MOST_READS: usize = 48;
const LEAST_BUDGET: usize = 4 << 20;

/// Parses and walks parts of a text in a language of their own.
pub(crate) fn read_ranges(
    source: &str,
    ranges: &[Range],
    (spec, tables): (&'static Spec, &'static Tables),
) -> Option<(FileFacts, Vec<u16>)> {
    let tree = parse(source, tables, ranges)?;
    Some(walk::walk(source, &tree, spec, tables))
}

/// A tree, or none where the parser needs too long.
pub(crate) fn parse(source: &str, tables: &Tables, ranges: &[Range]) -> Option<Tree> {
    thread_local! {
        /// A parser keeps its pools: reusing it saves a tenth of the time.
        static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
    }
    PARSER.with_borrow_mut(|parser| parse_with(parser, source, tables, ranges))
}

fn parse_with(
    parser: &mut Parser,
    source: &str,
    tables: &Tables,
    ranges: &[Range],
) -> Option<Tree> {
    parser.reset();
    parser.set_language(&tables.language).ok()?;
    parser.set_included_ranges(ranges).ok()?;
    let bytes = source.as_bytes();
    let mut work = 0;
    let budget = Cell::new(LEAST_BUDGET + MOST_READS * bytes.len());
    let mut progress = |state: &tree_sitter::ParseState| {
        work += match state.has_error() {
            true => WORK_AFTER_ERROR,
            false => WORK_OF_REPORT,
        };
        match work > MOST_WORK || budget.get() == 0 {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    };
    let mut read = |at: usize, _| {
        // Once it has run too far, the text is over for it.
        let most = CHUNK_BYTES.min(budget.get());
        budget.set(budget.get() - most);
        let rest = bytes.get(at..).unwrap_or(&[]);
        &rest[..rest.len().min(most)]
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    tree.filter(|_| budget.get() > 0)
}
