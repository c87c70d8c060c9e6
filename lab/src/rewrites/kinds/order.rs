//! Rewrites of where members stand: swapped, doubled behind a condition, overloaded, in another part of
//! their type.

use tree_sitter::Node;

use super::super::rewritten::Rewritten;
use super::super::site::{Site, named, words_at};

/// Two neighbours of a type or a file in the other order.
pub(super) fn swapped(site: &mut Site<'_>) -> Option<Rewritten> {
    let functions = site.shape.functions;
    for first in site.shuffled(functions) {
        let Some(second) = first.next_named_sibling() else {
            continue;
        };
        let is_function = functions.contains(&second.kind());
        if !is_function || !stands_free(site, first) || !stands_free(site, second) {
            continue;
        }
        let name = |node: Node<'_>| node.child_by_field_name("name").map(|it| site.text(it));
        // C and C++: what is used has to be declared before.
        let is_free = match site.shape.language {
            "c" | "cpp" => {
                let declared = second.child_by_field_name("declarator");
                let declared = declared.and_then(|it| site.names(it).first().copied());
                let is_out_of_line = |node: Node<'_>| {
                    let head = node.child_by_field_name("declarator");
                    head.is_some_and(|head| site.text(head).contains("::"))
                };
                declared.is_some() && is_out_of_line(first) && is_out_of_line(second)
            }
            // A property and its setter.
            _ => name(first) != name(second),
        };
        if is_free {
            let mut edits = site.edits();
            edits.put(first.byte_range(), second.byte_range());
            edits.put(second.byte_range(), first.byte_range());
            return Some(edits.into());
        }
    }
    None
}

/// Says whether nothing but white space is between a definition and its neighbours, and it begins a line.
fn stands_free(site: &Site<'_>, node: Node<'_>) -> bool {
    let begins_line = site.before_on_line(node.start_byte()).trim().is_empty();
    let is_loose = |other: Option<Node<'_>>| {
        other.is_none_or(|other| {
            !other.kind().contains("attribute")
                && !other.kind().contains("decorator")
                && !other.kind().contains("comment")
        })
    };
    let parent = node.parent();
    let is_spread = parent.is_some_and(|parent| {
        site.shape.bodies.contains(&parent.kind())
            || parent.id() == site.root.id()
            || parent.kind() == "declaration_list"
    });
    begins_line && is_spread && is_loose(node.prev_sibling())
}

/// A definition twice, in the two branches of a condition.
pub(super) fn twins(site: &mut Site<'_>) -> Option<Rewritten> {
    let functions = site.shape.functions;
    for node in site.shuffled(functions) {
        if !stands_free(site, node) {
            continue;
        }
        if site.shape.language == "rust" {
            return Some(twin_of_rust(site, node));
        }
        if !site.shape.is_any(&["c", "cpp", "csharp", "swift"]) {
            return None;
        }
        let range = node.byte_range();
        let indent = site.indent(range.start);
        let line = range.start - indent.len();
        let number = site.number;
        let mut edits = site.edits();
        edits.insert(line, format!("#if RW{number}\n{indent}"));
        edits.put(line..line, range.clone());
        edits.insert(line, "\n#else\n");
        edits.insert(range.end, "\n#endif");
        return Some(edits.into());
    }
    None
}

fn twin_of_rust(site: &Site<'_>, node: Node<'_>) -> Rewritten {
    let range = node.byte_range();
    let indent = site.indent(range.start);
    let number = site.number;
    let mut edits = site.edits();
    edits.insert(
        range.start,
        format!("#[cfg(feature = \"rw{number}\")]\n{indent}"),
    );
    edits.put(range.start..range.start, range.clone());
    edits.insert(
        range.start,
        format!("\n\n{indent}#[cfg(not(feature = \"rw{number}\"))]\n{indent}"),
    );
    edits.into()
}

