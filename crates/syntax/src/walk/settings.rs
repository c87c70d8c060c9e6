//! Values that names are set to behind the line that declares them: fields of the object itself, locals, and the
//! variables of a file or class.

use tree_sitter::Node;

use super::{Walk, position};
use crate::family::Family;
use crate::locals::TypeHint;
use crate::spec::Definition;
use crate::type_hints;
use crate::types::{CHOICE, HintKind, Local, OPEN, OR, SET, SymbolKind};

/// The hint for what stays what it was, or becomes something else.
const SOMETHING: TypeHint = (HintKind::Nothing, String::new());

impl<'s, 't> Walk<'s, 't> {
    /// Remembers what a field of the object itself, a local without a type or a variable of the file is set
    /// to.
    pub(super) fn written(
        &mut self,
        node: Node<'t>,
        name: &'s str,
        qualifier: &str,
        parent_at: usize,
    ) {
        let node_at = self.context.levels[parent_at].node;
        let is_augmented = node_at.kind().starts_with("augmented");
        let has_value = ["right", "value"]
            .iter()
            .any(|field| node_at.child_by_field_name(field).is_some());
        let assigns = has_value && !is_augmented;
        let is_own = matches!(qualifier, "this" | "self" | "$this");
        let declares = self.context.spec.assignment_declares
            && self.context.in_function
            && !self.locals.is_outer(name);
        let is_local = qualifier.is_empty() && (declares || self.locals.has(name));
        if qualifier.is_empty() && !is_local && (assigns || is_augmented) {
            let hint = match assigns {
                true => self.hint(node, parent_at, 0),
                false => Some(SOMETHING),
            };
            return self.set_at_top(node, name, hint);
        }
        let is_python = self.context.spec.names.family == Family::Python;
        if is_augmented && is_python && self.locals.has(name) && qualifier.is_empty() {
            return self.narrowed(node);
        }
        if !is_own && !is_local || !assigns && self.locals.has(name) {
            return;
        }
        let is_stated = matches!(self.locals.newest(name), Some(Some((HintKind::Type, _))));
        if is_local && is_stated && !is_python {
            return;
        }
        let hint = self.hint(node, parent_at, usize::from(is_own));
        let (line, column) = position(node);
        if is_local {
            return match self.locals.has(name) && self.follows() {
                true => {
                    let after = self.set_from_inside(name);
                    self.locals.set(name, hint, (line, column), after);
                }
                false => {
                    let before = self.binding_before(node, name);
                    self.locals.declare(name, hint, (line, column), false);
                    self.note_written(node, name, before);
                }
            };
        }
        let hint = hint.or_else(|| self.follows().then(|| (HintKind::Value, OPEN.to_owned())));
        if let Some(hint) = hint {
            self.tell_set(node, format!(".{name}"), hint, line);
        }
    }

    /// The depth of the outermost block or function inside of the one that binds a name.
    fn set_from_inside(&self, name: &str) -> Option<usize> {
        let bound = self.locals.bound_at(name)?;
        let mut levels = self.context.levels.iter();
        levels.position(|level| level.locals_mark.is_some_and(|mark| bound < mark))
    }

    /// A local or variable may hold another type from here on than its declaration says: it was asked for one.
    pub(super) fn narrowed(&mut self, node: Node<'t>) {
        let name = self.context.text(node);
        let hint = (HintKind::Value, format!("{CHOICE}{name}{OR}{OPEN}"));
        if self.locals.has(name) {
            self.locals.set(name, Some(hint), position(node), None);
        } else {
            self.set_at_top(node, name, Some(SOMETHING));
        }
    }

    /// Says what a variable of the file or class is set to.
    pub(super) fn set_at_top(&mut self, node: Node<'t>, name: &'s str, hint: Option<TypeHint>) {
        if self.follows() {
            let hint = hint.unwrap_or((HintKind::Value, OPEN.to_owned()));
            self.tell_set(node, format!("{SET}{name}"), hint, 0);
        }
    }

    /// The value of a variable of the file or class, where it is one of several.
    pub(super) fn chosen_value(&self, found: &Definition<'t>) -> Option<TypeHint> {
        let holds = matches!(
            found.kind,
            SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field
        );
        let field = |name| found.node.child_by_field_name(name);
        let value = field("right")
            .or_else(|| field("value"))
            .filter(|_| holds && self.follows())?;
        let is_choice = matches!(
            value.kind(),
            "conditional_expression"
                | "ternary_expression"
                | "boolean_operator"
                | "binary_expression"
        );
        let hint = is_choice.then(|| type_hints::of_value(&self.context, value))?;
        hint.filter(|(_, text)| text.starts_with(CHOICE))
    }

    /// Says whether what variables of files and classes are set to is told.
    fn follows(&self) -> bool {
        matches!(
            self.context.spec.names.family,
            Family::Python | Family::Script
        )
    }

    pub(super) fn tell_set(
        &mut self,
        node: Node<'t>,
        name: String,
        (kind, text): TypeHint,
        end_line: u32,
    ) {
        let enclosing = self.context.parent_symbol();
        if kind != HintKind::Type {
            self.locals.tell(&text, enclosing);
        }
        let (line, column) = position(node);
        self.locals.told.push(Local {
            name,
            kind,
            text,
            line,
            column,
            end_line,
            enclosing,
        });
    }

    /// Says whether a loop or a handler outside of functions holds what its head declares for itself.
    pub(super) fn heads_alone(&self, node: Node<'t>) -> bool {
        self.context.spec.names.family == Family::Script
            && binds_for_itself(self.context.text(node), node)
    }

    /// Says whether a level declares what a loop or a handler outside of functions holds for itself.
    pub(super) fn heads_block(&self, parent_at: usize) -> bool {
        let around = self.context.levels[..=parent_at].iter().rev().take(3);
        self.context.spec.names.family == Family::Script
            && around
                .take_while(|level| level.node.kind() != "statement_block")
                .any(|level| {
                    level.is_block && binds_for_itself(self.context.text(level.node), level.node)
                })
    }
}

/// Says whether what the head of a block declares is seen in the block alone: all but `var`.
fn binds_for_itself(text: &str, block: Node<'_>) -> bool {
    let head = text.split('{').next().unwrap_or(text);
    let has_var = head
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| word == "var");
    match block.kind() {
        "catch_clause" => true,
        "for_statement" | "for_in_statement" => !has_var,
        _ => false,
    }
}
