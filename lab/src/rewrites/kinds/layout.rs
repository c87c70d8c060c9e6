//! Rewrites of layout: comments, line breaks, brackets, blocks.

use tree_sitter::Node;

use super::super::rewritten::Rewritten;
use super::super::site::{Site, children, named};

const SCRIPTS: [&str; 2] = ["javascript", "typescript"];

/// Comments between tokens of a definition.
pub(super) fn comments(site: &mut Site<'_>) -> Option<Rewritten> {
    let functions = site.shape.functions;
    let node = site.pick(functions)?;
    let tokens = site.tokens(node);
    let mut edits = site.edits();
    for pair in tokens.windows(2) {
        if site.dice.below(3) > 0 {
            continue;
        }
        let comment = match site.shape.has_block_comments {
            true if is_apart(site, pair[0], pair[1]) => " /* rewritten */ ",
            false if ends_line(site, pair[0], pair[1]) => "  # rewritten",
            _ => continue,
        };
        edits.insert(pair[0].end_byte(), comment);
    }
    (!edits.is_empty()).then(|| edits.into())
}

/// Says whether a comment between two tokens is no more than one.
fn is_apart(site: &Site<'_>, first: Node<'_>, second: Node<'_>) -> bool {
    let texts = site.shape.texts;
    if [first, second]
        .iter()
        .any(|it| texts.contains(&it.kind()) && it.kind().contains("preproc"))
        || site.text(first).ends_with("//")
        || first.kind().contains("comment")
    {
        return false;
    }
    let gap = &site.whole()[first.end_byte()..second.start_byte()];
    let (left, right) = (site.text(first), site.text(second));
    let is_open = |text: &str| matches!(text, "(" | "," | "{" | "=" | "[" | ":" | "return");
    let is_shut = |text: &str| matches!(text, ")" | "}");
    if gap.contains('\n') {
        return !left.ends_with('\n');
    }
    match site.shape.language {
        // White space on one side alone gives an operator another meaning.
        "swift" => is_open(left) && left != "[" && left != "(" || gap == " " && left == ",",
        "kotlin" | "scala" => (is_open(left) && left != "[") || is_shut(right) || gap == " ",
        "rust" => gap == " " || is_open(left) || is_shut(right) || left == "." || right == ".",
        "php" => gap == " " || is_open(left) || is_shut(right) || right == "->" || left == "->",
        _ => {
            let is_dot = left == "." || right == ".";
            gap == " " || is_open(left) || is_shut(right) || is_dot || right == "("
        }
    }
}

/// Says whether a line ends between two tokens, and no text goes on.
fn ends_line(site: &Site<'_>, first: Node<'_>, second: Node<'_>) -> bool {
    let gap = &site.whole()[first.end_byte()..second.start_byte()];
    let is_heredoc = |node: Node<'_>| node.kind().contains("heredoc");
    gap.starts_with('\n')
        && !gap.contains('\\')
        && !site.text(first).ends_with('\\')
        && !first.kind().contains("comment")
        && !is_heredoc(first)
        && !is_heredoc(second)
}

/// Blank lines and comments between the statements of a definition.
pub(super) fn blank_lines(site: &mut Site<'_>) -> Option<Rewritten> {
    let blocks = site.shape.blocks;
    let node = site.pick(blocks)?;
    let mut edits = site.edits();
    for statement in named(node) {
        let before = site.before_on_line(statement.start_byte());
        if before.trim().is_empty() && !site.shape.texts.contains(&statement.kind()) {
            let at = statement.start_byte() - before.len();
            let comment = site.shape.comment;
            edits.add(at, format!("\n{before}{comment} rewritten\n\n"));
        }
    }
    (!edits.is_empty()).then(|| edits.into())
}

/// Line breaks behind the brackets and commas of calls.
pub(super) fn breaks(site: &mut Site<'_>) -> Option<Rewritten> {
    let lists = site.shape.arguments;
    let mut edits = site.edits();
    for list in site.shuffled(lists).into_iter().take(4) {
        let is_bracketed = site.text(list).starts_with('(');
        if !is_bracketed || site.text(list).contains('\n') || named(list).is_empty() {
            continue;
        }
        for token in children(list) {
            if matches!(site.text(token), "(" | ",") {
                edits.insert(token.end_byte(), "\n        ");
            }
        }
    }
    (!edits.is_empty()).then(|| edits.into())
}

