//! Dart: names join with `.`. An extension is a symbol of kind `Impl` named by its type; beside it stands
//! its own name, as a namespace.

use crate::family::Family;
use crate::languages::javascript::unquote;
use crate::name_rules::NameRules;
use crate::spec::{Context, Definition, DefinitionHead, NodeRole, Spec, def, hook};
use crate::types::{
    HintKind, Import, ImportKind, ImportedName, Local, PACKAGE, ReferenceKind, SymbolKind,
};
use tree_sitter::Node;

pub(crate) static DART: Spec = Spec {
    grammar: crate::grammars::dart,
    defs: &[
        hook("class_declaration"),
        def("mixin_declaration", SymbolKind::Trait, "name"),
        def("enum_declaration", SymbolKind::Enum, "name"),
        def("enum_entry", SymbolKind::EnumMember, "name"),
        def("extension_type_representation", SymbolKind::Field, "name"),
        hook("extension_declaration"),
        hook("extension_type_declaration"),
        hook("type_alias"),
        hook("function_declaration"),
        hook("getter_declaration"),
        hook("setter_declaration"),
        hook("external_function_declaration"),
        hook("external_getter_declaration"),
        hook("external_setter_declaration"),
        hook("external_variable_declaration"),
        hook("local_function_declaration"),
        hook("top_level_variable_declaration"),
        hook("method_declaration"),
        hook("declaration"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("identifier_dollar_escaped", ReferenceKind::Read),
        ("type_identifier", ReferenceKind::Type),
    ],
    positions: POSITIONS,
    scopes: &[
        "function_declaration",
        "getter_declaration",
        "setter_declaration",
        "local_function_declaration",
        "method_declaration",
        "declaration",
        "function_expression",
    ],
    blocks: &[
        "block",
        "for_statement",
        "for_element",
        "if_statement",
        "if_element",
        "try_statement",
        "switch_statement_case",
        "switch_expression_case",
    ],
    late: &["initialized_variable_declaration"],
    wrappers: &["member_declaration"],
    imports: &["library_import", "library_export", "part_directive"],
    define,
    import,
    binds,
    exported: |head: &DefinitionHead<'_>| !head.name.starts_with('_') && head.parent_exported(),
    of_file: library_of_part,
    names: &NAMES,
    ..Spec::EMPTY
};

const POSITIONS: &[(&str, &str, NodeRole)] = &[
    ("member_expression", "property", NodeRole::PathTail),
    (
        "null_aware_member_expression",
        "property",
        NodeRole::PathTail,
    ),
    ("call_expression", "function", NodeRole::Call),
    (
        "instantiation_expression",
        "function",
        NodeRole::Transparent,
    ),
    ("constructor_invocation", "constructor", NodeRole::Member),
    ("const_object_expression", "constructor", NodeRole::Member),
    ("const_object_expression", "type", NodeRole::Call),
    ("new_expression", "constructor", NodeRole::Member),
    ("new_expression", "type", NodeRole::Call),
    ("initializer_list_entry", "", NodeRole::Member),
    ("redirection", "", NodeRole::Member),
    ("cascade_call_expression", "property", NodeRole::Member),
    ("cascade_call_expression", "function", NodeRole::Call),
    ("cascade_member_expression", "property", NodeRole::PathTail),
    (
        "cascade_null_aware_member_expression",
        "property",
        NodeRole::PathTail,
    ),
    ("cascade_selector", "", NodeRole::PathTail),
    ("parenthesized_expression", "", NodeRole::Transparent),
    ("type", "", NodeRole::LastPart),
    ("qualified_name", "", NodeRole::LastPart),
    ("static_member_shorthand", "", NodeRole::PathTail),
    ("symbol_literal", "*", NodeRole::Skip),
    ("constant_pattern", "", NodeRole::LastPart),
    ("object_pattern", "", NodeRole::LastPart),
    ("superclass", "type", NodeRole::Inherit),
    ("mixins", "", NodeRole::Inherit),
    ("interfaces", "", NodeRole::Inherit),
    ("mixin_declaration", "", NodeRole::Inherit),
    ("mixin_application", "", NodeRole::Inherit),
    ("annotation", "name", NodeRole::Decorator),
    ("assignment_expression", "left", NodeRole::Write),
    ("postfix_expression", "argument", NodeRole::Write),
    ("assignable_expression", "", NodeRole::Transparent),
    ("assignable_expression", "property", NodeRole::PathTail),
    ("assignable_expression", "object", NodeRole::Read),
    ("assignable_expression", "index", NodeRole::Read),
    ("field_initializer", "name", NodeRole::OwnField),
    ("field_formal_parameter", "name", NodeRole::OwnField),
    ("super_formal_parameter", "name", NodeRole::Skip),
    ("label", "", NodeRole::Label),
    ("formal_parameter", "name", NodeRole::Local),
    ("initialized_variable_declaration", "name", NodeRole::Local),
    ("initialized_identifier", "name", NodeRole::Local),
    ("static_final_declaration", "name", NodeRole::Local),
    ("variable_pattern", "name", NodeRole::Local),
    ("for_statement", "name", NodeRole::Local),
    ("for_element", "name", NodeRole::Local),
    ("catch_clause", "exception", NodeRole::Local),
    ("catch_clause", "stack_trace", NodeRole::Local),
    ("type_parameter", "name", NodeRole::Skip),
    ("typed_identifier", "name", NodeRole::Skip),
    ("record_type_field", "name", NodeRole::Skip),
    ("dotted_identifier_list", "*", NodeRole::Skip),
    ("labeled_statement", "", NodeRole::Skip),
    ("break_statement", "", NodeRole::Skip),
    ("continue_statement", "", NodeRole::Skip),
    ("enum_entry", "", NodeRole::Skip),
];

/// What a name can mean.
const NAMES: NameRules = NameRules {
    family: Family::Dart,
    names_are_imported: true,
    members_are_in_scope: true,
    // A library is a file with its parts.
    folder_is_scope: true,
    imports_are_private: true,
    imports_may_be_public: true,
    results_stand_first: true,
    has_value_wrappers: true,
    wrappers_hand_over: true,
    heads_are_code: true,
    main_starts_programs: true,
    is_machine_code: true,
    types_are_open: true,
    opened_names_are_shown: true,
    package_joint: Some('/'),
    called_by_name: &[
        ("call", "a call of its value calls it"),
        (
            "noSuchMethod",
            "a use of a member that is not there calls it",
        ),
        ("toJson", "`jsonEncode` calls it"),
    ],
    library_names: LIBRARY_NAMES,
    ..NameRules::NONE
};

/// `dart:core`, `dart:async`, `dart:collection`, `dart:convert`, `dart:io`, and widgets of Flutter.
const LIBRARY_NAMES: &str = "\
    abs addAll addError addListener addStream any asBroadcastStream asMap asStream asyncExpand \
    asyncMap body build cancel cast ceil child children clamp close code codeUnitAt codeUnits \
    color compareTo complete completeError completer compute containsKey containsValue context \
    contains convert createState data day decode decoder dispose distinct done drain \
    elementAt encode encoder endsWith error every exists expand expandFuture fillRange first \
    firstWhere floor fold followedBy forEach fuse fromCharCode future getRange handleError \
    hashCode headers height host hour id ifAbsent inDays indexWhere initState inMilliseconds \
    inMinutes inSeconds insertAll intersection isAfter isBefore isBroadcast isClosed \
    isCompleted isEmpty isEven isFinite isNaN isNegative isNotEmpty isOdd iterator label last \
    lastIndexOf lastWhere listen lookup message method millisecond minute month moveNext \
    notifyListeners onData onDone onError onPressed onTap padLeft padRight pause port putIfAbsent \
    query readAsBytes readAsString reduce remainder removeAt removeLast removeListener \
    removeRange removeWhere replaceAll replaceFirst replaceRange request response resume \
    retainWhere reversed round runtimeType runes scheme second setAll setRange setState \
    shuffle sign single singleWhere sink skip skipWhile stackTrace startsWith state stream \
    subList sublist subscription substring take takeWhile target text timeout title toDouble \
    toInt toList toLowerCase toRadixString toSet toStringAsFixed toUpperCase transform trim \
    trimLeft trimRight truncate union uri url weekday where whereType whenComplete widget width \
    writeAsBytes writeAsString writeAll writeln year";

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let name = node.child_by_field_name("name");
    let alone = |kind, name: Option<Node<'t>>| -> Vec<Definition<'t>> {
        let definition = name.map(|name| Definition::new(kind, node, name));
        definition.into_iter().collect()
    };
    match node.kind() {
        "class_declaration" => {
            let name = name.or_else(|| node.named_child(0)?.named_child(0));
            alone(class_kind(context, node), name)
        }
        "extension_type_declaration" => {
            alone(SymbolKind::Class, name.and_then(|name| name.named_child(0)))
        }
        "extension_declaration" => extension(context, node),
        "type_alias" => alone(SymbolKind::TypeAlias, child(node, "type_identifier")),
        _ => match signature_of(node) {
            Some(signature) => by_signature(context, node, signature),
            None => variables(context, node),
        },
    }
}

