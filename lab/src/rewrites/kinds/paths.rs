//! Rewrites that write a name with its package, namespace or module.

use tree_sitter::Node;

use super::super::rewritten::Rewritten;
use super::super::site::Site;
use super::names::{imported, uses_of_import};

/// PHP: a type by its whole name.
pub(super) fn whole_name(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds = ["scoped_call_expression", "object_creation_expression"];
    let clauses = site.all_nodes_shuffled(&["namespace_use_clause"]);
    for call in site.shuffled(&kinds) {
        let name = call
            .child_by_field_name("scope")
            .or_else(|| call.named_child(0));
        let Some(name) = name.filter(|name| name.kind() == "name") else {
            continue;
        };
        let text = site.text(name);
        let clause = clauses.iter().find(|clause| {
            let whole = site.text(**clause);
            whole.ends_with(&format!("\\{text}"))
                && !site
                    .text(clause.parent().unwrap_or(**clause))
                    .contains("function")
        });
        if let Some(clause) = clause {
            let mut edits = site.edits();
            edits.replace(name.byte_range(), format!("\\{}", site.text(*clause)));
            return Some(Rewritten::from(edits).about(text));
        }
    }
    None
}

/// A type by its whole name where it is made (Java, Kotlin, Scala).
pub(super) fn package_name(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds = match site.shape.language {
        "java" => ["object_creation_expression", "method_invocation"],
        "kotlin" => ["call_expression", "navigation_expression"],
        _ => return None,
    };
    let kind = if site.shape.language == "java" {
        "import_declaration"
    } else {
        "import"
    };
    let imports = site.all_nodes_shuffled(&[kind]);
    for call in site.shuffled(&kinds) {
        let name = ["type", "object"]
            .iter()
            .find_map(|field| call.child_by_field_name(field));
        let name = name.or_else(|| call.named_child(0));
        let Some(name) = name.filter(|it| matches!(it.kind(), "type_identifier" | "identifier"))
        else {
            continue;
        };
        let text = site.text(name);
        let whole = imports.iter().find_map(|import| {
            let import = site
                .text(*import)
                .strip_prefix("import")?
                .trim()
                .trim_end_matches(';');
            let is_it = import.ends_with(&format!(".{text}")) && !import.contains([' ', '\n']);
            is_it.then(|| import.to_owned())
        });
        let Some(whole) = whole else { continue };
        // Behind a package, not behind a type: the path of a member names its owner as well.
        let is_upper = |part: &str| part.starts_with(char::is_uppercase);
        if whole.split('.').filter(|part| is_upper(part)).count() != 1 {
            continue;
        }
        let first = whole.split('.').next().unwrap_or_default();
        let is_hidden = site
            .names(site.root)
            .into_iter()
            .any(|it| site.text(it) == first);
        if is_hidden {
            continue;
        }
        let mut edits = site.edits();
        edits.replace(name.byte_range(), whole);
        return Some(Rewritten::from(edits).about(text));
    }
    None
}

/// An imported function through its module (Python, TypeScript, JavaScript, Rust).
pub(super) fn through_module(site: &mut Site<'_>) -> Option<Rewritten> {
    match site.shape.language {
        "python" => through_python_module(site),
        "rust" => through_rust_module(site),
        _ => through_script_module(site),
    }
}

/// The name nodes of the file that are called, and stand alone.
fn called<'v>(site: &Site<'v>, name: &str) -> Option<Node<'v>> {
    let calls = site.nodes(site.shape.calls);
    let mut callees = calls
        .iter()
        .filter_map(|call| call.child_by_field_name("function"));
    callees.find(|callee| callee.kind() == "identifier" && site.text(*callee) == name)
}

fn through_script_module(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["import_specifier"]) {
        let Some((_, local)) = imported(site, import) else {
            continue;
        };
        if uses_of_import(site, import, &local).is_none() || site.text(import).starts_with("type ")
        {
            continue;
        }
        let statement = site.around(import, &["import_statement"])?;
        let source = statement.child_by_field_name("source")?;
        let Some(callee) = called(site, &local) else {
            continue;
        };
        let space = site.fresh();
        let mut edits = site.edits();
        let from = site.text(source);
        edits.add(
            statement.start_byte(),
            format!("import * as {space} from {from};\n"),
        );
        edits.insert(callee.start_byte(), format!("{space}."));
        return Some(Rewritten::from(edits).about(&local));
    }
    None
}

fn through_python_module(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["import_from_statement"]) {
        let Some((_, local)) = imported(site, import) else {
            continue;
        };
        let module = import.child_by_field_name("module_name")?;
        let module = site.text(module);
        let is_module = !module.trim_start_matches('.').is_empty();
        let is_top = import.parent().is_some_and(|it| it.id() == site.root.id());
        let is_whole = uses_of_import(site, import, &local).is_some();
        let Some(callee) = called(site, &local).filter(|_| is_module && is_top && is_whole) else {
            continue;
        };
        let space = site.fresh();
        let (before, last) = match module.rsplit_once('.') {
            Some((before, last)) if before.is_empty() || before.ends_with('.') => {
                (format!("{before}."), last)
            }
            Some((before, last)) => (before.to_owned(), last),
            None => (String::new(), module),
        };
        let line = match &before[..] {
            "" => format!("import {last} as {space}\n"),
            before => format!("from {before} import {last} as {space}\n"),
        };
        let mut edits = site.edits();
        edits.add(import.start_byte(), line);
        edits.insert(callee.start_byte(), format!("{space}."));
        return Some(Rewritten::from(edits).about(&local));
    }
    None
}

fn through_rust_module(site: &mut Site<'_>) -> Option<Rewritten> {
    for import in site.all_nodes_shuffled(&["use_declaration"]) {
        let Some((name, local)) = imported(site, import) else {
            continue;
        };
        let path = match name.parent() {
            Some(parent) if parent.kind() == "scoped_identifier" => {
                parent.child_by_field_name("path")
            }
            Some(list) => list.parent().and_then(|it| it.child_by_field_name("path")),
            None => None,
        };
        let is_whole = uses_of_import(site, import, &local).is_some();
        let path = path
            .map(|path| site.text(path))
            .filter(|path| path.starts_with("crate"));
        let (Some(path), Some(callee), true) = (path, called(site, &local), is_whole) else {
            continue;
        };
        let mut edits = site.edits();
        edits.insert(callee.start_byte(), format!("{path}::"));
        return Some(Rewritten::from(edits).about(&local));
    }
    None
}
