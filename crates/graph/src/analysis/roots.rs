//! What runs or is visible without a use in the text: entry points, hooks, the package's surface.

use std::{
    cell::{OnceCell, RefCell},
    collections::{HashMap, HashSet},
    rc::Rc,
};

use whyrank_syntax::{FileFacts, ReferenceKind, Symbol, SymbolKind, name_rules};

use crate::{
    analysis::conventions::{DESCRIBE, LIFECYCLE, OF_TESTS},
    input::files::SymbolId,
    languages::visibility::{is_private_member, says},
    references::reference_query::ReferenceQuery,
    resolution::resolver::{Resolution, Resolver},
};

/// What is called by convention. Files are read when they are asked about.
#[derive(Default)]
pub(crate) struct Roots<'a> {
    /// Names of members of interfaces that types implement by having them.
    promised: OnceCell<HashSet<&'a str>>,
    files: RefCell<HashMap<u32, Rc<FileRoots>>>,
}

/// What a file says of its definitions.
struct FileRoots {
    /// Decorated lines.
    decorated: Vec<(u32, String)>,
    /// Definitions that say whom they inherit from: `impl` blocks of traits among them.
    heirs: HashSet<u32>,
    /// Types that hold what a test runner finds by its mark.
    test_holders: HashSet<u32>,
}

impl FileRoots {
    fn new(facts: &FileFacts, mark_ending: &str) -> Self {
        let of_kind = |kind| {
            let references = facts.references.iter();
            references.filter(move |reference| reference.kind == kind)
        };
        let decorated = of_kind(ReferenceKind::Decorator);
        let heirs = of_kind(ReferenceKind::Inherit).filter_map(|reference| reference.enclosing);
        let marks = of_kind(ReferenceKind::Decorator);
        let marks = marks.filter(|mark| OF_TESTS.contains(&mark.name.as_str()));
        let test_holders = marks.filter_map(|mark| {
            let marked = &facts.symbols[mark.enclosing? as usize];
            marked.parent.filter(|_| marked.kind.is_callable())
        });
        let decorated = decorated.map(|mark| {
            let name = mark.name.strip_suffix(mark_ending).unwrap_or(&mark.name);
            (mark.line, name.to_owned())
        });
        let mut decorated: Vec<(u32, String)> = decorated.collect();
        decorated.sort_by_key(|(line, _)| *line);
        Self {
            decorated,
            heirs: heirs.collect(),
            test_holders: test_holders.collect(),
        }
    }

    /// The names at the lines from a definition's first to that of its name.
    fn at(&self, symbol: &Symbol) -> impl Iterator<Item = &str> {
        let (first, last) = (symbol.span.start_line, symbol.name_line);
        let start = self.decorated.partition_point(|(line, _)| *line < first);
        let here = self.decorated[start..].iter();
        let here = here.take_while(move |(line, _)| *line <= last);
        here.map(|(_, name)| name.as_str())
    }
}

impl<'a> Roots<'a> {
    fn of_file(&self, uses: &ReferenceQuery<'_>, file: u32) -> Rc<FileRoots> {
        let mut files = self.files.borrow_mut();
        let read = || {
            let input = &uses.resolver.files[file as usize];
            let ending = uses.resolver.rules(file).mark_ending;
            Rc::new(input.with_facts(|facts| FileRoots::new(facts, ending)))
        };
        Rc::clone(files.entry(file).or_insert_with(read))
    }

