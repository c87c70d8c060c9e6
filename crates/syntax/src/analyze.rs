//! From text to facts: picks the way (grammar, sections, patterns) and puts the results in order.

use crate::bindings::LocalName;
use crate::blanked::Blanked;
use crate::chunks;
use crate::components;
use crate::crowd;
use crate::fallback;
use crate::language::Language;
use crate::languages;
use crate::lines::Lines;
use crate::markdown;
use crate::notebook;
use crate::parse::parse;
use crate::recovery;
use crate::scoping;
use crate::tables::IndexedSpec;
use crate::types::{ChunkKind, FileFacts, Symbol, SyntaxError};
use crate::walk;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use tree_sitter::Tree;

/// Larger files are read by patterns, not parsed.
const MAX_PARSE_BYTES: usize = 4 << 20;
/// Reads what a file says: symbols, references, imports, chunks.
///
/// Never fails and never panics: what cannot be parsed is in `errors`, and every non-blank line is
/// in exactly one chunk whatever the input. The same text and language always give the same facts.
/// Costs about a second for 8 MB of typical code; a file over 1 MB, or one that the parser cannot
/// finish, is read by patterns.
pub fn analyze(source: &str, language: Language) -> FileFacts {
    let lines = Lines::new(source);
    let (mut facts, breaks) = match notebook::unfolded(source) {
        Some(text) => read_folded(&text, language, &lines),
        None => read(source, language, &lines),
    };
    order(&mut facts);
    crowd::thin(&mut facts);
    for symbol in &mut facts.symbols {
        if let Some(doc) = &mut symbol.doc {
            *doc = lines.span(doc.start_line, doc.end_line);
        }
    }
    let residue = if language.is_prose() {
        ChunkKind::Doc
    } else {
        ChunkKind::Residue
    };
    if facts.chunks.is_empty() {
        facts.chunks = chunks::cut(&lines, &facts.symbols, &breaks, residue);
    }
    facts
}

/// Reads a notebook some of whose lines are joined in the file.
fn read_folded(text: &str, language: Language, of_file: &Lines<'_>) -> (FileFacts, Vec<u16>) {
    let lines = Lines::new(text);
    let (mut facts, mut breaks) = read(text, language, &lines);
    notebook::fold(&mut facts, &mut breaks, &lines, of_file);
    (facts, breaks)
}

fn read(source: &str, language: Language, lines: &Lines<'_>) -> (FileFacts, Vec<u16>) {
    if source.len() > MAX_PARSE_BYTES {
        return (fallback::read(source, language, lines), Vec::new());
    }
    match language.name() {
        "markdown" => return (markdown::read(lines), Vec::new()),
        _ if components::is_component(language) => return components::read(source, language),
        _ => {}
    }
    if let Some(read) = languages::reader_of(language) {
        return (read(lines), Vec::new());
    }
    let Some(indexed) = languages::spec_of(language) else {
        return (fallback::read(source, language, lines), Vec::new());
    };
    match tree_of(source, language, indexed) {
        Some((tree, blanked)) => {
            let (mut facts, breaks) = walk::walk(source, &tree, indexed.spec, indexed.tables);
            let mut branches = Vec::new();
            if let Some(blanked) = blanked {
                blanked.tell(source, &mut facts);
                branches = blanked.branches;
            }
            let line = |place: usize| lines.line_of(place);
            let branches = branches
                .iter()
                .map(|bytes| line(bytes.start)..=line(bytes.end));
            if tree.root_node().has_error() || branches.len() > 0 {
                let broken = broken_lines(&tree, branches);
                repair(&mut facts, &broken, language, lines);
            }
            (facts, breaks)
        }
        None => {
            let mut facts = fallback::read(source, language, lines);
            let message = "the parser gave up; read by patterns".to_owned();
            facts.errors.push(SyntaxError { line: 1, message });
            (facts, Vec::new())
        }
    }
}

/// The tree of a text, with what had to be blanked for it; none where the parser gives up.
fn tree_of(
    source: &str,
    language: Language,
    indexed: IndexedSpec,
) -> Option<(Tree, Option<Blanked>)> {
    let blanked = recovery::macros::blanked(source, language);
    let text = blanked.as_ref().map_or(source, |blanked| &blanked.text);
    let tree = parse(text, indexed.tables, &[])?;
    Some(recovery::read_again(
        source, tree, blanked, language, indexed,
    ))
}