/// Line breaks before the dots of a chain.
pub(super) fn broken_chain(site: &mut Site<'_>) -> Option<Rewritten> {
    let functions = site.shape.functions;
    let node = site.pick(functions)?;
    let mut edits = site.edits();
    for pair in site.tokens(node).windows(2) {
        let dot = site.text(pair[1]);
        let is_dot = dot == "." || dot == "->" && site.shape.is_any(&["php", "cpp", "c"]);
        let is_behind_value = site.shape.names.contains(&pair[0].kind())
            || matches!(site.text(pair[0]), ")" | "this" | "self");
        let marks = ["annotation", "attribute", "decorator"];
        let is_together =
            pair[0].end_byte() == pair[1].start_byte() && site.around(pair[1], &marks).is_none();
        if is_dot && is_together && is_behind_value && site.dice.below(2) == 0 {
            edits.insert(pair[0].end_byte(), "\n            ");
        }
    }
    (!edits.is_empty()).then(|| edits.into())
}

/// An argument in brackets of its own.
pub(super) fn bracketed_argument(site: &mut Site<'_>) -> Option<Rewritten> {
    let lists = site.shape.arguments;
    for list in site.shuffled(lists) {
        let arguments = named(list);
        let Some(argument) = site.dice.pick(&arguments).copied() else {
            continue;
        };
        let value = value_of(argument);
        if is_value(value) {
            let mut edits = site.edits();
            edits.insert(value.start_byte(), "(");
            edits.insert(value.end_byte(), ")");
            return Some(edits.into());
        }
    }
    None
}

/// The expression of an argument, where its language has nodes for arguments.
fn value_of(argument: Node<'_>) -> Node<'_> {
    let is_argument = matches!(argument.kind(), "argument" | "value_argument");
    match argument.named_child(0) {
        Some(value) if is_argument && argument.child_count() == 1 => value,
        _ => argument,
    }
}

/// Says whether a node is an expression that means the same in brackets.
pub(super) fn is_value(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "identifier"
            | "simple_identifier"
            | "variable_name"
            | "call"
            | "call_expression"
            | "method_invocation"
            | "invocation_expression"
            | "member_expression"
            | "attribute"
            | "field_expression"
            | "field_access"
            | "selector_expression"
            | "member_access_expression"
            | "navigation_expression"
            | "member_call_expression"
            | "scoped_call_expression"
            | "function_call_expression"
            | "binary_expression"
            | "integer"
    )
}

/// The function of a call in brackets.
pub(super) fn bracketed_callee(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let Some(callee) = call.child_by_field_name("function") else {
            continue;
        };
        let is_fit = match callee.kind() {
            "identifier" | "attribute" | "member_expression" => {
                site.shape.is_any(&SCRIPTS) || site.shape.language == "python"
            }
            "selector_expression" => site.shape.language == "go",
            "scoped_identifier" => site.shape.language == "rust",
            _ => false,
        };
        let is_kept = matches!(site.text(callee), "super" | "import" | "require");
        if is_fit && !is_kept && site.statement(call).is_some() && !starts_statement(site, call) {
            let mut edits = site.edits();
            edits.insert(callee.start_byte(), "(");
            edits.insert(callee.end_byte(), ")");
            return Some(edits.into());
        }
    }
    None
}

/// Says whether a script's line would begin with a bracket, and so go on with the line before.
fn starts_statement(site: &Site<'_>, node: Node<'_>) -> bool {
    site.before_on_line(node.start_byte()).trim().is_empty()
}

/// A statement in a block of its own.
pub(super) fn block(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let Some(statement) = site.statement(call) else {
            continue;
        };
        let is_call = statement.kind() == "expression_statement" || statement.id() == call.id();
        let parent = statement.parent();
        let is_last = parent.is_some_and(|parent| {
            named(parent)
                .last()
                .is_some_and(|last| last.id() == statement.id())
        });
        let is_result = site
            .shape
            .is_any(&["rust", "ruby", "scala", "kotlin", "swift"])
            && is_last;
        if !is_call || is_result {
            continue;
        }
        let (before, behind) = match site.shape.language {
            "python" => ("if True:\n", ""),
            "ruby" => ("begin\n", "\nend"),
            "kotlin" => ("if (true) {\n", "\n}"),
            "scala" => ("locally {\n", "\n}"),
            "swift" => ("do {\n", "\n}"),
            "go" => ("{\n", "\n}"),
            _ => ("{ ", " }"),
        };
        let indent = site.indent(statement.start_byte());
        let mut edits = site.edits();
        let before = match before.ends_with('\n') {
            true => format!("{before}{indent}    "),
            false => before.to_owned(),
        };
        let text = site.text(statement);
        if text.contains('\n') && site.shape.language == "python" {
            continue;
        }
        let end = behind.replace('\n', &format!("\n{indent}"));
        edits.insert(statement.start_byte(), before);
        let semicolon = site.whole()[statement.end_byte()..].starts_with(';');
        edits.insert(statement.end_byte() + usize::from(semicolon), end);
        return Some(edits.into());
    }
    None
}