    fn promised(&self, uses: &ReferenceQuery<'a>) -> &HashSet<&'a str> {
        self.promised.get_or_init(|| {
            let files = (0u32..).zip(uses.resolver.files);
            let counted = files.filter(|(file, _)| uses.resolver.rules(*file).has_method_sets);
            let members = counted.flat_map(|(_, input)| {
                let symbols = input.symbols();
                symbols.iter().filter(move |symbol| {
                    let owner = symbol.parent.map(|owner| symbols[owner as usize].kind);
                    matches!(owner, Some(SymbolKind::Interface | SymbolKind::Trait))
                })
            });
            members.map(|symbol| symbol.name.as_str()).collect()
        })
    }

    /// Says whether something outside starts it.
    pub(crate) fn is_root(&self, uses: &ReferenceQuery<'a>, id: SymbolId) -> bool {
        let symbol = uses.resolver.symbol(id);
        let top = symbol.parent.is_none();
        let rules = uses.resolver.rules(id.file);
        let starts = match symbol.name.as_str() {
            name if rules.entry_functions.contains(&name) => is_entry(uses, id),
            name if rules.load_functions.contains(&name) => top,
            "exports" => rules.modules_are_objects,
            name => top && name.starts_with("__") && name.ends_with("__"),
        };
        // A method may stand outside of its type.
        let implements = top && symbol.kind.is_member() && self.is_promised(uses, id, &symbol.name);
        let holds_entry = || {
            let names = rules.entry_functions.iter();
            let mut entries = names.flat_map(|name| uses.resolver.members_of(&[id], name));
            entries.any(|id| is_entry(uses, id))
        };
        starts
            || (rules.does_by_being_there)(symbol)
            || implements
            || (!symbol.kind.is_member() && self.is_hooked(uses, id))
            || (symbol.kind.has_members() && (holds_entry() || self.holds_tests(uses, id)))
    }

    fn holds_tests(&self, uses: &ReferenceQuery<'a>, id: SymbolId) -> bool {
        self.of_file(uses, id.file)
            .test_holders
            .contains(&id.symbol)
    }

    /// Says whether someone calls it by convention.
    pub(crate) fn is_convention(&self, uses: &ReferenceQuery<'a>, id: SymbolId) -> bool {
        let owner = uses.resolver.parent(id);
        self.is_root(uses, id) || owner.is_some_and(|owner| self.comes_with_owner(uses, id, owner))
    }

    /// Says whether a member is called by anyone who knows its owner.
    pub(crate) fn comes_with_owner(
        &self,
        uses: &ReferenceQuery<'a>,
        id: SymbolId,
        owner: SymbolId,
    ) -> bool {
        let resolver = &uses.resolver;
        let symbol = resolver.symbol(id);
        if !resolver.symbol(owner).kind.has_members() {
            // A property of an object literal goes where the object goes.
            return symbol.kind.is_member() && resolver.rules(id.file).objects_have_members;
        }
        let name = symbol.name.as_str();
        let is_assigned = || {
            let to = resolver.owner_name(id);
            resolver.rules(id.file).objects_have_members
                && to.is_some_and(|to| to != resolver.symbol(owner).name)
        };
        symbol.kind == SymbolKind::Constructor
            || is_assigned()
            || matches!(symbol.kind, SymbolKind::Field | SymbolKind::EnumMember)
                && !is_listed_part(resolver, id)
            || (name.starts_with("__") && name.ends_with("__"))
            || LIFECYCLE.contains(&name)
            || resolver.symbol(owner).kind == SymbolKind::Impl
                && self.of_file(uses, owner.file).heirs.contains(&owner.symbol)
            || self.is_promised(uses, id, name)
            || self.is_hooked(uses, id)
            || overrides(uses, owner, name)
    }

    /// Where types implement an interface by having its methods, says whether one has such a method.
    fn is_promised(&self, uses: &ReferenceQuery<'a>, id: SymbolId, name: &str) -> bool {
        uses.resolver.rules(id.file).has_method_sets
            && (LIFECYCLE.contains(&name) || self.promised(uses).contains(name))
    }

    /// Says whether the build decides if it is there, by an attribute of its own or of a module around it.
    pub(crate) fn is_conditional(&self, uses: &ReferenceQuery<'a>, id: SymbolId) -> bool {
        around(uses, id).any(|id| {
            let of_file = self.of_file(uses, id.file);
            let mut here = of_file.at(uses.resolver.symbol(id));
            here.any(|name| name == "cfg")
        })
    }

    /// Says whether a decorator or attribute may hand it to a framework.
    pub(crate) fn is_hooked(&self, uses: &ReferenceQuery<'a>, id: SymbolId) -> bool {
        let of_file = self.of_file(uses, id.file);
        let mut here = of_file.at(uses.resolver.symbol(id));
        let describing = name_rules(uses.resolver.files[id.file as usize].language).describing;
        here.any(|name| !DESCRIBE.contains(&name) && !describing.contains(&name))
    }

    /// How something finds a definition without naming it, in words. Who finds an exported one so is a user of the
    /// package, unless its attribute hands it to somebody.
    pub(crate) fn way_of_convention(
        &self,
        uses: &ReferenceQuery<'a>,
        id: SymbolId,
    ) -> Option<String> {
        let symbol = uses.resolver.symbol(id);
        let is_own = uses.resolver.rules(id.file).private_is_own && says(symbol, "private");
        if is_own && symbol.kind == SymbolKind::Field && !self.is_hooked(uses, id) {
            return None;
        }
        let is_found = match is_shown(uses, id) {
            true => self.is_hooked(uses, id),
            false => self.is_convention(uses, id),
        };
        let name = &uses.resolver.symbol(id).name;
        is_found.then(|| format!("whoever runs or registers `{name}` may find it by convention"))
    }
}

/// Says whether a field or a member of an enumeration is judged for itself: one that all who can see it name.
pub(crate) fn is_listed_part(resolver: &Resolver<'_>, id: SymbolId) -> bool {
    let symbol = resolver.symbol(id);
    let rules = resolver.rules(id.file);
    match symbol.kind {
        SymbolKind::EnumMember => rules.private_is_final,
        SymbolKind::Field | SymbolKind::Property => {
            let is_told = says(symbol, "static") || says(symbol, "event");
            is_told && is_private_member(resolver, id)
        }
        _ => false,
    }
}

fn is_entry(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let symbol = uses.resolver.symbol(id);
    let names = uses.resolver.rules(id.file).entry_functions;
    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
        && names.contains(&symbol.name.as_str())
}

/// Says whether a base of a type, in the view, has a member of this name.
fn overrides(uses: &ReferenceQuery<'_>, owner: SymbolId, name: &str) -> bool {
    let (mut bases, _) = uses.resolver.bases(owner, 0);
    let opened = uses.resolver.opened_types(owner).into_iter();
    bases.extend(opened.flat_map(|id| uses.resolver.bases(id, 0).0));
    !bases.is_empty()
        && matches!(
            uses.resolver.member(&Resolution::Instances(bases), name, 0),
            Resolution::Definitions(_) | Resolution::Instances(_)
        )
}

/// Says whether a definition is visible outside of its package, as far as its head says: `pub(crate)` and
/// `internal` are not, nor is what says nothing in Swift.
pub(crate) fn is_shown(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let resolver = &uses.resolver;
    let symbol = resolver.symbol(id);
    let is_internal = says(symbol, "internal") && !says(symbol, "protected");
    if !symbol.exported || symbol.signature.starts_with("pub(") || is_internal {
        return false;
    }
    let words = resolver.rules(id.file).shown_by;
    let has_word = |symbol: &Symbol| words.iter().any(|word| says(symbol, word));
    // Members of a public extension, protocol or enumeration do not repeat it.
    let comes_with = |id: SymbolId| {
        let around = resolver.symbol(id);
        let gives = matches!(around.kind, SymbolKind::Impl | SymbolKind::Interface)
            || symbol.kind == SymbolKind::EnumMember;
        gives && has_word(around)
    };
    words.is_empty() || has_word(symbol) || resolver.parent(id).is_some_and(comes_with)
}

/// The same of a definition with all that it lies in: a public member of what is internal is not seen.
pub(crate) fn is_shown_as_a_whole(uses: &ReferenceQuery<'_>, id: SymbolId) -> bool {
    let is_block = |id: SymbolId| uses.resolver.symbol(id).kind == SymbolKind::Impl;
    around(uses, id).all(|id| is_block(id) || is_shown(uses, id))
}

/// A definition and what it lies in, the innermost first.
pub(super) fn around<'a>(
    uses: &'a ReferenceQuery<'_>,
    id: SymbolId,
) -> impl Iterator<Item = SymbolId> + 'a {
    std::iter::successors(Some(id), |id| uses.resolver.parent(*id))
}
