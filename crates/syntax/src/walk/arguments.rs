//! What the arguments of a call look like.

use tree_sitter::Node;

use super::Walk;
use crate::types::{ArgumentSign, MADE};

/// More arguments tell no functions apart.
const MOST: usize = 64;

impl<'t> Walk<'_, 't> {
    /// Says what arguments the type on top and the call at a level have, as the newest use; where kinds of
    /// definitions stand apart, that an object is made.
    pub(super) fn note_arguments(&mut self, call_at: Option<usize>) {
        let told = if self.context.spec.counts_arguments {
            self.told_arguments(call_at)
        } else {
            let call = call_at.map(|at| self.context.levels[at].node.kind());
            let is_made = self.context.spec.names.kinds_are_apart
                && call == Some("object_creation_expression");
            is_made.then(|| MADE.to_owned())
        };
        if let Some(newest) = self
            .context
            .facts
            .references
            .last_mut()
            .filter(|_| told.is_some())
        {
            newest.arguments = told.map(String::into_boxed_str);
        }
    }

    fn told_arguments(&self, call_at: Option<usize>) -> Option<String> {
        let of_type = self.n_type_arguments();
        let of_call = call_at.and_then(|at| self.arguments(at));
        match (of_type, of_call) {
            (0, of_call) => of_call,
            (n, None) => Some(format!("<{n}>")),
            (n, Some(of_call)) => Some(format!("<{n}>({of_call}")),
        }
    }

    /// C#: `Box<int>` has one, `typeof(Box<,>)` two.
    fn n_type_arguments(&self) -> usize {
        let around = self.context.ancestor(0);
        let generic = around.filter(|around| around.kind() == "generic_name");
        let Some(list) = generic.and_then(|generic| generic.named_child(1)) else {
            return 0;
        };
        match list.named_child_count() {
            0 => self.context.text(list).matches(',').count() + 1,
            n => n,
        }
    }

    fn arguments(&self, call_at: usize) -> Option<String> {
        let call = self.context.levels[call_at].node;
        let lists = arguments_of(call);
        let mut is_behind = lists.function_behind;
        // Kotlin: `f(1) { }` is a call of what `f(1)` gives to the grammar.
        let around = call_at
            .checked_sub(1)
            .map(|at| self.context.levels[at].node);
        if let Some(around) = around.filter(|around| around.kind() == "call_expression") {
            let whole = arguments_of(around);
            let is_callee = around.start_byte() == call.start_byte();
            is_behind |= is_callee && whole.list.is_none() && whole.function_behind;
        }
        // C#: `new Type { A = 1 }` has no brackets.
        let is_made = call.kind() == "object_creation_expression";
        if lists.list.is_none() && !is_behind && !is_made {
            return None;
        }
        let mut signs = Vec::new();
        if let Some(list) = lists.list {
            let mut cursor = list.walk();
            let parts = list.named_children(&mut cursor);
            signs.extend(
                parts
                    .filter(|part| !part.is_extra())
                    .map(|part| self.argument_sign(part)),
            );
        }
        signs.extend(is_behind.then(|| ArgumentSign::FunctionBehind.as_char().to_string()));
        (signs.len() <= MOST).then(|| signs.join(","))
    }

    /// An argument as the facts tell it.
    fn argument_sign(&self, part: Node<'t>) -> String {
        if self.context.spec.converts_arguments {
            return ArgumentSign::Other.as_char().to_string();
        }
        let is_wrapped = matches!(part.kind(), "value_argument" | "argument");
        let Some(value) = (match is_wrapped {
            true => part.named_child((part.named_child_count() as u32).saturating_sub(1)),
            false => Some(part),
        }) else {
            return ArgumentSign::Other.as_char().to_string();
        };
        let before = self
            .context
            .source
            .get(part.start_byte()..value.start_byte());
        let before = before.unwrap_or("").trim();
        let (name, rest) = match before.split_once(['=', ':']) {
            Some((name, rest)) => (Some(name.trim()), rest.trim()),
            None => (None, before),
        };
        let sign = match rest {
            "" => sign_of(value.kind(), self.context.text(value)),
            "*" => ArgumentSign::Spread,
            _ => ArgumentSign::Other,
        };
        match name {
            Some(name) => format!("{name}={}", sign.as_char()),
            None => sign.as_char().to_string(),
        }
    }
}

/// What a call holds besides what is called.
struct CallArguments<'t> {
    list: Option<Node<'t>>,
    function_behind: bool,
}

fn arguments_of(call: Node<'_>) -> CallArguments<'_> {
    let mut cursor = call.walk();
    let mut found = CallArguments {
        // Scala: `f { … }` says no number.
        list: call
            .child_by_field_name("arguments")
            .filter(|list| !list.kind().ends_with("block")),
        function_behind: false,
    };
    for part in call.named_children(&mut cursor) {
        match part.kind() {
            "value_arguments" | "argument_list" => found.list = Some(part),
            "annotated_lambda" => found.function_behind = true,
            _ => {}
        }
    }
    found
}

fn sign_of(kind: &str, text: &str) -> ArgumentSign {
    let is_of = |marks: &str| {
        text.chars()
            .all(|c| c.is_ascii_digit() || marks.contains(c))
    };
    match kind {
        _ if matches!(text, "true" | "false") => ArgumentSign::Truth,
        _ if text == "null" => ArgumentSign::Null,
        "spread_expression" => ArgumentSign::Spread,
        "character_literal" => ArgumentSign::Character,
        "interpolated_string_expression" => ArgumentSign::Text,
        "lambda_expression"
        | "lambda_literal"
        | "anonymous_function"
        | "anonymous_method_expression"
        | "method_reference"
        | "callable_reference" => ArgumentSign::Function,
        kind if kind.contains("string_literal") => ArgumentSign::Text,
        kind if !kind.ends_with("_literal") => ArgumentSign::Other,
        _ if is_of("_") => ArgumentSign::Whole,
        _ if is_of("_.") => ArgumentSign::Fraction,
        _ => ArgumentSign::Other,
    }
}
