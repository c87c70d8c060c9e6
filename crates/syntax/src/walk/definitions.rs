//! Definitions: their names, heads, doc comments and spans, as the walk meets them.

use super::{MAX_SIGNATURE, Walk, node_span, one_line};
use crate::crowd::LEFT_OUT;
use crate::spec::{Definition, DefinitionHead, Lead};
use crate::types::{SET, Span, Symbol, SymbolKind};
use std::ops::Range;
use tree_sitter::Node;

/// Words that begin a statement.
const STATEMENTS: [&str; 12] = [
    "case", "const", "do", "else", "for", "if", "let", "return", "switch", "throw", "var", "while",
];

/// Bytes of a head in which comments are looked for: that of broken code may be all of its file.
const MAX_HEAD: usize = 4_000;

impl<'s, 't> Walk<'s, 't> {
    pub(super) fn define(&mut self, node: Node<'t>, kind: SymbolKind, field: u16) {
        let found = if field == 0 {
            (self.context.spec.define)(&self.context, node)
        } else {
            let name = node.child_by_field_id(field);
            name.map(|name| Definition::new(kind, node, name))
                .into_iter()
                .collect()
        };
        let parent = self.context.parent_symbol();
        let mut first = true;
        for found in found {
            let local = self.context.in_function
                && matches!(found.kind, SymbolKind::Variable | SymbolKind::Constant);
            let sticky = found.sticky;
            let encloses = found.node.id() == node.id();
            if local {
                continue;
            }
            let chosen = self.chosen_value(&found);
            let Some(symbol_idx) = self.add_symbol(found, parent) else {
                continue;
            };
            if let Some(hint) = chosen {
                let name = self.context.facts.symbols[symbol_idx as usize].name.clone();
                self.tell_set(node, format!("{SET}{name}"), hint, 0);
            }
            if sticky {
                self.set_sticky(symbol_idx);
            } else if first && encloses {
                self.context.open_symbols.push(symbol_idx);
                self.context.in_function = false;
                first = false;
            }
        }
    }

    fn set_sticky(&mut self, symbol_idx: u32) {
        let holder = self.context.levels.len().saturating_sub(2);
        if let Some(level) = self.context.levels.get_mut(holder) {
            if !level.holds_sticky {
                level.sticky_before = self.context.sticky;
            }
            level.holds_sticky = true;
        }
        self.context.sticky = Some(symbol_idx);
    }

