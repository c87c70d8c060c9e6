//! A file in which a rewrite looks for its place.

use std::ops::Range;

use tree_sitter::Node;
use whyrank_graph::SymbolId;
use whyrank_syntax::SymbolKind;

use super::rewritten::Edits;
use super::shape::Shape;
use super::view::{SourceFile, View};
use crate::dice::Dice;

/// A file with its tree, its language and the dice that choose.
pub(super) struct Site<'v> {
    pub(super) view: &'v View,
    pub(super) file: usize,
    pub(super) shape: &'static Shape,
    pub(super) root: Node<'v>,
    pub(super) dice: Dice,
    /// A number that no name of the checkout ends in.
    pub(super) number: usize,
}

impl<'v> Site<'v> {
    /// None where the language is unknown or the tree has errors.
    pub(super) fn new(view: &'v View, file: usize, mut dice: Dice) -> Option<Self> {
        let source: &SourceFile = &view.files[file];
        let shape = Shape::of(source.language)?;
        let root = source.tree()?.root_node();
        let number = 7000 + dice.below(1000);
        (!root.has_error()).then_some(Self {
            view,
            file,
            shape,
            root,
            dice,
            number,
        })
    }

    pub(super) fn source(&self) -> &'v SourceFile {
        &self.view.files[self.file]
    }

    pub(super) fn whole(&self) -> &'v str {
        &self.source().text
    }

    pub(super) fn text(&self, node: Node<'_>) -> &'v str {
        &self.whole()[node.byte_range()]
    }

    pub(super) fn edits(&self) -> Edits {
        Edits::of(self.view, self.file)
    }

    /// A name that stands nowhere: `rw7123`.
    pub(super) fn fresh(&self) -> String {
        format!("rw{}", self.number)
    }

    /// A file that is not there, beside this one.
    pub(super) fn fresh_path(&self, stem: &str) -> String {
        let path = &self.source().path;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        match folder {
            "" => format!("{stem}.{ending}"),
            folder => format!("{folder}/{stem}.{ending}"),
        }
    }

    /// All nodes of these kinds, in order, those in texts left out.
    pub(super) fn nodes(&self, kinds: &[&str]) -> Vec<Node<'v>> {
        self.nodes_in(self.root, kinds)
    }

    pub(super) fn nodes_in(&self, node: Node<'v>, kinds: &[&str]) -> Vec<Node<'v>> {
        let mut nodes = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if kinds.contains(&node.kind()) {
                nodes.push(node);
            }
            if !self.shape.texts.contains(&node.kind()) {
                open.extend(children(node).into_iter().rev());
            }
        }
        nodes
    }

    /// All nodes of these kinds, those in texts too, of several within each other the outermost.
    pub(super) fn all_nodes(&self, kinds: &[&str]) -> Vec<Node<'v>> {
        let (mut nodes, mut open) = (Vec::new(), vec![self.root]);
        while let Some(node) = open.pop() {
            match kinds.contains(&node.kind()) {
                true => nodes.push(node),
                false => open.extend(children(node).into_iter().rev()),
            }
        }
        nodes
    }

    /// The same in another order.
    pub(super) fn all_nodes_shuffled(&mut self, kinds: &[&str]) -> Vec<Node<'v>> {
        let nodes = self.all_nodes(kinds);
        self.dice.shuffled(nodes)
    }

    /// The leaves of a node, in order; a text is one.
    pub(super) fn tokens(&self, node: Node<'v>) -> Vec<Node<'v>> {
        let (mut tokens, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            let is_text = self.shape.texts.contains(&node.kind());
            match is_text || node.child_count() == 0 {
                true => tokens.push(node),
                false => open.extend(children(node).into_iter().rev()),
            }
        }
        tokens.retain(|token| !token.byte_range().is_empty());
        tokens
    }

    /// The leaves of a node that are names.
    pub(super) fn names(&self, node: Node<'v>) -> Vec<Node<'v>> {
        let mut names = self.tokens(node);
        names.retain(|token| self.shape.names.contains(&token.kind()));
        names
    }

    /// One of the nodes of these kinds.
    pub(super) fn pick(&mut self, kinds: &[&str]) -> Option<Node<'v>> {
        let nodes = self.nodes(kinds);
        self.dice.pick(&nodes).copied()
    }

    /// Nodes of these kinds in another order.
    pub(super) fn shuffled(&mut self, kinds: &[&str]) -> Vec<Node<'v>> {
        let nodes = self.nodes(kinds);
        self.dice.shuffled(nodes)
    }

    /// The innermost node of these kinds around a node.
    pub(super) fn around(&self, node: Node<'v>, kinds: &[&str]) -> Option<Node<'v>> {
        let mut around = std::iter::successors(node.parent(), |node| node.parent());
        around.find(|node| kinds.contains(&node.kind()))
    }

    /// The statement around a node, directly in a block of the function around it; none across a lambda.
    pub(super) fn statement(&self, node: Node<'v>) -> Option<Node<'v>> {
        let mut at = node;
        while let Some(around) = at.parent() {
            if self.shape.lambdas.contains(&around.kind()) {
                return None;
            }
            if self.shape.blocks.contains(&around.kind()) {
                let is_first_on_line = self.before_on_line(at.start_byte()).trim().is_empty();
                return is_first_on_line.then_some(at);
            }
            at = around;
        }
        None
    }

    /// What stands before a byte on its line.
    pub(super) fn before_on_line(&self, byte: usize) -> &'v str {
        let before = &self.whole()[..byte];
        &before[before.rfind('\n').map_or(0, |at| at + 1)..]
    }

    /// The white space that a line begins with.
    pub(super) fn indent(&self, byte: usize) -> &'v str {
        let line = self.before_on_line(byte);
        &line[..line.len() - line.trim_start().len()]
    }

    /// A definition of the checkout whose name is a plain word, and that is no macro.
    pub(super) fn definition(
        &mut self,
        is_fit: impl Fn(&str, SymbolKind) -> bool,
    ) -> Option<&'v str> {
        let language = self.source().language;
        let view = self.view;
        let files = (0u32..)
            .zip(&view.files)
            .filter(|(_, file)| file.language == language && !is_manifest_like(&file.path));
        let ids: Vec<SymbolId> = files
            .flat_map(|(file, _)| view.definitions(file))
            .filter(|id| {
                let symbol = view.symbol(*id);
                is_plain(&symbol.name)
                    && symbol.kind != SymbolKind::Macro
                    && is_fit(&symbol.name, symbol.kind)
            })
            .collect();
        let id = self.dice.pick(&ids)?;
        Some(&view.symbol(*id).name)
    }

    /// Says whether a whole word stands in the file.
    pub(super) fn has_word(&self, word: &str) -> bool {
        !words_at(self.whole(), word).is_empty()
    }

    /// Says whether no file of the checkout has this word.
    pub(super) fn path_is_free(&self, path: &str) -> bool {
        self.view.files.iter().all(|file| file.path != path)
    }
}

