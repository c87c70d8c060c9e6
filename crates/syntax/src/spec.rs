//! What a language says about its grammar: which nodes define, which positions play which role.
//!
//! A [`Spec`] is a static table in `languages/`; its functions look at a [`Context`] and decide what no
//! table says. The walk knows specs, and no spec knows the walk.

use crate::name_rules::NameRules;
use crate::types::{FileFacts, Import, Local, ReferenceKind, Symbol, SymbolKind};
use tree_sitter::Node;

/// One language, as data.
pub(crate) struct Spec {
    pub(crate) grammar: fn() -> tree_sitter::Language,
    /// What a name can mean.
    pub(crate) names: &'static NameRules,
    /// Node kinds that define something.
    pub(crate) defs: &'static [Def],
    /// Identifier nodes, with what they mean where no position says otherwise.
    pub(crate) leaves: &'static [(&'static str, ReferenceKind)],
    /// (parent kind or `*`, field, `""` for none or `*`, meaning).
    pub(crate) positions: &'static [(&'static str, &'static str, NodeRole)],
    /// Nodes that open a function scope: names declared inside are local.
    pub(crate) scopes: &'static [&'static str],
    /// Scopes whose element stands before the clauses that name its parts.
    pub(crate) comprehensions: &'static [&'static str],
    /// Nodes that have names of their own, which are seen in them or in what they stand in: parameters of
    /// types, members of an enum.
    pub(crate) own_names: &'static [&'static str],
    /// Names that the scope or block binds before the lines that declare them.
    pub(crate) binds_ahead: for<'t> fn(&Context<'_, 't>, Node<'t>) -> Vec<Node<'t>>,
    /// Nodes that end the local names declared inside, within a function.
    pub(crate) blocks: &'static [&'static str],
    /// Declarations whose names are seen only behind them (`let x = x + 1`).
    pub(crate) late: &'static [&'static str],
    /// Literals with named fields: node and the field that holds the type (`Foo { a: 1 }`).
    pub(crate) literals: &'static [(&'static str, &'static str)],
    /// Nodes that belong to the definition that they hold (`export …`, decorators).
    pub(crate) wrappers: &'static [&'static str],
    /// What begins the body of a definition where no field does: its head ends there.
    pub(crate) body_marks: &'static [&'static str],
    /// Siblings before a definition that belong to it (`#[derive]`).
    pub(crate) attributes: &'static [&'static str],
    /// Nodes whose text is tokens without structure (macro arguments).
    pub(crate) raw: &'static [&'static str],
    /// Nodes that import: handed to `import`; names inside are imports.
    pub(crate) imports: &'static [&'static str],
    /// Nodes whose value a function returns, where heads do not always say the type.
    pub(crate) returns: &'static [&'static str],
    /// Nodes that say what no position of a name says: handed to `aside`.
    pub(crate) asides: &'static [&'static str],
    /// Callee names that import: the call is handed to `import`.
    pub(crate) import_calls: &'static [&'static str],
    /// Functions that give what their argument holds again: `list(x)`.
    pub(crate) copies: &'static [&'static str],
    /// Callee names whose arguments are bases of the type around (`include Comparable`).
    pub(crate) mixins: &'static [&'static str],
    /// The name that a function without parameters gives to its only one (`it`).
    pub(crate) implicit: &'static str,
    /// Words that are no names in raw text.
    pub(crate) keywords: &'static [&'static str],
    /// Definitions that no field names.
    pub(crate) define: for<'t> fn(&Context<'_, 't>, Node<'t>) -> Vec<Definition<'t>>,
    pub(crate) import: for<'t> fn(&Context<'_, 't>, Node<'t>) -> Vec<Import>,
    pub(crate) aside: for<'t> fn(&Context<'_, 't>, Node<'t>) -> Vec<Aside<'t>>,
    /// Tells an error or a missing sign that leaves the tree around it as it should be, by what it stands in
    /// and what that stands in: asking the tree would cost a walk from its root.
    pub(crate) is_harmless: fn(Node<'_>, [Option<Node<'_>>; 2]) -> bool,
    /// Whether the leaf at work names something new, where no position says so.
    pub(crate) binds: for<'t> fn(&Context<'_, 't>) -> bool,
    /// The owner of the leaf at work, by its place, where its text has a dot alone before it: `.red`.
    pub(crate) implied: for<'t> fn(&Context<'_, 't>) -> Option<String>,
    /// The kind of name that the leaf at work is, where no position says so.
    pub(crate) kind_of_name: for<'t> fn(&Context<'_, 't>) -> NameKind,
    pub(crate) exported: fn(&DefinitionHead<'_>) -> bool,
    /// What is between the names of an outer and an inner definition.
    pub(crate) join: fn(outer: SymbolKind, inner: SymbolKind) -> &'static str,
    /// Assigning an unknown name in a function declares it (Python, Ruby).
    pub(crate) assignment_declares: bool,
    /// Functions are called by names of their own: a local of that name hides none.
    pub(crate) calls_pass_locals: bool,
    /// A capitalised name in a pattern is a constructor, not a new name (Rust, Scala).
    pub(crate) upper_patterns_are_reads: bool,
    /// The first string of a body documents it.
    pub(crate) docstrings: bool,
    /// Functions of one name differ by the number of their parameters.
    pub(crate) counts_arguments: bool,
    /// An argument may become of another type: what it is tells no functions apart.
    pub(crate) converts_arguments: bool,
    /// What a file says of itself as a whole.
    pub(crate) of_file: fn(Node<'_>, &str) -> Option<Local>,
}

impl Spec {
    pub(crate) const EMPTY: Self = Self {
        grammar: crate::grammars::c,
        names: &NameRules::NONE,
        defs: &[],
        leaves: &[("identifier", ReferenceKind::Read)],
        positions: &[],
        scopes: &[],
        comprehensions: &[],
        own_names: &[],
        binds_ahead: |_, _| Vec::new(),
        blocks: &[],
        late: &[],
        literals: &[],
        wrappers: &[],
        body_marks: &[],
        attributes: &[],
        raw: &[],
        imports: &[],
        returns: &[],
        asides: &[],
        aside: |_, _| Vec::new(),
        import_calls: &[],
        copies: &[],
        mixins: &[],
        implicit: "",
        keywords: &[],
        define: |_, _| Vec::new(),
        import: |_, _| Vec::new(),
        is_harmless: |_, _| false,
        binds: |_| false,
        implied: |_| None,
        kind_of_name: |_| NameKind::Any,
        exported: |_| true,
        join: |_, _| ".",
        assignment_declares: false,
        calls_pass_locals: false,
        upper_patterns_are_reads: false,
        docstrings: false,
        counts_arguments: false,
        converts_arguments: false,
        of_file: |_, _| None,
    };
}

/// A node kind that defines something.
#[derive(Clone, Copy)]
pub(crate) struct Def {
    pub(crate) node: &'static str,
    pub(crate) kind: SymbolKind,
    /// The field with the name; empty asks `Spec::define`.
    pub(crate) name: &'static str,
}

/// A definition whose name is a field.
pub(crate) const fn def(node: &'static str, kind: SymbolKind, name: &'static str) -> Def {
    Def { node, kind, name }
}

/// A definition that `Spec::define` looks into.
pub(crate) const fn hook(node: &'static str) -> Def {
    Def {
        node,
        kind: SymbolKind::Variable,
        name: "",
    }
}

/// The role of an identifier by the field of the parent in which it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum NodeRole {
    /// What the leaf's kind says.
    Default,
    /// The last part of a path: the parent's place decides, what is before is the qualifier.
    PathTail,
    /// `PathTail` for the last part, read for the others (grammars without fields).
    LastPart,
    /// The parent's place decides.
    Transparent,
    /// As `Transparent`, but what comes out is a type unless it is inherited, decorates or is called.
    TypeContext,
    /// The called name of a call that holds its receiver too.
    Member,
    /// No use of a name.
    Skip,
    /// Declares a local name.
    Local,
    /// Names a field of the literal around it.
    Key,
    /// Names a field of the object itself, whatever local bears the name.
    OwnField,
    /// Stands before an argument or a part of a pattern: a field, where a type is made or taken apart.
    Label,
    Call,
    Read,
    Write,
    Type,
    /// The name means the outer one here and below (`global x`).
    Outer,
    ReExport,
    Inherit,
    Decorator,
}

