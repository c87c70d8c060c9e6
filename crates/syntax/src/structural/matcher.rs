//! Compares a pattern with every node of a tree, within a number of steps.

use super::pattern::StructuralPattern;
use super::shape::{Root, Shape, own_text};
use tree_sitter::{Node, Tree};

/// Steps for one place of a file; patterns with many `$$$` can ask for endless ones.
const MAX_STEPS_PLACE: u64 = 50_000;
/// Steps for a file.
const MAX_STEPS: u64 = 20_000_000;
/// How many steps pass between two looks at the clock of the caller.
const STEPS_PER_LOOK: u64 = 4_096;
/// Matches of one file.
const MAX_MATCHES: usize = 10_000;

/// What a metavariable matches in a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Name without its signs.
    pub name: String,
    /// First byte in the file.
    pub start_byte: usize,
    /// One past the last; the same for `$$$` that matches nothing.
    pub end_byte: usize,
}

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StructuralMatches {
    /// By position, outer before inner.
    pub matches: Vec<StructuralMatch>,
    /// False when the file was too large, or the search was stopped or took too many steps.
    pub complete: bool,
}

/// A place that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructuralMatch {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// First byte in the file.
    pub start_byte: usize,
    /// One past the last.
    pub end_byte: usize,
    /// Named metavariables in the order of the pattern.
    pub bindings: Vec<Binding>,
}

#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    optional: bool,
}

/// What is left to compare once a list of children is done.
struct Rest<'r, 't> {
    list: List<'r, 't>,
    next: Option<&'r Self>,
}

/// Shapes and the children that they are compared with.
#[derive(Clone, Copy)]
struct List<'r, 't> {
    shapes: &'r [Shape],
    children: &'r [Child<'t>],
    /// More children may follow the last shape.
    open: bool,
    /// Children are tokens: `$X` may be several of them.
    tokens: bool,
}

pub(super) struct Matcher<'p, 's> {
    pattern: &'p StructuralPattern,
    source: &'s str,
    stop: &'p dyn Fn() -> bool,
    bound: Vec<Option<(usize, usize)>>,
    /// Children that the root's shapes left over.
    n_left: usize,
    steps: u64,
    steps_before: u64,
    stopped: bool,
    complete: bool,
}

impl<'p, 's> Matcher<'p, 's> {
    pub(super) fn new(
        pattern: &'p StructuralPattern,
        source: &'s str,
        stop: &'p dyn Fn() -> bool,
    ) -> Self {
        Self {
            pattern,
            source,
            stop,
            bound: vec![None; pattern.names.len()],
            n_left: 0,
            steps: 0,
            steps_before: 0,
            stopped: false,
            complete: true,
        }
    }

