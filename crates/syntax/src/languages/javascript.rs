//! JavaScript (with JSX), TypeScript and TSX: one family, three grammars.
//!
//! Names join with `.`. Object-literal methods, `X.prototype.y =` and CommonJS exports are
//! definitions; `require` and `import()` are imports.

pub(crate) use imports::unquote;

mod imports;
mod scopes;

use imports::import;

use crate::family::Family;
use crate::name_rules::{BareMembers, NameRules};
use crate::spec::{Context, Def, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static JAVASCRIPT: Spec = Spec {
    grammar: crate::grammars::javascript,
    names: &NameRules {
        values_are_untyped: true,
        ..NAMES
    },
    ..FAMILY
};
pub(crate) static TYPESCRIPT: Spec = Spec {
    grammar: crate::grammars::typescript,
    ..FAMILY
};
pub(crate) static TSX: Spec = Spec {
    grammar: crate::grammars::tsx,
    ..FAMILY
};

const FAMILY: Spec = Spec {
    defs: DEFS,
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("property_identifier", ReferenceKind::Read),
        ("private_property_identifier", ReferenceKind::Read),
        ("shorthand_property_identifier", ReferenceKind::Read),
        ("shorthand_property_identifier_pattern", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
        ("import", ReferenceKind::Read),
    ],
    positions: POSITIONS,
    scopes: &[
        "function_declaration",
        "generator_function_declaration",
        "function_expression",
        "generator_function",
        "arrow_function",
        "method_definition",
        "function_signature",
        "method_signature",
        "abstract_method_signature",
        "function_type",
        "constructor_type",
        "call_signature",
        "construct_signature",
    ],
    binds_ahead: |context, block| scopes::binds_ahead(context, block, declarator),
    blocks: &[
        "statement_block",
        "for_statement",
        "for_in_statement",
        "switch_body",
        "catch_clause",
    ],
    own_names: &[
        "type_parameters",
        "mapped_type_clause",
        "infer_type",
        "class",
        "enum_body",
    ],
    wrappers: &[
        "export_statement",
        "lexical_declaration",
        "variable_declaration",
        "expression_statement",
        "ambient_declaration",
    ],
    attributes: &["decorator"],
    imports: &[
        "import_statement",
        "export_statement",
        "import_alias",
        "assignment_expression",
    ],
    returns: &["return_statement", "arrow_function"],
    asides: &["binary_expression", "call_expression"],
    aside: scopes::narrowed,
    import_calls: &["require", "import"],
    copies: &["Array.from", "Object.values"],
    keywords: &[
        "this", "super", "new", "return", "await", "typeof", "function", "const", "let", "var",
    ],
    define,
    import,
    exported,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Script,
    names_are_imported: true,
    modules_are_values: true,
    interfaces_are_structural: true,
    fields_stand_in_for_methods: true,
    files_are_scripts: true,
    makes_with_new: true,
    bare_members: BareMembers::Uncalled,
    functions_make_objects: true,
    locals_are_untyped: true,
    called_by_name: &[("constructor", "who makes an object calls it")],
    objects_have_members: true,
    library_names: LIBRARY_NAMES,
    package_joint: Some('/'),
    opened_names_are_shown: true,
    ..NameRules::NONE
};

/// Built-in objects, the web platform, streams of Node.
const LIBRARY_NAMES: &str = "\
    abort addEventListener addListener anchor appendChild arguments arrayBuffer at attribute big \
    blink blob body bodyUsed bold bubbles buffer byteLength byteOffset bytes cache caller cancel \
    cancelable cancelBubble cause charAt charCodeAt childNodes children classList code \
    codePointAt compile composed composedPath constructor copyWithin credentials currentTarget \
    debug decode defaultPrevented description destination destroy dispatchEvent done dotAll \
    duplex emit encode encodeInto encoding endsWith error eventPhase every exec fatal fill \
    finally findIndex findLast findLastIndex fixed flags flat flatMap fontcolor fontsize forEach \
    formatRange formatRangeToParts formatToParts formData getAll getAttribute getBigInt64 \
    getBigUint64 getDate getDay getFloat32 getFloat64 getFullYear getHours getInt16 getInt32 \
    getInt8 getMilliseconds getMinutes getMonth getReader getSeconds getSetCookie getTime \
    getTimezoneOffset getUint16 getUint32 getUint8 getUTCDate getUTCDay getUTCFullYear \
    getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getWriter getYear \
    global hash hasIndices hasOwnProperty headers host hostname href ignoreBOM ignoreCase \
    includes indexOf info initEvent innerHTML integrity isHistoryNavigation isPrototypeOf \
    isReloadNavigation isTrusted isWellFormed italics json keepalive lastIndexOf link \
    localeCompare locked log matchAll maxByteLength message method mode multiline nodeType \
    normalize off ok on once origin padEnd padStart parentNode password pathname pid pipe \
    pipeThrough pipeTo port preventDefault propertyIsEnumerable protocol querySelector \
    querySelectorAll readable redirect redirected reduce reduceRight referrer referrerPolicy \
    removeChild removeEventListener removeListener repeat replaceAll resizable resize \
    resolvedOptions return returnValue reverse search searchParams setAttribute setBigInt64 \
    setBigUint64 setDate setFloat32 setFloat64 setFullYear setHours setInt16 setInt32 setInt8 \
    setMilliseconds setMinutes setMonth setSeconds setTime setUint16 setUint32 setUint8 \
    setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds setUTCMinutes setUTCMonth \
    setUTCSeconds setYear shift signal small some source splice srcElement stack startsWith \
    statusText stderr stdout sticky stopImmediatePropagation stopPropagation stream strike style \
    sub substr substring sup tagName target tee text textContent throw timeStamp toDateString \
    toExponential toFixed toGMTString toISOString toJSON toLocaleDateString toLocaleLowerCase \
    toLocaleString toLocaleTimeString toLocaleUpperCase toLowerCase toPrecision toReversed \
    toSorted toSpliced toTimeString toUpperCase toUTCString toWellFormed trim trimEnd trimLeft \
    trimRight trimStart unicode unicodeSets unshift url username valueOf warn with writable";

const DEFS: &[Def] = &[
    def("function_declaration", SymbolKind::Function, "name"),
    def(
        "generator_function_declaration",
        SymbolKind::Function,
        "name",
    ),
    def("function_signature", SymbolKind::Function, "name"),
    def("class_declaration", SymbolKind::Class, "name"),
    def("abstract_class_declaration", SymbolKind::Class, "name"),
    hook("method_definition"),
    def("method_signature", SymbolKind::Method, "name"),
    def("abstract_method_signature", SymbolKind::Method, "name"),
    hook("public_field_definition"),
    hook("field_definition"),
    def("property_signature", SymbolKind::Field, "name"),
    def("interface_declaration", SymbolKind::Interface, "name"),
    def("type_alias_declaration", SymbolKind::TypeAlias, "name"),
    def("enum_declaration", SymbolKind::Enum, "name"),
    def("enum_assignment", SymbolKind::EnumMember, "name"),
    hook("enum_body"),
    def("internal_module", SymbolKind::Namespace, "name"),
    hook("module"),
    hook("ambient_declaration"),
    hook("variable_declarator"),
    hook("assignment_expression"),
    hook("pair"),
    hook("export_statement"),
];

const POSITIONS: &[(&str, &str, NodeRole)] = &[
    ("member_expression", "property", NodeRole::PathTail),
    ("nested_identifier", "property", NodeRole::PathTail),
    ("nested_type_identifier", "name", NodeRole::PathTail),
    ("parenthesized_expression", "", NodeRole::Transparent),
    ("non_null_expression", "", NodeRole::Transparent),
    ("instantiation_expression", "", NodeRole::Transparent),
    ("generic_type", "name", NodeRole::Transparent),
    ("intersection_type", "", NodeRole::Transparent),
    ("type_alias_declaration", "value", NodeRole::Type),
    ("call_expression", "function", NodeRole::Call),
    ("new_expression", "constructor", NodeRole::Call),
    ("jsx_opening_element", "name", NodeRole::Call),
    ("jsx_self_closing_element", "name", NodeRole::Call),
    ("jsx_closing_element", "name", NodeRole::Skip),
    ("jsx_attribute", "", NodeRole::Key),
    ("assignment_expression", "left", NodeRole::Write),
    ("augmented_assignment_expression", "left", NodeRole::Write),
    ("update_expression", "argument", NodeRole::Write),
    ("class_heritage", "", NodeRole::Inherit),
    ("extends_clause", "value", NodeRole::Inherit),
    ("implements_clause", "", NodeRole::Inherit),
    ("extends_type_clause", "type", NodeRole::Inherit),
    ("extends_type_clause", "", NodeRole::Inherit),
    ("decorator", "", NodeRole::Decorator),
    // Declarations of local names and their patterns.
    ("variable_declarator", "name", NodeRole::Local),
    ("required_parameter", "pattern", NodeRole::Local),
    ("optional_parameter", "pattern", NodeRole::Local),
    ("formal_parameters", "", NodeRole::Local),
    ("arrow_function", "parameter", NodeRole::Local),
    ("function_expression", "name", NodeRole::Local),
    ("catch_clause", "parameter", NodeRole::Local),
    ("for_in_statement", "left", NodeRole::Local),
    ("array_pattern", "", NodeRole::Transparent),
    ("object_pattern", "", NodeRole::Transparent),
    ("pair_pattern", "value", NodeRole::Transparent),
    ("pair_pattern", "key", NodeRole::Key),
    ("assignment_pattern", "left", NodeRole::Transparent),
    ("object_assignment_pattern", "left", NodeRole::Transparent),
    ("rest_pattern", "", NodeRole::Transparent),
    ("type_parameter", "name", NodeRole::Skip),
    ("index_signature", "name", NodeRole::Skip),
    ("pair", "key", NodeRole::Key),
    ("method_definition", "name", NodeRole::Skip),
    ("labeled_statement", "label", NodeRole::Skip),
    ("break_statement", "label", NodeRole::Skip),
    ("continue_statement", "label", NodeRole::Skip),
    ("type_predicate", "name", NodeRole::Skip),
    ("asserts", "", NodeRole::Skip),
    ("required_parameter", "name", NodeRole::Skip),
    ("optional_parameter", "name", NodeRole::Skip),
    // Imports.
    ("import_specifier", "alias", NodeRole::Skip),
    ("namespace_import", "", NodeRole::Skip),
    ("namespace_export", "", NodeRole::Skip),
    ("export_specifier", "name", NodeRole::ReExport),
    ("export_statement", "value", NodeRole::ReExport),
    ("export_specifier", "alias", NodeRole::Skip),
];

fn exported(head: &DefinitionHead<'_>) -> bool {
    match head.parent {
        Some(parent) => parent.exported && !head.name.starts_with('#') && !head.has("private"),
        None => head.has("export") || head.has("declare"),
    }
}

fn is_function(node: Node<'_>) -> bool {
    matches!(
        node.kind(),
        "arrow_function" | "function_expression" | "generator_function"
    )
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let field = |name| node.child_by_field_name(name);
    match node.kind() {
        "variable_declarator" if scopes::is_of_loop(context) => Vec::new(),
        "variable_declarator" => match field("name") {
            Some(name) if name.kind().ends_with("_pattern") => destructured(context, node, name),
            _ => declarator(context, node).into_iter().collect(),
        },
        "assignment_expression" => assignment(context, node).into_iter().collect(),
        "pair" => match (field("key"), field("value")) {
            (Some(key), Some(value)) if is_function(value) => {
                method(context, node, key).into_iter().collect()
            }
            _ => Vec::new(),
        },
        "method_definition" => match field("name") {
            Some(name) => method(context, node, name).into_iter().collect(),
            None => Vec::new(),
        },
        "public_field_definition" | "field_definition" => {
            let Some(name) = field("name").or_else(|| field("property")) else {
                return Vec::new();
            };
            let function = field("value").is_some_and(is_function);
            let kind = if function {
                SymbolKind::Method
            } else {
                SymbolKind::Field
            };
            vec![Definition::new(kind, node, name)]
        }
        "enum_body" => {
            let mut cursor = node.walk();
            node.children_by_field_name("name", &mut cursor)
                .map(|name| Definition::new(SymbolKind::EnumMember, name, name))
                .collect()
        }
        "module" => match field("name") {
            Some(name) => {
                let mut found = Definition::new(SymbolKind::Module, node, name);
                found.text = Some(unquote(context.text(name)).to_owned());
                vec![found]
            }
            None => Vec::new(),
        },
        "ambient_declaration" => {
            // `declare global { … }`.
            let word = node.child(1).filter(|word| word.kind() == "global");
            word.map(|word| Definition::new(SymbolKind::Module, node, word))
                .into_iter()
                .collect()
        }
        "export_statement" => default_export(context, node).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// A method of a class or object literal; a computed name has none.
fn method<'t>(context: &Context<'_, 't>, node: Node<'t>, name: Node<'t>) -> Option<Definition<'t>> {
    let kind = if context.text(node).starts_with("get ") {
        SymbolKind::Property
    } else {
        SymbolKind::Method
    };
    let mut found = Definition::new(kind, node, name);
    match name.kind() {
        "string" => found.text = Some(unquote(context.text(name)).to_owned()),
        "property_identifier" | "private_property_identifier" => {}
        _ => return None,
    }
    Some(found)
}

fn declarator<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let name = node
        .child_by_field_name("name")
        .filter(|name| name.kind() == "identifier")?;
    let value = node.child_by_field_name("value");
    let kind = match value {
        Some(value) if is_function(value) => SymbolKind::Function,
        Some(value) if value.kind() == "class" => SymbolKind::Class,
        _ if context
            .ancestor(0)
            .is_some_and(|parent| context.text(parent).starts_with("const")) =>
        {
            SymbolKind::Constant
        }
        _ => SymbolKind::Variable,
    };
    let required = value.is_some_and(|value| is_require(context, value));
    (!required).then(|| Definition::new(kind, node, name))
}

/// `const { a, b: c } = x` defines `a` and `c`.
fn destructured<'t>(
    context: &Context<'_, 't>,
    node: Node<'t>,
    pattern: Node<'t>,
) -> Vec<Definition<'t>> {
    if context.in_function
        || node
            .child_by_field_name("value")
            .is_some_and(|value| is_require(context, value))
    {
        return Vec::new();
    }
    let mut cursor = pattern.walk();
    pattern
        .named_children(&mut cursor)
        .filter_map(|part| match part.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => Some(part),
            "pair_pattern" => part
                .child_by_field_name("value")
                .filter(|value| value.kind() == "identifier"),
            _ => None,
        })
        .map(|name| Definition::new(SymbolKind::Variable, node, name))
        .collect()
}

