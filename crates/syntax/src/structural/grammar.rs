//! What structural search knows of each grammar: surroundings, ways to write a metavariable, what a
//! pattern need not write.

use crate::tables::Tables;

/// The identifier in place of metavariable `idx`.
pub(super) fn placeholder(idx: usize) -> String {
    format!("zqv{idx}q")
}

/// How a grammar takes patterns.
pub(super) struct Habits {
    /// Text before and after a pattern: the file itself, a function, a class.
    pub(super) around: &'static [(&'static str, &'static str)],
    /// How a metavariable may be written, most natural first; `{}` is the identifier, `Zqt` a type
    /// where the grammar wants one beside it.
    pub(super) forms: &'static [&'static str],
    /// How many of the forms mean different things where both are code; each makes a pattern.
    pub(super) n_meanings: usize,
    /// A pattern that is valid.
    pub(super) example: &'static str,
}

const FILE: (&str, &str) = ("", "");

const SCRIPT: Habits = Habits {
    around: &[
        FILE,
        ("(", "\n)"),
        ("class Zq {", "\n}"),
        ("({", "\n})"),
        ("async function* zq() {", "\n}"),
        ("try {} ", ""),
        ("switch (zq) {", "\n}"),
    ],
    forms: &["{}", "{};", "case {}:"],
    n_meanings: 1,
    example: "$OBJ.on($EVENT, $$$REST)",
};

const TYPED_SCRIPT: Habits = Habits {
    around: &[
        FILE,
        ("(", "\n)"),
        ("class Zq {", "\n}"),
        ("({", "\n})"),
        ("async function* zq() {", "\n}"),
        ("try {} ", ""),
        ("switch (zq) {", "\n}"),
        ("interface Zq {", "\n}"),
        ("let zq: ", ";"),
    ],
    ..SCRIPT
};

const PYTHON: Habits = Habits {
    around: &[FILE, ("try:\n    pass\n", ""), ("if zq:\n    pass\n", "")],
    forms: &["{}", "case {}: pass"],
    n_meanings: 1,
    example: "def $NAME($$$ARGS): $$$BODY",
};

const GO: Habits = Habits {
    around: &[
        ("package zq\nfunc zq() {\n", "\n}"),
        FILE,
        ("package zq\nvar zq = ", "\n"),
        ("package zq\ntype Zq struct {\n", "\n}"),
        ("package zq\ntype Zq interface {\n", "\n}"),
    ],
    forms: &["{}", "{} Zqt", "case {}:"],
    n_meanings: 1,
    example: "if err := $CALL; err != nil { $$$BODY }",
};

const RUST: Habits = Habits {
    around: &[
        ("fn zq() {", "\n}"),
        FILE,
        ("impl Zq {", "\n}"),
        ("fn zq() { match zq {", "\n} }"),
        ("struct Zq {", "\n}"),
    ],
    forms: &["{}", "{};", "{}: Zqt", "{} => (),", "const {}: Zqt = 0;"],
    n_meanings: 1,
    example: "$RESULT.unwrap()",
};

const JAVA: Habits = Habits {
    around: &[
        ("class Zq { Zqt zq = ", ";\n}"),
        ("class Zq { void zq() {", "\n} }"),
        ("class Zq {", "\n}"),
        FILE,
        ("class Zq { void zq() { try {} ", "\n} }"),
    ],
    forms: &["{}", "{};", "Zqt {}", "Zqt {};"],
    n_meanings: 1,
    example: "$OBJ.equals($OTHER)",
};

const CSHARP: Habits = Habits {
    around: &[
        ("class Zq { Zqt zq = ", ";\n}"),
        ("class Zq { async void zq() { zq = ", ";\n} }"),
        ("class Zq { async void zq() {", "\n} }"),
        ("class Zq {", "\n}"),
        FILE,
        ("class Zq { void zq() { try {} ", "\n} }"),
    ],
    example: "throw new $ERROR($$$ARGS)",
    ..JAVA
};

const C: Habits = Habits {
    around: &[
        ("void zq() { zq = ", ";\n}"),
        ("void zq() {", "\n}"),
        FILE,
        ("struct Zq {", "\n};"),
    ],
    example: "malloc($SIZE)",
    ..JAVA
};

