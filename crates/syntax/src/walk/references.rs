//! The uses of names: what a leaf of the tree means by its place, and what its locals say.

use std::borrow::Cow;

use tree_sitter::Node;

use super::labels::is_last_name;
use super::qualifier::{behind, qualifier};
use super::{Walk, position};
use crate::family::Family;
use crate::lexical;
use crate::locals::TypeHint;
use crate::spec::{NameKind, NodeRole};
use crate::type_hints;
use crate::types::{HintKind, IN_TEXT, RECEIVER, Reference, ReferenceKind};

/// A longer text is no path.
const MAX_OBJECT_PATH: usize = 160;

/// A use of a name, and what its place in the tree says of it.
#[derive(Clone, Copy)]
struct NameUse<'n, 's, 't> {
    node: Node<'t>,
    name: &'s str,
    /// The text before the name; empty where nothing stands there.
    qualifier: &'n str,
    kind: ReferenceKind,
    role: NodeRole,
    /// The index of the level that gives it its role.
    parent_at: usize,
}

impl<'s, 't> Walk<'s, 't> {
    pub(super) fn leaf(&mut self, node: Node<'t>, default: ReferenceKind) {
        let start = node.start_byte();
        if node.kind() == "string_content" {
            return self.object_in_text(node);
        }
        if node.kind().starts_with("shorthand_property") {
            self.shorthand(node);
        }
        if let Some(at) = self.own_names.iter().rposition(|&own| own == start) {
            self.own_names.swap_remove(at);
            self.method_of_literal(node);
            self.doubt_defined(node);
            return;
        }
        let name = self
            .context
            .spec
            .names
            .without_projection(self.context.text(node));
        if let Some(left) = self.left_of_infix(node) {
            return self.push_reference(name, &left, ReferenceKind::Call, node);
        }
        let (position, wrapper_at, parent_at) = self.classify();
        if self.names_argument(node) {
            return self.named_argument(node, name);
        }
        let of_name = (self.context.spec.kind_of_name)(&self.context);
        let qualifier = match of_name {
            NameKind::Variable => Cow::Borrowed(""),
            _ => self.before_name(wrapper_at, start),
        };
        let is_new = position != NodeRole::Local && (self.context.spec.binds)(&self.context);
        let kind = match position {
            _ if is_new => return self.declare(node, name, default, parent_at),
            NodeRole::Default => default,
            NodeRole::Skip => return self.note_skipped(node, name),
            // A path in a pattern names something; it declares nothing.
            NodeRole::Local if !qualifier.is_empty() || self.is_product(parent_at) => default,
            NodeRole::Local => return self.declare(node, name, default, parent_at),
            NodeRole::Key => return self.key(node, name, parent_at),
            NodeRole::OwnField => {
                return self.push_reference(name, "this", ReferenceKind::Write, node);
            }
            NodeRole::Label => return self.label(node, name, parent_at),
            NodeRole::Call if self.decorates(parent_at) => ReferenceKind::Decorator,
            NodeRole::Call | NodeRole::Member => ReferenceKind::Call,
            NodeRole::Read => ReferenceKind::Read,
            NodeRole::Write if qualifier.is_empty() => match self.initialized(parent_at) {
                // The parameter of a function is no definition.
                Some(owner) if owner.is_empty() => return,
                Some(owner) => {
                    return self.push_reference(name, &owner, ReferenceKind::Write, node);
                }
                None => ReferenceKind::Write,
            },
            NodeRole::Write => ReferenceKind::Write,
            NodeRole::Type => ReferenceKind::Type,
            NodeRole::Outer => return self.locals.set_outer(name),
            NodeRole::ReExport => ReferenceKind::ReExport,
            NodeRole::Inherit if self.permits(parent_at) => ReferenceKind::Type,
            NodeRole::Inherit => ReferenceKind::Inherit,
            // Swift: `iOS` of `@available(iOS 13, *)`.
            NodeRole::Decorator if node.kind() == "simple_identifier" => default,
            NodeRole::Decorator => ReferenceKind::Decorator,
            NodeRole::PathTail
            | NodeRole::LastPart
            | NodeRole::Transparent
            | NodeRole::TypeContext => default,
        };
        let name_use = NameUse {
            node,
            name,
            qualifier: &qualifier,
            kind,
            role: position,
            parent_at,
        };
        self.named(name_use, of_name);
    }

