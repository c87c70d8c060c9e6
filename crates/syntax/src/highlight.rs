//! How to paint source: classes of ranges, from the grammar where there is one, else by look.

use crate::language::Language;
use crate::languages;
use crate::lexical::{self, Syntax, Token, TokenKind};
use crate::line_patterns;
use crate::parse::{parse, parse_as};
use crate::spec::NodeRole;
use crate::tables::{IndexedSpec, Tables};
use crate::types::{HighlightClass, HighlightSpan, ReferenceKind};
use tree_sitter::Node;

/// Larger texts are painted by look, not parsed.
const MAX_PARSE_BYTES: usize = 1_000_000;

/// Classes of ranges of a text, sorted and without overlap; what has no class has no span.
///
/// Works on whole files and on excerpts. Never fails.
pub fn highlight(source: &str, language: Language) -> Vec<HighlightSpan> {
    let spec = languages::spec_of(language).filter(|_| source.len() <= MAX_PARSE_BYTES);
    let painted = match (spec, language.name()) {
        (Some(spec), _) => by_tree(source, spec),
        (None, "html" | "xml" | "vue" | "svelte" | "astro") => by_tags(source),
        (None, "markdown") => Some(by_markdown(source)),
        (None, _) => None,
    };
    painted.unwrap_or_else(|| by_look(source, language))
}

/// Spans in the making: touching ranges of one class grow together.
#[derive(Default)]
struct Painter {
    spans: Vec<HighlightSpan>,
}

impl Painter {
    fn paint(&mut self, start: usize, end: usize, class: HighlightClass) {
        let (start, end) = (start as u32, end as u32);
        if start >= end {
            return;
        }
        match self.spans.last_mut() {
            Some(last) if last.end > start => {}
            Some(last) if last.end == start && last.class == class => last.end = end,
            _ => self.spans.push(HighlightSpan { start, end, class }),
        }
    }
}

#[derive(Clone, Copy)]
struct Level {
    kind: u16,
    field: u16,
    in_string: bool,
}

fn by_tree(source: &str, spec: IndexedSpec) -> Option<Vec<HighlightSpan>> {
    let tables = spec.tables;
    let tree = parse(source, tables, &[])?;
    let mut painter = Painter::default();
    let mut levels: Vec<Level> = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let field = cursor.field_id().map_or(0, std::num::NonZero::get);
        let parent_string = levels.last().is_some_and(|level| level.in_string);
        let in_string = match string_like(node) {
            Some(inside) => inside,
            None => parent_string,
        };
        levels.push(Level {
            kind: node.kind_id(),
            field,
            in_string,
        });
        let whole = tables.kind(node.kind_id()).comment || tables.kind(node.kind_id()).raw;
        if !whole && cursor.goto_first_child() {
            continue;
        }
        leaf(source, node, spec, &levels, &mut painter);
        loop {
            levels.pop();
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return Some(painter.spans);
            }
        }
    }
}

/// Says whether a node opens a string (`true`) or code within one (`false`).
fn string_like(node: Node<'_>) -> Option<bool> {
    if !node.is_named() {
        return None;
    }
    let kind = node.kind();
    if matches!(
        kind,
        "interpolation" | "template_substitution" | "interpolated_expression"
    ) {
        return Some(false);
    }
    let string = kind.contains("string")
        || kind.contains("char_literal")
        || kind.contains("character_literal")
        || kind.contains("rune_literal")
        || kind.starts_with("heredoc")
        || kind == "regex"
        || kind == "char";
    (string && !kind.contains("stringif")).then_some(true)
}

fn leaf(source: &str, node: Node<'_>, spec: IndexedSpec, levels: &[Level], painter: &mut Painter) {
    let (start, end) = (node.start_byte(), node.end_byte());
    let info = spec.tables.kind(node.kind_id());
    let text = source.get(start..end).unwrap_or("");
    if info.raw {
        return raw(start, text, spec.spec.keywords, painter);
    }
    let class = if info.comment {
        Some(HighlightClass::Comment)
    } else if levels.last().is_some_and(|level| level.in_string) {
        Some(HighlightClass::String)
    } else if let Some(default) = info.leaf {
        name_class(text, default, spec.tables, levels)
    } else {
        other_class(node, text)
    };
    if let Some(class) = class {
        painter.paint(start, end, class);
    }
}

