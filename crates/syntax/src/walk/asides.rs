//! Facts that a node states beside the names that stand in it.

use tree_sitter::Node;

use super::qualifier::qualifier;
use super::{Walk, position};
use crate::spec::Aside;
use crate::types::{HintKind, Local, ReferenceKind, SymbolKind, TESTED};

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
                    if self.locals.has(&name) {
                        let start = text.start_byte();
                        self.note_use(start..start + name.len(), &name, false);
                    } else {
                        self.push_reference(&name, "", ReferenceKind::Read, text);
                    }
                }
                Aside::Narrows { name } => self.narrowed(name),
                Aside::Declares(bytes) => {
                    let name = self.context.source.get(bytes.clone()).unwrap_or("");
                    if self.context.in_function {
                        self.locals.declare(name, None, position(node), false);
                        self.note_declared_at(bytes, name);
                    }
                }
                Aside::Tested(value) => self.tested(node, value),
                Aside::Hides(name) => {
                    self.hidden.insert(name);
                }
                Aside::Call {
                    text,
                    offset,
                    name,
                    owner,
                } => {
                    let before = self.context.text(text).get(..offset).unwrap_or("");
                    if before.contains('\n') {
                        continue;
                    }
                    let n_before = self.context.facts.references.len();
                    self.push_reference(&name, &owner, ReferenceKind::Call, text);
                    if let Some(reference) = self.context.facts.references.get_mut(n_before) {
                        reference.column += offset as u32;
                    }
                }
            }
        }
    }

    /// Notes for the rest of the function that a value may be of another type than it is said to be.
    fn tested(&mut self, node: Node<'t>, value: Node<'t>) {
        let levels = self.context.levels.iter().rev();
        let mut around = levels.map(|level| level.node);
        let function = around.find(|around| self.tables.kind(around.kind_id()).scope);
        let last = function.map_or(u32::MAX, |function| function.end_position().row as u32 + 1);
        let (line, column) = position(node);
        let text = qualifier(self.context.text(value));
        self.locals.told.push(Local {
            name: format!("{TESTED}{text}"),
            kind: HintKind::Nothing,
            text: String::new(),
            line,
            column,
            end_line: last,
            enclosing: self.context.parent_symbol(),
        });
    }
}