/// `const x = require("x")` brings a name in, it does not define one.
fn is_require(context: &Context<'_, '_>, value: Node<'_>) -> bool {
    match value.kind() {
        "call_expression" => context.field_text(value, "function") == "require",
        "member_expression" => value.child_by_field_name("object").is_some_and(|object| {
            object.kind() == "call_expression"
                && context.field_text(object, "function") == "require"
        }),
        _ => false,
    }
}

fn assignment<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let left = node
        .child_by_field_name("left")
        .filter(|left| left.kind() == "member_expression")?;
    let right = assigned_value(node)?;
    let name = left.child_by_field_name("property")?;
    let object = context.field_text(left, "object");
    if object.len() > 60 || object.contains(['\n', '(', '[']) {
        return None;
    }
    let to_module = object == "module" && context.text(name) == "exports";
    let exports = matches!(object, "exports" | "module.exports") || to_module;
    let kind = match right.kind() {
        _ if is_function(right) => SymbolKind::Function,
        "class" => SymbolKind::Class,
        "object" if to_module => SymbolKind::Constant,
        "identifier" => return None,
        _ if exports && !to_module => SymbolKind::Property,
        _ => return None,
    };
    let mut found = Definition::new(kind, node, name);
    found.once = !matches!(kind, SymbolKind::Function | SymbolKind::Class);
    found.prefix = Some(match object.strip_suffix(".prototype") {
        Some(class) => class.to_owned(),
        None if to_module => "module".to_owned(),
        None if exports => String::new(),
        None if object == "this" => context
            .enclosing()
            .map(|symbol| symbol.qualified.clone())
            .unwrap_or_default(),
        None => object.to_owned(),
    });
    if to_module && let Some(own) = right.child_by_field_name("name") {
        found.name = own;
        found.prefix = Some(String::new());
    }
    if object.ends_with(".prototype") && kind == SymbolKind::Function {
        found.kind = SymbolKind::Method;
    }
    found.exported = Some(exports || object != "this");
    Some(found)
}

/// The value of an assignment; of `a.x = a.y = value`, the last one.
fn assigned_value(node: Node<'_>) -> Option<Node<'_>> {
    let mut value = node.child_by_field_name("right")?;
    while value.kind() == "assignment_expression" {
        value = value.child_by_field_name("right")?;
    }
    Some(value)
}

/// `export default function () {}` and its like: named `default`.
fn default_export<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let value = node.child_by_field_name("value")?;
    let kind = match value.kind() {
        _ if is_function(value) => SymbolKind::Function,
        "class" => SymbolKind::Class,
        "object" => SymbolKind::Constant,
        "call_expression" if makes_component(context, value) => SymbolKind::Constant,
        _ => return None,
    };
    let own = value.child_by_field_name("name");
    let mut found = Definition::new(kind, node, own.unwrap_or(value));
    if own.is_none() {
        found.text = Some("default".to_owned());
    }
    found.exported = Some(true);
    Some(found)
}

/// `defineComponent({…})`: what is shown is the object.
fn makes_component(context: &Context<'_, '_>, call: Node<'_>) -> bool {
    matches!(
        context.field_text(call, "function"),
        "defineComponent" | "defineNuxtComponent" | "Vue.extend"
    )
}