fn is_manifest_like(path: &str) -> bool {
    path.ends_with("Package.swift")
}

/// Words that some language reads as its own, or calls by name.
const KEPT: &str = " constructor default initialize main Main init new apply update toString equals hashCode match type from get set self this super it print str list object string test end next loop raise select field operator invoke call copy async await static let in is as do to package import export function class var val def fn use mod pub interface enum case with by where when then given record namespace module global required partial event delegate override abstract final inner data sealed extension protocol struct union int long double float bool char void short byte nil null true false None True False name hash freeze method methods send display dup clone tap puts require lambda proc rand sleep exit fail catch throw trap system exec include extend private public protected define internal ";

/// Says whether a name can be given to anything in any language.
pub(super) fn is_plain(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(is_part)
        && !KEPT.split(' ').any(|kept| kept == name)
}

/// The children of a node.
pub(super) fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// The children of a node that are named.
pub(super) fn named(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.named_children(&mut cursor).collect()
}

/// Where a whole word stands in a text.
pub(super) fn words_at(text: &str, word: &str) -> Vec<Range<usize>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let is_word = |at: &usize| {
        !text[..*at].ends_with(is_part) && !text[*at + word.len()..].starts_with(is_part)
    };
    text.match_indices(word)
        .map(|(at, _)| at)
        .filter(is_word)
        .map(|at| at..at + word.len())
        .collect()
}
