//! What a function returns, where its head does not say: the expressions behind `return`.

use tree_sitter::Node;

use super::Walk;
use crate::type_hints;
use crate::types::{HintKind, Local};

/// Longest expression that is kept, and how many of a function.
const MAX_TEXT: usize = 100;
const MAX_RETURNS: usize = 4;

impl<'s, 't> Walk<'s, 't> {
    /// Keeps what the node returns from the symbol around it: a local of the name `return` that no
    /// line sees.
    pub(super) fn returned(&mut self, node: Node<'t>) {
        let Some(value) = self.returned_value(node) else {
            return;
        };
        let Some((kind, text)) = type_hints::of_value(&self.context, value) else {
            return;
        };
        let first = text.trim_start_matches(['(', '&', '*', '!']).chars().next();
        let is_name =
            first.is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$' | '@' | '^' | '?'));
        if !is_name || text.len() > MAX_TEXT || NOTHING.contains(&text.as_str()) {
            return;
        }
        let enclosing = self.context.parent_symbol();
        let told = self.locals.told.iter().rev().take(40);
        let of_same = told.filter(|local| local.name == "return" && local.enclosing == enclosing);
        if of_same.count() >= MAX_RETURNS {
            return;
        }
        if kind != HintKind::Type {
            self.locals.tell(&text, enclosing);
        }
        let line = node.start_position().row as u32 + 1;
        self.locals.told.push(Local {
            name: "return".to_owned(),
            kind,
            text,
            line,
            column: 0,
            end_line: 0,
            enclosing,
        });
    }

    fn returned_value(&self, node: Node<'t>) -> Option<Node<'t>> {
        let symbol = self.context.enclosing()?;
        symbol.kind.is_callable().then_some(())?;
        let value = match node.kind() {
            "return_statement" => node.named_child(0)?,
            "function_body" => node
                .named_child(0)
                .filter(|_| self.context.text(node).starts_with('='))?,
            "arrow_function" => node
                .child_by_field_name("body")
                .filter(|body| body.kind() != "statement_block")?,
            _ => return None,
        };
        let is_stated = symbol.signature.contains("->") || symbol.signature.contains("):");
        (!is_stated && self.is_own_result()).then_some(value)
    }

    /// Says whether what returns here is the symbol itself, no function inside of it.
    fn is_own_result(&self) -> bool {
        let is_scope = |level: &crate::spec::Level<'_>| self.tables.kind(level.kind).scope;
        let Some(at) = self.context.levels.iter().rposition(is_scope) else {
            return false;
        };
        let n_open = self.context.open_symbols.len();
        let opens = |at: usize| self.context.levels[at].n_symbols_before < n_open;
        opens(at) || at > 0 && opens(at - 1)
    }
}

const NOTHING: &[&str] = &[
    "null",
    "undefined",
    "None",
    "nil",
    "true",
    "false",
    "True",
    "False",
    "NotImplemented",
    "void",
];
