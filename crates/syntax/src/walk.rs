//! One pass over a syntax tree: symbols, references, imports and the lines where a cut is cheap.
//!
//! The walk keeps its own stack of ancestors, so depth costs memory, never call stack, and looking
//! up is free. What nodes mean comes from [`Tables`]; languages add hooks for what no table says.

mod expected;
mod references;
mod results;

use crate::crowd::{Crowd, LEFT_OUT};
use crate::locals::Locals;
use crate::spec::{Definition, ERROR, Head, Spec, Tables};
use crate::type_hints;
use crate::types::{
    FileFacts, HintKind, Import, ImportKind, ImportedName, Local, ReferenceKind, Span, Symbol,
    SymbolKind,
};
use std::collections::HashSet;
use tree_sitter::{Node, Tree};

const MAX_SIGNATURE: usize = 600;
/// A line on which nothing starts.
pub(crate) const NO_BREAK: u16 = u16::MAX;

/// Comments and attributes that stand before a node, by row (from 0).
#[derive(Clone, Copy, Default)]
struct Lead {
    doc: Option<(u32, u32)>,
    /// The doc comment is a block, `/** … */`, that does not open the file.
    doc_block: bool,
    attribute: Option<(u32, u32)>,
    /// Row where the last sibling ended, plus 1.
    last_end: u32,
}

impl Lead {
    /// The doc comment of a definition that starts at a row: right before it, or, as a doc block,
    /// behind one blank line.
    fn doc_before(&self, first_row: u32) -> Option<(u32, u32)> {
        let reaches =
            |last: u32| last + 1 >= first_row || (self.doc_block && last + 2 == first_row);
        self.doc
            .filter(|doc| doc.1 < first_row.max(1) + 1)
            .filter(|doc| reaches(doc.1))
    }
}

struct Level<'t> {
    node: Node<'t>,
    kind: u16,
    field: u16,
    /// What stood before this node.
    lead: Lead,
    /// What stands before its next child.
    pending: Lead,
    n_symbols_before: usize,
    sticky_before: Option<u32>,
    /// A sticky symbol was opened in this block and ends with it.
    holds_sticky: bool,
    was_in_function: bool,
    locals_mark: Option<usize>,
    /// The scope of locals is a block within a function.
    is_block: bool,
    was_region: Option<ReferenceKind>,
}

