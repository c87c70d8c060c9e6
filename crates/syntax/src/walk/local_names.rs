//! Notes of the binding that a local name means, where bindings are told apart.

use std::ops::Range;

use tree_sitter::Node;

use super::Walk;
use crate::bindings::{LocalName, NO_BINDING};
use crate::lexical;
use crate::scoping::{Again, Scoping};
use crate::spec::Level;
use crate::tables::ERROR;
use crate::types::{ReferenceKind, SymbolKind};

impl<'t> Walk<'_, 't> {
    /// Notes the declaration of the newest binding.
    pub(super) fn note_declared(&mut self, node: Node<'t>, name: &str) {
        self.note_declared_at(self.bytes_of(node), name);
    }

    /// The same for a name by its bytes.
    pub(super) fn note_declared_at(&mut self, bytes: Range<usize>, name: &str) {
        if let Some(scoping) = self.scoping {
            self.bind(bytes, name, scoping, self.scope_mark(scoping));
        }
    }

    /// The binding that a name means where it is about to be set.
    pub(super) fn binding_before(&self, node: Node<'t>, name: &str) -> Option<u32> {
        self.meant(node.start_byte(), name)
    }

    /// Notes that a name was set, which the walk keeps as a binding of its own: one where assignments declare,
    /// else the one that it meant `before`.
    pub(super) fn note_written(&mut self, node: Node<'t>, name: &str, before: Option<u32>) {
        if self.context.spec.assignment_declares {
            return self.note_declared(node, name);
        }
        let newest = self.locals.newest_binding();
        match (&mut self.locals.bindings, before) {
            (Some(bindings), Some(before)) => bindings.unite(newest, before),
            _ => self.locals.blind_newest(),
        }
    }

    /// Notes the name of a declaration, which the level `parent_at` makes one; `hoisted`: it is seen in all of
    /// the function.
    pub(super) fn note_local(
        &mut self,
        node: Node<'t>,
        name: &str,
        parent_at: usize,
        hoisted: bool,
    ) {
        let Some(scoping) = self.scoping else {
            return;
        };
        if self.sets_only(parent_at) {
            self.locals.blind_newest();
            return self.note_used(node, name, ReferenceKind::Write);
        }
        if self.is_of_inner_list() {
            return self.locals.blind_newest();
        }
        let mark = match hoisted {
            true => self.function_mark(),
            false => self.scope_mark(scoping),
        };
        self.bind(self.bytes_of(node), name, scoping, mark);
    }

    fn bind(&mut self, bytes: Range<usize>, name: &str, scoping: &'static Scoping, mark: usize) {
        let newest = self.locals.newest_binding();
        let is_parameter = self
            .around()
            .any(|level| level.node.kind().contains("parameter"));
        let again = match scoping.again {
            Again::Seen if is_parameter => Again::Same,
            again => again,
        };
        let from = match again {
            Again::Seen => self.seen_from(scoping).unwrap_or(mark),
            _ => mark,
        };
        let others = self.locals.others_of(name, from);
        let alternatives = self.alternatives();
        let (function, is_unread) = (self.function_start(), self.is_unread());
        let Some(bindings) = self
            .locals
            .bindings
            .as_mut()
            .filter(|_| newest != NO_BINDING)
        else {
            return;
        };
        match again {
            Again::Other => {
                let same = alternatives.and_then(|start| bindings.declared_from(name, start));
                bindings.unite(newest, same.unwrap_or(newest));
            }
            Again::Same => others
                .iter()
                .for_each(|other| bindings.unite(newest, *other)),
            Again::Seen => bindings.unite(newest, others.last().copied().unwrap_or(newest)),
            Again::Doubtful if others.is_empty() => {}
            Again::Doubtful => [others, vec![newest]]
                .concat()
                .into_iter()
                .for_each(|binding| bindings.doubt(binding)),
        }
        if is_unread {
            bindings.doubt(newest);
        }
        let place = LocalName {
            start: bytes.start as u32,
            end: bytes.end as u32,
            binding: newest,
            declares: true,
            sets: true,
        };
        bindings.declare(function, name, place);
    }

    /// Notes the use of a name that the walk holds for a local.
    pub(super) fn note_used(&mut self, node: Node<'t>, name: &str, kind: ReferenceKind) {
        if self.scoping.is_none() {
            return;
        }
        // C++: `[x = f(x)]` binds another one in the lambda.
        let around = self.context.ancestor(0);
        let is_captured = around.is_some_and(|around| {
            around.kind() == "lambda_capture_initializer"
                && around.start_byte() == node.start_byte()
        });
        match is_captured {
            true => self.doubt(name),
            false => self.note_use(self.bytes_of(node), name, kind == ReferenceKind::Write),
        }
    }

    /// The same for a name by its bytes.
    pub(super) fn note_use(&mut self, bytes: Range<usize>, name: &str, sets: bool) {
        let Some(binding) = self.meant(bytes.start, name) else {
            return;
        };
        let place = LocalName {
            start: bytes.start as u32,
            end: bytes.end as u32,
            binding,
            declares: sets && self.context.spec.assignment_declares,
            sets,
        };
        let function = self.function_start();
        match &mut self.locals.bindings {
            Some(bindings) if place.declares => bindings.declare(function, name, place),
            Some(bindings) => bindings.note(place),
            None => {}
        }
    }

    fn meant(&self, start: usize, name: &str) -> Option<u32> {
        let scoping = self.scoping.filter(|_| !self.is_unread())?;
        let from = self.seen_from(scoping)?;
        let until = self.seen_until(scoping);
        let binding = self.locals.binding_of(name, from..until)?;
        let declared = self.locals.bindings.as_ref()?.start_of(binding);
        let is_own_value = declared.is_some_and(|declared| {
            let declared = declared as usize;
            self.around().any(|level| {
                let node = level.node;
                let holds_both = node.start_byte() <= declared && declared < start;
                holds_both && scoping.own_value.contains(&node.kind())
            })
        });
        Some(binding).filter(|_| !is_own_value)
    }

    /// Notes the name of a place that is no use of a definition, and one of a local all the same.
    pub(super) fn note_skipped(&mut self, node: Node<'t>, name: &str) {
        if self.scoping.is_none() {
            return;
        }
        let around = self.context.ancestor(0).map_or("", |around| around.kind());
        if matches!(around, "nonlocal_statement" | "type_predicate" | "asserts") {
            self.note_used(node, name, ReferenceKind::Read);
        }
    }

    /// Notes a name in the arguments of a macro that takes expressions, where they bind nothing.
    pub(super) fn note_in_raw(&mut self, node: Node<'t>, found: &lexical::Use<'_>) {
        let Some(scoping) = self.scoping else {
            return;
        };
        let called = self.context.ancestor(0);
        let called = called.map_or("", |called| self.context.field_text(called, "macro"));
        let called = called.rsplit("::").next().unwrap_or(called);
        let text = self.context.text(node);
        let may_bind = ["|", "=>", "let ", "fn ", "for "]
            .iter()
            .any(|mark| text.contains(mark));
        if may_bind || !scoping.plain_macros.contains(&called) {
            return;
        }
        let row = found.row as usize;
        let line = match row.checked_sub(1) {
            None => Some(0),
            Some(nth) => text.match_indices('\n').nth(nth).map(|(end, _)| end + 1),
        };
        if let Some(line) = line {
            let start = node.start_byte() + line + found.column as usize;
            self.note_use(start..start + found.name.len(), found.name, false);
        }
    }

    /// Nothing is said of a name that something else binds in the same function: an import, a function.
    pub(super) fn doubt(&mut self, name: &str) {
        if self.scoping.is_none() {
            return;
        }
        let meant = self.locals.binding_of(name, 0..usize::MAX);
        if let (Some(bindings), Some(meant)) = (&mut self.locals.bindings, meant) {
            bindings.doubt(meant);
        }
    }

    /// The same for the name of a definition. Members hide a local where they are in scope.
    pub(super) fn doubt_defined(&mut self, node: Node<'t>) {
        if self.scoping.is_none() {
            return;
        }
        let (name, line) = (
            self.context.text(node),
            node.start_position().row as u32 + 1,
        );
        let mut symbols = self.context.facts.symbols.iter().rev();
        let defined = symbols.find(|symbol| symbol.name_line == line && symbol.name == name);
        let hides = match defined.map(|symbol| symbol.kind) {
            Some(SymbolKind::Method | SymbolKind::Constructor | SymbolKind::EnumMember) => false,
            Some(SymbolKind::Field | SymbolKind::Property) => {
                self.context.spec.names.members_are_in_scope
            }
            _ => true,
        };
        if hides {
            self.doubt(name);
        }
    }

    /// Keeps the words of what could not be read: they may bind something.
    pub(super) fn leave_unread(&mut self, node: Node<'t>) {
        if self.scoping.is_none() {
            return;
        }
        let is_in_function = self.marked().is_some();
        let (text, function) = (self.context.text(node), self.function_start());
        if let Some(bindings) = self.locals.bindings.as_mut().filter(|_| is_in_function) {
            bindings.leave_unread(function, text);
        }
    }

    /// Hides what the head of the node around binds, where the node on top does not see it.
    pub(super) fn conceal_from(&mut self, node: Node<'t>) {
        let Some(scoping) = self.scoping else {
            return;
        };
        // Go: `switch x := x.(type)`.
        let is_switched = self.context.ancestor(0).is_some_and(|around| {
            around.kind() == "type_switch_statement"
                && around.child_by_field_name("value") == Some(node)
        });
        if !is_switched && !scoping.blind.contains(&node.kind()) {
            return;
        }
        let depth = self.context.levels.len() - 1;
        let around = depth
            .checked_sub(1)
            .map(|outer| &self.context.levels[outer]);
        if let Some(mark) = around.and_then(|around| around.locals_mark) {
            self.locals.conceal(depth, mark);
        }
    }

    /// The bytes of a name, with the sign that makes it a variable.
    fn bytes_of(&self, node: Node<'t>) -> Range<usize> {
        let (start, end) = (node.start_byte(), node.end_byte());
        let sigil = self.context.spec.names.sigil;
        let before = self.context.source.get(..start).unwrap_or("");
        let is_signed = !sigil.is_empty() && before.ends_with(sigil);
        start - if is_signed { sigil.len() } else { 0 }..end
    }

    /// The levels from the leaf up to the scope or block that it stands in, without that one.
    fn around(&self) -> impl Iterator<Item = &Level<'t>> {
        let levels = self.context.levels.iter().rev();
        levels.take_while(|level| level.locals_mark.is_none())
    }

    /// The place of the scope or block around among the levels.
    fn marked(&self) -> Option<usize> {
        let mut levels = self.context.levels.iter();
        levels.rposition(|level| level.locals_mark.is_some())
    }

    fn mark_at(&self, at: Option<usize>) -> usize {
        at.and_then(|at| self.context.levels[at].locals_mark)
            .unwrap_or(0)
    }

    /// The place at which the names of the scope around begin.
    fn scope_mark(&self, scoping: &Scoping) -> usize {
        let Some(at) = self.marked() else {
            return 0;
        };
        let is_function = |level: &Level<'_>| level.locals_mark.is_some() && !level.is_block;
        let outer = at.checked_sub(1).filter(|outer| {
            scoping.body_holds_parameters && is_function(&self.context.levels[*outer])
        });
        self.mark_at(outer.or(Some(at)))
    }

    /// The place at which the names of the function around begin.
    fn function_mark(&self) -> usize {
        let mut levels = self.context.levels.iter();
        let at = levels.rposition(|level| level.locals_mark.is_some() && !level.is_block);
        self.mark_at(at)
    }

    /// The first byte of the outermost function around.
    fn function_start(&self) -> usize {
        let mut levels = self.context.levels.iter();
        let outermost = levels.find(|level| level.locals_mark.is_some());
        outermost.map_or(0, |level| level.node.start_byte())
    }

    /// The place at which the names that are seen from the leaf begin; `None` where none is a local.
    fn seen_from(&self, scoping: &Scoping) -> Option<usize> {
        let is = |kinds: &[&str], level: &Level<'_>| kinds.contains(&level.node.kind());
        if self.around().any(|level| is(scoping.not_local, level)) {
            return None;
        }
        let levels = &self.context.levels;
        match levels.iter().rposition(|level| is(scoping.walls, level)) {
            None => Some(0),
            Some(wall) => levels[wall..].iter().find_map(|level| level.locals_mark),
        }
    }

    /// The place at which the names that are seen from the leaf end: at those of a function for the values of its
    /// parameters, where these stand outside.
    fn seen_until(&self, scoping: &Scoping) -> usize {
        let is_list = |level: &Level<'_>| level.node.kind().ends_with("parameters");
        match scoping.defaults_stand_outside && self.around().any(is_list) {
            true => self.mark_at(self.marked()),
            false => usize::MAX,
        }
    }

    /// Says whether the leaf stands in code that could not be read.
    fn is_unread(&self) -> bool {
        self.broken && self.context.levels.iter().any(|level| level.kind == ERROR)
    }

    /// Says whether what reads as a declaration sets a name that is declared elsewhere: `for (x of xs)`.
    fn sets_only(&self, parent_at: usize) -> bool {
        let node = self.context.levels[parent_at].node;
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "for_in_statement" => field("kind").is_none(),
            "range_clause" | "receive_statement" => {
                let (left, right) = (field("left"), field("right"));
                let end = right.map_or(node.end_byte(), |right| right.start_byte());
                let start = left.map_or(node.start_byte(), |left| left.end_byte());
                let between = self.context.source.get(start..end).unwrap_or("");
                !between.contains(":=")
            }
            _ => false,
        }
    }

    /// Says whether a parameter is one of a type or a declaration that is written inside of the function.
    fn is_of_inner_list(&self) -> bool {
        let is_list = |level: &&Level<'_>| {
            matches!(
                level.node.kind(),
                "parameter_list" | "parameters" | "formal_parameters" | "formal_parameter_list"
            )
        };
        let n_lists = self.around().filter(is_list).count();
        let holder = self.marked().map(|marked| &self.context.levels[marked]);
        let is_own =
            holder.is_some_and(|holder| !holder.is_block || holder.node.kind() == "catch_clause");
        n_lists > usize::from(is_own)
    }

    /// The first byte of the alternatives that a pattern stands in, each of which binds the same names.
    fn alternatives(&self) -> Option<u32> {
        let outermost = self
            .around()
            .filter(|level| level.node.kind() == "or_pattern")
            .last();
        outermost.map(|level| level.node.start_byte() as u32)
    }
}
