//! Names that stand before arguments, in patterns and in initializers, and what comes before a name where
//! that is no path in the text.

use std::borrow::Cow;

use tree_sitter::Node;

use super::Walk;
use super::qualifier::qualifier;
use crate::type_hints;
use crate::types::{HintKind, ReferenceKind};

impl<'s, 't> Walk<'s, 't> {
    /// `Type(name: 1)` sets a field where an object is made, `case Type(name: 1)` reads one. A label of a
    /// function names its parameter.
    pub(super) fn label(&mut self, node: Node<'t>, name: &'s str, label_at: usize) {
        let around = |n: usize| {
            let at = label_at.checked_sub(n)?;
            Some(self.context.levels[at].node)
        };
        let Some(holder) = around(1) else { return };
        let n_up = self.context.levels.len() - 2 - label_at;
        let (owner, kind) = match holder.kind() {
            // C#: `Type { Name: "x" }`, `value with { Name = "x" }`.
            "property_pattern_clause" => {
                // Of a path the first name alone is a member of the type.
                let whole = type_hints::matched(&self.context, n_up + 2);
                let owner = whole.filter(|_| n_up == 0);
                return self.push_reference(
                    name,
                    owner.as_deref().unwrap_or("…"),
                    ReferenceKind::Read,
                    node,
                );
            }
            "with_expression" => return self.set_by_with(node, name, holder),
            // A constant in a pattern by position.
            "positional_pattern_clause" => {
                return self.push_reference(name, "", ReferenceKind::Read, node);
            }
            "named_argument" => {
                let call = around(3);
                let made = call.and_then(|call| {
                    let field = |name| call.child_by_field_name(name);
                    field("function").or_else(|| field("type"))
                });
                (made, ReferenceKind::Write)
            }
            "object_pattern" => (Some(holder), ReferenceKind::Read),
            _ => return,
        };
        if let Some(owner) = owner.and_then(|owner| type_of_path(self.context.text(owner))) {
            self.push_reference(name, owner, kind, node);
        }
    }

    /// C#: says whether what reads as the declaration of a pointer is a product: `F(a * b)`.
    pub(super) fn is_product(&self, declaration_at: usize) -> bool {
        let node = self.context.levels[declaration_at].node;
        let is_pointer = || {
            let stated = node.child_by_field_name("type");
            stated.is_some_and(|stated| stated.kind() == "pointer_type")
        };
        let around = declaration_at
            .checked_sub(1)
            .map(|at| self.context.levels[at].node);
        let begins = |around: Node<'t>| around.start_byte() == node.start_byte();
        node.kind() == "declaration_expression" && is_pointer() && around.is_some_and(begins)
    }

