//! A pattern that is made of a part of a file, with some of its nodes as metavariables, finds it.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use tree_sitter::{Node, Parser, Tree};
use whyrank_syntax::{Language, StructuralPattern, grammar_of};

/// Files in most grammars.
const SAMPLES: [(&str, &str); 19] = [
    ("cpp", include_str!("../samples/a.cpp")),
    ("csharp", include_str!("../samples/a.cs")),
    ("dart", include_str!("../samples/a.dart")),
    ("go", include_str!("../samples/a.go")),
    ("java", include_str!("../samples/a.java")),
    ("javascript", include_str!("../samples/a.js")),
    ("kotlin", include_str!("../samples/a.kt")),
    ("lua", include_str!("../samples/a.lua")),
    ("php", include_str!("../samples/a.php")),
    ("protobuf", include_str!("../samples/a.proto")),
    ("python", include_str!("../samples/a.py")),
    ("ruby", include_str!("../samples/a.rb")),
    ("rust", include_str!("../samples/a.rs.txt")),
    ("scala", include_str!("../samples/a.scala")),
    ("bash", include_str!("../samples/a.sh")),
    ("swift", include_str!("../samples/a.swift")),
    ("terraform", include_str!("../samples/a.tf")),
    ("typescript", include_str!("../samples/a.ts")),
    ("javascript", include_str!("found_again.js")),
];

/// Wholes that can stand by themselves.
const WHOLES: [&str; 9] = [
    "_statement",
    "_expression",
    "_declaration",
    "_definition",
    "_item",
    "call",
    "_invocation",
    "assignment",
    "method",
];

/// What is called so and is a part of something, or means another thing by itself.
const PARTS: [&str; 13] = [
    "enum_assignment",
    "parameter",
    "field_decl",
    "constructor_invocation",
    "body_statement",
    "accessor",
    "assignable",
    "cascade_",
    "initialized_variable",
    "static_final",
    "ambient",
    "import",
    "compound",
];

/// What a metavariable may match: names and expressions.
const HOLES: [&str; 8] = [
    "identifier",
    "_literal",
    "number",
    "integer",
    "string",
    "_expression",
    "call",
    "_invocation",
];

fn tree(language: Language, source: &str) -> Tree {
    // A first parse has the crate's parsers count their memory, also those made elsewhere.
    whyrank_syntax::analyze("fn a() {}", whyrank_syntax::detect("a.rs", b"").unwrap());
    let mut parser = Parser::new();
    parser.set_language(&grammar_of(language).unwrap()).unwrap();
    parser.parse(source, None).unwrap()
}

fn below(node: Node<'_>) -> Vec<Node<'_>> {
    let (mut nodes, mut open) = (Vec::new(), vec![node]);
    while let Some(node) = open.pop() {
        nodes.push(node);
        open.extend(node.named_children(&mut node.walk()));
    }
    nodes
}

fn is_whole(node: &Node<'_>) -> bool {
    let is_one = WHOLES.iter().any(|ending| node.kind().ends_with(ending));
    let is_part = PARTS.iter().any(|part| node.kind().contains(part));
    let is_short = (4..600).contains(&node.byte_range().len());
    is_one && !is_part && node.is_named() && !node.has_error() && is_short
}

/// Whether a metavariable can match it: a word by itself.
fn is_free(node: &Node<'_>, source: &str) -> bool {
    let glues = |char: char| char.is_alphanumeric() || "_$".contains(char);
    let (start, end) = (node.start_byte(), node.end_byte());
    HOLES.iter().any(|hole| node.kind().ends_with(hole))
        && node.kind() != "explicit_constructor_invocation"
        && !node.kind().contains("initializer")
        && !is_trailing_block(&source[..start], &source[start..end])
        && !source[..start].ends_with(glues)
        && !source[end..].starts_with(glues)
}

/// A block that is an argument by standing behind a call (Kotlin): a word there is an operator.
fn is_trailing_block(before: &str, text: &str) -> bool {
    let is_operand = |char: char| char.is_alphanumeric() || char == ')';
    text.starts_with('{') && before.trim_end().ends_with(is_operand)
}

/// The text of `whole` with some of what is in it as metavariables.
fn pattern_of(source: &str, whole: Node<'_>, picks: &[usize]) -> String {
    let inside: Vec<Node<'_>> = below(whole)
        .into_iter()
        .filter(|node| node.id() != whole.id() && node.byte_range() != whole.byte_range())
        .filter(|node| is_free(node, source))
        .collect();
    let mut holes: Vec<std::ops::Range<usize>> = Vec::new();
    for pick in picks.iter().filter(|_| !inside.is_empty()) {
        let hole = inside[pick % inside.len()].byte_range();
        if holes
            .iter()
            .all(|known| known.end <= hole.start || hole.end <= known.start)
        {
            holes.push(hole);
        }
    }
    holes.sort_by_key(|hole| std::cmp::Reverse(hole.start));
    // Whole lines, so that the indentation of the first is as of the others.
    let start = source[..whole.start_byte()]
        .rfind('\n')
        .map_or(0, |newline| newline + 1);
    let indent: String = source[start..]
        .chars()
        .take_while(|char| char.is_whitespace())
        .collect();
    let mut text = source[..whole.end_byte()].to_owned();
    for (name, hole) in holes.iter().enumerate() {
        text.replace_range(hole.clone(), &format!("$V{name}"));
    }
    format!("{indent}{}", &text[whole.start_byte()..])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000,
        rng_seed: RngSeed::Fixed(17), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_part_of_a_file_finds_itself(
        sample in 0..SAMPLES.len(),
        pick in any::<usize>(),
        picks in prop::collection::vec(any::<usize>(), 0..4),
    ) {
        let (name, source) = SAMPLES[sample];
        let language = Language::from_name(name).unwrap();
        let tree = tree(language, source);
        let wholes: Vec<Node<'_>> = below(tree.root_node()).into_iter().filter(is_whole).collect();
        prop_assume!(!wholes.is_empty());
        let whole = wholes[pick % wholes.len()];
        let text = pattern_of(source, whole, &picks);
        // Not all parts of a file are code by themselves, least of all with holes.
        let pattern = StructuralPattern::new(&text, language);
        prop_assume!(pattern.is_ok() || !picks.is_empty());
        let Ok(pattern) = pattern else {
            return Ok(());
        };
        let found = pattern.search(source, language, &|| false);
        let range = whole.byte_range();
        let is_it = found.matches.iter().any(|found| {
            found.start_byte == range.start && found.end_byte.abs_diff(range.end) <= 1
        });
        prop_assert!(is_it, "{name} {}: {text:?} found {:?}", whole.kind(), found.matches);
    }
}
