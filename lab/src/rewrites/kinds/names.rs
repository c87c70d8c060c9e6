//! Rewrites of how a name is written: by an alias, behind its object, in another case, or of a local.

use tree_sitter::Node;
use whyrank_syntax::SymbolKind;

use super::super::rewritten::Rewritten;
use super::super::site::{Site, named, words_at};

/// An imported name under an alias.
pub(super) fn alias_import(site: &mut Site<'_>) -> Option<Rewritten> {
    let language = site.shape.language;
    let kinds: &[&str] = match language {
        "javascript" | "typescript" => &["import_specifier"],
        "python" => &["import_from_statement"],
        "rust" => &["use_declaration"],
        "go" => &["import_spec"],
        "kotlin" => &["import"],
        "scala" => &["import_declaration"],
        "php" => &["namespace_use_clause"],
        _ => return None,
    };
    for import in site.all_nodes_shuffled(kinds) {
        let Some((name, local)) = imported(site, import) else {
            continue;
        };
        let Some(places) = uses_of_import(site, import, &local) else {
            continue;
        };
        let alias = aliased(&local, site.number);
        let mut edits = site.edits();
        match language {
            "go" => edits.insert(name.start_byte(), format!("{alias} ")),
            "scala"
                if name
                    .parent()
                    .is_some_and(|it| it.kind() == "import_declaration") =>
            {
                edits.replace(name.byte_range(), format!("{{{local} => {alias}}}"));
            }
            "scala" => edits.insert(name.end_byte(), format!(" => {alias}")),
            _ => edits.insert(name.end_byte(), format!(" as {alias}")),
        }
        for place in places {
            edits.replace(place.byte_range(), alias.clone());
        }
        return Some(Rewritten::from(edits).about(&local));
    }
    None
}

/// A name like another, of the same case, with a number.
fn aliased(name: &str, number: usize) -> String {
    match name.starts_with(|c: char| c.is_uppercase()) {
        true => format!("Rw{number}"),
        false => format!("rw{number}"),
    }
}

/// The node of a name that an import brings in without an alias, and the name.
pub(super) fn imported<'v>(site: &mut Site<'v>, import: Node<'v>) -> Option<(Node<'v>, String)> {
    let name = match site.shape.language {
        "javascript" | "typescript" => {
            let name = import.child_by_field_name("name")?;
            import
                .child_by_field_name("alias")
                .is_none()
                .then_some(name)?
        }
        "python" => {
            let mut cursor = import.walk();
            let names: Vec<Node<'_>> = import
                .children_by_field_name("name", &mut cursor)
                .filter(|name| name.kind() == "dotted_name" && name.named_child_count() == 1)
                .collect();
            *site.dice.pick(&names)?
        }
        "rust" => {
            let mut open = vec![import.child_by_field_name("argument")?];
            let mut names = Vec::new();
            while let Some(node) = open.pop() {
                match node.kind() {
                    "scoped_use_list" => open.extend(node.child_by_field_name("list")),
                    "use_list" => open.extend(named(node)),
                    "scoped_identifier" => names.extend(node.child_by_field_name("name")),
                    "identifier" => names.push(node),
                    _ => {}
                }
            }
            *site.dice.pick(&names)?
        }
        "go" => {
            let path = import.child_by_field_name("path")?;
            let text = site.text(path).trim_matches('"');
            let is_plain = import.child_by_field_name("name").is_none();
            let local = text.rsplit('/').next()?.to_owned();
            return (is_plain && !local.contains(['.', '-'])).then_some((path, local));
        }
        "kotlin" => {
            let path = named(import);
            let [path] = path[..] else { return None };
            let is_whole = site.text(import).trim_end().ends_with('*');
            named(path).last().copied().filter(|_| !is_whole)?
        }
        "scala" => {
            let parts = named(import);
            let last = parts.last().copied()?;
            match last.kind() {
                "namespace_selectors" => {
                    let names: Vec<Node<'_>> = named(last)
                        .into_iter()
                        .filter(|name| name.kind() == "identifier")
                        .collect();
                    *site.dice.pick(&names)?
                }
                "identifier" if parts.len() > 1 => last,
                _ => return None,
            }
        }
        _ => {
            let parts = named(import);
            let [name] = parts[..] else { return None };
            let is_group = import
                .parent()
                .is_some_and(|it| it.kind().contains("group"));
            let name = match name.kind() {
                "qualified_name" => named(name).last().copied()?,
                _ => return None,
            };
            (!is_group).then_some(name)?
        }
    };
    Some((name, site.text(name).to_owned()))
}