fn name_class(
    text: &str,
    default: ReferenceKind,
    tables: &Tables,
    levels: &[Level],
) -> Option<HighlightClass> {
    let mut at = levels.len() - 1;
    let mut path = false;
    while at > 0 {
        match tables.position(levels[at - 1].kind, levels[at].field) {
            NodeRole::PathTail | NodeRole::LastPart => path = true,
            NodeRole::Transparent => {}
            NodeRole::Call | NodeRole::Member | NodeRole::Decorator => {
                return Some(HighlightClass::Function);
            }
            NodeRole::Type | NodeRole::Inherit => return Some(HighlightClass::Type),
            _ => break,
        }
        at -= 1;
    }
    let parent = levels
        .len()
        .checked_sub(2)
        .map(|at| tables.kind(levels[at].kind));
    let defines = parent.and_then(|parent| parent.def).filter(|_| !path);
    if let Some(def) = defines
        && def.field != 0
        && levels.last().is_some_and(|level| level.field == def.field)
    {
        return Some(definition_class(def.kind));
    }
    if default == ReferenceKind::Type {
        return Some(HighlightClass::Type);
    }
    let constant = text.len() > 1
        && text.contains(|c: char| c.is_ascii_uppercase())
        && !text.contains(|c: char| c.is_lowercase());
    match (constant, path) {
        (true, _) => Some(HighlightClass::Constant),
        (false, true) => Some(HighlightClass::Property),
        _ => None,
    }
}

fn definition_class(kind: crate::types::SymbolKind) -> HighlightClass {
    use crate::types::SymbolKind;
    match kind {
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor | SymbolKind::Macro => {
            HighlightClass::Function
        }
        SymbolKind::Constant | SymbolKind::EnumMember => HighlightClass::Constant,
        SymbolKind::Field | SymbolKind::Property | SymbolKind::Variable => HighlightClass::Property,
        _ => HighlightClass::Type,
    }
}

fn other_class(node: Node<'_>, text: &str) -> Option<HighlightClass> {
    let kind = node.kind();
    if !node.is_named() {
        let word = text.starts_with(|c: char| c.is_alphabetic() || c == '@' || c == '#');
        return match text {
            _ if word => Some(HighlightClass::Keyword),
            "\"" | "'" | "`" => Some(HighlightClass::String),
            "(" | ")" | "[" | "]" | "{" | "}" | ";" | "," | "." | ":" => {
                Some(HighlightClass::Punctuation)
            }
            "" => None,
            _ => Some(HighlightClass::Operator),
        };
    }
    let number = [
        "integer",
        "float",
        "number",
        "int_literal",
        "decimal",
        "hex_literal",
    ];
    match kind {
        "true" | "false" | "null" | "none" | "nil" | "undefined" | "boolean_literal"
        | "null_literal" | "iota" => Some(HighlightClass::Constant),
        "this" | "self" | "super" | "crate" | "mutable_specifier" => Some(HighlightClass::Keyword),
        "tag_name" => Some(HighlightClass::Tag),
        "attribute_name" => Some(HighlightClass::Attribute),
        "attribute_value" => Some(HighlightClass::String),
        "lifetime" => Some(HighlightClass::Attribute),
        "primitive_type"
        | "predefined_type"
        | "integral_type"
        | "floating_point_type"
        | "void_type"
        | "boolean_type" => Some(HighlightClass::Type),
        _ if number.iter().any(|mark| kind.contains(mark)) => Some(HighlightClass::Number),
        _ => None,
    }
}

fn raw(base: usize, text: &str, keywords: &[&str], painter: &mut Painter) {
    for token in lexical::tokens(text, Syntax::C) {
        let class = token_class(text, token, keywords);
        if let Some(class) = class {
            painter.paint(base + token.start, base + token.end, class);
        }
    }
}