const RUBY: Habits = Habits {
    around: &[FILE, ("case zq\n", "\nend"), ("begin\n", "\nend")],
    forms: &["{}", "Zq{}"],
    n_meanings: 2,
    example: "$OBJ.each { |$X| $$$BODY }",
};

const PHP: Habits = Habits {
    around: &[
        ("<?php $zq = ", ";"),
        ("<?php ", ""),
        ("<?php class Zq {", "\n}"),
        ("<?php try {} ", ""),
    ],
    forms: &["${}", "{}", "${};", "{};", "public ${};"],
    n_meanings: 2,
    example: "$this->$METHOD($$$ARGS)",
};

const KOTLIN: Habits = Habits {
    around: &[FILE, ("class Zq {", "\n}"), ("fun zq() {", "\n}")],
    forms: &["{}", "{}: Zqt", "val {}: Zqt"],
    n_meanings: 1,
    example: "$LIST.map { $$$BODY }",
};

const SWIFT: Habits = Habits {
    around: &[
        ("func zq() {\n", "\n}"),
        FILE,
        ("class Zq {\n", "\n}"),
        ("protocol Zq {\n", "\n}"),
    ],
    forms: &["{}", "{}: Zqt", "var {}: Zqt"],
    n_meanings: 1,
    example: "guard let $X = $Y else { $$$BODY }",
};

const DART: Habits = Habits {
    around: &[
        ("void zq() { zq = ", ";\n}"),
        ("void zq() {", "\n}"),
        FILE,
        ("class Zq {", "\n}"),
    ],
    forms: &["{}", "{};", "int {};"],
    n_meanings: 2,
    example: "$X.map($F)",
};

const SCALA: Habits = Habits {
    around: &[FILE, ("object Zq {", "\n}")],
    forms: &["{}", "{}: Zqt", "case {} => 0"],
    n_meanings: 1,
    example: "$X.map($F)",
};

const LUA: Habits = Habits {
    around: &[FILE, ("zq = ", "")],
    forms: &["{}", "{}()"],
    n_meanings: 1,
    example: "require($MODULE)",
};

const SHELL: Habits = Habits {
    around: &[FILE, ("[[ ", " ]]"), ("case zq in\n", "\nesac")],
    forms: &["${}", "{}"],
    n_meanings: 1,
    example: "echo $X",
};

const PROTO: Habits = Habits {
    around: &[
        FILE,
        ("message Zq {\n", "\n}"),
        ("service Zq {\n", "\n}"),
        ("enum Zq {\n", "\n}"),
        ("message Zq { ", " zq = 1; }"),
    ],
    forms: &["{}", "{};", "int32 {} = 1;"],
    n_meanings: 1,
    example: "rpc $NAME ($REQUEST) returns ($ANSWER);",
};

const TERRAFORM: Habits = Habits {
    around: &[
        ("zq = ", "\n"),
        FILE,
        ("zq {\n", "\n}"),
        ("zq = {\n", "\n}"),
    ],
    forms: &["{}", "{} = 1"],
    n_meanings: 2,
    example: "resource $TYPE $NAME { $$$BODY }",
};

pub(super) fn habits(language: &str) -> &'static Habits {
    match language {
        "javascript" => &SCRIPT,
        "tsx" | "typescript" => &TYPED_SCRIPT,
        "python" => &PYTHON,
        "go" => &GO,
        "rust" => &RUST,
        "java" => &JAVA,
        "csharp" => &CSHARP,
        "c" | "cpp" => &C,
        "ruby" => &RUBY,
        "php" => &PHP,
        "protobuf" => &PROTO,
        "kotlin" => &KOTLIN,
        "swift" => &SWIFT,
        "terraform" => &TERRAFORM,
        "dart" => &DART,
        "scala" => &SCALA,
        "lua" => &LUA,
        _ => &SHELL,
    }
}