/// All uses of an imported name in the file; none where one could be something else.
pub(super) fn uses_of_import<'v>(
    site: &Site<'v>,
    import: Node<'v>,
    local: &str,
) -> Option<Vec<Node<'v>>> {
    let statement = std::iter::successors(Some(import), |node| node.parent()).find(|node| {
        node.parent()
            .is_some_and(|parent| parent.id() == site.root.id())
    })?;
    let words = words_at(site.whole(), local);
    let n_outside = words
        .iter()
        .filter(|word| !statement.byte_range().contains(&word.start))
        .count();
    let names = site.names(site.root).into_iter().filter(|name| {
        site.text(*name) == local && !statement.byte_range().contains(&name.start_byte())
    });
    let names: Vec<Node<'_>> = names.collect();
    let is_use = |name: &&Node<'_>| is_free_use(site, **name);
    let is_sure = names.len() == n_outside
        && n_outside > 0
        && names.iter().filter(is_use).count() == n_outside;
    is_sure.then_some(names)
}

/// Says whether a name stands by itself and is read, called or named as a type: not declared, not behind a
/// dot, no key and no label.
pub(super) fn is_free_use(site: &Site<'_>, name: Node<'_>) -> bool {
    let before = site.whole()[..name.start_byte()].trim_end();
    let behind = site.whole()[name.end_byte()..].trim_start();
    let Some(parent) = name.parent() else {
        return false;
    };
    let is_member = before.ends_with('.') && !before.ends_with("..")
        || before.ends_with("->")
        || before.ends_with("::")
        || before.ends_with('$')
        || before.ends_with('#')
        || before.ends_with('@');
    let is_label = behind.starts_with(':') && !behind.starts_with("::");
    let is_setting =
        behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>");
    let is_declared = parent
        .child_by_field_name("name")
        .is_some_and(|declared| declared.id() == name.id())
        && !matches!(
            parent.kind(),
            "named_type" | "generic_type" | "type_annotation" | "user_type" | "qualified_type"
        );
    let is_odd = name.kind().starts_with("shorthand")
        || matches!(
            parent.kind(),
            "parameter"
                | "required_parameter"
                | "optional_parameter"
                | "simple_parameter"
                | "formal_parameter"
                | "class_parameter"
                | "parameters"
                | "formal_parameters"
                | "lambda_parameters"
                | "variable_declaration"
                | "variable_declarator"
                | "export_specifier"
                | "array_pattern"
                | "object_pattern"
                | "for_in_clause"
                | "pattern"
                | "global_statement"
                | "labeled_statement"
        ) && parent.child_by_field_name("value") != Some(name)
            && parent.child_by_field_name("type") != Some(name);
    !is_member && !is_label && !is_setting && !is_declared && !is_odd
}

/// A local under the name of a definition that its file does not name.
pub(super) fn renamed_local(site: &mut Site<'_>) -> Option<Rewritten> {
    let locals = site.shape.locals;
    for local in site.shuffled(locals) {
        let Some(function) = site.around(local, site.shape.functions) else {
            continue;
        };
        let Some(name) = local_name(site, local) else {
            continue;
        };
        let text = site.text(name);
        let words = words_at(site.whole(), text);
        let names: Vec<Node<'_>> = site
            .names(function)
            .into_iter()
            .filter(|it| site.text(*it) == text)
            .collect();
        let is_use = |it: &&Node<'_>| it.id() == name.id() || is_local_use(site, **it);
        if words.len() != names.len() || names.iter().filter(is_use).count() != names.len() {
            continue;
        }
        let is_lower = site
            .shape
            .is_any(&["ruby", "rust", "scala", "kotlin", "swift"]);
        let is_fit = |name: &str, kind: SymbolKind| {
            let is_lower = !is_lower || name.starts_with(char::is_lowercase);
            is_lower && kind != SymbolKind::Constant
        };
        let new = site.definition(is_fit)?;
        if site.has_word(new) {
            continue;
        }
        let mut edits = site.edits();
        for name in names {
            edits.replace(name.byte_range(), new);
        }
        return Some(Rewritten::from(edits).about(new));
    }
    None
}

/// The name that a declaration declares.
fn local_name<'v>(site: &Site<'v>, local: Node<'v>) -> Option<Node<'v>> {
    let by_field = ["name", "pattern", "declarator", "left", "bound_identifier"]
        .iter()
        .find_map(|field| local.child_by_field_name(field));
    let mut name = by_field.or_else(|| local.named_child(0))?;
    while matches!(name.kind(), "variable_name" | "expression_list")
        && name.named_child_count() == 1
    {
        name = name.named_child(0)?;
    }
    let is_typed_away = name.child_count() > 0 || !site.shape.names.contains(&name.kind());
    let is_member = name.kind().contains("property") || name.kind().contains("field");
    let first = site.text(name).starts_with(|c: char| c.is_lowercase());
    (!is_typed_away && !is_member && first).then_some(name)
}