/// The kind of name that a leaf is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// Anything that its position means.
    Any,
    /// A type, which is not read.
    Type,
    /// A variable: nothing that a file defines bears such a name.
    Variable,
    /// A member that is set where other languages would call it; read before where that is said as well.
    Set { is_read: bool },
}

/// A definition met in the tree.
pub(crate) struct Definition<'t> {
    pub(crate) kind: SymbolKind,
    pub(crate) node: Node<'t>,
    pub(crate) name: Node<'t>,
    /// The name, where it is not the text of `name`.
    pub(crate) text: Option<String>,
    /// Replaces the prefix that the parents give (`Receiver` of a Go method).
    pub(crate) prefix: Option<String>,
    pub(crate) exported: Option<bool>,
    /// Replaces what is between prefix and name.
    pub(crate) join: Option<&'static str>,
    /// Only the first of that name under the same parent counts (assignments).
    pub(crate) once: bool,
    /// What follows in the same block is inside (file-scoped namespaces).
    pub(crate) sticky: bool,
}

impl<'t> Definition<'t> {
    pub(crate) fn new(kind: SymbolKind, node: Node<'t>, name: Node<'t>) -> Self {
        Self {
            kind,
            node,
            name,
            text: None,
            prefix: None,
            join: None,
            exported: None,
            once: false,
            sticky: false,
        }
    }
}

