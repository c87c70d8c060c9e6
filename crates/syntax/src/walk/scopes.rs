//! Names that a scope binds before the line that declares them is read.
//!
//! A name that is assigned anywhere in a Python function is a local of all of it; a `const` of a
//! JavaScript block is meant by the closures above it; the element of a comprehension stands
//! before the clause that names its parts. Read in the order of the text alone, such a name would
//! be taken for the definition of the same name outside.

use tree_sitter::Node;

use super::{Walk, position};
use crate::spec::{Lead, Level};
use crate::type_hints;

/// Deeper targets declare nothing.
const MAX_NESTED: usize = 16;

impl<'t> Walk<'_, 't> {
    /// Declares what the scope on top of the stack binds ahead of its declarations.
    pub(super) fn bind_ahead(&mut self, scope: Node<'t>) {
        if self.context.spec.comprehensions.contains(&scope.kind()) {
            let mut cursor = scope.walk();
            let clauses: Vec<Node<'t>> = scope.named_children(&mut cursor).collect();
            for clause in clauses {
                if let Some(target) = clause.child_by_field_name("left") {
                    self.context.levels.push(passing(clause));
                    self.bind_parts(scope, target, 0);
                    self.context.levels.pop();
                }
            }
        }
        for name in (self.context.spec.binds_ahead)(&self.context, scope) {
            self.locals
                .declare_ahead(self.context.text(name), position(scope));
        }
    }

    /// Declares the names of a clause's target, with what the clause says of their types.
    fn bind_parts(&mut self, scope: Node<'t>, target: Node<'t>, depth: usize) {
        self.context.levels.push(passing(target));
        if target.kind() == "identifier" {
            let hint = type_hints::of_declared(&self.context, target, depth);
            let name = self.context.text(target);
            self.locals.declare(name, hint, position(scope), false);
            self.note_declared(target, name);
        } else if depth < MAX_NESTED && target.kind() != "attribute" && target.kind() != "subscript"
        {
            let mut cursor = target.walk();
            let parts: Vec<Node<'t>> = target.named_children(&mut cursor).collect();
            for part in parts {
                self.bind_parts(scope, part, depth + 1);
            }
        }
        self.context.levels.pop();
    }

    /// The mark of the comprehension around the node on top, where that is what it goes through
    /// first: evaluated outside, before any of its names is set.
    pub(super) fn stands_outside(&self) -> Option<usize> {
        let [.., scope, clause, through] = &self.context.levels[..] else {
            return None;
        };
        let comprehensions = self.context.spec.comprehensions;
        if comprehensions.is_empty() || !comprehensions.contains(&scope.node.kind()) {
            return None;
        }
        let mut cursor = scope.node.walk();
        let mut clauses = scope.node.named_children(&mut cursor);
        let first = clauses.find(|child| child.kind() == clause.node.kind());
        let is_first = first == Some(clause.node)
            && clause.node.child_by_field_name("right") == Some(through.node);
        scope.locals_mark.filter(|_| is_first)
    }
}

/// A level that is only passed on the way to a name.
fn passing(node: Node<'_>) -> Level<'_> {
    Level {
        node,
        kind: node.kind_id(),
        field: 0,
        lead: Lead::default(),
        pending: Lead::default(),
        n_symbols_before: 0,
        sticky_before: None,
        holds_sticky: false,
        was_in_function: true,
        locals_mark: None,
        outside_of: None,
        is_block: false,
        was_region: None,
    }
}