    /// Says whether a name stands before an argument of a language that tells functions apart by arguments.
    pub(super) fn names_argument(&self, node: Node<'t>) -> bool {
        let behind = || self.context.source.get(node.end_byte()..).unwrap_or("");
        let is_marked = || {
            let behind = behind().trim_start();
            let joint = behind.strip_prefix(['=', ':']);
            joint.is_some_and(|rest| !rest.starts_with(['=', ':', '>']))
        };
        let is_first = |argument: Node<'t>| {
            matches!(argument.kind(), "value_argument" | "argument")
                && argument.start_byte() == node.start_byte()
        };
        self.context.spec.counts_arguments
            && is_marked()
            && self.context.ancestor(0).is_some_and(is_first)
    }

    /// The property that a named argument sets, where an object is made or copied: `Type(name = 1)`,
    /// `value.copy(name = 1)`. That of another function names its parameter alone.
    pub(super) fn named_argument(&mut self, node: Node<'t>, name: &'s str) {
        let (Some(list), Some(call)) = (self.context.ancestor(1), self.context.ancestor(2)) else {
            return;
        };
        let callee = self
            .context
            .source
            .get(call.start_byte()..list.start_byte());
        let callee = callee.unwrap_or("").trim();
        let callee = callee.strip_prefix("new ").unwrap_or(callee);
        let owner = match callee.strip_suffix(".copy") {
            Some(copied) => type_hints::plain(copied),
            None if callee == "copy" => Some("this".to_owned()),
            None => type_of_path(callee)
                .filter(|path| callee.split('<').next() == Some(*path))
                .map(|path| format!(":{path}")),
        };
        if let Some(owner) = owner {
            self.push_reference(name, &owner, ReferenceKind::Write, node);
        }
    }

    /// C#: the first name of `Name = value` behind `with` is a member of what is copied.
    fn set_by_with(&mut self, node: Node<'t>, name: &'s str, copy: Node<'t>) {
        let around = self.context.ancestor(0);
        let is_first = around
            .and_then(|around| around.named_child(0))
            .is_some_and(|first| first.id() == node.id());
        if is_first {
            let copied = copy.named_child(0);
            let hint = copied.and_then(|copied| type_hints::of_value(&self.context, copied));
            let owner = match hint {
                Some((HintKind::Type, text)) => format!(":{text}"),
                Some((HintKind::Value, text)) => text,
                _ => "…".to_owned(),
            };
            self.push_reference(name, &owner, ReferenceKind::Write, node);
        } else if !self.locals.has(name) {
            self.push_reference(name, "", ReferenceKind::Read, node);
        }
    }

    /// Kotlin: what stands before a function's name that stands between values: `1 plus 2`.
    pub(super) fn left_of_infix(&self, node: Node<'t>) -> Option<String> {
        let around = self.context.ancestor(0)?;
        let is_infix =
            around.kind() == "infix_expression" && !self.context.spec.implicit.is_empty();
        around
            .named_child(1)
            .filter(|middle| is_infix && middle.id() == node.id())?;
        Some(
            match type_hints::of_value(&self.context, around.named_child(0)?) {
                Some((HintKind::Type, text)) => format!(":{text}"),
                Some((HintKind::Value, text)) => text,
                _ => "…".to_owned(),
            },
        )
    }

    /// The type whose member is set where it is made: C#'s `new Type { Name = "x" }`, Scala's
    /// `Type(name = "x")` and `value.copy(name = "x")`. Empty for the parameter of another function.
    pub(super) fn initialized(&self, assignment_at: usize) -> Option<String> {
        let above = |n: usize| Some(self.context.levels[assignment_at.checked_sub(n)?].node);
        let around = above(1)?;
        let made = above(2)?;
        if around.kind() == "arguments" && self.context.spec.upper_patterns_are_reads {
            return Some(self.owner_of_argument(made));
        }
        (around.kind() == "initializer_expression").then_some(())?;
        let stated = made.child_by_field_name("type");
        let is_made = made.kind() == "object_creation_expression";
        let stated = stated.filter(|_| is_made);
        Some(stated.map_or("…".to_owned(), |stated| {
            format!(":{}", self.context.text(stated))
        }))
    }

    /// Scala: whose field a named argument of a call sets.
    fn owner_of_argument(&self, call: Node<'_>) -> String {
        if call.kind() == "instance_expression" {
            let made = call.named_child(0);
            return made.map_or(String::new(), |made| {
                format!(":{}", self.context.text(made))
            });
        }
        let function = call.child_by_field_name("function");
        let text = function.and_then(|function| type_hints::plain(self.context.text(function)));
        let text = text.unwrap_or_default();
        let path = text.strip_suffix(".apply").unwrap_or(&text);
        let path = path.strip_suffix("[]").unwrap_or(path);
        let last = path.rsplit('.').next().unwrap_or(path);
        match path.strip_suffix(".copy") {
            Some(copied) => copied.to_owned(),
            None if path == "copy" => "this".to_owned(),
            None if last.starts_with(char::is_uppercase) && !path.contains('(') => {
                format!(":{path}")
            }
            None => String::new(),
        }
    }

    /// What comes before the last name of a path that says it otherwise than by its text.
    pub(super) fn by_kind(&self, at: usize, text: &'s str) -> Option<Cow<'s, str>> {
        Some(match self.context.levels[at].node.kind() {
            // `.red`: of the type that its place expects.
            "static_member_shorthand" => Cow::Borrowed("…"),
            "new_expression" | "const_object_expression" => qualifier(text.split_once(' ')?.1),
            "constructor_invocation" => qualifier(text.split('<').next()?),
            // Scala: `_.name`.
            "field_expression" if text.starts_with("_.") => {
                let given = type_hints::placeholder(&self.context, at)?;
                let path = text.trim_start_matches('_');
                let path = type_hints::plain(path.trim_end_matches(['.', ' ', '\n']))?;
                Cow::Owned(format!("{given}{path}"))
            }
            kind if kind.starts_with("cascade_") => Cow::Owned(self.cascaded(at, text)),
            _ => return None,
        })
    }

    /// What comes before a name behind `..`: the value at the head, and the path from there.
    fn cascaded(&self, at: usize, path: &str) -> String {
        let levels = self.context.levels[..at].iter().rev();
        let mut cascades = levels.filter(|level| level.node.kind() == "cascade");
        let head = cascades.next().and_then(|level| level.node.named_child(0));
        let hint = head.and_then(|head| type_hints::of_value(&self.context, head));
        let path = type_hints::plain(path.trim_end_matches(['.', '?', '!', ' ', '\n']));
        match (hint, path) {
            (Some((HintKind::Value, head)), Some(path)) if path.is_empty() => head,
            (Some((HintKind::Value, head)), Some(path)) => format!("{head}.{path}"),
            (Some((HintKind::Type, head)), Some(path)) if path.is_empty() => format!(":{head}"),
            _ => "…".to_owned(),
        }
    }
}

/// The type at the head of a path, with the prefix of its import: `a.Type` of `a.Type.named`.
fn type_of_path(text: &str) -> Option<&str> {
    let text = text.split(['<', '(']).next().unwrap_or(text).trim();
    let is_path = text
        .chars()
        .all(|c| c.is_alphanumeric() || "_$.".contains(c));
    let mut end = 0;
    for part in text.split('.').filter(|_| is_path) {
        end += part.len();
        if part
            .trim_start_matches(['_', '$'])
            .starts_with(char::is_uppercase)
        {
            return text.get(..end);
        }
        end += 1;
    }
    None
}

/// Says whether a name of a type is the last of its path: its arguments, a mark or a bracket may follow.
pub(super) fn is_last_name(node: Node<'_>) -> bool {
    let next = node.next_sibling().map_or("", |next| next.kind());
    node.kind() == "type_identifier" && !matches!(next, "." | "::")
}