    fn add_symbol(&mut self, found: Definition<'t>, parent: Option<u32>) -> Option<u32> {
        let name_text = self.context.text(found.name);
        let name = found.text.clone().unwrap_or_else(|| name_text.to_owned());
        if name.is_empty() || name.len() > 200 || name.contains('\n') {
            return None;
        }
        // Where the grammar has lost its way, a statement looks like a member: `if (ready) {`.
        if self.broken && STATEMENTS.contains(&name.as_str()) {
            return None;
        }
        if found.once && !self.once.insert((parent, name_text)) {
            return None;
        }
        let level = self.span_level(found.node);
        let (outer, lead) = match level {
            Some(at) => (self.context.levels[at].node, self.lead_of(at)),
            None => (found.node, Lead::default()),
        };
        let kind = self.refine_kind(found.kind, parent, &name);
        let parent_symbol = parent.map(|at| &self.context.facts.symbols[at as usize]);
        let prefix = match (&found.prefix, parent_symbol) {
            (Some(prefix), _) if prefix.is_empty() => None,
            (Some(prefix), _) => Some((prefix.as_str(), SymbolKind::Class)),
            (None, Some(parent)) if parent.kind == SymbolKind::Impl => {
                Some((parent.name.as_str(), parent.kind))
            }
            (None, Some(parent)) => Some((parent.qualified.as_str(), parent.kind)),
            (None, None) => None,
        };
        let qualified = match (kind, prefix) {
            (SymbolKind::Impl, _) => one_line(&self.signature(found.node, found.node), 120),
            (_, Some((prefix, outer))) => {
                let join = found
                    .join
                    .unwrap_or_else(|| (self.context.spec.join)(outer, kind));
                format!("{prefix}{join}{name}")
            }
            (_, None) => name.clone(),
        };
        let n_around = self.context.open_symbols.len();
        if !self.crowd.admits(&name, &qualified, n_around) {
            self.leave_out(found.node);
            return None;
        }
        let before = self
            .context
            .source
            .get(outer.start_byte()..found.name.start_byte())
            .unwrap_or("");
        let is_hidden = self.hidden.contains(&found.name.start_byte());
        let exported = found.exported.filter(|_| !is_hidden).unwrap_or_else(|| {
            let inside_function = parent_symbol.is_some_and(|parent| parent.kind.is_callable())
                && found.prefix.is_none();
            let head = DefinitionHead {
                before,
                name: &name,
                parent: parent_symbol,
            };
            !is_hidden && !inside_function && (self.context.spec.exported)(&head)
        });
        let mut span = node_span(outer);
        if let Some((row, byte)) = lead.attribute {
            span.start_line = row + 1;
            span.start_byte = byte;
        }
        let doc = self.doc_of(found.node, lead, span.start_line - 1);
        let symbol = Symbol {
            qualified,
            kind,
            span,
            name_line: found.name.start_position().row as u32 + 1,
            signature: self.signature(outer, found.node),
            doc,
            parent,
            exported,
            name,
        };
        if self.tables.kind(found.name.kind_id()).leaf.is_some() {
            self.own_names.push(found.name.start_byte());
        }
        self.context.facts.symbols.push(symbol);
        Some(self.context.facts.symbols.len() as u32 - 1)
    }

    fn doc_of(&self, node: Node<'t>, lead: Lead, first_row: u32) -> Option<Span> {
        let before = lead.doc_before(first_row);
        let before = before.map(|(first, last)| self.row_span(first, last));
        before.or_else(|| {
            self.context
                .spec
                .docstrings
                .then(|| docstring(node))
                .flatten()
        })
    }

    /// Says once that definitions are left out.
    fn leave_out(&mut self, node: Node<'_>) {
        let is_said = |error: &crate::types::SyntaxError| error.message == LEFT_OUT;
        if !self.context.facts.errors.iter().any(is_said) {
            let line = node.start_position().row as u32 + 1;
            let message = LEFT_OUT.to_owned();
            self.context
                .facts
                .errors
                .insert(0, crate::types::SyntaxError { line, message });
        }
    }

    /// The outermost wrapper that holds this definition alone.
    fn span_level(&self, node: Node<'t>) -> Option<usize> {
        let mut at = self
            .context
            .levels
            .iter()
            .rposition(|level| level.node.id() == node.id())?;
        while at > 1 {
            let parent = &self.context.levels[at - 1];
            if !self.tables.kind(parent.kind).wrapper {
                break;
            }
            let single = sole_of_kind(parent.node, self.context.levels[at].node);
            if !single {
                break;
            }
            at -= 1;
        }
        Some(at)
    }

    /// What comes before a level; the first node of a block has what comes before the block.
    fn lead_of(&self, at: usize) -> Lead {
        let mut at = at;
        while at > 0
            && self.context.levels[at].lead.doc.is_none()
            && self.context.levels[at].lead.attribute.is_none()
            && self.context.levels[at - 1].node.start_byte()
                == self.context.levels[at].node.start_byte()
        {
            at -= 1;
        }
        self.context.levels[at].lead
    }

    fn refine_kind(&self, kind: SymbolKind, parent: Option<u32>, name: &str) -> SymbolKind {
        let parent_kind = parent.map(|at| self.context.facts.symbols[at as usize].kind);
        let in_type = parent_kind.is_some_and(|kind| kind.is_type() || kind == SymbolKind::Impl);
        match kind {
            SymbolKind::Function | SymbolKind::Method
                if in_type
                    && matches!(
                        name,
                        "constructor" | "__init__" | "__construct" | "initialize"
                    ) =>
            {
                SymbolKind::Constructor
            }
            SymbolKind::Function if in_type => SymbolKind::Method,
            SymbolKind::Variable if in_type => SymbolKind::Field,
            kind => kind,
        }
    }