/// The places of a text at which a name means a parameter or a variable of the function around it, in order.
///
/// A place is told only where the scopes that the reader knows lead from it to one binding, so a name that is
/// left out may be one as well: in the arguments of a macro, behind an error, in a language whose locals are
/// not told apart. Costs what [`analyze`] does.
pub fn local_names(source: &str, language: Language) -> Vec<LocalName> {
    let is_read = source.len() <= MAX_PARSE_BYTES && notebook::unfolded(source).is_none();
    let scoping = scoping::of(language.name()).filter(|_| is_read);
    let (Some(scoping), Some(indexed)) = (scoping, languages::spec_of(language)) else {
        return Vec::new();
    };
    match tree_of(source, language, indexed) {
        Some((tree, _)) => walk::local_names(source, &tree, indexed, scoping),
        None => Vec::new(),
    }
}

/// Adds the definitions that stand where the grammar lost its way, as patterns see them.
fn repair(
    facts: &mut FileFacts,
    broken: &[RangeInclusive<u32>],
    language: Language,
    lines: &Lines<'_>,
) {
    if broken.is_empty() {
        return;
    }
    let known: HashSet<(u32, String)> = facts
        .symbols
        .iter()
        .map(|symbol| (symbol.name_line, symbol.name.clone()))
        .collect();
    let is_broken = |line: u32| {
        // The ranges are sorted, and lie apart.
        let after = broken.partition_point(|lines| *lines.start() <= line);
        after > 0 && broken[after - 1].contains(&line)
    };
    let is_new = |found: &Symbol| {
        is_broken(found.name_line) && !known.contains(&(found.name_line, found.name.clone()))
    };
    for symbol in fallback::symbols(language, lines) {
        // Members hang on parents that the grammar may have read otherwise.
        if symbol.parent.is_none() && is_new(&symbol) {
            facts.symbols.push(symbol);
        }
    }
}

/// Lines that the outermost errors of a tree cover, and those that were blanked.
fn broken_lines(
    tree: &Tree,
    blanked: impl Iterator<Item = RangeInclusive<u32>>,
) -> Vec<RangeInclusive<u32>> {
    let mut lines: Vec<_> = blanked.collect();
    let mut open = vec![tree.root_node()];
    while let Some(node) = open.pop() {
        if node.is_error() {
            lines.push(node.start_position().row as u32 + 1..=node.end_position().row as u32 + 1);
        } else if node.has_error() {
            open.extend(node.children(&mut node.walk()));
        }
    }
    lines.sort_by_key(|lines: &RangeInclusive<u32>| (*lines.start(), *lines.end()));
    lines
}

/// Sorts symbols by start, outer before inner, and keeps every index right.
fn order(facts: &mut FileFacts) {
    let key = |at: &usize| {
        let span = facts.symbols[*at].span;
        (span.start_byte, u32::MAX - span.end_byte, *at)
    };
    let mut order: Vec<usize> = (0..facts.symbols.len()).collect();
    if !order.is_sorted_by_key(key) {
        order.sort_by_key(key);
        let mut place = vec![0_u32; order.len()];
        for (to, &from) in order.iter().enumerate() {
            place[from] = to as u32;
        }
        let moved = |at: u32| place[at as usize];
        let mut symbols = Vec::with_capacity(order.len());
        symbols.extend(order.iter().map(|&at| facts.symbols[at].clone()));
        facts.symbols = symbols;
        for symbol in &mut facts.symbols {
            symbol.parent = symbol.parent.map(moved);
        }
        for reference in &mut facts.references {
            reference.enclosing = reference.enclosing.map(moved);
        }
        for local in &mut facts.locals {
            local.enclosing = local.enclosing.map(moved);
        }
        for chunk in &mut facts.chunks {
            chunk.symbol = chunk.symbol.map(moved);
        }
    }
    if !facts
        .references
        .is_sorted_by_key(|reference| (reference.line, reference.column))
    {
        facts
            .references
            .sort_by_key(|reference| (reference.line, reference.column));
    }
    facts.imports.sort_by_key(|import| import.line);
    facts.locals.sort_by_key(|local| local.line);
    facts.errors.truncate(20);
}
