//! Languages without a grammar, and files too large for one: definitions by pattern, blocks by
//! indentation, names by their look.

use crate::crowd::{Crowd, LEFT_OUT};
use crate::language::Language;
use crate::lexical::{self, Syntax, TokenKind};
use crate::line_patterns::{self, Patterns};
use crate::lines::Lines;
use crate::types::{FileFacts, Import, Reference, Span, Symbol, SymbolKind, SyntaxError};
use crate::walk::one_line;
use std::ops::Range;

/// Symbols are looked for in lines up to this long.
const MAX_LINE: usize = 2_000;
/// Names are collected up to this many.
const MAX_REFERENCES: usize = 200_000;

/// What patterns find in a text.
pub(crate) fn read(source: &str, language: Language, lines: &Lines<'_>) -> FileFacts {
    let mut facts = FileFacts::default();
    let Some(patterns) = line_patterns::of(language) else {
        return facts;
    };
    let names = definitions(lines, patterns, &mut facts);
    if language.is_code() {
        references(source, lines, patterns.syntax, &names, &mut facts);
    }
    facts
}

/// The definitions alone.
pub(crate) fn symbols(language: Language, lines: &Lines<'_>) -> Vec<Symbol> {
    let mut facts = FileFacts::default();
    if let Some(patterns) = line_patterns::of(language) {
        definitions(lines, patterns, &mut facts);
    }
    facts.symbols
}

/// One pass over the lines; a block ends before the first line that is indented no deeper, or with
/// it if it closes. Returns the places of the names.
fn definitions(lines: &Lines<'_>, patterns: &Patterns, facts: &mut FileFacts) -> Vec<usize> {
    let commented_out = long_comments(lines.source(), patterns.syntax);
    let mut open: Vec<(u32, u32)> = Vec::new();
    let mut names = Vec::new();
    let mut crowd = Crowd::default();
    let mut last_text = 1;
    for line in 1..=lines.count() {
        let text = lines.text(line);
        if text.trim().is_empty() {
            continue;
        }
        let indent = lines.indent(line);
        while let Some(&(depth, symbol)) = open.last() {
            let trimmed = text.trim_start();
            if indent > depth || indent == depth && continues(trimmed, facts, symbol, line) {
                break;
            }
            let closes = indent == depth && closes(trimmed);
            close(lines, facts, symbol, if closes { line } else { last_text });
            open.pop();
        }
        last_text = line;
        if text.len() > MAX_LINE {
            continue;
        }
        if let Some(import) = patterns.import(text, line) {
            facts.imports.push(import);
        }
        let Some((kind, name, column)) = patterns.definition(text) else {
            continue;
        };
        let parent = open.last().map(|&(_, symbol)| symbol);
        let own = own_name(kind, name, patterns.join);
        let place = lines.start(line) as usize + column + name.len() - own.len();
        let after = commented_out.partition_point(|comment| comment.end <= place);
        if commented_out
            .get(after)
            .is_some_and(|comment| comment.contains(&place))
        {
            continue;
        }
        let symbol = symbol(
            lines,
            patterns,
            facts,
            NamedLine { line, kind, name },
            parent,
        );
        if !crowd.admits(&symbol.name, &symbol.qualified, open.len()) {
            if facts.errors.is_empty() {
                let message = LEFT_OUT.to_owned();
                facts.errors.push(SyntaxError { line, message });
            }
            continue;
        }
        names.push(place);
        open.push((indent, facts.symbols.len() as u32));
        facts.symbols.push(symbol);
    }
    while let Some((_, symbol)) = open.pop() {
        close(lines, facts, symbol, last_text);
    }
    names
}

/// Where the block comments of a text lie: what stands there defines nothing.
fn long_comments(source: &str, syntax: Syntax) -> Vec<Range<usize>> {
    let opens = |mark: &(&str, &str)| source.contains(mark.0);
    if !syntax.block_comments.iter().any(opens) {
        return Vec::new();
    }
    let tokens = lexical::tokens(source, syntax).into_iter();
    let comments = tokens.filter(|token| token.kind == TokenKind::Comment);
    comments.map(|token| token.start..token.end).collect()
}

/// A line at the depth of a head that still belongs to it: an opening brace, or the next equation
/// of a Haskell function.
fn continues(text: &str, facts: &FileFacts, symbol: u32, line: u32) -> bool {
    let symbol = &facts.symbols[symbol as usize];
    let brace = text.starts_with('{') && line == symbol.name_line + 1;
    let equation = symbol.signature.contains("::")
        && text
            .strip_prefix(symbol.name.as_str())
            .is_some_and(|rest| rest.starts_with([' ', '\t']));
    brace || equation
}

fn closes(text: &str) -> bool {
    text.starts_with(['}', ')', ']'])
        || text == "end"
        || text.starts_with("end ")
        || text.starts_with("end;")
}

