//! C#: names join with `.`, namespaces included.

use crate::family::Family;
use crate::name_rules::{NameRules, OverrideWord};
use crate::spec::{
    Aside, Context, Definition, DefinitionHead, NameKind, NodeRole, Spec, def, hook,
};
use crate::types::{Import, ImportKind, ImportedName, ReferenceKind, SymbolKind};
use tree_sitter::Node;

pub(crate) static CSHARP: Spec = Spec {
    grammar: crate::grammars::c_sharp,
    defs: &[
        hook("namespace_declaration"),
        hook("file_scoped_namespace_declaration"),
        def("class_declaration", SymbolKind::Class, "name"),
        def("record_declaration", SymbolKind::Class, "name"),
        def("struct_declaration", SymbolKind::Struct, "name"),
        def("interface_declaration", SymbolKind::Interface, "name"),
        def("enum_declaration", SymbolKind::Enum, "name"),
        def("enum_member_declaration", SymbolKind::EnumMember, "name"),
        def("delegate_declaration", SymbolKind::TypeAlias, "name"),
        def("method_declaration", SymbolKind::Method, "name"),
        def("constructor_declaration", SymbolKind::Constructor, "name"),
        def("property_declaration", SymbolKind::Property, "name"),
        def("event_declaration", SymbolKind::Property, "name"),
        def("local_function_statement", SymbolKind::Function, "name"),
        hook("parameter"),
        hook("field_declaration"),
        hook("event_field_declaration"),
    ],
    leaves: &[
        ("identifier", ReferenceKind::Read),
        ("implicit_parameter", ReferenceKind::Read),
    ],
    positions: &[
        ("*", "type", NodeRole::Type),
        ("*", "returns", NodeRole::Type),
        ("object_creation_expression", "type", NodeRole::Call),
        ("primary_constructor_base_type", "type", NodeRole::Inherit),
        ("type_argument_list", "", NodeRole::Type),
        ("nullable_type", "", NodeRole::Type),
        ("base_list", "", NodeRole::Inherit),
        ("generic_name", "", NodeRole::Transparent),
        ("qualified_name", "name", NodeRole::PathTail),
        ("member_access_expression", "name", NodeRole::PathTail),
        ("conditional_access_expression", "", NodeRole::LastPart),
        ("member_binding_expression", "name", NodeRole::Transparent),
        ("parenthesized_expression", "", NodeRole::Transparent),
        ("invocation_expression", "function", NodeRole::Call),
        ("attribute", "name", NodeRole::Decorator),
        ("assignment_expression", "left", NodeRole::Write),
        ("parameter", "name", NodeRole::Local),
        ("variable_declarator", "name", NodeRole::Local),
        ("foreach_statement", "left", NodeRole::Local),
        ("catch_declaration", "name", NodeRole::Local),
        ("lambda_expression", "parameters", NodeRole::Local),
        ("declaration_expression", "name", NodeRole::Local),
        ("declaration_pattern", "name", NodeRole::Local),
        ("recursive_pattern", "name", NodeRole::Local),
        ("tuple_pattern", "name", NodeRole::Local),
        ("from_clause", "name", NodeRole::Local),
        ("subpattern", "", NodeRole::Label),
        ("with_initializer", "", NodeRole::Label),
        ("type_parameter", "name", NodeRole::Skip),
        ("type_parameter_constraints_clause", "", NodeRole::Skip),
        ("name_colon", "", NodeRole::Skip),
        ("argument", "name", NodeRole::Skip),
        ("labeled_statement", "", NodeRole::Skip),
        ("namespace_declaration", "name", NodeRole::Skip),
        ("file_scoped_namespace_declaration", "name", NodeRole::Skip),
        ("using_directive", "name", NodeRole::Skip),
    ],
    scopes: &[
        "method_declaration",
        "constructor_declaration",
        "local_function_statement",
        "lambda_expression",
        "accessor_declaration",
        "arrow_expression_clause",
        "anonymous_method_expression",
    ],
    blocks: &[
        "block",
        "for_statement",
        "foreach_statement",
        "using_statement",
        "catch_clause",
        "switch_section",
    ],
    imports: &["using_directive"],
    counts_arguments: true,
    kind_of_name: key_of_anonymous_object,
    asides: &["implicit_object_creation_expression"],
    aside: made_by_place,
    define,
    import,
    exported,
    names: &NAMES,
    ..Spec::EMPTY
};

