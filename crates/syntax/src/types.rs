//! What a file says: symbols, references, imports and chunks, from its text alone.
//!
//! Lines count from 1, ends are inclusive; bytes count from 0, ends are exclusive.
//! Facts are stored per content (postcard), so a change here bumps [`crate::SYNTAX_VERSION`].

use serde::{Deserialize, Serialize};

/// A range of whole lines and the bytes that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// First byte, from 0.
    pub start_byte: u32,
    /// One past the last byte.
    pub end_byte: u32,
}

/// What a definition defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum SymbolKind {
    Function,
    Method,
    Constructor,
    Class,
    Struct,
    Enum,
    Interface,
    Trait,
    Impl,
    TypeAlias,
    Module,
    Namespace,
    Macro,
    Constant,
    Variable,
    Field,
    EnumMember,
    Property,
    Section,
}

impl SymbolKind {
    /// Says whether it runs: a function, a method or a constructor.
    pub fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor)
    }

    /// Says whether it is a type by itself, and not another name of one.
    pub fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Enum | Self::Interface | Self::Trait
        )
    }

    /// Says whether its name is the name of a type.
    pub fn names_type(self) -> bool {
        self.is_type() || self == Self::TypeAlias
    }

    /// Says whether it may have members.
    pub fn has_members(self) -> bool {
        self.names_type() || self == Self::Impl
    }

    /// Says whether it belongs to a type.
    pub fn is_member(self) -> bool {
        matches!(
            self,
            Self::Method | Self::Constructor | Self::Field | Self::EnumMember | Self::Property
        )
    }
}

/// A definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// The bare name.
    pub name: String,
    /// The name within its file: `Router.use`, `Matcher::new`; parts joined as the language does.
    pub qualified: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole definition, with decorators and attributes, without a leading doc comment.
    pub span: Span,
    /// The line that holds the name.
    pub name_line: u32,
    /// The definition's head on one line, at most 200 characters.
    pub signature: String,
    /// Lines of the doc comment before it or docstring in it.
    pub doc: Option<Span>,
    /// Index of the enclosing symbol in the same file.
    pub parent: Option<u32>,
    /// Visible outside its file as far as the file says.
    pub exported: bool,
}

/// How a name is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum ReferenceKind {
    Call,
    Read,
    Write,
    Type,
    Import,
    ReExport,
    Inherit,
    Decorator,
    Mention,
}

/// What the qualifier of a reference begins with whose path is a text: `$text.a.b` for `"a.b.c"`.
pub const IN_TEXT: &str = "$text.";

/// The arguments of a use that makes an object, where a type and a function may bear one name.
pub(crate) const MADE: &str = "new";

/// A use of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// The bare name used.
    pub name: String,
    /// What comes before it: `app` in `app.use()`, `crate::x` in `crate::x::Y`; empty for none.
    pub qualifier: String,
    /// How it is used.
    pub kind: ReferenceKind,
    /// Line, from 1.
    pub line: u32,
    /// Byte column in the line, from 0.
    pub column: u32,
    /// Index of the innermost enclosing symbol.
    pub enclosing: Option<u32>,
    /// The arguments of a type and of a call. Of a type `<` with their number and `>`, where types of one name
    /// differ by it. Of a call, at commas, where the language tells functions of one name apart by them:
    /// `name=` where one says its parameter, then a sign of what it is ([`ArgumentSign`]).
    pub arguments: Option<Box<str>>,
}

impl Reference {
    /// Returns how many arguments a type is given, where types of one name differ by it.
    pub fn n_type_arguments(&self) -> usize {
        let told = self
            .arguments
            .as_deref()
            .and_then(|told| told.strip_prefix('<'));
        let number = told.and_then(|told| told.split('>').next());
        number.and_then(|number| number.parse().ok()).unwrap_or(0)
    }

    /// Says whether an object is made of the name, where types and functions may bear one name.
    pub fn is_made(&self) -> bool {
        self.arguments.as_deref() == Some(MADE)
    }

    /// Returns the arguments of a call.
    pub fn call_arguments(&self) -> Option<&str> {
        let told = self.arguments.as_deref().filter(|told| *told != MADE)?;
        match told.strip_prefix('<') {
            Some(told) => told
                .split_once('>')
                .map(|(_, of_call)| of_call)?
                .strip_prefix('('),
            None => Some(told),
        }
    }
}

/// The signs of what arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgumentSign {
    /// A whole number that says no type: `1`.
    Whole,
    /// A number with a fraction that says no type.
    Fraction,
    /// A string.
    Text,
    /// A character.
    Character,
    /// `true` or `false`.
    Truth,
    /// `null`.
    Null,
    /// A function that is written there.
    Function,
    /// The same behind the brackets, for the last parameter.
    FunctionBehind,
    /// The elements of a collection, each an argument.
    Spread,
    /// Anything else.
    Other,
}

impl ArgumentSign {
    const ALL: [(char, Self); 10] = [
        ('1', Self::Whole),
        ('.', Self::Fraction),
        ('"', Self::Text),
        ('\'', Self::Character),
        ('t', Self::Truth),
        ('0', Self::Null),
        ('{', Self::Function),
        ('}', Self::FunctionBehind),
        ('*', Self::Spread),
        ('?', Self::Other),
    ];