/// A fact that a node states beside the names that stand in it.
pub(crate) enum Aside<'t> {
    /// A member of another type gets a name in this one: `use T { run as protected start; }`.
    Alias {
        /// The member's name where it is written.
        member: Node<'t>,
        /// The type that has it.
        owner: String,
        /// The name that it gets.
        name: String,
    },
    /// A local is asked for its type, or changed by an operator: it may hold another than it says.
    Narrows { name: Node<'t> },
    /// A text names a function that is called: `trap cleanup EXIT`.
    Call {
        text: Node<'t>,
        /// Byte offset of the name in the text.
        offset: usize,
        name: String,
        /// The value that it is called on; empty for a function.
        owner: String,
    },
    /// A text begins with a name whose value it has: `$name`.
    Read { text: Node<'t>, name: String },
    /// An object is made of a type that stands elsewhere: `Item item = new(1)`.
    Made { made: Node<'t>, path: String },
    /// A name begins to be a local, from a byte of the text to another: `in { name: }`.
    Declares(std::ops::Range<usize>),
    /// A test lets a value be of another type from here on: `$value instanceof Type`.
    Tested(Node<'t>),
    /// A definition is hidden, though its own head does not say so: its name starts at a byte of the text.
    Hides(usize),
}

/// A pattern of one type, with the places of its parts; none for one that is left out.
pub(crate) struct ByPosition<'s> {
    pub(crate) of_type: &'s str,
    pub(crate) parts: Vec<Option<(u32, u32)>>,
    pub(crate) enclosing: Option<u32>,
}

/// What the rule of visibility may look at.
pub(crate) struct DefinitionHead<'a> {
    /// The text from the start of the definition to its name.
    pub(crate) before: &'a str,
    pub(crate) name: &'a str,
    pub(crate) parent: Option<&'a Symbol>,
}

impl DefinitionHead<'_> {
    /// Says whether a word stands before the name.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.before
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|found| found == word)
    }

    /// Says whether what it is defined in can be seen from outside.
    pub(crate) fn parent_exported(&self) -> bool {
        self.parent.is_none_or(|parent| parent.exported)
    }
}

/// Where a walk stands: the part of its state that hooks and type hints may read.
pub(crate) struct Context<'s, 't> {
    pub(crate) source: &'s str,
    pub(crate) spec: &'static Spec,
    pub(crate) facts: FileFacts,
    /// From the root to the node being visited.
    pub(crate) levels: Vec<Level<'t>>,
    pub(crate) open_symbols: Vec<u32>,
    /// The file-scoped namespace or package that what follows lies in.
    pub(crate) sticky: Option<u32>,
    pub(crate) in_function: bool,
}

impl<'s, 't> Context<'s, 't> {
    pub(crate) fn new(source: &'s str, spec: &'static Spec) -> Self {
        Self {
            source,
            spec,
            facts: FileFacts::default(),
            levels: Vec::with_capacity(64),
            open_symbols: Vec::new(),
            sticky: None,
            in_function: false,
        }
    }

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

    pub(crate) fn parent_symbol(&self) -> Option<u32> {
        self.open_symbols.last().copied().or(self.sticky)
    }

    /// The ancestor of a call that is being handed to `Spec::import`.
    pub(crate) fn above(&self, node: Node<'_>) -> Option<Node<'t>> {
        let at = self
            .levels
            .iter()
            .rposition(|level| level.node.id() == node.id())?;
        Some(self.levels[at.checked_sub(1)?].node)
    }
}

/// Comments and attributes that stand before a node, by row (from 0).
#[derive(Clone, Copy, Default)]
pub(crate) struct Lead {
    pub(crate) doc: Option<(u32, u32)>,
    /// The doc comment is a block, `/** … */`, that does not open the file.
    pub(crate) doc_block: bool,
    pub(crate) attribute: Option<(u32, u32)>,
    /// Row where the last sibling ended, plus 1.
    pub(crate) last_end: u32,
}

impl Lead {
    /// The doc comment of a definition that starts at a row: right before it, or, as a doc block,
    /// behind one blank line.
    pub(crate) fn doc_before(&self, first_row: u32) -> Option<(u32, u32)> {
        let reaches =
            |last: u32| last + 1 >= first_row || (self.doc_block && last + 2 == first_row);
        self.doc
            .filter(|doc| doc.1 < first_row.max(1) + 1)
            .filter(|doc| reaches(doc.1))
    }
}

pub(crate) struct Level<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) kind: u16,
    pub(crate) field: u16,
    /// What stood before this node.
    pub(crate) lead: Lead,
    /// What comes before its next child.
    pub(crate) pending: Lead,
    pub(crate) n_symbols_before: usize,
    pub(crate) sticky_before: Option<u32>,
    /// A sticky symbol was opened in this block and ends with it.
    pub(crate) holds_sticky: bool,
    pub(crate) was_in_function: bool,
    pub(crate) locals_mark: Option<usize>,
    /// The mark of the scope that this node stands in and is evaluated before.
    pub(crate) outside_of: Option<usize>,
    /// The scope of locals is a block within a function.
    pub(crate) is_block: bool,
    pub(crate) was_region: Option<ReferenceKind>,
}