/// The state of a walk; hooks read it.
pub(crate) struct Walk<'s, 't> {
    pub(crate) source: &'s str,
    pub(crate) spec: &'static Spec,
    tables: &'static Tables,
    pub(crate) facts: FileFacts,
    levels: Vec<Level<'t>>,
    open_symbols: Vec<u32>,
    sticky: Option<u32>,
    pub(crate) in_function: bool,
    region: Option<ReferenceKind>,
    own_names: Vec<usize>,
    locals: Locals<'s>,
    crowd: Crowd,
    once: HashSet<(Option<u32>, &'s str)>,
    /// Names that the file exports apart from their definitions.
    exported_names: HashSet<String>,
    /// Per row: depth of the named node that starts the line, or [`NO_BREAK`].
    pub(crate) breaks: Vec<u16>,
    last_break_row: Option<usize>,
    /// The tree holds errors.
    broken: bool,
}

/// Walks `tree` into facts (without chunks) and the break depth of each line.
pub(crate) fn walk(
    source: &str,
    tree: &Tree,
    spec: &'static Spec,
    tables: &'static Tables,
) -> (FileFacts, Vec<u16>) {
    let n_lines = source.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let mut walk = Walk {
        source,
        spec,
        tables,
        facts: FileFacts::default(),
        levels: Vec::with_capacity(64),
        open_symbols: Vec::new(),
        sticky: None,
        in_function: false,
        region: None,
        own_names: Vec::new(),
        locals: Locals::default(),
        crowd: Crowd::default(),
        once: HashSet::new(),
        exported_names: HashSet::new(),
        breaks: vec![NO_BREAK; n_lines],
        last_break_row: None,
        broken: tree.root_node().has_error(),
    };
    walk.run(tree);
    walk.export_named();
    walk.facts.locals.append(&mut walk.locals.told);
    (walk.facts, walk.breaks)
}

impl<'s, 't> Walk<'s, 't> {
    fn run(&mut self, tree: &'t Tree) {
        let mut cursor = tree.walk();
        'tree: loop {
            let field = cursor.field_id().map_or(0, std::num::NonZero::get);
            if self.enter(cursor.node(), field) && cursor.goto_first_child() {
                continue;
            }
            loop {
                self.leave();
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    break 'tree;
                }
            }
        }
    }

    /// Whether to descend.
    fn enter(&mut self, node: Node<'t>, field: u16) -> bool {
        let kind = node.kind_id();
        let info = self.tables.kind(kind);
        let start = node.start_position();
        self.mark_break(start.row, info.named && !info.comment);
        let lead = if info.named {
            self.take_lead(node, start.row, &info)
        } else {
            Lead::default()
        };
        self.levels.push(Level {
            node,
            kind,
            field,
            lead,
            pending: Lead {
                last_end: start.row as u32 + u32::from(!info.attribute),
                ..Lead::default()
            },
            n_symbols_before: self.open_symbols.len(),
            sticky_before: self.sticky,
            holds_sticky: false,
            was_in_function: self.in_function,
            locals_mark: None,
            is_block: false,
            was_region: self.region,
        });
        if self.broken && (kind == ERROR || node.is_missing()) {
            self.error(node, start.row);
        }
        if !info.named || info.comment {
            return false;
        }
        if info.import {
            self.import(node);
        }
        if info.returns {
            self.returned(node);
        }
        if info.raw {
            self.raw(node);
            return false;
        }
        if let Some(def) = info.def {
            self.define(node, def.kind, def.field);
        }
        if info.scope || info.block && self.in_function {
            self.in_function = true;
            if let Some(level) = self.levels.last_mut() {
                level.locals_mark = Some(self.locals.mark());
                level.is_block = !info.scope;
            }
            if !self.spec.implicit.is_empty() && node.kind() == "lambda_literal" {
                let hint = type_hints::given(self, node, 0, 0);
                let name = self.spec.implicit;
                self.locals.declare(name, hint, position(node), false);
            }
        }
        if let Some(default) = info.leaf {
            self.leaf(node, default);
            return node.child_count() > 0;
        }
        true
    }

    fn leave(&mut self) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        if let Some(mark) = level.locals_mark {
            let last_line = level.node.end_position().row as u32 + 1;
            self.locals.close(mark, last_line, level.is_block);
        }
        self.locals.settle(self.levels.len());
        self.in_function = level.was_in_function;
        self.region = level.was_region;
        self.open_symbols.truncate(level.n_symbols_before);
        if level.holds_sticky {
            self.sticky = level.sticky_before;
        }
    }

    fn mark_break(&mut self, row: usize, named: bool) {
        if self.last_break_row == Some(row) {
            return;
        }
        self.last_break_row = Some(row);
        if let Some(slot) = self.breaks.get_mut(row)
            && named
        {
            *slot = self.levels.len().min(usize::from(NO_BREAK - 1)) as u16;
        }
    }

    /// Moves what stands before the node out of the parent, or adds the node to it.
    fn take_lead(&mut self, node: Node<'t>, row: usize, info: &crate::spec::KindInfo) -> Lead {
        let is_doc_block = row > 0 && self.source[node.start_byte()..].starts_with("/**");
        let Some(parent) = self.levels.last_mut() else {
            return Lead::default();
        };
        let end = node.end_position();
        let row = row as u32;
        let end_row = if end.column == 0 && end.row > row as usize {
            end.row - 1
        } else {
            end.row
        } as u32;
        let opens = parent.node.start_byte() == node.start_byte();
        let pending = &mut parent.pending;
        if info.comment {
            let trailing =
                !opens && pending.last_end == row + 1 && pending.doc.is_none_or(|doc| doc.1 != row);
            pending.doc = match pending.doc {
                _ if trailing => None,
                Some((first, last)) if row <= last + 1 => Some((first, end_row)),
                _ => Some((row, end_row)),
            };
            pending.doc_block = is_doc_block;
            pending.attribute = None;
            return Lead::default();
        }
        if info.attribute {
            if pending.attribute.is_none() {
                pending.attribute = Some((row, node.start_byte() as u32));
            }
            return Lead::default();
        }
        let lead = *pending;
        *pending = Lead {
            last_end: end_row + 1,
            ..Lead::default()
        };
        lead
    }

    fn error(&mut self, node: Node<'t>, row: usize) {
        if self.facts.errors.len() < 20 {
            let message = if node.is_missing() {
                "missing "
            } else {
                "unexpected "
            }
            .to_owned();
            let text = if node.is_missing() {
                node.kind()
            } else {
                self.text(node)
            };
            self.facts.errors.push(crate::types::SyntaxError {
                line: row as u32 + 1,
                message: message + &one_line(text, 60),
            });
        }
    }

    // ---- what hooks may ask ----

    /// The source under a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        self.source
            .get(node.start_byte()..node.end_byte())
            .unwrap_or("")
    }

    /// The text of a node's field; empty when absent.
    pub(crate) fn field_text(&self, node: Node<'_>, field: &str) -> &'s str {
        node.child_by_field_name(field)
            .map_or("", |child| self.text(child))
    }

    /// The `n`-th ancestor of the node being visited (0 is its parent).
    pub(crate) fn ancestor(&self, n: usize) -> Option<Node<'t>> {
        let at = self.levels.len().checked_sub(n + 2)?;
        Some(self.levels[at].node)
    }

    /// The symbol that encloses the node being visited.
    pub(crate) fn enclosing(&self) -> Option<&Symbol> {
        self.parent_symbol()
            .map(|at| &self.facts.symbols[at as usize])
    }

    fn parent_symbol(&self) -> Option<u32> {
        self.open_symbols.last().copied().or(self.sticky)
    }

    // ---- definitions ----

    fn define(&mut self, node: Node<'t>, kind: SymbolKind, field: u16) {
        let found = if field == 0 {
            (self.spec.define)(self, node)
        } else {
            let name = node.child_by_field_id(field);
            name.map(|name| Definition::new(kind, node, name))
                .into_iter()
                .collect()
        };
        let parent = self.parent_symbol();
        let mut first = true;
        for found in found {
            let local = self.in_function
                && matches!(found.kind, SymbolKind::Variable | SymbolKind::Constant);
            let sticky = found.sticky;
            let encloses = found.node.id() == node.id();
            if local {
                continue;
            }
            let Some(symbol_idx) = self.add_symbol(found, parent) else {
                continue;
            };
            if sticky {
                self.set_sticky(symbol_idx);
            } else if first && encloses {
                self.open_symbols.push(symbol_idx);
                self.in_function = false;
                first = false;
            }
        }
    }

    fn set_sticky(&mut self, symbol_idx: u32) {
        let holder = self.levels.len().saturating_sub(2);
        if let Some(level) = self.levels.get_mut(holder) {
            if !level.holds_sticky {
                level.sticky_before = self.sticky;
            }
            level.holds_sticky = true;
        }
        self.sticky = Some(symbol_idx);
    }

    fn add_symbol(&mut self, found: Definition<'t>, parent: Option<u32>) -> Option<u32> {
        let name_text = self.text(found.name);
        let name = found.text.clone().unwrap_or_else(|| name_text.to_owned());
        if name.is_empty() || name.len() > 200 || name.contains('\n') {
            return None;
        }
        if found.once && !self.once.insert((parent, name_text)) {
            return None;
        }
        let level = self.span_level(found.node);
        let (outer, lead) = match level {
            Some(at) => (self.levels[at].node, self.lead_of(at)),
            None => (found.node, Lead::default()),
        };
        let kind = self.refine_kind(found.kind, parent, &name);
        let parent_symbol = parent.map(|at| &self.facts.symbols[at as usize]);
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
            (SymbolKind::Impl, _) => one_line(self.head_text(found.node, found.node), 120),
            (_, Some((prefix, outer))) => {
                let join = found.join.unwrap_or_else(|| (self.spec.join)(outer, kind));
                format!("{prefix}{join}{name}")
            }
            (_, None) => name.clone(),
        };
        let n_around = self.open_symbols.len();
        if !self.crowd.admits(&name, &qualified, n_around) {
            self.leave_out(found.node);
            return None;
        }
        let before = self
            .source
            .get(outer.start_byte()..found.name.start_byte())
            .unwrap_or("");
        let exported = found.exported.unwrap_or_else(|| {
            let inside_function = parent_symbol.is_some_and(|parent| is_callable(parent.kind))
                && found.prefix.is_none();
            let head = Head {
                before,
                name: &name,
                parent: parent_symbol,
            };
            !inside_function && (self.spec.exported)(&head)
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
            signature: one_line(self.head_text(outer, found.node), MAX_SIGNATURE),
            doc,
            parent,
            exported,
            name,
        };
        if self.tables.kind(found.name.kind_id()).leaf.is_some() {
            self.own_names.push(found.name.start_byte());
        }
        self.facts.symbols.push(symbol);
        Some(self.facts.symbols.len() as u32 - 1)
    }

    fn doc_of(&self, node: Node<'t>, lead: Lead, first_row: u32) -> Option<Span> {
        let before = lead.doc_before(first_row);
        let before = before.map(|(first, last)| self.row_span(first, last));
        before.or_else(|| self.spec.docstrings.then(|| docstring(node)).flatten())
    }

    /// Says once that definitions are left out.
    fn leave_out(&mut self, node: Node<'_>) {
        let is_said = |error: &crate::types::SyntaxError| error.message == LEFT_OUT;
        if !self.facts.errors.iter().any(is_said) {
            let line = node.start_position().row as u32 + 1;
            let message = LEFT_OUT.to_owned();
            self.facts
                .errors
                .insert(0, crate::types::SyntaxError { line, message });
        }
    }

    /// The outermost wrapper that holds this definition alone.
    fn span_level(&self, node: Node<'t>) -> Option<usize> {
        let mut at = self
            .levels
            .iter()
            .rposition(|level| level.node.id() == node.id())?;
        while at > 1 {
            let parent = &self.levels[at - 1];
            if !self.tables.kind(parent.kind).wrapper {
                break;
            }
            let single = sole_of_kind(parent.node, self.levels[at].node);
            if !single {
                break;
            }
            at -= 1;
        }
        Some(at)
    }

    /// What stands before a level; the first node of a block has what stands before the block.
    fn lead_of(&self, at: usize) -> Lead {
        let mut at = at;
        while at > 0
            && self.levels[at].lead.doc.is_none()
            && self.levels[at].lead.attribute.is_none()
            && self.levels[at - 1].node.start_byte() == self.levels[at].node.start_byte()
        {
            at -= 1;
        }
        self.levels[at].lead
    }

    fn refine_kind(&self, kind: SymbolKind, parent: Option<u32>, name: &str) -> SymbolKind {
        let parent_kind = parent.map(|at| self.facts.symbols[at as usize].kind);
        let in_type = parent_kind.is_some_and(|kind| {
            matches!(
                kind,
                SymbolKind::Class
                    | SymbolKind::Struct
                    | SymbolKind::Enum
                    | SymbolKind::Interface
                    | SymbolKind::Trait
                    | SymbolKind::Impl
            )
        });
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

    /// From the start of `outer`, without decorators, to the body of `node`.
    fn head_text(&self, outer: Node<'t>, node: Node<'t>) -> &'s str {
        let mut start = outer.start_byte();
        if self.tables.kind(outer.kind_id()).wrapper
            && outer
                .child(0)
                .is_some_and(|child| child.kind() == "decorator")
        {
            start = node.start_byte();
        }
        // A comment of a group (`var ( // … x = 1 )`) is no part of a head.
        let between = self.source.get(start..node.start_byte()).unwrap_or("");
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
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let end = end.max(start).min(self.source.len());
        let mut end = end.min(start + 600);
        while !self.source.is_char_boundary(end) {
            end -= 1;
        }
        self.source.get(start..end).unwrap_or("")
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

    // ---- imports ----

    fn import(&mut self, node: Node<'t>) {
        let imports = (self.spec.import)(self, node);
        if imports.is_empty() {
            return;
        }
        let marks_only = imports.iter().all(|import| import.module.is_empty());
        let re_export = imports
            .iter()
            .all(|import| import.kind == ImportKind::ReExport);
        if !marks_only {
            self.region = Some(if re_export {
                ReferenceKind::ReExport
            } else {
                ReferenceKind::Import
            });
        }
        self.add_imports(imports);
    }

    fn import_call(&mut self, call_at: usize) {
        let imports = (self.spec.import)(self, self.levels[call_at].node);
        self.add_imports(imports);
    }

    /// The ancestor of a call that is being handed to `Spec::import`.
    pub(crate) fn above(&self, node: Node<'_>) -> Option<Node<'t>> {
        let at = self
            .levels
            .iter()
            .rposition(|level| level.node.id() == node.id())?;
        Some(self.levels[at.checked_sub(1)?].node)
    }

    fn add_imports(&mut self, imports: Vec<Import>) {
        for import in imports {
            if import.module.is_empty() && import.kind == ImportKind::ReExport {
                let renamed = import.names.iter().filter(|name| name.local != name.name);
                self.facts
                    .locals
                    .extend(renamed.map(|name| exported_as(name, import.line)));
                self.exported_names
                    .extend(import.names.into_iter().map(|name| name.name));
            } else {
                self.facts.imports.push(import);
            }
        }
    }

    fn export_named(&mut self) {
        for symbol in &mut self.facts.symbols {
            if symbol.parent.is_none() && self.exported_names.contains(&symbol.name) {
                symbol.exported = true;
            }
        }
    }
}

/// A name that leaves a module as another, `default` for what the module is as a whole: a local that
/// no line sees.
fn exported_as(name: &ImportedName, line: u32) -> Local {
    Local {
        name: name.local.clone(),
        kind: HintKind::Value,
        text: name.name.clone(),
        line,
        column: 0,
        end_line: 0,
        enclosing: None,
    }
}

/// Where a node starts: line from 1, byte column from 0.
pub(crate) fn position(node: Node<'_>) -> (u32, u32) {
    let start = node.start_position();
    (start.row as u32 + 1, start.column as u32)
}

/// Whether local names live inside.
pub(crate) fn is_callable(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Function | SymbolKind::Method | SymbolKind::Constructor
    )
}

/// Whole lines of a node.
pub(crate) fn node_span(node: Node<'_>) -> Span {
    let (start, end) = (node.start_position(), node.end_position());
    let end_row = if end.column == 0 && end.row > start.row {
        end.row - 1
    } else {
        end.row
    };
    Span {
        start_line: start.row as u32 + 1,
        end_line: end_row as u32 + 1,
        start_byte: node.start_byte() as u32,
        end_byte: node.end_byte() as u32,
    }
}

/// Whether no sibling is of the same kind (`const a = 1, b = 2` holds two).
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

/// Collapses white space and cuts at `max` characters.
pub(crate) fn one_line(text: &str, max: usize) -> String {
    let mut line = String::new();
    for (at, word) in text.split_whitespace().enumerate() {
        if at > 0 {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > max * 4 {
            break;
        }
    }
    let line = line.trim_end_matches(['{', ' ']).to_owned();
    let line = line.strip_suffix(':').map(str::to_owned).unwrap_or(line);
    match line.char_indices().nth(max) {
        Some((at, _)) => line[..at].to_owned(),
        None => line,
    }
}
