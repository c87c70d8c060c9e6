//! Scopes of local names by language, beside what the walk needs for all of them.

/// The meaning of a second declaration of a name in one scope.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Another binding, which hides the first (Rust).
    Other,
    /// The same binding (Python, Go, `var` of JavaScript).
    Same,
    /// The same as any that is seen, in whatever scope: an assignment declares (PHP, Ruby).
    Seen,
    /// An error, or a choice of the preprocessor: nothing is said.
    Doubtful,
}

/// The scopes of a language.
pub(crate) struct Scoping {
    pub(crate) again: Again,
    /// The body of a function is one scope with its parameters.
    pub(crate) body_holds_parameters: bool,
    /// A name is told only where one declaration of the function around bears it: blocks are not all known.
    pub(crate) is_strict: bool,
    /// Nodes in which no local of the function around is seen, or another may hide it: functions that capture
    /// nothing, classes whose members are in scope.
    pub(crate) walls: &'static [&'static str],
    /// Nodes whose names, up to the next function, are no locals: bodies of classes.
    pub(crate) not_local: &'static [&'static str],
    /// Parts of a node that do not see what its head binds: `else` of `if let`.
    pub(crate) blind: &'static [&'static str],
    /// Declarations whose value does not see the name, though the walk declares it before.
    pub(crate) own_value: &'static [&'static str],
    /// Parameters are declared, and their values are not in their scope (Python).
    pub(crate) defaults_stand_outside: bool,
    /// Macros whose arguments are expressions.
    pub(crate) plain_macros: &'static [&'static str],
}

const NONE: Scoping = Scoping {
    again: Again::Doubtful,
    body_holds_parameters: false,
    is_strict: false,
    walls: &[],
    not_local: &[],
    blind: &[],
    own_value: &[],
    defaults_stand_outside: false,
    plain_macros: &[],
};

static PYTHON: Scoping = Scoping {
    again: Again::Same,
    not_local: &["class_definition"],
    defaults_stand_outside: true,
    ..NONE
};

static SCRIPT: Scoping = Scoping {
    again: Again::Same,
    not_local: &["class_body", "class_static_block"],
    ..NONE
};

static GO: Scoping = Scoping {
    again: Again::Same,
    body_holds_parameters: true,
    ..NONE
};

static RUST: Scoping = Scoping {
    again: Again::Other,
    walls: &["function_item"],
    blind: &["else_clause"],
    plain_macros: &[
        "assert",
        "assert_eq",
        "assert_ne",
        "dbg",
        "debug",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "eprint",
        "eprintln",
        "error",
        "format",
        "format_args",
        "info",
        "panic",
        "print",
        "println",
        "todo",
        "trace",
        "unimplemented",
        "unreachable",
        "vec",
        "warn",
        "write",
        "writeln",
    ],
    ..NONE
};

static NATIVE: Scoping = Scoping {
    walls: &["field_declaration_list"],
    ..NONE
};

static JAVA: Scoping = Scoping {
    walls: &["class_body", "enum_body", "interface_body"],
    own_value: &["variable_declarator"],
    ..NONE
};

static CSHARP: Scoping = Scoping {
    own_value: &["variable_declarator"],
    ..NONE
};

static KOTLIN: Scoping = Scoping {
    is_strict: true,
    walls: &["class_body", "enum_class_body"],
    own_value: &["property_declaration"],
    ..NONE
};

static SCALA: Scoping = Scoping {
    is_strict: true,
    walls: &["template_body"],
    own_value: &["val_definition", "var_definition"],
    ..NONE
};

static SWIFT: Scoping = Scoping {
    is_strict: true,
    walls: &["class_body", "enum_class_body"],
    ..NONE
};

static DART: Scoping = Scoping {
    is_strict: true,
    walls: &["class_body"],
    ..NONE
};

static PHP: Scoping = Scoping {
    again: Again::Seen,
    walls: &[
        "function_definition",
        "method_declaration",
        "anonymous_function",
    ],
    ..NONE
};

static RUBY: Scoping = Scoping {
    again: Again::Seen,
    is_strict: true,
    walls: &["method", "singleton_method", "class", "module"],
    ..NONE
};

static LUA: Scoping = Scoping {
    is_strict: true,
    ..NONE
};

/// The scopes of a language; none where locals are not told apart. A shell's locals are those of who calls.
pub(crate) fn of(language: &str) -> Option<&'static Scoping> {
    Some(match language {
        "python" => &PYTHON,
        "javascript" | "typescript" | "tsx" => &SCRIPT,
        "go" => &GO,
        "rust" => &RUST,
        "c" | "cpp" => &NATIVE,
        "java" => &JAVA,
        "csharp" => &CSHARP,
        "kotlin" => &KOTLIN,
        "scala" => &SCALA,
        "swift" => &SWIFT,
        "dart" => &DART,
        "php" => &PHP,
        "ruby" => &RUBY,
        "lua" => &LUA,
        _ => return None,
    })
}
