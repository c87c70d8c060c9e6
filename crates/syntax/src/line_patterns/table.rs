//! The table of patterns: a row a language.

use super::source_lines::SourceLines;
use crate::lexical::Syntax;
use crate::types::SymbolKind::{
    Class, Constant, Enum, Function, Interface, Macro, Module, Namespace, Struct, Trait, TypeAlias,
    Variable,
};
use crate::types::{ImportKind, SymbolKind};

/// Words that look like calls or names in most languages.
const WORDS: &[&str] = &[
    "if",
    "else",
    "elif",
    "elsif",
    "elseif",
    "for",
    "foreach",
    "while",
    "until",
    "unless",
    "do",
    "done",
    "then",
    "fi",
    "end",
    "begin",
    "case",
    "esac",
    "switch",
    "when",
    "match",
    "with",
    "in",
    "of",
    "is",
    "return",
    "break",
    "continue",
    "goto",
    "yield",
    "throw",
    "throws",
    "raise",
    "try",
    "catch",
    "except",
    "finally",
    "rescue",
    "ensure",
    "new",
    "delete",
    "sizeof",
    "typeof",
    "instanceof",
    "and",
    "or",
    "not",
    "true",
    "false",
    "null",
    "nil",
    "None",
    "True",
    "False",
    "self",
    "this",
    "super",
    "let",
    "var",
    "val",
    "const",
    "mut",
    "static",
    "public",
    "private",
    "protected",
    "final",
    "abstract",
    "override",
    "void",
    "int",
    "class",
    "struct",
    "enum",
    "interface",
    "trait",
    "impl",
    "fn",
    "func",
    "fun",
    "function",
    "def",
    "defp",
    "defmodule",
    "module",
    "namespace",
    "package",
    "import",
    "export",
    "from",
    "use",
    "using",
    "require",
    "include",
    "as",
    "type",
    "where",
    "async",
    "await",
    "local",
    "my",
    "our",
    "sub",
    "data",
    "instance",
    "deriving",
    "newtype",
    "pub",
    "comptime",
    "inline",
    "extern",
    "select",
    "insert",
    "update",
    "create",
    "table",
    "resource",
    "message",
    "service",
    "rpc",
    "returns",
    "echo",
    "set",
];

const C_LIKE: Syntax = Syntax {
    keywords: WORDS,
    ..Syntax::C
};
const HASH: Syntax = Syntax {
    line_comments: &["#"],
    block_comments: &[],
    single_quotes: true,
    keywords: WORDS,
};
const DASH: Syntax = Syntax {
    line_comments: &["--"],
    block_comments: &[("{-", "-}"), ("/*", "*/")],
    single_quotes: false,
    keywords: WORDS,
};
const SQL: Syntax = Syntax {
    line_comments: &["--"],
    block_comments: &[("/*", "*/")],
    single_quotes: true,
    keywords: WORDS,
};
const SLASH_QUOTES: Syntax = Syntax {
    single_quotes: true,
    ..C_LIKE
};
const SEMICOLON: Syntax = Syntax {
    line_comments: &[";"],
    block_comments: &[],
    single_quotes: false,
    keywords: WORDS,
};
const PERCENT: Syntax = Syntax {
    line_comments: &["%"],
    block_comments: &[],
    single_quotes: true,
    keywords: WORDS,
};
const OCAML: Syntax = Syntax {
    line_comments: &["//"],
    block_comments: &[("(*", "*)")],
    single_quotes: false,
    keywords: WORDS,
};

