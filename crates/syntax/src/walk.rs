//! One pass over a syntax tree: symbols, references, imports and the lines where a cut is cheap.
//!
//! The walk keeps its own stack of ancestors, so depth costs memory, never call stack, and looking
//! up is free. What nodes mean comes from [`Tables`]; languages add hooks for what no table says.

mod arguments;
mod asides;
mod bases;
mod definitions;
mod expected;
mod inner_name;
mod inner_names;
mod labels;
mod local_names;
mod positions;
mod qualifier;
mod references;
mod results;
mod scopes;
mod settings;

use crate::bindings::{Bindings, LocalName};
use crate::crowd::Crowd;
use crate::locals::Locals;
use crate::scoping::Scoping;
use crate::spec::{ByPosition, Context, Lead, Level, Spec};
use crate::tables::{ERROR, IndexedSpec, Tables};
use crate::type_hints;
use crate::types::{
    FileFacts, HintKind, Import, ImportKind, ImportedName, Local, RECEIVER, ReferenceKind, Span,
};
use std::collections::HashSet;
use tree_sitter::{Node, Tree};

const MAX_SIGNATURE: usize = 600;
/// A line on which nothing starts.
pub(crate) const NO_BREAK: u16 = u16::MAX;

/// The state of a walk.
pub(crate) struct Walk<'s, 't> {
    context: Context<'s, 't>,
    tables: &'static Tables,
    region: Option<ReferenceKind>,
    own_names: Vec<usize>,
    locals: Locals<'s>,
    crowd: Crowd,
    once: HashSet<(Option<u32>, &'s str)>,
    /// Names that the file exports apart from their definitions.
    exported_names: HashSet<String>,
    /// The bytes at which the names of definitions begin that the file hides apart from their heads.
    hidden: HashSet<usize>,
    /// Per row: depth of the named node that starts the line, or [`NO_BREAK`].
    pub(crate) breaks: Vec<u16>,
    last_break_row: Option<usize>,
    /// The tree holds errors.
    broken: bool,
    /// Names of parameters of types and the like, each seen below a level.
    inner_names: Vec<inner_name::InnerName<'s>>,
    /// Patterns that take objects apart by position.
    by_position: Vec<ByPosition<'s>>,
    /// The scopes of the language, where the bindings of local names are told apart.
    scoping: Option<&'static Scoping>,
}

/// Walks `tree` into facts (without chunks) and the break depth of each line.
pub(crate) fn walk(
    source: &str,
    tree: &Tree,
    spec: &'static Spec,
    tables: &'static Tables,
) -> (FileFacts, Vec<u16>) {
    let mut walk = Walk::new(source, tree, spec, tables);
    walk.run(tree);
    walk.export_named();
    walk.name_positions();
    walk.context.facts.locals.append(&mut walk.locals.told);
    let of_file = (spec.of_file)(tree.root_node(), source);
    walk.context.facts.locals.extend(of_file);
    (walk.context.facts, walk.breaks)
}

/// Walks `tree` for the bindings that local names mean.
pub(crate) fn local_names(
    source: &str,
    tree: &Tree,
    indexed: IndexedSpec,
    scoping: &'static Scoping,
) -> Vec<LocalName> {
    let mut walk = Walk::new(source, tree, indexed.spec, indexed.tables);
    walk.locals.bindings = Some(Bindings::default());
    walk.scoping = Some(scoping);
    walk.run(tree);
    let bindings = walk.locals.bindings.take().unwrap_or_default();
    bindings.proven(scoping.is_strict)
}

impl<'s, 't> Walk<'s, 't> {
    fn new(source: &'s str, tree: &Tree, spec: &'static Spec, tables: &'static Tables) -> Self {
        let n_lines = source.bytes().filter(|&byte| byte == b'\n').count() + 1;
        Self {
            context: Context::new(source, spec),
            tables,
            region: None,
            own_names: Vec::new(),
            locals: Locals::default(),
            crowd: Crowd::default(),
            once: HashSet::new(),
            exported_names: HashSet::new(),
            hidden: HashSet::new(),
            breaks: vec![NO_BREAK; n_lines],
            last_break_row: None,
            broken: tree.root_node().has_error(),
            by_position: Vec::new(),
            inner_names: Vec::new(),
            scoping: None,
        }
    }

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