/// What a name can mean.
pub(crate) const NAMES: NameRules = NameRules {
    family: Family::Dotnet,
    members_are_in_scope: true,
    folder_is_scope: true,
    imports_are_private: true,
    namespaces_span_files: true,
    types_are_reopened: true,
    has_overloads: true,
    has_value_wrappers: true,
    extends_from_outside: true,
    results_stand_first: true,
    heads_are_code: true,
    makes_with_new: true,
    main_starts_programs: true,
    mark_ending: "Attribute",
    base_word: "base",
    override_word: OverrideWord::OfClasses,
    classes_are_anonymous: true,
    types_are_linked: true,
    called_by_name: &[
        ("Add", "a collection initializer may call it"),
        ("Current", "a `foreach` may read it"),
        ("GetAwaiter", "an `await` calls it"),
        ("MoveNext", "a `foreach` may call it"),
        ("MoveNextAsync", "a `foreach` may call it"),
        ("GetEnumerator", "a `foreach` may call it"),
        ("GetAsyncEnumerator", "a `foreach` may call it"),
        ("Deconstruct", "a deconstruction may call it"),
        ("Slice", "a range may call it"),
        ("Length", "a range may read it"),
        ("Count", "a range may read it"),
        ("GetPinnableReference", "a `fixed` may call it"),
        ("GetResult", "an `await` may call it"),
        ("IsCompleted", "an `await` may read it"),
        ("OnCompleted", "an `await` may call it"),
        ("UnsafeOnCompleted", "an `await` may call it"),
        ("Cast", "a query may call it"),
        ("GroupBy", "a query may call it"),
        ("GroupJoin", "a query may call it"),
        ("Join", "a query may call it"),
        ("OrderBy", "a query may call it"),
        ("OrderByDescending", "a query may call it"),
        ("Select", "a query may call it"),
        ("SelectMany", "a query may call it"),
        ("ThenBy", "a query may call it"),
        ("ThenByDescending", "a query may call it"),
        ("Where", "a query may call it"),
    ],
    library_names: LIBRARY_NAMES,
    package_joint: Some('.'),
    ..NameRules::NONE
};

/// Collections, LINQ, strings, reflection, tasks.
const LIBRARY_NAMES: &str = "\
    Add AddRange All Any Append AppendLine AsReadOnly AsSpan Average Cast Clear Clone Close \
    Combine Compare CompareTo Concat Contains ContainsKey Copy CopyTo Count Create Current \
    Delete Dequeue Dispose DisposeAsync Distinct Empty EndsWith Enqueue Equals Except Exists \
    Find FindAll First FirstOrDefault Flush ForEach Format GetAwaiter GetBytes GetEnumerator \
    GetHashCode GetMethod GetMethods GetProperties GetProperty GetResult GetString GetType \
    GetValue GroupBy IndexOf Insert Intersect Invoke IsAssignableFrom Item Items Join Key Keys \
    Last LastIndexOf LastOrDefault Length Log Match Matches Max Message Min MoveNext Name Next \
    OfType OrderBy OrderByDescending Parse Peek Pop Push Read ReadLine ReadToEnd Remove \
    RemoveAll RemoveAt Replace Reset Result Reverse Run Select SelectMany Set SetValue Single \
    SingleOrDefault Skip SkipWhile Sort Split Start StartsWith Stop Substring Sum Take TakeWhile \
    ThenBy ToArray ToDictionary ToHashSet ToList ToLookup ToLower ToLowerInvariant ToString \
    ToUpper ToUpperInvariant Trim TrimEnd TrimStart TryAdd TryGetValue TryParse TryRemove Type \
    Union Value Values Wait Where Write WriteLine Zip";

fn exported(head: &DefinitionHead<'_>) -> bool {
    let open = head.has("public") || head.has("internal") || head.has("protected");
    let member_of_class = head
        .parent
        .is_some_and(|parent| matches!(parent.kind, SymbolKind::Class | SymbolKind::Struct));
    head.parent_exported() && !head.has("private") && (open || !member_of_class)
}