/// Says whether a name is a use of a local, wherever it is set.
fn is_local_use(site: &Site<'_>, name: Node<'_>) -> bool {
    let before = site.whole()[..name.start_byte()].trim_end();
    let behind = site.whole()[name.end_byte()..].trim_start();
    let is_php = site.shape.language == "php";
    let is_member = before.ends_with('.') || before.ends_with("->") || before.ends_with("::");
    let is_label = behind.starts_with(':');
    let in_arguments = site
        .around(name, site.shape.arguments)
        .is_some_and(|list| site.around(name, site.shape.calls) == list.parent());
    let is_named = behind.starts_with('=') && !behind.starts_with("==") && in_arguments;
    let is_plain = !matches!(
        name.kind(),
        "property_identifier"
            | "field_identifier"
            | "type_identifier"
            | "shorthand_property_identifier"
            | "shorthand_property_identifier_pattern"
            | "shorthand_field_identifier"
            | "constant"
    );
    !is_member && !is_label && !is_named && is_plain && (!is_php || before.ends_with('$'))
}

/// A member of the own object or class behind `this` or the like.
pub(super) fn qualified_member(site: &mut Site<'_>) -> Option<Rewritten> {
    let calls = site.shape.calls;
    for call in site.shuffled(calls) {
        let callee = match site.shape.language {
            "java" => call
                .child_by_field_name("name")
                .filter(|_| call.child_by_field_name("object").is_none()),
            "ruby" => call
                .child_by_field_name("method")
                .filter(|_| call.child_by_field_name("receiver").is_none()),
            _ => call
                .child_by_field_name("function")
                .or_else(|| call.named_child(0)),
        };
        let Some(callee) =
            callee.filter(|it| matches!(it.kind(), "identifier" | "simple_identifier"))
        else {
            continue;
        };
        if let Some(own) = own_object(site, callee) {
            let mut edits = site.edits();
            edits.insert(callee.start_byte(), own);
            return Some(edits.into());
        }
    }
    None
}

/// What stands before a member of the type around a call: none where it is not declared there, or could be
/// hidden.
fn own_object(site: &Site<'_>, callee: Node<'_>) -> Option<&'static str> {
    let function = site.around(callee, site.shape.functions)?;
    let lambda = site.around(callee, site.shape.lambdas);
    if lambda.is_some_and(|lambda| lambda.start_byte() > function.start_byte()) {
        return None;
    }
    let body = function
        .parent()
        .filter(|body| site.shape.bodies.contains(&body.kind()))?;
    let is_static = |member: Node<'_>| {
        let end = member
            .child_by_field_name("body")
            .map_or(member.end_byte(), |it| it.start_byte());
        let head = &site.whole()[member.start_byte()..end];
        !words_at(head, "static").is_empty() || member.kind() == "singleton_method"
    };
    let name = site.text(callee);
    let members: Vec<Node<'_>> = named(body)
        .into_iter()
        .filter(|member| site.shape.functions.contains(&member.kind()))
        .filter(|member| {
            member
                .child_by_field_name("name")
                .is_some_and(|it| site.text(it) == name)
        })
        .collect();
    let is_declared_inside = site
        .nodes_in(function, site.shape.parameters)
        .iter()
        .any(|list| !words_at(site.text(*list), name).is_empty());
    let is_one_kind = !members.is_empty()
        && members
            .iter()
            .all(|member| is_static(*member) == is_static(function));
    if !is_one_kind || is_declared_inside {
        return None;
    }
    match (site.shape.language, is_static(function)) {
        ("java" | "csharp", false) => Some("this."),
        ("kotlin" | "scala", _) => Some("this."),
        ("swift" | "ruby", _) => Some("self."),
        _ => None,
    }
}

/// PHP: functions, methods and types in another case.
pub(super) fn other_case(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds = [
        "member_call_expression",
        "scoped_call_expression",
        "function_call_expression",
        "object_creation_expression",
    ];
    for call in site.shuffled(&kinds) {
        let name = match call.kind() {
            "object_creation_expression" => call.named_child(0),
            _ => call
                .child_by_field_name("name")
                .or_else(|| call.child_by_field_name("function")),
        };
        let Some(name) = name.filter(|name| name.kind() == "name") else {
            continue;
        };
        let text = site.text(name);
        if matches!(text, "self" | "static" | "parent") {
            continue;
        }
        let mut edits = site.edits();
        edits.replace(name.byte_range(), text.to_ascii_uppercase());
        return Some(Rewritten::from(edits).about(text));
    }
    None
}