    /// The head of a definition on one line, without the comments in it.
    fn signature(&self, outer: Node<'t>, node: Node<'t>) -> String {
        let head = self.head_bytes(outer, node);
        let text = |bytes: Range<usize>| self.context.source.get(bytes).unwrap_or("");
        let whole = text(head.clone());
        if whole.len() > MAX_HEAD || !whole.contains(['/', '#']) {
            return one_line(whole, MAX_SIGNATURE);
        }
        let mut bare = String::new();
        let mut done = head.start;
        for comment in comments_in(outer, &head) {
            if comment.start >= done {
                bare.push_str(text(done..comment.start));
                bare.push(' ');
                done = comment.end.min(head.end);
            }
        }
        bare.push_str(text(done..head.end));
        one_line(&bare, MAX_SIGNATURE)
    }

    /// From the start of `outer`, without decorators, to the body of `node`.
    fn head_bytes(&self, outer: Node<'t>, node: Node<'t>) -> Range<usize> {
        let mut start = outer.start_byte();
        if self.tables.kind(outer.kind_id()).wrapper
            && outer
                .child(0)
                .is_some_and(|child| child.kind() == "decorator")
        {
            start = node.start_byte();
        }
        // A comment of a group (`var ( // … x = 1 )`) is no part of a head.
        let between = self
            .context
            .source
            .get(start..node.start_byte())
            .unwrap_or("");
        if between.contains("//") || between.contains("/*") {
            start = node.start_byte();
        }
        let body = node.child_by_field_name("body").or_else(|| {
            let value = node
                .child_by_field_name("value")
                .or_else(|| node.child_by_field_name("right"))?;
            value.child_by_field_name("body")
        });
        let body = body.or_else(|| {
            let last = node.named_child_count().checked_sub(1)?;
            node.named_child(last as u32)
                .filter(|last| last.kind().ends_with("body"))
        });
        let body = body.or_else(|| {
            let marks = self.context.spec.body_marks;
            let mut cursor = node.walk();
            let mut parts = node.children(&mut cursor);
            parts.find(|part| marks.contains(&part.kind()))
        });
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let end = end.max(start).min(self.context.source.len());
        let mut end = end.min(start + 600);
        while !self.context.source.is_char_boundary(end) {
            end -= 1;
        }
        start..end
    }

    fn row_span(&self, first: u32, last: u32) -> Span {
        // Bytes are filled in once the line index is at hand.
        Span {
            start_line: first + 1,
            end_line: last + 1,
            start_byte: 0,
            end_byte: 0,
        }
    }
}

/// The comments that begin in some bytes of a node, in order.
fn comments_in(node: Node<'_>, bytes: &Range<usize>) -> Vec<Range<usize>> {
    let (mut comments, mut open) = (Vec::new(), vec![node]);
    while let Some(node) = open.pop() {
        if node.start_byte() >= bytes.end || node.end_byte() <= bytes.start {
            continue;
        }
        if node.is_extra() && node.kind().contains("comment") {
            comments.push(node.byte_range());
        }
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.children(&mut cursor).collect();
        open.extend(parts.into_iter().rev());
    }
    comments
}

/// Says whether no sibling is of the same kind (`const a = 1, b = 2` holds two).
fn sole_of_kind(parent: Node<'_>, child: Node<'_>) -> bool {
    let mut cursor = parent.walk();
    let kind = child.kind_id();
    let siblings = parent.named_children(&mut cursor).take(12);
    siblings.filter(|other| other.kind_id() == kind).count() == 1
}

/// The string that opens a body (Python).
fn docstring(node: Node<'_>) -> Option<Span> {
    let first = node.child_by_field_name("body")?.named_child(0)?;
    let string = match first.kind() {
        "expression_statement" => first.named_child(0)?,
        _ => first,
    };
    (string.kind() == "string").then(|| node_span(string))
}
