//! Caches of a resolver, kept between two questions.

use std::{cell::OnceCell, rc::Rc};

use rustc_hash::FxHashMap;
use whyrank_syntax::SymbolKind;

use crate::{
    input::files::SymbolId,
    languages::Rules,
    resolution::meaning::{Resolution, RestsOn},
};

/// The bases of a type, with the look-ups that gave them.
#[derive(Clone)]
pub(crate) struct KnownBases {
    pub(crate) bases: Vec<SymbolId>,
    /// One of them is not in the view.
    pub(crate) external: bool,
    pub(crate) keys: Rc<[u32]>,
}

/// What is assigned to a field, with the look-ups that gave it.
pub(crate) struct KnownField {
    pub(crate) resolution: Resolution,
    pub(crate) rests_on: RestsOn,
    pub(crate) keys: Rc<[u32]>,
}

/// A field of a type, asked for at a depth: what is followed from there depends on it.
pub(crate) type FieldAt<'a> = (SymbolId, &'a str, u32);

/// What one file opens, in the order in which a name is looked for.
#[derive(Default)]
pub(crate) struct OpenedFiles {
    pub(super) of: Option<u32>,
    /// The place of each file of the view in `order`, from 1; 0 for one that is not opened.
    pub(super) places: Vec<u32>,
    pub(super) order: Vec<u32>,
    /// Those that bind names by imports.
    pub(super) binders: Vec<u32>,
    /// A file shows its own definitions and what it opens, and nothing else.
    pub(super) is_plain: bool,
    /// The place of the first file of each package, where imports are private.
    pub(super) packages: FxHashMap<u32, u32>,
}

/// Definitions by what they share, each list by file and position.
pub(crate) type Groups<K> = OnceCell<FxHashMap<K, Vec<SymbolId>>>;

/// The orders of one name's definitions.
#[derive(Default)]
pub(crate) struct Namesakes<'a> {
    /// By file, and by the definition that they stand in.
    pub(super) scopes: Groups<(u32, Option<u32>)>,
    /// By the type that they stand in; parameters of a constructor by its type.
    pub(super) inside: Groups<SymbolId>,
    /// What stands at the top of files, by file.
    pub(super) tops: Groups<u32>,
    /// What stands at the top of files, by package.
    pub(super) by_package: Groups<u32>,
    /// Types, by the last part of their package's name.
    pub(crate) by_package_end: Groups<&'a str>,
    /// Types and constants that any file may add to, by qualified name.
    pub(crate) constants: Groups<&'a str>,
    /// By what makes them members of a type.
    pub(super) members: Groups<OwnerKey<'a>>,
    /// Types that a file sees by their namespace, by that.
    pub(crate) types_by_space: Groups<&'a str>,
    /// What a name with its namespace can mean, by that.
    pub(crate) names_by_space: Groups<&'a str>,
    /// Types, by what has to be around a place to see them by their bare name.
    pub(super) seen_types: Groups<(Rules, Option<&'a str>)>,
    /// Extensions, by the name of the type; of all types without one.
    pub(super) extensions: Groups<Option<&'a str>>,
    /// Extensions, by the package that they are seen in.
    pub(super) extensions_near: Groups<Option<u32>>,
    /// Extensions that a file sees by their namespace, by that.
    pub(super) extension_spaces: Groups<Option<&'a str>>,
    /// Members that may be meant instead of an extension.
    pub(super) rivals: Groups<()>,
    /// Types, by language.
    pub(super) defining: Groups<Rules>,
    /// All, by qualified name.
    pub(crate) qualified: Groups<(Rules, &'a str)>,
    /// What heritage ties, by qualified name.
    pub(crate) type_nodes: Groups<(Rules, &'a str)>,
    /// The same by language.
    pub(crate) heads: Groups<Rules>,
    /// By what they stand in: whether that is a block, and its name.
    pub(crate) holders: Groups<(Rules, bool, &'a str)>,
    /// Blocks that add to a type, by language.
    pub(super) blocks: Groups<Rules>,
    /// Fields that the keys of literals may name.
    pub(super) literal_fields: Groups<()>,
    /// Methods that traits have.
    pub(super) of_traits: Groups<()>,
    /// Types.
    pub(super) types: Groups<()>,
}

/// What makes a definition the member of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OwnerKey<'a> {
    /// It stands in a namespace or module of this kind and name, in however many files that is opened.
    Space(SymbolKind, &'a str),
    /// It stands in a type that several places may add to.
    Reopened(&'a str),
    /// It stands outside of the type and names it: one of this file or package, where that says which one.
    Named(&'a str, Option<u32>),
}

/// The types of one family that have a member of a name.
pub(super) struct FamilyRoot {
    /// The members that all others override.
    pub(super) members: Vec<SymbolId>,
    /// The types that have one.
    pub(super) types: Vec<SymbolId>,
}

/// What is known of the family of a name, with the look-ups that gave it.
pub(crate) struct KnownRoot {
    pub(super) root: Option<FamilyRoot>,
    pub(super) keys: Rc<[u32]>,
}

/// The members of a name, by the types that their owners inherit from, with the look-ups that gave it.
pub(crate) struct KnownHeirs {
    pub(super) by_base: FxHashMap<SymbolId, Vec<(SymbolId, SymbolId)>>,
    pub(super) keys: Rc<[u32]>,
}

/// By language, by whether the asking file is shipped, and by name.
pub(crate) type KnownRoots<'a> = FxHashMap<(Rules, bool, &'a str), Rc<KnownRoot>>;