    /// Says whether to descend.
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
        self.context.levels.push(Level {
            node,
            kind,
            field,
            lead,
            pending: Lead {
                last_end: start.row as u32 + u32::from(!info.attribute),
                ..Lead::default()
            },
            n_symbols_before: self.context.open_symbols.len(),
            sticky_before: self.context.sticky,
            holds_sticky: false,
            was_in_function: self.context.in_function,
            locals_mark: None,
            outside_of: None,
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
        if info.aside {
            self.asides(node);
        }
        if info.names {
            self.note_inner_names(node);
        }
        if info.literal && node.kind() == "case_class_pattern" {
            self.takes_apart(node);
        }
        if info.raw {
            self.raw(node);
            return false;
        }
        if let Some(def) = info.def {
            self.define(node, def.kind, def.field);
        }
        let heads = info.block && !self.context.in_function && self.heads_alone(node);
        if info.scope || info.block && self.context.in_function || heads {
            self.open_scope(node, info.scope, heads);
        }
        self.conceal_from(node);
        if let Some(scope) = self.stands_outside() {
            self.locals.conceal(self.context.levels.len() - 1, scope);
            self.locals.suspend(scope);
            if let Some(level) = self.context.levels.last_mut() {
                level.outside_of = Some(scope);
            }
        }
        if let Some(default) = info.leaf {
            self.leaf(node, default);
            return node.child_count() > 0;
        }
        true
    }

    /// Opens the scope of a function or block; `heads` says that it is one outside of functions.
    fn open_scope(&mut self, node: Node<'t>, is_function: bool, heads: bool) {
        self.context.in_function |= !heads;
        if let Some(level) = self.context.levels.last_mut() {
            level.locals_mark = Some(self.locals.mark());
            level.is_block = !is_function;
        }
        if !self.context.spec.implicit.is_empty() && node.kind() == "lambda_literal" {
            let hint = type_hints::given(&self.context, node, 0, 0);
            let name = self.context.spec.implicit;
            self.locals.declare(name, hint, position(node), false);
            let receiver = type_hints::receiver(&self.context, node);
            self.locals
                .declare(RECEIVER, receiver, position(node), false);
        }
        self.bind_ahead(node);
    }

    fn leave(&mut self) {
        let Some(level) = self.context.levels.pop() else {
            return;
        };
        self.locals.reveal(self.context.levels.len());
        if let Some(scope) = level.outside_of {
            self.locals.resume(scope);
        }
        if let Some(mark) = level.locals_mark {
            let last_line = level.node.end_position().row as u32 + 1;
            let is_alone = level.node.start_position().row + 1 < last_line as usize;
            self.locals
                .close(mark, last_line, (level.is_block, is_alone));
        }
        self.locals.settle(self.context.levels.len());
        self.forget_inner_names();
        self.context.in_function = level.was_in_function;
        self.region = level.was_region;
        self.context.open_symbols.truncate(level.n_symbols_before);
        if level.holds_sticky {
            self.context.sticky = level.sticky_before;
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
            *slot = self.context.levels.len().min(usize::from(NO_BREAK - 1)) as u16;
        }
    }

    /// Moves what comes before the node out of the parent, or adds the node to it.
    fn take_lead(&mut self, node: Node<'t>, row: usize, info: &crate::tables::KindInfo) -> Lead {
        let is_doc_block = row > 0 && self.context.source[node.start_byte()..].starts_with("/**");
        let Some(parent) = self.context.levels.last_mut() else {
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
        self.leave_unread(node);
        let around = [self.context.ancestor(0), self.context.ancestor(1)];
        let is_harmless = (self.context.spec.is_harmless)(node, around);
        if !is_harmless && self.context.facts.errors.len() < 20 {
            let message = if node.is_missing() {
                "missing "
            } else {
                "unexpected "
            }
            .to_owned();
            let text = if node.is_missing() {
                node.kind()
            } else {
                self.context.text(node)
            };
            self.context.facts.errors.push(crate::types::SyntaxError {
                line: row as u32 + 1,
                message: message + &one_line(text, 60),
            });
        }
    }

    // ---- imports ----

    fn import(&mut self, node: Node<'t>) {
        let imports = (self.context.spec.import)(&self.context, node);
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
        let imports = (self.context.spec.import)(&self.context, self.context.levels[call_at].node);
        self.add_imports(imports);
    }

    fn add_imports(&mut self, imports: Vec<Import>) {
        for import in imports {
            if import.module.is_empty() && import.kind == ImportKind::ReExport {
                let renamed = import.names.iter().filter(|name| name.local != name.name);
                self.context
                    .facts
                    .locals
                    .extend(renamed.map(|name| exported_as(name, import.line)));
                self.exported_names
                    .extend(import.names.into_iter().map(|name| name.name));
            } else {
                self.context.facts.imports.push(import);
            }
        }
    }

    fn export_named(&mut self) {
        for symbol in &mut self.context.facts.symbols {
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