pub(super) const SOURCES: &[SourceLines] = &[
    SourceLines {
        names: &["elixir"],
        syntax: HASH,
        join: ".",
        definitions: &[
            (r"^\s*(?:defmodule|defprotocol)\s+([\w.]+)", Module),
            (r"^\s*defimpl\s+([\w.]+)", SymbolKind::Impl),
            (
                r"^\s*(?:def|defp|defguard|defguardp|defdelegate)\s+([a-z_]\w*[?!]?)",
                Function,
            ),
            (r"^\s*(?:defmacro|defmacrop)\s+([a-z_]\w*[?!]?)", Macro),
            (r"^\s*@type\s+(\w+)", TypeAlias),
        ],
        imports: &[(
            r"^\s*(?:alias|import|require|use)\s+([A-Z][\w.]*)",
            ImportKind::Import,
        )],
    },
    SourceLines {
        names: &["erlang"],
        syntax: PERCENT,
        join: ":",
        definitions: &[
            (r"^-module\((\w+)\)", Module),
            (r"^-record\((\w+)", Struct),
            (r"^-define\((\w+)", Macro),
            (r"^([a-z]\w*)\(.*\)\s*(?:when .*)?->", Function),
        ],
        imports: &[
            (r#"^-include(?:_lib)?\("([^"]+)"\)"#, ImportKind::Include),
            (r"^-import\((\w+)", ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["haskell"],
        syntax: DASH,
        join: ".",
        definitions: &[
            (r"^(?:data|newtype)\s+(?:[^=]*=>\s*)?([A-Z][\w']*)", Struct),
            (r"^type\s+(?:family\s+)?([A-Z][\w']*)", TypeAlias),
            (r"^class\s+(?:.*=>\s*)?([A-Z][\w']*)", Trait),
            (r"^instance\s+(?:.*=>\s*)?([A-Z][\w'.]*)", SymbolKind::Impl),
            (r"^([a-z_][\w']*)\s*(?:,\s*[a-z_][\w']*\s*)*::", Function),
        ],
        imports: &[(
            r"^import\s+(?:safe\s+)?(?:qualified\s+)?([A-Z][\w.]*)",
            ImportKind::Import,
        )],
    },
    SourceLines {
        names: &["zig"],
        syntax: C_LIKE,
        join: ".",
        definitions: &[
            (
                r"^\s*(?:pub\s+)?(?:export\s+|extern\s+|inline\s+)*fn\s+(\w+)",
                Function,
            ),
            (
                r"^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?struct\b",
                Struct,
            ),
            (
                r"^\s*(?:pub\s+)?const\s+(\w+)\s*=\s*(?:packed\s+|extern\s+)?(?:union|enum)\b",
                Enum,
            ),
            (r"^(?:pub\s+)?const\s+(\w+)", Constant),
            (r"^(?:pub\s+)?var\s+(\w+)", Variable),
            (r#"^\s*test\s+"([^"]+)""#, Function),
        ],
        imports: &[(r#"@import\("([^"]+)"\)"#, ImportKind::Import)],
    },
    SourceLines {
        names: &["perl"],
        syntax: HASH,
        join: "::",
        definitions: &[
            (r"^\s*sub\s+([\w:]+)", Function),
            (r"^\s*package\s+([\w:]+)\s*\{", Module),
        ],
        imports: &[(r"^\s*(?:use|require)\s+([A-Z][\w:]*)", ImportKind::Import)],
    },
    SourceLines {
        names: &["r"],
        syntax: HASH,
        join: "$",
        definitions: &[
            (r"^\s*([\w.]+)\s*(?:<-|=)\s*function\b", Function),
            (r#"^\s*set(?:Class|RefClass)\("([^"]+)""#, Class),
        ],
        imports: &[
            (
                r#"^\s*(?:library|require|requireNamespace)\(["']?([\w.]+)"#,
                ImportKind::Import,
            ),
            (r#"^\s*source\(["']([^"']+)"#, ImportKind::Include),
        ],
    },
    SourceLines {
        names: &["julia"],
        syntax: Syntax {
            single_quotes: false,
            ..HASH
        },
        join: ".",
        definitions: &[
            (r"^\s*(?:@\w+\s+)*function\s+([\w.!]+)", Function),
            (r"^\s*macro\s+(\w+)", Macro),
            (r"^\s*(?:mutable\s+)?struct\s+(\w+)", Struct),
            (r"^\s*abstract\s+type\s+(\w+)", TypeAlias),
            (r"^\s*(?:bare)?module\s+(\w+)", Module),
            (r"^([\w!]+)\([^=]*\)\s*(?:where .*)?=[^=]", Function),
            (r"^const\s+(\w+)", Constant),
        ],
        imports: &[
            (r"^\s*(?:using|import)\s+([\w.]+)", ImportKind::Import),
            (r#"^\s*include\("([^"]+)"\)"#, ImportKind::Include),
        ],
    },
    SourceLines {
        names: &["ocaml", "fsharp"],
        syntax: OCAML,
        join: ".",
        definitions: &[
            (r"^\s*module\s+(?:type\s+|rec\s+)?([A-Z][\w.]*)", Module),
            (r"^namespace\s+([\w.]+)", Namespace),
            (
                r"^\s*type\s+(?:\S+\s+)??([A-Za-z_]\w*)\s*(?:<.*>)?\s*(?:\(.*\))?\s*(?:=|$)",
                TypeAlias,
            ),
            (r"^\s*class\s+(\w+)", Class),
            (
                r"^(?:let|and)\s+(?:rec\s+|inline\s+|private\s+)*([a-z_][\w']*)",
                Function,
            ),
            (
                r"^\s*(?:static\s+)?member\s+(?:\w+\.)?(\w+)",
                SymbolKind::Method,
            ),
            (r"^\s*(?:val|external)\s+(\w+)\s*:", Function),
        ],
        imports: &[(r"^\s*open\s+([\w.]+)", ImportKind::Import)],
    },
    SourceLines {
        names: &[
            "dart", "groovy", "solidity", "d", "java", "csharp", "kotlin", "scala", "swift", "php",
            "*",
        ],
        syntax: SLASH_QUOTES,
        join: ".",
        definitions: &[
            (
                r"^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|case|partial|export|default)\s+)*(?:class|mixin|contract|library|object|actor|record)\s+(\w+)",
                Class,
            ),
            (
                r"^\s*(?:(?:public|private|protected|internal|static|sealed|export)\s+)*(?:interface|protocol)\s+(\w+)",
                Interface,
            ),
            (
                r"^\s*(?:(?:public|private|protected|internal|static|export)\s+)*trait\s+(\w+)",
                Trait,
            ),
            (
                r"^\s*(?:(?:public|private|protected|internal|static|export|const)\s+)*enum\s+(?:class\s+)?(\w+)",
                Enum,
            ),
            (
                r"^\s*(?:(?:public|private|protected|internal|export)\s+)*struct\s+(\w+)",
                Struct,
            ),
            (
                r"^\s*(?:(?:public|private|protected|internal|static|final|override|async|inline|suspend|open|abstract|mutating|export|default|pub)\s+)*(?:function\*?|func|fun|fn|def|sub|proc|procedure|method)\s+(?:\w+\.)?(\w+)",
                Function,
            ),
            (
                r"^\s{0,4}(?:(?:@\w+|public|private|protected|static|final|override|async|external|synchronized|abstract|virtual|const)\s+)*[A-Za-z_][\w<>,\[\]?.]*\s+(?:get\s+)?(\w+)\s*\([^;]*\)\s*(?:async\s*\*?\s*)?(?:=>|\{)",
                Function,
            ),
            (r"^\s*(?:typedef|type|typealias)\s+(\w+)", TypeAlias),
            (
                r"^\s*(?:module|package|namespace)\s+([\w.]+)\s*\{",
                Namespace,
            ),
            (
                r"^(?:export\s+|public\s+|static\s+|final\s+)*(?:const|let|var|val)\s+(\w+)",
                Constant,
            ),
        ],
        imports: &[
            (
                r#"^\s*import\s+(?:.*\bfrom\s+)?["']([^"']+)["']"#,
                ImportKind::Import,
            ),
            (r"^\s*import\s+(?:static\s+)?([\w.*]+)", ImportKind::Import),
            (r#"^\s*export\s+["']([^"']+)["']"#, ImportKind::ReExport),
            (r#"^\s*#\s*include\s+["<]([^">]+)[">]"#, ImportKind::Include),
            (r"^\s*using\s+([\w.]+)\s*;", ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["javascript", "typescript", "tsx", "vue", "svelte", "astro"],
        syntax: SLASH_QUOTES,
        join: ".",
        definitions: &[
            (
                r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)",
                Function,
            ),
            (
                r"^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)",
                Class,
            ),
            (
                r"^\s*(?:export\s+)?(?:declare\s+)?interface\s+(\w+)",
                Interface,
            ),
            (r"^\s*(?:export\s+)?(?:declare\s+)?type\s+(\w+)", TypeAlias),
            (r"^\s*(?:export\s+)?(?:const\s+)?enum\s+(\w+)", Enum),
            (r"^(?:export\s+)?(?:const|let|var)\s+([\w$]+)", Constant),
        ],
        imports: &[
            (
                r#"^\s*(?:import|export)\b.*\bfrom\s+["']([^"']+)["']"#,
                ImportKind::Import,
            ),
            (r#"\brequire\(["']([^"']+)["']\)"#, ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["python", "starlark", "nim"],
        syntax: HASH,
        join: ".",
        definitions: &[
            (r"^\s*(?:async\s+)?def\s+(\w+)", Function),
            (r"^\s*class\s+(\w+)", Class),
            (
                r"^\s*(?:proc|func|method|iterator|template)\s+(\w+)",
                Function,
            ),
            (r"^([A-Z_][A-Z0-9_]*)\s*=", Constant),
        ],
        imports: &[
            (r"^\s*(?:from|import)\s+([\w.]+)", ImportKind::Import),
            (r#"^load\("([^"]+)""#, ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["rust"],
        syntax: C_LIKE,
        join: "::",
        definitions: &[
            (
                r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const\s+|async\s+|unsafe\s+|extern\s+\S+\s+)*fn\s+(\w+)",
                Function,
            ),
            (
                r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:struct|union)\s+(\w+)",
                Struct,
            ),
            (r"^\s*(?:pub(?:\([^)]*\))?\s+)?enum\s+(\w+)", Enum),
            (r"^\s*(?:pub(?:\([^)]*\))?\s+)?trait\s+(\w+)", Trait),
            (r"^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*\{", Module),
            (
                r"^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(\w+)\s*:",
                Constant,
            ),
            (r"^\s*macro_rules!\s+(\w+)", Macro),
        ],
        imports: &[(r"^\s*(?:pub\s+)?use\s+([\w:]+)", ImportKind::Import)],
    },
    SourceLines {
        names: &["go"],
        syntax: C_LIKE,
        join: ".",
        definitions: &[
            (r"^func\s+(?:\([^)]*\)\s*)?(\w+)", Function),
            (r"^type\s+(\w+)\s+struct", Struct),
            (r"^type\s+(\w+)", TypeAlias),
            (r"^(?:var|const)\s+(\w+)", Variable),
        ],
        imports: &[(
            r#"^\s*(?:import\s+)?(?:\w+\s+)?"([\w./-]+)"$"#,
            ImportKind::Import,
        )],
    },
    SourceLines {
        names: &["c", "cpp", "objc", "wgsl"],
        syntax: C_LIKE,
        join: "::",
        definitions: &[
            (r"^\s*#\s*define\s+(\w+)", Macro),
            (
                r"^\s*(?:typedef\s+)?(?:struct|union)\s+(\w+)[^;()]*$",
                Struct,
            ),
            (
                r"^\s*(?:template\s*<.*>\s*)?class\s+(?:[A-Z_]+\s+)?(\w+)[^;()]*$",
                Class,
            ),
            (r"^\s*(?:typedef\s+)?enum\s+(?:class\s+)?(\w+)[^;]*$", Enum),
            (r"^namespace\s+(\w+)", Namespace),
            (
                r"^\s*typedef\s+[A-Z]{2}_\w*(?:ENUM|OPTIONS)\s*\([^,()]*,\s*(\w+)",
                Enum,
            ),
            (r"^@(?:interface|protocol|implementation)\s+(\w+)", Class),
            (r"^[-+]\s*\([^)]*\)\s*(\w+)", SymbolKind::Method),
            (r"^fn\s+(\w+)", Function),
            (
                r"^[A-Za-z_][\w\s*&:<>,]*?[\s*&]([\w:~]+)\s*\([^;{}]*\)?[^;=]*$",
                Function,
            ),
        ],
        imports: &[
            (
                r#"^\s*#\s*(?:include|import)\s+(<[^>]+>)"#,
                ImportKind::Include,
            ),
            (
                r#"^\s*#\s*(?:include|import)\s+"([^"]+)""#,
                ImportKind::Include,
            ),
        ],
    },
    SourceLines {
        names: &["ruby", "crystal"],
        syntax: HASH,
        join: "::",
        definitions: &[
            (r"^\s*def\s+(?:self\.)?([\w]+[?!=]?)", Function),
            (r"^\s*class\s+([A-Z][\w:]*)", Class),
            (r"^\s*module\s+([A-Z][\w:]*)", Module),
            (r"^\s*struct\s+([A-Z][\w:]*)", Struct),
        ],
        imports: &[(
            r#"^\s*require(?:_relative)?\s+["']([^"']+)["']"#,
            ImportKind::Import,
        )],
    },
    SourceLines {
        names: &["lua"],
        syntax: Syntax {
            line_comments: &["--"],
            block_comments: &[("--[[", "]]")],
            single_quotes: true,
            keywords: WORDS,
        },
        join: ".",
        definitions: &[
            (r"^\s*(?:local\s+)?function\s+([\w.:]+)", Function),
            (r"^([\w.]+)\s*=\s*function", Function),
        ],
        imports: &[(r#"\brequire\s*\(?\s*["']([^"']+)["']"#, ImportKind::Import)],
    },
    SourceLines {
        names: &["bash", "fish", "powershell", "tcl"],
        syntax: HASH,
        join: ".",
        definitions: &[
            (r"^\s*(?i:function|proc)\s+([\w:-]+)", Function),
            (r"^\s*([\w:-]+)\s*\(\)\s*\{?", Function),
        ],
        imports: &[(r"^\s*(?:source|\.)\s+([\w./-]+)", ImportKind::Include)],
    },
    SourceLines {
        names: &["sql"],
        syntax: SQL,
        join: ".",
        definitions: &[
            (
                r#"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unlogged\s+|virtual\s+|global\s+|local\s+)*table\s+(?:if\s+not\s+exists\s+)?["`\[]?([\w.]+)"#,
                Struct,
            ),
            (
                r#"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:materialized\s+)?view\s+(?:if\s+not\s+exists\s+)?["`\[]?([\w.]+)"#,
                Struct,
            ),
            (
                r#"(?i)^\s*create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:aggregate\s+)?(?:function|procedure|trigger|macro)\s+(?:if\s+not\s+exists\s+)?["`\[]?([\w.]+)"#,
                Function,
            ),
            (r#"(?i)^\s*create\s+type\s+["`\[]?([\w.]+)"#, TypeAlias),
            (
                r#"(?i)^\s*create\s+(?:unique\s+)?index\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?["`\[]?([\w.]+)"#,
                Constant,
            ),
            (
                r#"(?i)^\s*create\s+(?:schema|database|sequence|extension)\s+(?:if\s+not\s+exists\s+)?["`\[]?([\w.]+)"#,
                Namespace,
            ),
        ],
        imports: &[(r"(?i)^\\i\s+(\S+)", ImportKind::Include)],
    },
    SourceLines {
        names: &["make"],
        syntax: HASH,
        join: ".",
        definitions: &[
            (r"^([\w./%-]+)(?:\s+[\w./%-]+)*\s*::?(?:[^=]|$)", Function),
            (r"^(?:export\s+)?(\w+)\s*(?::|\?|\+)?=", Variable),
            (r"^define\s+(\w+)", Macro),
        ],
        imports: &[(r"^-?include\s+(\S+)", ImportKind::Include)],
    },
    SourceLines {
        names: &["dockerfile"],
        syntax: HASH,
        join: ".",
        definitions: &[(r"(?i)^FROM\s+\S+\s+AS\s+(\S+)", Module)],
        imports: &[(r"(?i)^FROM\s+(\S+)", ImportKind::Import)],
    },
    SourceLines {
        names: &["cmake"],
        syntax: HASH,
        join: ".",
        definitions: &[
            (r"(?i)^\s*(?:function|macro)\s*\(\s*(\w+)", Function),
            (
                r"(?i)^\s*add_(?:library|executable|custom_target)\s*\(\s*([\w-]+)",
                Module,
            ),
        ],
        imports: &[
            (
                r"(?i)^\s*(?:include|add_subdirectory)\s*\(\s*([\w./-]+)",
                ImportKind::Include,
            ),
            (r"(?i)^\s*find_package\s*\(\s*(\w+)", ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["terraform"],
        syntax: Syntax {
            line_comments: &["#", "//"],
            block_comments: &[("/*", "*/")],
            single_quotes: false,
            keywords: WORDS,
        },
        join: ".",
        definitions: &[
            (r#"^(?:resource|data)\s+"\w+"\s+"([\w-]+)""#, Struct),
            (r#"^module\s+"([\w-]+)""#, Module),
            (r#"^(?:variable|output)\s+"([\w-]+)""#, Variable),
            (r#"^provider\s+"([\w-]+)""#, Namespace),
        ],
        imports: &[(r#"^\s*source\s*=\s*"([^"]+)""#, ImportKind::Import)],
    },
    SourceLines {
        names: &["protobuf", "thrift", "graphql"],
        syntax: Syntax {
            line_comments: &["//", "#"],
            block_comments: &[("/*", "*/")],
            single_quotes: true,
            keywords: WORDS,
        },
        join: ".",
        definitions: &[
            (
                r"^\s*(?:message|struct|exception|input|(?:extend\s+)?type)\s+(\w+)",
                Struct,
            ),
            (r"^\s*(?:service|interface)\s+(\w+)", Interface),
            (r"^\s*enum\s+(\w+)", Enum),
            (r"^\s*rpc\s+(\w+)", Function),
            (r"^\s*(?:union|scalar|typedef)\s+(\w+)", TypeAlias),
            (
                r"^\s*(?:query|mutation|subscription|fragment|directive)\s+@?(\w+)",
                Function,
            ),
        ],
        imports: &[(
            r#"^\s*(?:import|include)\s+(?:public\s+|weak\s+)?["']([^"']+)["']"#,
            ImportKind::Import,
        )],
    },
    SourceLines {
        names: &["clojure", "lisp"],
        syntax: SEMICOLON,
        join: "/",
        definitions: &[
            (
                r"^\s*\((?:defn-?|defmulti|defmethod|defun|defgeneric|cl-defun)\s+(?:\^\S+\s+)*([^\s()]+)",
                Function,
            ),
            (
                r"^\s*\((?:defmacro|define-syntax|define-syntax-rule)\s+\(?([^\s()]+)",
                Macro,
            ),
            (r"^\s*\(define\s+\(([^\s()]+)", Function),
            (
                r"^\s*\((?:defrecord|deftype|defstruct|defclass|struct)\s+\(?([^\s()]+)",
                Struct,
            ),
            (r"^\s*\(defprotocol\s+([^\s()]+)", Interface),
            (
                r"^\s*\((?:def|defonce|defvar|defconst|defcustom|defparameter|define)\s+(?:\^\S+\s+)*([^\s()]+)",
                Variable,
            ),
            (
                r"^\s*\((?:ns|in-package|defpackage)\s+:?([^\s()]+)",
                Namespace,
            ),
        ],
        imports: &[(r"\(:?require\s+'?\[?([\w.-]+)", ImportKind::Import)],
    },
    SourceLines {
        names: &["nix", "vim"],
        syntax: HASH,
        join: ".",
        definitions: &[(r"^\s*function!?\s+([\w:#.]+)", Function)],
        imports: &[(r"\bimport\s+(\./\S+|<[^>]+>)", ImportKind::Import)],
    },
    SourceLines {
        names: &["assembly"],
        syntax: Syntax {
            line_comments: &["//", "#", ";"],
            block_comments: &[("/*", "*/")],
            single_quotes: true,
            keywords: WORDS,
        },
        join: ".",
        definitions: &[(r"^([A-Za-z_][\w.$]*):", Function)],
        imports: &[(r#"^\s*[.%#]include\s+"([^"]+)""#, ImportKind::Include)],
    },
    SourceLines {
        names: &["v", "vhdl", "fortran", "pascal", "ada"],
        syntax: C_LIKE,
        join: ".",
        definitions: &[
            (
                r"(?i)^\s*(?:module|entity|package(?:\s+body)?|program|unit)\s+(\w+)",
                Module,
            ),
            (
                r"(?i)^\s*(?:(?:pure|recursive|elemental|automatic|virtual|real|integer|static)\s+)*(?:function|procedure|subroutine|task)\s+(\w+)",
                Function,
            ),
            (r"(?i)^\s*(?:class|interface)\s+(\w+)", Class),
            (r"(?i)^\s*type\s+(\w+)", TypeAlias),
        ],
        imports: &[
            (r#"^\s*`include\s+"([^"]+)""#, ImportKind::Include),
            (r"(?i)^\s*use\s+([\w.]+)", ImportKind::Import),
        ],
    },
    SourceLines {
        names: &["css"],
        syntax: C_LIKE,
        join: " ",
        definitions: &[
            (r"^\s*@(?:mixin|function|keyframes)\s+([\w-]+)", Macro),
            (r"^\s*(--[\w-]+|\$[\w-]+)\s*:", Variable),
        ],
        imports: &[(
            r#"^\s*@(?:import|use|forward)\s+(?:url\()?["']([^"']+)"#,
            ImportKind::Import,
        )],
    },
];