    /// Returns the sign as it is written.
    pub fn as_char(self) -> char {
        let mut all = Self::ALL.into_iter();
        all.find(|(_, sign)| *sign == self).map_or('?', |(c, _)| c)
    }

    /// Reads a sign; what is none is anything else.
    pub fn of(c: char) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|(sign, _)| *sign == c)
            .map_or(Self::Other, |(_, sign)| sign)
    }
}

/// How a file brings in another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum ImportKind {
    /// `import`, `use`, `require`, `using`, `from … import`.
    Import,
    ReExport,
    /// `#include`, PHP `require`, Ruby `require_relative`.
    Include,
    /// Rust `mod x;`.
    ModuleDeclaration,
    /// `import()`, `importlib`.
    Dynamic,
}

/// A name that an import brings in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedName {
    /// The name at its origin; `*` for all, `default` for a default export.
    pub name: String,
    /// The name here.
    pub local: String,
}

/// An import statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The module as written: `./router`, `flask.app`, `..x`, `crate::a::b`, `<stdio.h>`, `"fmt"` without quotes.
    pub module: String,
    /// The names; empty when the module as a whole is meant.
    pub names: Vec<ImportedName>,
    /// How.
    pub kind: ImportKind,
    /// Line, from 1.
    pub line: u32,
}

/// The kind of hint that a declaration gives of a local name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum HintKind {
    /// Nothing that the text shows.
    Nothing,
    /// Its type.
    Type,
    /// The expression that it is set to.
    Value,
    /// The expression that it is an element of.
    Element,
    /// The expression that it is a part of, from 0 (`a, b = f()`).
    Part(u8),
}

/// The name of a [`Local`] that is none: its lines are items that the macro in its text gets.
pub const MACRO_ITEMS: &str = "$items";

/// The name of a [`Local`] that is none: the text is the package of a file of Go that is tested from
/// outside (`package x_test`).
pub const OUTER_PACKAGE: &str = "$outer package";

/// The name of a [`Local`] that is none: the text is the package that the head of a file of Java, Kotlin or
/// Scala says.
pub const PACKAGE: &str = "$package";

/// The name of a [`Local`] that is none: what a function that is passed runs on, as Kotlin's `apply` says.
pub const RECEIVER: &str = "$receiver";

/// Begins the text of a value that is one of several, with [`OR`] between them.
pub const CHOICE: &str = "^? ";

/// Stands between the values of a [`CHOICE`].
pub const OR: &str = " ?| ";

/// A value of which nothing is known.
pub const OPEN: &str = "?";

/// Begins the name of a [`Local`] that is none: the variable of a file or class is set to its
/// value beside the line that defines it.
pub const SET: &str = "=";
/// Begins the name of a [`Local`] that is none: the value behind it may be, from its line on, of
/// another type than it is said to be.
pub const TESTED: &str = "?";

/// A local name, or a field set through the object itself (`.x` of `self.x = …`), of which a member
/// is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Local {
    /// The name; a field begins with a dot.
    pub name: String,
    /// What `text` is.
    pub kind: HintKind,
    /// A type or an expression; what is in brackets is left out.
    pub text: String,
    /// Where it is declared or set, from 1.
    pub line: u32,
    /// Byte column in the line, from 0.
    pub column: u32,
    /// The last line on which it is seen.
    pub end_line: u32,
    /// Index of the innermost enclosing symbol.
    pub enclosing: Option<u32>,
}

/// What a chunk holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ChunkKind {
    /// A definition, or a part of a large one.
    Definition,
    /// Code between definitions.
    Residue,
    /// A section of documentation or prose.
    Doc,
    /// Code that runs only where the file is run or tested by itself: `if __name__ == "__main__":`.
    SelfRun,
}

/// A range of a file that is found and shown as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// What it holds.
    pub kind: ChunkKind,
    /// Its lines and bytes, doc comment included.
    pub span: Span,
    /// Index of the symbol that it defines (for a part of a large one: of that one).
    pub symbol: Option<u32>,
    /// The first line after the doc comment: where a reader wants to land.
    pub focus_line: u32,
}

/// Something that could not be parsed; the rest of the file was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: u32,
    /// What was met.
    pub message: String,
}

/// All that a file says. Chunks cover every non-blank line, in order, without overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    /// Definitions, by start, outer before inner.
    pub symbols: Vec<Symbol>,
    /// Uses of names, by position.
    pub references: Vec<Reference>,
    /// Imports, by line.
    pub imports: Vec<Import>,
    /// Local names that say what they hold, by line.
    pub locals: Vec<Local>,
    /// Chunks, by position.
    pub chunks: Vec<Chunk>,
    /// What could not be parsed (at most 20).
    pub errors: Vec<SyntaxError>,
}

/// How to paint a range of source: byte offsets relative to the text given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HighlightSpan {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub class: HighlightClass,
}

/// What a highlighted range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum HighlightClass {
    Comment,
    Keyword,
    String,
    Number,
    Function,
    Type,
    Constant,
    Property,
    Operator,
    Punctuation,
    Tag,
    Attribute,
}