/// A class that cannot be made and only says what others have is an interface.
fn class_kind(context: &Context<'_, '_>, node: Node<'_>) -> SymbolKind {
    match says(context, node, "abstract") && says(context, node, "interface") {
        true => SymbolKind::Interface,
        false => SymbolKind::Class,
    }
}

/// Says whether a word is a part of a declaration itself.
fn says(context: &Context<'_, '_>, node: Node<'_>, word: &str) -> bool {
    let mut cursor = node.walk();
    let mut parts = node.children(&mut cursor);
    parts.any(|part| context.text(part) == word)
}

fn child<'t>(node: Node<'t>, kind: &str) -> Option<Node<'t>> {
    let mut cursor = node.walk();
    let mut parts = node.named_children(&mut cursor);
    parts.find(|part| part.kind() == kind)
}

/// `extension Name on Type`: the block, under the name of its type, and its own name.
fn extension<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let own = node.child_by_field_name("name");
    let extended = node.child_by_field_name("class");
    let Some(extended) = extended.filter(|part| part.kind() == "type") else {
        return Vec::new();
    };
    let mut cursor = extended.walk();
    let names = extended.named_children(&mut cursor);
    let last = names.filter(|part| part.kind() == "type_identifier").last();
    let is_shown = own.is_some_and(|own| !context.text(own).starts_with('_'));
    let block = Definition {
        exported: Some(is_shown),
        ..Definition::new(SymbolKind::Impl, node, last.unwrap_or(extended))
    };
    let own = own.map(|own| Definition::new(SymbolKind::Namespace, node, own));
    std::iter::once(block).chain(own).collect()
}