    pub(super) fn run(mut self, tree: &Tree) -> super::StructuralMatches {
        let mut matches = Vec::new();
        let mut cursor = tree.walk();
        let single = self.pattern.roots.iter().any(|root| root.shapes.len() == 1);
        let several = self.pattern.roots.iter().any(|root| root.shapes.len() > 1);
        'tree: while !self.is_over() && matches.len() < MAX_MATCHES {
            let node = cursor.node();
            if single {
                matches.extend(self.at(node));
            }
            if several && node.child_count() > 1 {
                self.among(node, &mut matches);
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'tree;
                }
            }
        }
        matches.sort_by_key(|found| (found.start_byte, usize::MAX - found.end_byte));
        matches.dedup_by(|inner, outer| {
            // The same code with and without the end of its statement.
            inner.start_byte == outer.start_byte
                && is_end(self.source, inner.end_byte, outer.end_byte)
        });
        let complete = self.complete && !self.is_over() && matches.len() < MAX_MATCHES;
        super::StructuralMatches { matches, complete }
    }

    /// The match of a single node, if it is one.
    fn at(&mut self, node: Node<'_>) -> Option<StructuralMatch> {
        self.step(1);
        let pattern = self.pattern;
        let roots = pattern.roots.iter().filter(|root| root.shapes.len() == 1);
        for root in roots {
            if !could_be(&root.shapes[0], node) {
                continue;
            }
            let children = [Child {
                node,
                optional: false,
            }];
            if self.compare(root, &children, false) {
                return Some(self.found(node, node));
            }
        }
        None
    }

    /// Matches of several neighbours below a node.
    fn among<'t>(&mut self, parent: Node<'t>, matches: &mut Vec<StructuralMatch>) {
        let pattern = self.pattern;
        let mut children: Option<Vec<Child<'t>>> = None;
        for root in pattern.roots.iter().filter(|root| root.shapes.len() > 1) {
            let children = children.get_or_insert_with(|| self.children(parent));
            for at in 0..children.len() {
                let first = children[at].node;
                if could_be(&root.shapes[0], first) && self.compare(root, &children[at..], true) {
                    let last = children[children.len() - self.n_left - 1].node;
                    matches.push(self.found(first, last));
                }
            }
        }
    }

    fn compare(&mut self, root: &'p Root, children: &[Child<'_>], open: bool) -> bool {
        self.bound.fill(None);
        self.steps_before = self.steps;
        let list = List {
            shapes: &root.shapes,
            children,
            open,
            tokens: false,
        };
        self.matches(list, None)
    }

    fn found(&self, first: Node<'_>, last: Node<'_>) -> StructuralMatch {
        let bindings = self.pattern.names.iter().zip(&self.bound);
        let end = last.end_position();
        // A node that takes the line break along ends on the line before.
        let end_row = if end.column == 0 && end.row > first.start_position().row {
            end.row - 1
        } else {
            end.row
        };
        StructuralMatch {
            start_line: first.start_position().row as u32 + 1,
            end_line: end_row as u32 + 1,
            start_byte: first.start_byte(),
            end_byte: last.end_byte(),
            bindings: bindings
                .filter_map(|(name, bound)| {
                    bound.map(|(start_byte, end_byte)| Binding {
                        name: name.clone(),
                        start_byte,
                        end_byte,
                    })
                })
                .collect(),
        }
    }

    /// Says whether the list, and then all that is left, matches. Recursion goes one level deeper for
    /// each shape, so its depth is the size of the pattern.
    fn matches(&mut self, list: List<'_, '_>, next: Option<&Rest<'_, '_>>) -> bool {
        let Some((shape, shapes)) = list.shapes.split_first() else {
            return self.ends(list, next);
        };
        let after = |children| List {
            shapes,
            children,
            ..list
        };
        let children = list.children;
        if let Shape::Many { name } = shape {
            return self.many(*name, list, after, next);
        }
        let is_one = matches!(shape, Shape::One { .. });
        let n_optional = children.iter().take_while(|child| child.optional).count();
        self.step(n_optional as u64);
        // What need not be written is bound last.
        let first = is_one.then_some(n_optional);
        let others = 0..n_optional + usize::from(!is_one);
        for at in first.into_iter().chain(others) {
            let Some(child) = children.get(at) else {
                continue;
            };
            if self.step(1) {
                return false;
            }
            if self.one(shape, child.node, after(&children[at + 1..]), next)
                || (list.tokens && is_one && self.several(shape, &children[at..], after, next))
            {
                return true;
            }
        }
        false
    }

    fn ends(&mut self, list: List<'_, '_>, next: Option<&Rest<'_, '_>>) -> bool {
        if !list.open && !list.children.iter().all(|child| child.optional) {
            return false;
        }
        match next {
            None => {
                self.n_left = list.children.len();
                true
            }
            Some(rest) => self.matches(rest.list, rest.next),
        }
    }

    /// `$$$`: the fewest children that let the rest match.
    fn many<'r, 't>(
        &mut self,
        name: Option<u16>,
        list: List<'r, 't>,
        after: impl Fn(&'r [Child<'t>]) -> List<'r, 't>,
        next: Option<&Rest<'_, '_>>,
    ) -> bool {
        let children = list.children;
        let is_last = list.shapes.len() == 1 && !list.open;
        let from = if is_last { children.len() } else { 0 };
        for end in from..=children.len() {
            if self.step(1) {
                return false;
            }
            let was = self.bound.clone();
            let range = span(&children[..end]).unwrap_or_else(|| {
                let at = children.first().map_or(0, |child| child.node.start_byte());
                (at, at)
            });
            if self.bind(name, range) && self.matches(after(&children[end..]), next) {
                return true;
            }
            self.bound = was;
        }
        false
    }

    /// `$X` among tokens: some of them, up to a comma.
    fn several<'r, 't>(
        &mut self,
        shape: &Shape,
        children: &'r [Child<'t>],
        after: impl Fn(&'r [Child<'t>]) -> List<'r, 't>,
        next: Option<&Rest<'_, '_>>,
    ) -> bool {
        let Shape::One { name } = shape else {
            return false;
        };
        let is_comma = |child: &Child<'_>| matches!(child.node.kind(), "," | ";");
        let n_free = children.iter().take_while(|child| !is_comma(child)).count();
        for end in 2..=n_free {
            if self.step(1) {
                return false;
            }
            let was = self.bound.clone();
            let range = span(&children[..end]).unwrap_or_default();
            if self.bind(*name, range) && self.matches(after(&children[end..]), next) {
                return true;
            }
            self.bound = was;
        }
        false
    }

    /// Compares a shape with a node, and then what is left.
    fn one(
        &mut self,
        shape: &Shape,
        node: Node<'_>,
        after: List<'_, '_>,
        next: Option<&Rest<'_, '_>>,
    ) -> bool {
        match shape {
            Shape::Many { .. } => false,
            Shape::Leaf { named, text } => {
                self.is_leaf(node, *named, text) && self.matches(after, next)
            }
            Shape::One { name } => {
                if !node.is_named() {
                    return false;
                }
                let was = self.bound.clone();
                let range = (node.start_byte(), node.end_byte());
                if self.bind(*name, range) && self.matches(after, next) {
                    return true;
                }
                self.bound = was;
                false
            }
            Shape::Node {
                kind,
                own,
                tokens,
                children: shapes,
            } => {
                let rules = &self.pattern.rules;
                if node.kind_id() != *kind
                    || (rules.is_quoted(*kind) && own_text(node, self.source) != *own)
                {
                    return false;
                }
                let children = self.children(node);
                let rest = Rest { list: after, next };
                let list = List {
                    shapes,
                    children: &children,
                    open: false,
                    tokens: *tokens,
                };
                self.matches(list, Some(&rest))
            }
        }
    }

    fn is_leaf(&self, node: Node<'_>, named: bool, text: &str) -> bool {
        if node.child_count() > 0 || node.is_named() != named {
            return false;
        }
        let found = self.source.get(node.byte_range()).unwrap_or("");
        found == text || is_same_quote(found, text) || is_same_block(found, text)
    }

    fn bind(&mut self, name: Option<u16>, range: (usize, usize)) -> bool {
        let Some(name) = name else {
            return true;
        };
        let slot = &mut self.bound[usize::from(name)];
        match slot {
            None => {
                *slot = Some(range);
                true
            }
            Some(known) => {
                let text = |range: (usize, usize)| self.source.get(range.0..range.1);
                text(*known) == text(range)
            }
        }
    }

    /// The children that are compared, with the fields that they stand in.
    fn children<'t>(&mut self, parent: Node<'t>) -> Vec<Child<'t>> {
        let rules = &self.pattern.rules;
        let kind = parent.kind_id();
        let in_tokens = rules.is_tokens(kind);
        let mut children = Vec::new();
        let mut cursor = parent.walk();
        let mut more = cursor.goto_first_child();
        while more {
            let node = cursor.node();
            let child = node.kind_id();
            let says_nothing = node.is_extra()
                || node.is_missing()
                || rules.is_comment(child)
                || (rules.is_separator(child) && !in_tokens);
            if !says_nothing {
                let field = cursor.field_id().map_or(0, std::num::NonZero::get);
                let optional = if in_tokens {
                    node.kind() == ","
                } else {
                    !node.is_named() || rules.is_optional(kind, child, field)
                };
                children.push(Child { node, optional });
            }
            more = cursor.goto_next_sibling();
        }
        self.step(children.len() as u64);
        children
    }

    /// Counts steps; true when it is time to give up on this place.
    fn step(&mut self, n_steps: u64) -> bool {
        let before = self.steps / STEPS_PER_LOOK;
        self.steps += n_steps;
        if self.steps / STEPS_PER_LOOK != before && (self.stop)() {
            self.stopped = true;
        }
        let too_long = self.steps - self.steps_before > MAX_STEPS_PLACE;
        self.complete &= !too_long;
        too_long || self.is_over()
    }

    fn is_over(&self) -> bool {
        self.stopped || self.steps > MAX_STEPS
    }
}