    /// What stands before a name, written or implied by its place.
    fn before_name(&self, wrapper_at: Option<usize>, start: usize) -> Cow<'s, str> {
        let written = match wrapper_at {
            Some(at) => self.qualifier(at, start),
            None => Cow::Borrowed(""),
        };
        match (self.context.spec.implied)(&self.context) {
            Some(owner) => behind(owner, &written),
            None => written,
        }
    }

    /// A use of a name, by the kind of name that it is.
    fn named(&mut self, name_use: NameUse<'_, 's, 't>, of_name: NameKind) {
        let NameUse {
            node,
            name,
            qualifier,
            parent_at,
            ..
        } = name_use;
        let kind = match (of_name, name_use.kind) {
            (NameKind::Type, ReferenceKind::Read) => ReferenceKind::Type,
            (NameKind::Variable, kind) => {
                if kind == ReferenceKind::Write {
                    self.written(node, name, "", parent_at);
                }
                return self.note_used(node, name, kind);
            }
            (NameKind::Set { is_read }, ReferenceKind::Call) => {
                if is_read {
                    self.push_reference(name, qualifier, ReferenceKind::Call, node);
                }
                return self.push_reference(name, qualifier, ReferenceKind::Write, node);
            }
            (_, kind) => kind,
        };
        let is_itself = qualifier.is_empty() && matches!(name, "this" | "self");
        if !is_itself || kind == ReferenceKind::Write {
            self.used(NameUse { kind, ..name_use });
        } else {
            self.note_used(node, name, kind);
        }
    }

    /// A use of a name behind what stands before it, by the role that its place gives it.
    fn used(&mut self, name_use: NameUse<'_, 's, 't>) {
        let NameUse {
            node,
            name,
            qualifier,
            kind,
            role,
            parent_at,
        } = name_use;
        if qualifier.is_empty() && self.is_inner(node, name, kind) {
            return;
        }
        let is_base = self.mixes_in()
            || self.embeds(kind, parent_at)
            || self.is_subscripted_base(node, parent_at);
        let kind = if is_base {
            ReferenceKind::Inherit
        } else {
            let names_part = self.context.levels[parent_at].node.kind() == "type_argument_list";
            self.region.filter(|_| !names_part).unwrap_or(kind)
        };
        if kind == ReferenceKind::Call && self.opens_anonymous_type(parent_at) {
            self.push_reference(name, qualifier, ReferenceKind::Inherit, node);
        }
        if kind == ReferenceKind::Call && self.context.spec.import_calls.contains(&name) {
            self.import_call(parent_at);
        }
        if kind == ReferenceKind::Write {
            self.written(node, name, qualifier, parent_at);
        }
        let is_called = matches!(role, NodeRole::Call | NodeRole::Member);
        let is_apart = is_called && self.context.spec.calls_pass_locals;
        if qualifier.is_empty() && !is_apart && self.is_local(name, kind) {
            return self.note_used(node, name, kind);
        }
        if qualifier.is_empty() && matches!(kind, ReferenceKind::Import | ReferenceKind::ReExport) {
            self.doubt(name);
        }
        self.push_reference(name, qualifier, kind, node);
        if kind == ReferenceKind::Decorator {
            self.whole_name_of_mark(node, (name, qualifier));
        }
        let call_at = (is_called && kind == ReferenceKind::Call).then_some(parent_at);
        self.note_arguments(call_at);
    }

    /// The name of the type that a mark leaves the end of out.
    fn whole_name_of_mark(&mut self, node: Node<'t>, (name, qualifier): (&str, &str)) {
        let ending = self.context.spec.names.mark_ending;
        if !ending.is_empty() && !name.ends_with(ending) {
            let whole = format!("{name}{ending}");
            self.push_reference(&whole, qualifier, ReferenceKind::Decorator, node);
        }
    }

    /// A text that is the path of an object: `"a.b.c"`, `"a.b:c"`, `"command = a.b:c"`.
    fn object_in_text(&mut self, node: Node<'t>) {
        let text = self.context.text(node);
        let path = text.rsplit_once('=').map_or(text, |(_, path)| path).trim();
        let is_name = |part: &str| {
            let mut chars = part.chars();
            chars.next().is_some_and(|c| c.is_alphabetic() || c == '_')
                && chars.all(|c| c.is_alphanumeric() || c == '_')
        };
        let is_path = path.len() <= MAX_OBJECT_PATH && path.split(['.', ':']).all(is_name);
        let Some(at) = path.rfind(['.', ':']).filter(|_| is_path) else {
            return;
        };
        let qualifier = format!("{IN_TEXT}{}", path[..at].replace(':', "."));
        let before = text.rfind(['.', ':']).map_or(0, |at| at + 1);
        let n_before = self.context.facts.references.len();
        self.push_reference(&path[at + 1..], &qualifier, ReferenceKind::Read, node);
        if let Some(reference) = self.context.facts.references.get_mut(n_before) {
            reference.column += before as u32;
        }
    }

    /// What comes before the last name of the path at a level. A value in parentheses is written
    /// as what it says, `:Type` where it is cast.
    fn qualifier(&self, at: usize, end: usize) -> Cow<'s, str> {
        let path = self.context.levels[at].node;
        let object = path
            .named_child(0)
            .filter(|object| object.kind() == "parenthesized_expression");
        let text = self
            .context
            .source
            .get(path.start_byte()..end)
            .unwrap_or("");
        if let Some(before) = self.by_kind(at, text) {
            return before;
        }
        let below = self.context.levels.get(at + 1).map(|level| level.node);
        // C++: `a.template f<T>()`.
        let text = match below.is_some_and(|node| node.kind() == "dependent_name") {
            true => text.trim_end().strip_suffix("template").unwrap_or(text),
            false => text,
        };
        // `::name`, from the root: nothing around it is meant.
        let family = self.context.spec.names.family;
        // PHP: `A\B\name`, `\name` and `A::NAME` are no members of a value.
        let is_kept = matches!(
            path.kind(),
            "qualified_name" | "relative_name" | "class_constant_access_expression"
        );
        if family == Family::Php && is_kept {
            return Cow::Borrowed(text.trim());
        }
        if text.trim() == "::" && matches!(family, Family::Ruby | Family::Native) {
            return Cow::Borrowed("::");
        }
        match object.and_then(|object| Some((object, type_hints::of_value(&self.context, object)?)))
        {
            Some((object, (kind, hint))) => {
                let rest = self
                    .context
                    .source
                    .get(object.end_byte()..end)
                    .unwrap_or("");
                let is_last = rest.trim().len() <= 2;
                match kind {
                    HintKind::Type if is_last => Cow::Owned(format!(":{hint}")),
                    HintKind::Value if is_last => Cow::Owned(hint),
                    _ => qualifier(text),
                }
            }
            None => qualifier(text),
        }
    }

    /// A name of a field in a literal: `a` in `Foo { a: 1 }`.
    fn key(&mut self, node: Node<'t>, name: &'s str, parent_at: usize) {
        if self.context.spec.literals.is_empty() {
            return self.key_by_place(node, name, parent_at);
        }
        let found = self.literal_type(parent_at);
        let is_shorthand = node.kind().starts_with("shorthand")
            || self.context.levels[parent_at]
                .node
                .kind()
                .starts_with("shorthand");
        let in_pattern = self.context.levels[parent_at]
            .node
            .kind()
            .contains("pattern");
        let kind = if in_pattern {
            ReferenceKind::Read
        } else {
            ReferenceKind::Write
        };
        match found {
            Some(owner) => self.push_reference(name, &owner, kind, node),
            None if !self.locals.has(name) => {
                self.push_reference(name, "", ReferenceKind::Read, node);
            }
            None => self.note_used(node, name, ReferenceKind::Read),
        }
        if is_shorthand && in_pattern {
            let hint = type_hints::of_declared(
                &self.context,
                node,
                self.context.levels.len() - 2 - parent_at,
            );
            self.locals.declare(name, hint, position(node), false);
            self.note_declared(node, name);
        } else if is_shorthand && !self.locals.has(name) {
            self.push_reference(name, "", ReferenceKind::Read, node);
        } else if is_shorthand {
            self.note_used(node, name, ReferenceKind::Read);
        }
    }

    /// The type of the literal around a level; none where its keys are values (Go maps and slices).
    fn literal_type(&self, at: usize) -> Option<String> {
        let mut n_nested = 0;
        for level in self.context.levels[..=at].iter().rev() {
            let kind = level.node.kind();
            n_nested += u32::from(matches!(kind, "literal_value" | "initializer_list"));
            if !self.tables.kind(level.kind).literal {
                continue;
            }
            let literals = self.context.spec.literals.iter();
            let field = literals
                .filter(|(node, _)| *node == kind)
                .map(|(_, field)| *field);
            let stated = field
                .filter_map(|field| level.node.child_by_field_name(field))
                .next()?;
            let text = self.context.text(stated);
            if type_hints::anonymous(text).is_some() {
                return Some("$struct".to_owned());
            }
            if n_nested <= 1 {
                let is_plain = !text.starts_with(['[', 'm']) || !text.contains('[');
                return is_plain.then(|| text.to_owned());
            }
            let inner = text.rsplit(']').next().unwrap_or(text);
            return Some(if text.contains(']') {
                inner.trim_start_matches('*').to_owned()
            } else {
                "…".to_owned()
            });
        }
        Some("…".to_owned())
    }

    /// What the declaration at a level says about the leaf on top, `n_path` levels of whose path count
    /// as the leaf.
    pub(super) fn hint(&self, node: Node<'t>, parent_at: usize, n_path: usize) -> Option<TypeHint> {
        let n_up = self.context.levels.len().checked_sub(2 + parent_at)?;
        if n_path == 0 {
            return type_hints::of_declared(&self.context, node, n_up);
        }
        type_hints::of_assigned(&self.context, self.context.levels[parent_at].node)
    }

    pub(super) fn push_reference(
        &mut self,
        name: &str,
        qualifier: &str,
        kind: ReferenceKind,
        node: Node<'t>,
    ) {
        let position = node.start_position();
        let enclosing = self.context.parent_symbol();
        if !qualifier.is_empty() {
            self.locals.tell(qualifier, enclosing);
        }
        if (qualifier.is_empty() || qualifier.starts_with("this")) && self.locals.has(RECEIVER) {
            self.locals.tell(RECEIVER, enclosing);
        }
        self.context.facts.references.push(Reference {
            name: name.to_owned(),
            qualifier: qualifier.to_owned(),
            kind,
            line: position.row as u32 + 1,
            column: position.column as u32,
            enclosing,
            arguments: None,
        });
    }

    /// The place of the leaf on top, the level of the path that it ends, if any, and the level
    /// that decided.
    fn classify(&self) -> (NodeRole, Option<usize>, usize) {
        let mut at = self.context.levels.len() - 1;
        let mut path = None;
        let mut of_type = false;
        while at > 0 {
            let parent = &self.context.levels[at - 1];
            match self
                .tables
                .position(parent.kind, self.context.levels[at].field)
            {
                NodeRole::PathTail => path = Some(at - 1),
                NodeRole::LastPart
                    if parent.node.end_byte() == self.context.levels[at].node.end_byte()
                        || is_last_name(self.context.levels[at].node) =>
                {
                    path = Some(at - 1);
                }
                NodeRole::LastPart => return (NodeRole::Default, path, at - 1),
                NodeRole::Transparent => {}
                NodeRole::TypeContext => of_type = true,
                NodeRole::Default | NodeRole::Local | NodeRole::Read if of_type => {
                    return (NodeRole::Type, path, at - 1);
                }
                NodeRole::Member => return (NodeRole::Member, Some(at - 1), at - 1),
                position => return (position, path, at - 1),
            }
            at -= 1;
        }
        (NodeRole::Default, path, 0)
    }

    fn decorates(&self, call_at: usize) -> bool {
        call_at.checked_sub(1).is_some_and(|at| {
            self.tables.position(
                self.context.levels[at].kind,
                self.context.levels[call_at].field,
            ) == NodeRole::Decorator
        })
    }

    fn is_local(&mut self, name: &'s str, kind: ReferenceKind) -> bool {
        if matches!(
            kind,
            ReferenceKind::Type | ReferenceKind::Import | ReferenceKind::ReExport
        ) {
            return false;
        }
        self.locals.has(name)
    }

    fn declare(&mut self, node: Node<'t>, name: &'s str, default: ReferenceKind, parent_at: usize) {
        let constructor =
            self.context.spec.upper_patterns_are_reads && name.starts_with(char::is_uppercase);
        if constructor {
            return self.push_reference(name, "", default, node);
        }
        if type_hints::is_import(&self.context, self.context.levels[parent_at].node) {
            self.doubt(name);
            self.push_reference(name, "", ReferenceKind::Import, node);
        } else if self.context.in_function || self.heads_block(parent_at) {
            self.add_local(node, name, parent_at);
        } else if self.context.spec.assignment_declares {
            let hint = self.hint(node, parent_at, 0);
            self.set_at_top(node, name, hint);
        }
    }

    fn add_local(&mut self, node: Node<'t>, name: &'s str, parent_at: usize) {
        let hint = self.hint(node, parent_at, 0);
        let at = position(node);
        if self.tables.kind(self.context.levels[parent_at].kind).late {
            self.locals.declare_late(parent_at, name, hint, at);
            return self.note_local(node, name, parent_at, false);
        }
        let around = self.context.levels[..=parent_at].iter().rev().take(2);
        let hoisted = around.map(|level| level.node).any(|node| {
            node.kind() == "variable_declaration" && self.context.text(node).starts_with("var")
        });
        self.locals.declare(name, hint, at, hoisted);
        self.note_local(node, name, parent_at, hoisted);
    }

    /// Names in text that has no structure, told apart by what is around them.
    pub(super) fn raw(&mut self, node: Node<'t>) {
        let start = node.start_position();
        let enclosing = self.context.parent_symbol();
        let uses = lexical::uses(self.context.text(node), self.context.spec.keywords);
        for found in uses {
            if found.qualifier.is_empty() && self.locals.has(found.name) {
                self.note_in_raw(node, &found);
                continue;
            }
            if !found.qualifier.is_empty() {
                self.locals.tell(found.qualifier, enclosing);
            }
            let line = start.row as u32 + found.row + 1;
            let column = if found.row == 0 {
                start.column as u32
            } else {
                0
            } + found.column;
            self.context.facts.references.push(Reference {
                name: found.name.to_owned(),
                qualifier: found.qualifier.to_owned(),
                kind: found.kind,
                line,
                column,
                enclosing,
                arguments: None,
            });
        }
    }
}