fn close(lines: &Lines<'_>, facts: &mut FileFacts, symbol: u32, last: u32) {
    let symbol = &mut facts.symbols[symbol as usize];
    let last = last.max(symbol.span.start_line);
    symbol.span = lines.span(symbol.span.start_line, last);
}

/// A line that defines a name.
#[derive(Clone, Copy)]
struct NamedLine<'a> {
    line: u32,
    kind: SymbolKind,
    name: &'a str,
}

fn symbol(
    lines: &Lines<'_>,
    patterns: &Patterns,
    facts: &FileFacts,
    found: NamedLine<'_>,
    parent: Option<u32>,
) -> Symbol {
    let NamedLine { line, kind, name } = found;
    let outer = parent.map(|at| &facts.symbols[at as usize]);
    let kind = match outer {
        Some(outer)
            if kind == SymbolKind::Function
                && !outer.kind.is_callable()
                && outer.kind != SymbolKind::Module =>
        {
            SymbolKind::Method
        }
        _ => kind,
    };
    let qualified = match outer {
        Some(outer) => format!("{}{}{name}", outer.qualified, patterns.join),
        None => name.to_owned(),
    };
    let text = lines.text(line);
    Symbol {
        name: own_name(kind, name, patterns.join).to_owned(),
        qualified,
        kind,
        span: lines.span(line, line),
        name_line: line,
        signature: one_line(text, 200),
        doc: doc(lines, patterns.syntax, line),
        parent,
        exported: !patterns.hidden(text, name)
            && !outer.is_some_and(|outer| outer.kind.is_callable()),
    }
}

/// What uses call it by: `Conn` of Elixir's `defmodule Plug.Conn`. Only modules are declared with what
/// is around them; the dots of a make target or of a function in R are its own.
fn own_name<'t>(kind: SymbolKind, name: &'t str, join: &str) -> &'t str {
    let is_module = matches!(
        kind,
        SymbolKind::Module | SymbolKind::Namespace | SymbolKind::Impl
    );
    match name.rsplit_once(join) {
        Some((_, own)) if is_module && !own.is_empty() => own,
        _ => name,
    }
}

/// Comment lines right above.
fn doc(lines: &Lines<'_>, syntax: Syntax, line: u32) -> Option<Span> {
    let is_comment = |line: u32| {
        let text = lines.text(line).trim_start();
        let block = text.starts_with("/*") || text.starts_with("* ") || text.starts_with("*/");
        syntax
            .line_comments
            .iter()
            .any(|open| text.starts_with(open))
            && !text.starts_with("#!")
            || block && !syntax.block_comments.is_empty()
    };
    let mut first = line;
    while first > 1 && line - first < 100 && is_comment(first - 1) {
        first -= 1;
    }
    (first < line).then(|| lines.span(first, line - 1))
}

fn references(
    source: &str,
    lines: &Lines<'_>,
    syntax: Syntax,
    names: &[usize],
    facts: &mut FileFacts,
) {
    let tokens = lexical::tokens(source, syntax);
    let tokens: Vec<_> = tokens
        .into_iter()
        .filter(|token| token.kind != TokenKind::Comment)
        .collect();
    let mut next_symbol = 0;
    let mut open: Vec<u32> = Vec::new();
    for found in lexical::uses_in(source, &tokens, syntax.keywords)
        .into_iter()
        .take(MAX_REFERENCES)
    {
        let line = found.row + 1;
        let at = lines.start(line) as usize + found.column as usize;
        if names.binary_search(&at).is_ok() {
            continue;
        }
        while facts
            .symbols
            .get(next_symbol)
            .is_some_and(|symbol| symbol.span.start_line <= line)
        {
            open.push(next_symbol as u32);
            next_symbol += 1;
        }
        while open
            .last()
            .is_some_and(|&top| facts.symbols[top as usize].span.end_line < line)
        {
            open.pop();
        }
        facts.references.push(Reference {
            name: found.name.to_owned(),
            qualifier: found.qualifier.to_owned(),
            kind: found.kind,
            line,
            column: found.column,
            enclosing: open.last().copied(),
            arguments: None,
        });
    }
}

impl Patterns {
    fn import(&self, text: &str, line: u32) -> Option<Import> {
        self.imports.iter().find_map(|(pattern, kind)| {
            let found = pattern.captures(text)?;
            let module = found.get(1)?.as_str().to_owned();
            Some(Import {
                module,
                names: Vec::new(),
                kind: *kind,
                line,
            })
        })
    }

    fn definition<'t>(&self, text: &'t str) -> Option<(SymbolKind, &'t str, usize)> {
        if !self.any.is_match(text) {
            return None;
        }
        self.definitions.iter().find_map(|(pattern, kind)| {
            let name = pattern.captures(text)?.get(1)?;
            let known = !self.syntax.keywords.contains(&name.as_str());
            known.then(|| (*kind, name.as_str(), name.start()))
        })
    }
}