/// `new { name = 1 }` declares a member of a type without a name; `new { name }` reads one as well.
fn key_of_anonymous_object(context: &Context<'_, '_>) -> NameKind {
    let around = context.ancestor(0);
    let is_inside = around.is_some_and(|it| it.kind() == "anonymous_object_creation_expression");
    // A sibling is found from the root: only where it counts.
    let is_key = || {
        let leaf = context.levels.last().map(|level| level.node);
        let behind = leaf.and_then(|leaf| leaf.next_sibling());
        behind.is_some_and(|behind| behind.kind() == "=")
    };
    match is_inside && is_key() {
        true => NameKind::Variable,
        false => NameKind::Any,
    }
}

fn define<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Definition<'t>> {
    if node.kind() == "parameter" {
        return of_record(context, node).into_iter().collect();
    }
    if let Some(name) = node.child_by_field_name("name") {
        let mut found = Definition::new(SymbolKind::Namespace, node, name);
        found.text = Some(context.text(name).to_owned());
        found.sticky = node.kind() == "file_scoped_namespace_declaration";
        return vec![found];
    }
    let mut cursor = node.walk();
    let Some(list) = node
        .named_children(&mut cursor)
        .find(|part| part.kind() == "variable_declaration")
    else {
        return Vec::new();
    };
    let head: String = context.text(node).chars().take(80).collect();
    let constant = head.contains("const ") || head.contains("static readonly ");
    let kind = if constant {
        SymbolKind::Constant
    } else {
        SymbolKind::Field
    };
    let mut cursor = list.walk();
    list.named_children(&mut cursor)
        .filter(|part| part.kind() == "variable_declarator")
        .filter_map(|part| part.child_by_field_name("name"))
        .map(|name| Definition::new(kind, node, name))
        .collect()
}

/// The type of which `new(…)` makes an object, where its place says it: a declaration, a result.
fn made_by_place<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Aside<'t>> {
    let mut around = (0..).map_while(|n| context.ancestor(n));
    let stated = around.find_map(|around| {
        let field = |name| around.child_by_field_name(name);
        match around.kind() {
            "variable_declaration" | "property_declaration" => Some(field("type")),
            "method_declaration" => Some(field("returns")),
            "local_function_statement" => Some(field("type")),
            "variable_declarator"
            | "return_statement"
            | "arrow_expression_clause"
            | "parenthesized_expression"
            | "block"
            | "accessor_declaration"
            | "accessor_list"
            | "if_statement"
            | "else_clause"
            | "switch_section"
            | "switch_body"
            | "switch_statement"
            | "try_statement"
            | "catch_clause"
            | "using_statement"
            | "lock_statement"
            | "for_statement"
            | "foreach_statement"
            | "while_statement"
            | "checked_statement" => None,
            _ => Some(None),
        }
    });
    let Some(stated) = stated.flatten() else {
        return Vec::new();
    };
    let text = context.text(stated).trim_end_matches('?');
    let path = text.split('<').next().unwrap_or(text);
    let is_path = path
        .chars()
        .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let is_told = is_path && path != "var" && !text.ends_with(']');
    let made = is_told.then(|| Aside::Made {
        made: node,
        path: path.to_owned(),
    });
    made.into_iter().collect()
}

/// The property that a parameter of a record makes.
fn of_record<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Option<Definition<'t>> {
    let is_of_record = context.ancestor(1)?.kind() == "record_declaration";
    let name = node.child_by_field_name("name").filter(|_| is_of_record)?;
    Some(Definition {
        exported: context.enclosing().map(|record| record.exported),
        ..Definition::new(SymbolKind::Property, node, name)
    })
}

fn import<'t>(context: &Context<'_, 't>, node: Node<'t>) -> Vec<Import> {
    let alias = context.field_text(node, "name");
    let mut cursor = node.walk();
    let path = node
        .named_children(&mut cursor)
        .last()
        .map_or("", |path| context.text(path));
    // Of `List<Item>` what stands before the bracket.
    let path = match alias {
        "" => path,
        _ => path.split(['<', '[', '(', '?']).next().unwrap_or(path),
    };
    let names = if alias.is_empty() {
        Vec::new()
    } else {
        vec![ImportedName {
            name: path.rsplit(['.', ':']).next().unwrap_or(path).to_owned(),
            local: alias.to_owned(),
        }]
    };
    let line = node.start_position().row as u32 + 1;
    // `global using` passes what it opens on to all files.
    let kind = if context.text(node).starts_with("global ") {
        ImportKind::ReExport
    } else {
        ImportKind::Import
    };
    vec![Import {
        module: path.to_owned(),
        names,
        kind,
        line,
    }]
}