/// Another function of the name, for more arguments than anyone gives.
pub(super) fn overload(site: &mut Site<'_>) -> Option<Rewritten> {
    let functions = site.shape.functions;
    for node in site.shuffled(functions) {
        let Some(name) = node.child_by_field_name("name") else {
            continue;
        };
        let is_member = node
            .parent()
            .is_some_and(|parent| site.shape.bodies.contains(&parent.kind()));
        let in_type = node.parent().and_then(|body| body.parent());
        let is_class = in_type.is_some_and(|it| site.shape.types.contains(&it.kind()));
        let name = site.text(name);
        let end = node
            .child_by_field_name("body")
            .map_or(node.end_byte(), |it| it.start_byte());
        let head = &site.whole()[node.start_byte()..end];
        let is_static = !words_at(head, "static").is_empty();
        let begins_line = site.before_on_line(node.start_byte()).trim().is_empty();
        let is_plain = name.starts_with(|c: char| c.is_alphabetic()) && name != "main";
        if !(is_plain && begins_line && is_class && is_member) {
            continue;
        }
        let modifier = if is_static { "static " } else { "" };
        let letters = ["a", "b", "c", "d", "e", "f", "g"];
        let typed = |form: &str| letters.map(|it| form.replace('X', it)).join(", ");
        let text = match site.shape.language {
            "java" => format!(
                "{modifier}int {name}({}) {{ return a + g; }}",
                typed("int X")
            ),
            "csharp" => format!(
                "{modifier}int {name}({}) {{ return a + g; }}",
                typed("int X")
            ),
            "kotlin" => format!("fun {name}({}): Int {{ return a + g }}", typed("X: Int")),
            "scala" => format!("def {name}({}): Int = {{ a + g }}", typed("X: Int")),
            "swift" => format!(
                "{modifier}func {name}({}) -> Int {{ return a + g }}",
                typed("_ X: Int")
            ),
            _ => return None,
        };
        let indent = site.indent(node.start_byte());
        let mut edits = site.edits();
        // On either side: who takes the first or the last is seen.
        match site.dice.below(2) {
            0 => edits.add(node.end_byte(), format!("\n\n{indent}{text}")),
            _ => {
                let attributed = node
                    .prev_sibling()
                    .is_some_and(|it| it.kind().contains("attribute"));
                if attributed {
                    continue;
                }
                edits.add(
                    node.start_byte() - indent.len(),
                    format!("{indent}{text}\n\n"),
                );
            }
        }
        return Some(Rewritten::from(edits).about(name));
    }
    None
}

/// A type in two parts.
pub(super) fn split(site: &mut Site<'_>) -> Option<Rewritten> {
    let kinds: &[&str] = match site.shape.language {
        "rust" => &["impl_item"],
        "ruby" => &["class", "module"],
        "csharp" | "swift" => &["class_declaration"],
        _ => return None,
    };
    for node in site.shuffled(kinds) {
        let Some(body) = node.child_by_field_name("body") else {
            continue;
        };
        let members = named(body);
        let functions: Vec<usize> = (1..members.len())
            .filter(|at| {
                let kind = members[*at].kind();
                site.shape.functions.contains(&kind) && stands_free(site, members[*at])
            })
            .collect();
        let Some(at) = site.dice.pick(&functions).copied() else {
            continue;
        };
        let cut = members[at].start_byte();
        let head = &site.whole()[node.start_byte()..body.start_byte()];
        let indent = site.indent(node.start_byte());
        let inner = site.indent(cut);
        let Some(again) = head_again(site, node, head, (&members, at)) else {
            continue;
        };
        let mut edits = site.edits();
        let end = if site.shape.language == "ruby" {
            "end"
        } else {
            "}"
        };
        edits.add(
            cut - inner.len(),
            format!("{indent}{end}\n\n{indent}{again}\n"),
        );
        if site.shape.language == "csharp" && words_at(head, "partial").is_empty() {
            let word = node.start_byte() + words_at(head, "class").first()?.start;
            edits.add(word, "partial ");
        }
        return Some(Rewritten::from(edits).using_anew());
    }
    None
}

/// The head of a type's second part; none where the cut means something.
fn head_again(
    site: &Site<'_>,
    node: Node<'_>,
    head: &str,
    (members, at): (&[Node<'_>], usize),
) -> Option<String> {
    let name = node.child_by_field_name("name").map(|it| site.text(it));
    match site.shape.language {
        "rust" => Some(format!("{} {{", head.trim_end())).filter(|head| !head.contains(" for ")),
        "ruby" => {
            let is_section = |it: &Node<'_>| {
                let text = site.text(*it);
                ["private", "protected", "public", "module_function"].contains(&text)
            };
            let is_in_section = members[..at].iter().any(is_section);
            let kind = if node.kind() == "module" {
                "module"
            } else {
                "class"
            };
            (!is_in_section).then(|| format!("{kind} {}", name.unwrap_or_default()))
        }
        "csharp" => {
            let is_generic = head.contains('<') || head.contains("where");
            let keyword = words_at(head, "class").first()?.start;
            let before = head[..keyword].trim_end();
            let is_odd = before.contains('[') || head.contains("record");
            let partial = if words_at(before, "partial").is_empty() {
                " partial"
            } else {
                ""
            };
            let head = format!("{before}{partial} class {}\n    {{", name?);
            (!is_generic && !is_odd).then(|| head.trim_start().to_owned())
        }
        _ => {
            // Stored properties and what is overridden stay in the class.
            let rest = &members[at..];
            let is_movable = |it: &Node<'_>| {
                let text = site.text(*it);
                it.kind() == "function_declaration"
                    && words_at(text, "override").is_empty()
                    && words_at(text, "super").is_empty()
            };
            let is_class =
                head.contains("class ") || head.contains("struct ") || head.contains("enum ");
            let is_generic = head.contains('<');
            let movable = rest.iter().all(is_movable) && is_class && !is_generic;
            movable.then(|| format!("extension {} {{", name.unwrap_or_default()))
        }
    }
}