/// The head of a function, an accessor or a constructor.
fn signature_of(node: Node<'_>) -> Option<Node<'_>> {
    let mut cursor = node.walk();
    let mut parts = node.named_children(&mut cursor);
    let signature = parts.find(|part| part.kind().ends_with("_signature"))?;
    match signature.kind() {
        "method_signature" => signature_of(signature),
        _ => Some(signature),
    }
}

fn by_signature<'t>(
    context: &Context<'_, 't>,
    node: Node<'t>,
    signature: Node<'t>,
) -> Vec<Definition<'t>> {
    let mut cursor = signature.walk();
    let names = signature.children_by_field_name("name", &mut cursor);
    let last = names.filter(|name| name.is_named()).last();
    let in_type = !context.in_function && context.enclosing().is_some();
    let kind = match signature.kind() {
        "getter_signature" | "setter_signature" if in_type => SymbolKind::Property,
        "operator_signature" => SymbolKind::Method,
        kind if kind.ends_with("constructor_signature") => SymbolKind::Constructor,
        _ => SymbolKind::Function,
    };
    let name = last.or_else(|| signature.child_by_field_name("operator"));
    name.map(|name| Definition::new(kind, node, name))
        .into_iter()
        .collect()
}

/// Fields and variables; one declaration may have several.
fn variables<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    let mut cursor = node.walk();
    let mut parts = node.named_children(&mut cursor);
    let Some(list) = parts.find(|part| part.kind().ends_with("_list")) else {
        return Vec::new();
    };
    let kind = match says(context, node, "const") {
        true => SymbolKind::Constant,
        false => SymbolKind::Variable,
    };
    let mut cursor = list.walk();
    let names = list.named_children(&mut cursor).filter_map(|part| {
        let name = part.child_by_field_name("name");
        name.or_else(|| (part.kind() == "identifier").then_some(part))
    });
    names
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

