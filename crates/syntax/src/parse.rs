//! From text to a tree, within a bound of work.

use crate::spec::{Spec, Tables};
use crate::types::FileFacts;
use crate::walk;
use std::cell::RefCell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Range, Tree};

/// The parser reports every hundred steps: typical code takes 40 reports per 1,000 bytes, and this
/// many are about two seconds.
const MAX_PARSE_REPORTS: u32 = 45_000;

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
    let mut n_reports = 0;
    let mut progress = |_: &tree_sitter::ParseState| {
        n_reports += 1;
        if n_reports > MAX_PARSE_REPORTS {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let bytes = source.as_bytes();
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(
        &mut |at, _| bytes.get(at..).unwrap_or(&[]),
        None,
        Some(options),
    )
}