/// Kinds that a pattern need not write: modifiers, decorators, types, base classes.
const OPTIONAL: &[&str] = &[
    "abstract_modifier",
    "accessibility_modifier",
    "access_specifier",
    "annotation",
    "attribute_declaration",
    "attribute_list",
    "base_class_clause",
    "base_clause",
    "base_list",
    "class_heritage",
    "class_interface_clause",
    "decorator",
    "delegation_specifiers",
    "extends_clause",
    "final_modifier",
    "function_modifiers",
    "implements_clause",
    "inheritance_specifier",
    "marker_annotation",
    "modifier",
    "modifiers",
    "override_modifier",
    "readonly_modifier",
    "static_modifier",
    "storage_class_specifier",
    "super_interfaces",
    "superclass",
    "throws",
    "type_annotation",
    "type_arguments",
    "type_constraints",
    "type_parameter_constraints_clause",
    "type_parameter_list",
    "type_parameters",
    "type_qualifier",
    "var_modifier",
    "virtual_specifier",
    "visibility_modifier",
    "where_clause",
];

/// Fields that a pattern need not write.
const OPTIONAL_FIELDS: &[&str] = &["return_type", "result", "superclasses", "superclass"];

/// Rules of a grammar by numeric ids.
#[derive(Debug)]
pub(super) struct Rules {
    optional: Vec<bool>,
    optional_fields: Vec<bool>,
    comments: Vec<bool>,
    separators: Vec<bool>,
    quoted: Vec<bool>,
    tokens: Vec<bool>,
    types: Vec<bool>,
    function_kind: u16,
    let_kind: u16,
    type_field: u16,
    mutable: u16,
}

impl Rules {
    pub(super) fn new(tables: &Tables) -> Self {
        let language = &tables.language;
        let n_kinds = language.node_kind_count();
        let kinds = |holds: &dyn Fn(&str, bool) -> bool| -> Vec<bool> {
            (0..n_kinds)
                .map(|id| {
                    let name = language.node_kind_for_id(id as u16).unwrap_or("");
                    holds(name, language.node_kind_is_named(id as u16))
                })
                .collect()
        };
        let fields = 0..=language.field_count() as u16;
        Self {
            optional: kinds(&|name, named| named && OPTIONAL.contains(&name)),
            optional_fields: fields
                .map(|id| {
                    language
                        .field_name_for_id(id)
                        .is_some_and(|name| OPTIONAL_FIELDS.contains(&name))
                })
                .collect(),
            comments: kinds(&|name, named| named && name.contains("comment")),
            separators: kinds(&|name, named| !named && matches!(name.trim(), "," | ";" | "")),
            quoted: kinds(&|name, named| {
                named
                    && ["string", "literal", "char", "regex"]
                        .iter()
                        .any(|part| name.contains(part))
            }),
            tokens: kinds(&|name, named| named && name == "token_tree"),
            types: kinds(&|name, named| named && name.ends_with("_type")),
            function_kind: language.id_for_node_kind("function_declaration", true),
            let_kind: language.id_for_node_kind("let_declaration", true),
            type_field: language
                .field_id_for_name("type")
                .map_or(0, std::num::NonZero::get),
            mutable: language.id_for_node_kind("mutable_specifier", true),
        }
    }

    /// Says whether a child may be there although the pattern does not write it.
    pub(super) fn is_optional(&self, parent: u16, child: u16, field: u16) -> bool {
        let of_let = parent != 0
            && parent == self.let_kind
            && (child == self.mutable || (field != 0 && field == self.type_field));
        // Kotlin and Swift give the result no field.
        let of_function = parent != 0 && parent == self.function_kind && holds(&self.types, child);
        of_let || of_function || holds(&self.optional, child) || holds(&self.optional_fields, field)
    }

    pub(super) fn is_comment(&self, kind: u16) -> bool {
        holds(&self.comments, kind)
    }

    /// Commas and ends of statements, which say nothing that the nodes do not.
    pub(super) fn is_separator(&self, kind: u16) -> bool {
        holds(&self.separators, kind)
    }

    /// Says whether text of such a node may lie outside of its children.
    pub(super) fn is_quoted(&self, kind: u16) -> bool {
        holds(&self.quoted, kind)
    }

    /// Says whether the children are tokens without structure.
    pub(super) fn is_tokens(&self, kind: u16) -> bool {
        holds(&self.tokens, kind)
    }
}

fn holds(table: &[bool], id: u16) -> bool {
    table.get(usize::from(id)).copied().unwrap_or_default()
}

/// Says whether a form writes a metavariable as the identifier alone.
pub(super) fn is_plain(form: &str) -> bool {
    form == "{}" || form == "${}" || form == "Zq{}"
}