fn token_class(text: &str, token: Token, keywords: &[&str]) -> Option<HighlightClass> {
    let word = &text[token.start..token.end];
    match token.kind {
        TokenKind::Comment => Some(HighlightClass::Comment),
        TokenKind::String => Some(HighlightClass::String),
        TokenKind::Number => Some(HighlightClass::Number),
        TokenKind::Name if keywords.contains(&word) => Some(HighlightClass::Keyword),
        TokenKind::Name if text[token.end..].starts_with('(') => Some(HighlightClass::Function),
        TokenKind::Name
            if word.len() > 1 && word.bytes().all(|byte| !byte.is_ascii_lowercase()) =>
        {
            Some(HighlightClass::Constant)
        }
        TokenKind::Name if word.starts_with(char::is_uppercase) => Some(HighlightClass::Type),
        TokenKind::Name => None,
        TokenKind::Mark
            if matches!(
                word,
                "(" | ")" | "[" | "]" | "{" | "}" | ";" | "," | "." | ":"
            ) =>
        {
            Some(HighlightClass::Punctuation)
        }
        TokenKind::Mark if word.is_ascii() => Some(HighlightClass::Operator),
        TokenKind::Mark => None,
    }
}

fn by_look(source: &str, language: Language) -> Vec<HighlightSpan> {
    let data = Syntax {
        line_comments: &["#"],
        single_quotes: true,
        ..Syntax::C
    };
    let syntax = match (line_patterns::of(language), language.name()) {
        (Some(patterns), _) => patterns.syntax,
        (None, "yaml" | "toml" | "ini") => Syntax {
            block_comments: &[],
            ..data
        },
        (None, "json") => Syntax::C,
        _ => return Vec::new(),
    };
    let mut painter = Painter::default();
    for token in lexical::tokens(source, syntax) {
        if let Some(class) = token_class(source, token, syntax.keywords) {
            painter.paint(token.start, token.end, class);
        }
    }
    painter.spans
}

/// HTML and its kin: tags, attributes, their values, comments.
fn by_tags(source: &str) -> Option<Vec<HighlightSpan>> {
    let language: tree_sitter::Language = crate::grammars::html();
    if source.len() > MAX_PARSE_BYTES {
        return Some(Vec::new());
    }
    let tree = parse_as(source, &language, &[])?;
    let mut painter = Painter::default();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let whole = matches!(
            node.kind(),
            "comment" | "quoted_attribute_value" | "raw_text"
        );
        if !whole && cursor.goto_first_child() {
            continue;
        }
        let text = source.get(node.start_byte()..node.end_byte()).unwrap_or("");
        let class = match node.kind() {
            "comment" => Some(HighlightClass::Comment),
            "quoted_attribute_value" => Some(HighlightClass::String),
            "raw_text" => {
                raw(node.start_byte(), text, SCRIPT_WORDS, &mut painter);
                None
            }
            "text" => None,
            _ => other_class(node, text),
        };
        if let Some(class) = class {
            painter.paint(node.start_byte(), node.end_byte(), class);
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(painter.spans);
            }
        }
    }
}

const SCRIPT_WORDS: &[&str] = &[
    "import",
    "export",
    "from",
    "default",
    "const",
    "let",
    "var",
    "function",
    "return",
    "if",
    "else",
    "for",
    "while",
    "class",
    "new",
    "await",
    "async",
    "type",
    "interface",
    "extends",
    "this",
];

/// Headings, code and quotes, line by line.
fn by_markdown(source: &str) -> Vec<HighlightSpan> {
    let mut painter = Painter::default();
    let mut fenced = false;
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim_end();
        let trimmed = text.trim_start();
        let (start, end) = (at + text.len() - trimmed.len(), at + text.len());
        at += line.len();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            painter.paint(start, end, HighlightClass::Punctuation);
        } else if fenced {
            painter.paint(start, end, HighlightClass::String);
        } else if trimmed.starts_with('#') {
            painter.paint(start, end, HighlightClass::Keyword);
        } else if trimmed.starts_with('>') {
            painter.paint(start, end, HighlightClass::Comment);
        } else {
            inline_code(trimmed, start, &mut painter);
        }
    }
    painter.spans
}

fn inline_code(text: &str, base: usize, painter: &mut Painter) {
    let mut marks = text.match_indices('`').map(|(at, _)| at);
    while let (Some(open), Some(close)) = (marks.next(), marks.next()) {
        painter.paint(base + open, base + close + 1, HighlightClass::String);
    }
}