fn is_end(source: &str, from: usize, to: usize) -> bool {
    let rest = source.get(from..to).unwrap_or("");
    rest.chars().all(|char| char == ';' || char.is_whitespace())
}

/// A quick look at the first shape.
fn could_be(shape: &Shape, node: Node<'_>) -> bool {
    match shape {
        Shape::Node { kind, .. } => node.kind_id() == *kind,
        Shape::Leaf { named, .. } => node.child_count() == 0 && node.is_named() == *named,
        Shape::One { .. } => node.is_named(),
        Shape::Many { .. } => false,
    }
}

fn span(children: &[Child<'_>]) -> Option<(usize, usize)> {
    let (first, last) = (children.first()?, children.last()?);
    Some((first.node.start_byte(), last.node.end_byte()))
}

/// `'a'` is the same string as `"a"`.
fn is_same_quote(a: &str, b: &str) -> bool {
    let is_quoted = |text: &str| text.len() <= 5 && text.ends_with(['"', '\'']);
    is_quoted(a) && is_quoted(b) && a.replace('\'', "\"") == b.replace('\'', "\"")
}

/// Text of several lines is the same however far it is indented.
fn is_same_block(a: &str, b: &str) -> bool {
    b.contains('\n') && a.split_whitespace().eq(b.split_whitespace())
}
