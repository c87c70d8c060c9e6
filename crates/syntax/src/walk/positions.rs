//! Scala: what patterns take out of case classes by position, `case Config(first, _)`, where the file
//! itself defines the class: no name of the field stands there.

use super::{Walk, position};
use crate::spec::ByPosition;
use crate::types::{Reference, ReferenceKind, SymbolKind};
use tree_sitter::Node;

impl<'t> Walk<'_, 't> {
    pub(super) fn takes_apart(&mut self, pattern: Node<'t>) {
        let of_type = self.context.field_text(pattern, "type");
        let mut cursor = pattern.walk();
        let parts = pattern.children_by_field_name("pattern", &mut cursor);
        let place = |part: Node<'_>| (part.kind() != "wildcard").then(|| position(part));
        let parts = parts.filter(Node::is_named).map(place).collect();
        self.by_position.push(ByPosition {
            of_type: of_type.rsplit('.').next().unwrap_or(of_type),
            parts,
            enclosing: self.context.parent_symbol(),
        });
    }

    /// Adds the reads of the fields that stand at the positions.
    pub(super) fn name_positions(&mut self) {
        let mut found = Vec::new();
        for pattern in &self.by_position {
            let symbols = (0u32..).zip(&self.context.facts.symbols);
            let mut classes = symbols.filter(|(_, symbol)| {
                symbol.name == pattern.of_type && symbol.signature.contains("case class ")
            });
            let (Some((class, _)), None) = (classes.next(), classes.next()) else {
                continue;
            };
            let fields =
                self.context.facts.symbols.iter().filter(|symbol| {
                    symbol.parent == Some(class) && symbol.kind == SymbolKind::Field
                });
            let fields: Vec<&str> = fields
                .take(pattern.parts.len() + 1)
                .map(|field| field.name.as_str())
                .collect();
            let places = fields.iter().zip(&pattern.parts);
            let read = places.filter(|_| fields.len() >= pattern.parts.len());
            found.extend(read.filter_map(|(field, place)| {
                let (line, column) = (*place)?;
                Some(Reference {
                    name: (*field).to_owned(),
                    qualifier: format!(":{}", pattern.of_type),
                    kind: ReferenceKind::Read,
                    line,
                    column,
                    enclosing: pattern.enclosing,
                    arguments: None,
                })
            }));
        }
        if !found.is_empty() {
            self.context.facts.references.append(&mut found);
            let place = |reference: &Reference| (reference.line, reference.column);
            self.context.facts.references.sort_by_key(place);
        }
    }
}
