//! What nodes state beside the names that stand in them.

use tree_sitter::Node;

use super::{Walk, position};
use crate::spec::Aside;
use crate::types::{HintKind, Local, ReferenceKind, SymbolKind};

impl<'t> Walk<'_, 't> {
    /// Adds what a node states beside its names. The other name of a member is a field that holds it.
    pub(super) fn asides(&mut self, node: Node<'t>) {
        for aside in (self.context.spec.aside)(&self.context, node) {
            match aside {
                Aside::Alias {
                    member,
                    owner,
                    name,
                } => {
                    let joint = (self.context.spec.join)(SymbolKind::Class, SymbolKind::Method);
                    let text = self.context.text(member);
                    let (line, column) = position(node);
                    self.locals.told.push(Local {
                        name: format!(".{name}"),
                        kind: HintKind::Value,
                        text: format!("{owner}{joint}{text}"),
                        line,
                        column,
                        end_line: line,
                        enclosing: self.context.parent_symbol(),
                    });
                    self.push_reference(text, &owner, ReferenceKind::Read, member);
                }
                Aside::Made { made, path } => {
                    let (before, name) = path.rsplit_once('.').unwrap_or(("", path.as_str()));
                    self.push_reference(name, before, ReferenceKind::Call, made);
                    self.note_arguments(self.context.levels.len().checked_sub(1));
                }
                Aside::Read { text, name } => {
                    let is_hidden = self.locals.has(&name);
                    if !is_hidden {
                        self.push_reference(&name, "", ReferenceKind::Read, text);
                    }
                }
                Aside::Narrows { name } => self.narrowed(name),
                Aside::Call { text, offset, name } => {
                    let before = self.context.text(text).get(..offset).unwrap_or("");
                    if before.contains('\n') {
                        continue;
                    }
                    let n_before = self.context.facts.references.len();
                    self.push_reference(&name, "", ReferenceKind::Call, text);
                    if let Some(reference) = self.context.facts.references.get_mut(n_before) {
                        reference.column += offset as u32;
                    }
                }
            }
        }
    }
}
