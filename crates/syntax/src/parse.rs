//! From text to a tree, within a bound of work.

use crate::parser_memory;
use crate::tables::Tables;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;
use tree_sitter::{Language, ParseOptions, Parser, Range, Tree};

/// The parser reports every hundred steps: typical code takes 40 reports per 1,000 bytes, and this
/// much is 45,000 of them, about two seconds, and as many again for each further megabyte. Steps after an error
/// cost more.
const WORK_OF_MEGABYTE: u32 = 90_000;
const WORK_OF_REPORT: u32 = 2;
const WORK_AFTER_ERROR: u32 = 3;

/// The parser is given this many bytes at a time: what a grammar's own scanner runs over is seen by how
/// often it asks.
const CHUNK_BYTES: usize = 4 << 10;
/// It may run over a text this many times, and over this much of a small one. Typical code is read twice;
/// scanners that look for an end which never comes would read on to the last byte from each start.
const MOST_READS: usize = 48;
const LEAST_BUDGET: usize = 4 << 20;

/// It may hold so much memory, and take some so often. Code holds 12 to 36 bytes for each byte of it and
/// takes memory 200 times for 1,000 bytes, 1,900 times where macros are errors to the grammar; looking for
/// a way out of error after error takes it 60,000 times.
const MOST_BYTES: isize = 128 << 20;
const MOST_BYTES_OF_BYTE: usize = 64;
const MOST_TIMES: usize = 3_000_000;

/// The parser gives back what it holds by recursion, some 100 bytes of stack a level, and a text can
/// have a level for each byte. A stack that is too small ends the program.
const BYTES_OF_LEVEL: usize = 128;
const LEAST_STACK_BYTES: usize = 256 << 10;

/// A tree, or none where the parser needs too long or too much.
pub(crate) fn parse(source: &str, tables: &Tables, ranges: &[Range]) -> Option<Tree> {
    parse_as(source, &tables.language, ranges)
}

/// The same for a language of which only the grammar is known.
pub(crate) fn parse_as(source: &str, language: &Language, ranges: &[Range]) -> Option<Tree> {
    thread_local! {
        /// A parser keeps its pools: reusing it saves a tenth of the time.
        static PARSER: RefCell<Parser> = RefCell::new(parser_memory::new_parser());
    }
    let stack_bytes = LEAST_STACK_BYTES + BYTES_OF_LEVEL * source.len();
    PARSER.with_borrow_mut(|parser| {
        stacker::maybe_grow(stack_bytes, stack_bytes, || {
            parse_with(parser, source, language, ranges)
        })
    })
}

fn parse_with(
    parser: &mut Parser,
    source: &str,
    language: &Language,
    ranges: &[Range],
) -> Option<Tree> {
    parser.reset();
    parser.set_language(language).ok()?;
    parser.set_included_ranges(ranges).ok()?;
    let bytes = source.as_bytes();
    let mut work = 0;
    let most_work = WORK_OF_MEGABYTE * (bytes.len() as u32).div_ceil(1 << 20).max(1);
    let most_bytes = MOST_BYTES.max((MOST_BYTES_OF_BYTE * bytes.len()) as isize);
    let before = parser_memory::taken();
    let takes_too_much = || {
        let now = parser_memory::taken();
        now.held - before.held > most_bytes || now.n_times - before.n_times > MOST_TIMES
    };
    let budget = Cell::new(LEAST_BUDGET + MOST_READS * bytes.len());
    let mut progress = |state: &tree_sitter::ParseState| {
        work += if state.has_error() {
            WORK_AFTER_ERROR
        } else {
            WORK_OF_REPORT
        };
        if work > most_work || budget.get() == 0 || takes_too_much() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
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
    if tree.is_none() {
        // It keeps what it has of an unfinished parse.
        parser.reset();
    }
    tree.filter(|_| budget.get() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::detect;
    use crate::languages;

    fn parsed(path: &str, source: &str) -> bool {
        let language = detect(path, source.as_bytes()).expect("a language");
        let tables = languages::spec_of(language)
            .expect("one that is parsed")
            .tables;
        parse(source, tables, &[]).is_some()
    }

    #[test]
    fn a_text_that_would_take_all_memory_is_not_parsed() {
        let before = parser_memory::taken().held;
        // 21 GB, were there no bound.
        assert!(!parsed("a.cs", &"A<\n".repeat(330_000)));
        assert!(
            parser_memory::taken().held - before < MOST_BYTES / 16,
            "it is given back"
        );
        assert!(parsed(
            "a.cs",
            "class A<T> { B<C<T>> F() { return null; } }"
        ));
    }

    #[test]
    fn a_text_that_is_nested_at_each_byte_ends_no_thread_with_a_small_stack() {
        let deep = format!("<?php\n{}{}", "\"{$\n".repeat(50_000), "}\n".repeat(50_000));
        let parse = move || parsed("a.php", &deep);
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(parse);
        thread.expect("a thread").join().expect("it is not ended");
    }

    #[test]
    fn a_text_of_errors_alone_is_not_parsed_to_its_end() {
        let before = parser_memory::taken().n_times;
        let words = ["a", "(", "{", "}", "1", "", ";", "\"", "end", "#", "@"];
        let mut state = 7_u32;
        let mut word = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            words[(state >> 24) as usize % words.len()]
        };
        let errors: String = (0..500_000).map(|_| format!("{}\n", word())).collect();
        assert!(!parsed("a.php", &format!("<?php\n{errors}")));
        let n_times = parser_memory::taken().n_times - before;
        assert!(n_times < MOST_TIMES + 500_000, "{n_times}");
    }
}