/// A parameter without a type, `(a) => …`; and what `hide` names, which is no use.
fn binds(context: &Context<'_, '_>) -> bool {
    let Some(around) = context.ancestor(0) else {
        return false;
    };
    let is_name = context.levels.last().is_some_and(|leaf| leaf.field == 0);
    match around.kind() {
        "formal_parameter" => is_name,
        "combinator" => context.text(around).starts_with("hide"),
        _ => false,
    }
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let specification = child(node, "import_specification").unwrap_or(node);
    let kind = match node.kind() {
        "library_export" => ImportKind::ReExport,
        "part_directive" => ImportKind::Include,
        _ => ImportKind::Import,
    };
    let names = imported_names(context, specification);
    let line = node.start_position().row as u32 + 1;
    let mut uris = Vec::new();
    if let Some(uri) = specification.child_by_field_name("uri") {
        add_uris(context, uri, &mut uris);
    }
    let import = |module: String| Import {
        module,
        names: names.clone(),
        kind,
        line,
    };
    uris.into_iter().map(import).collect()
}

/// The text of a URI, and those that take its place on some platform.
fn add_uris(context: &Context<'_, '_>, node: Node<'_>, uris: &mut Vec<String>) {
    if node.kind() == "uri" {
        uris.push(unquote(context.text(node)).to_owned());
        return;
    }
    let mut cursor = node.walk();
    for part in node.named_children(&mut cursor) {
        if matches!(part.kind(), "uri" | "configuration_uri") {
            add_uris(context, part, uris);
        }
    }
}

/// What an import gives: a module under a name, some names, or all but some; what is hidden has no name here.
fn imported_names(context: &Context<'_, '_>, node: Node<'_>) -> Vec<ImportedName> {
    let name = |name: &str, local: &str| ImportedName {
        name: name.to_owned(),
        local: local.to_owned(),
    };
    let alias = context.field_text(node, "alias");
    if !alias.is_empty() {
        return vec![name("*", alias)];
    }
    let mut cursor = node.walk();
    let combinators = node.named_children(&mut cursor);
    let combinators = combinators.filter(|part| part.kind() == "combinator");
    let mut shown = Vec::new();
    let mut hidden = Vec::new();
    for combinator in combinators {
        let hides = context.text(combinator).starts_with("hide");
        let mut cursor = combinator.walk();
        for part in combinator.named_children(&mut cursor) {
            let text = context.text(part);
            match hides {
                true => hidden.push(name(text, "")),
                false => shown.push(name(text, text)),
            }
        }
    }
    if shown.is_empty() && !hidden.is_empty() {
        shown.push(name("*", "*"));
    }
    shown.retain(|shown| hidden.iter().all(|hidden| hidden.name != shown.name));
    if shown.iter().any(|shown| shown.name == "*") {
        shown.extend(hidden);
    }
    shown
}

/// The library that the file is a part of: by a path in quotes, or by its name.
fn library_of_part(root: Node<'_>, source: &str) -> Option<Local> {
    let mut cursor = root.walk();
    let mut parts = root.named_children(&mut cursor);
    let directive = parts.find(|part| part.kind() == "part_of_directive")?;
    let library = directive.named_child(directive.named_child_count().checked_sub(1)? as u32)?;
    let line = directive.start_position().row as u32 + 1;
    Some(Local {
        name: PACKAGE.to_owned(),
        kind: HintKind::Nothing,
        text: source.get(library.byte_range())?.to_owned(),
        line,
        column: 0,
        end_line: line,
        enclosing: None,
    })
}
