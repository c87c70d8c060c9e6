//! How objects come about: factories, builders.

use super::code::{PatternCode, Type};
use super::draft::Draft;
use super::error_types::is_error_name;
use super::words::{begins, has_word, is_named, with_article};
use crate::input::files::SymbolId;
use whyrank_syntax::{Symbol, SymbolKind, name_rules};

/// Longer functions do something else besides.
const MAX_FACTORY_LINES: u32 = 80;

const CREATES: &[&str] = &[
    "create",
    "make",
    "build",
    "new",
    "factory",
    "construct",
    "produce",
];

/// Functions that make an object of a type of the repository and hand it out.
pub(super) fn factories(code: &PatternCode<'_>) -> Vec<Draft> {
    let all = code.functions();
    all.filter_map(|(id, symbol)| factory(code, id, symbol))
        .collect()
}

fn factory(code: &PatternCode<'_>, id: SymbolId, symbol: &Symbol) -> Option<Draft> {
    let n_lines = symbol.span.end_line - symbol.span.start_line;
    let is_own = |name: &str| matches!(name, "new" | "default" | "clone" | "main" | "init");
    let is_long = n_lines > MAX_FACTORY_LINES && !begins(&symbol.name, CREATES);
    if symbol.kind == SymbolKind::Constructor || is_own(&symbol.name) || is_long {
        return None;
    }
    let own = owner(symbol);
    let mut draft = Draft::new(id);
    let mut made: Vec<String> = Vec::new();
    for (line, text) in handed_out(code, id) {
        let Some(name) = constructed(code, id, text) else {
            continue;
        };
        let is_other = Some(name.as_str()) != own && !made.contains(&name) && !is_error_name(&name);
        if !is_other {
            continue;
        }
        draft.add(
            if made.len() < 2 { 2 } else { 0 },
            line,
            format!("returns a new {name}"),
        );
        made.push(name);
    }
    if made.is_empty() && code.rules(id.file).functions_build_objects {
        function_object(code, id, &mut draft);
    }
    let promise = promise(code, id, symbol);
    let promised = made.iter().find_map(|name| {
        // What it promises is more general than what it makes.
        let bases = code.types_named(name).flat_map(|one| &one.bases);
        let mut general = bases.filter(|base| {
            has_word(promise, base.0) && code.types_named(base.0).any(|base| code.is_abstract(base))
        });
        general.next().map(|base| (name, base.0))
    });
    if let Some((name, base)) = promised {
        let why = format!(
            "promises {}, makes {}",
            with_article(base),
            with_article(name)
        );
        draft.add(2, symbol.name_line, why);
    }
    draft.named = begins(&symbol.name, CREATES)
        || is_named(&symbol.name, &["factory"])
        || own.is_some_and(|own| is_named(own, &["factory", "creator", "provider"]));
    // One class under a name that promises nothing of the kind is a plain function.
    let needs_name = code.rules(id.file).factories_need_names;
    (draft.named || (!needs_name && (made.len() > 1 || draft.points() > 2))).then_some(draft)
}

/// The part of a head that says what comes out.
fn promise<'a>(code: &PatternCode<'a>, id: SymbolId, symbol: &'a Symbol) -> &'a str {
    let signature = symbol.signature.as_str();
    let is_before = matches!(code.language(id.file), "java" | "csharp" | "c" | "cpp");
    if is_before {
        return signature
            .split_once(symbol.name.as_str())
            .map_or("", |(before, _)| before);
    }
    let after = signature.rsplit_once(')').map_or("", |(_, after)| after);
    after.split(" where ").next().unwrap_or("")
}

fn owner(symbol: &Symbol) -> Option<&str> {
    let rest = symbol.qualified.strip_suffix(symbol.name.as_str())?;
    rest.trim_end_matches(['.', ':', '#'])
        .rsplit(['.', ':'])
        .next()
}

/// Lines whose value leaves the function: with `return`, of one expression, the last one, or what a
/// returned variable was set to.
fn handed_out<'a>(code: &PatternCode<'a>, id: SymbolId) -> Vec<(u32, &'a str)> {
    let lines = code.inner(id);
    let value = |text: &'a str| {
        text.strip_prefix("return")
            .map(|value| value.trim_end_matches(';').trim())
    };
    let names: Vec<&str> = lines.iter().filter_map(|(_, text)| value(text)).collect();
    let ends_with_value = name_rules(code.language(id.file)).last_value_is_result;
    let last = lines.last().map(|(line, _)| *line);
    let is_returned = |text: &str| {
        let target = text.split_once('=').map_or("", |(target, _)| target);
        let target = target.trim_end_matches(':').trim();
        let name = target.rsplit([' ', ':']).next().unwrap_or("");
        !name.is_empty()
            && names
                .iter()
                .any(|returned| is_name_of(returned.trim_start_matches('&'), name))
    };
    lines
        .iter()
        .copied()
        .filter(|(line, text)| {
            value(text).is_some_and(|value| !value.is_empty())
                || text.contains("=> new ")
                || (ends_with_value && Some(*line) == last)
                || (ends_with_value && text.contains("=>") | text.contains("->"))
                || is_returned(text)
        })
        .collect()
}

/// `app` and `app.with(…)` give `app` out.
fn is_name_of(returned: &str, name: &str) -> bool {
    let rest = returned.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The class of the repository that a line makes an object of.
fn constructed(code: &PatternCode<'_>, id: SymbolId, text: &str) -> Option<String> {
    let rules = name_rules(code.language(id.file));
    let word = |text: &str| -> String {
        let is_part = |char: &char| char.is_alphanumeric() || *char == '_';
        text.chars().take_while(is_part).collect()
    };
    if rules.makes_with_new {
        let at = text.find("new ").filter(|at| is_value(&text[..*at]))?;
        let name = text[at + 4..].trim_start_matches('\\');
        let name = name.split(['(', '<', '{', ' ', ';', '[']).next()?;
        let name = word(name.rsplit(['.', '\\']).next()?);
        return code.is_class(&name).then_some(name);
    }
    // Elsewhere a class is called by its name, or its name stands before a brace or `.new`.
    let starts = text.char_indices().filter(|(at, char)| {
        let before = text[..*at].chars().next_back();
        let is_inside = before.is_some_and(|char| char.is_alphanumeric() || "_\"'".contains(char));
        char.is_uppercase() && !is_inside && is_value(&text[..*at])
    });
    let mut names = starts.map(|(at, _)| (at, word(&text[at..])));
    names.find_map(|(at, name)| {
        let rest = text[at + name.len()..].trim_start();
        let makes = rules.made_by.iter().any(|way| rest.starts_with(way));
        (makes && code.is_class(&name)).then_some(name)
    })
}

/// Says whether what follows is the value of a line, and not a part of it.
fn is_value(before: &str) -> bool {
    const ENDS: &[&str] = &[
        "return",
        "?",
        ":",
        "=>",
        "->",
        "=",
        "||",
        "else",
        "await",
        "yield",
        "&",
        "Ok(",
        "Some(",
        "Box::new(",
        "Arc::new(",
        "Rc::new(",
        "Right(",
        "Left(",
        "{",
        "cast(",
    ];
    // The module of a class may stand before it.
    let before =
        before.trim_end_matches(|char: char| char.is_alphanumeric() || char == '_' || char == '.');
    let before = if before.ends_with(' ') || before.is_empty() {
        before
    } else {
        before.trim_start()
    };
    let trimmed = before.trim_end();
    trimmed.is_empty() || ENDS.iter().any(|end| trimmed.ends_with(end))
}

/// A function that puts a function or an object together and returns it.
fn function_object(code: &PatternCode<'_>, id: SymbolId, draft: &mut Draft) {
    let lines = code.inner(id);
    let returned = lines.iter().rev().find_map(|(_, text)| {
        let name = text.strip_prefix("return ")?.trim_end_matches(';');
        name.chars().all(char::is_alphanumeric).then_some(name)
    });
    let Some(name) = returned else {
        return;
    };
    let starts = |text: &str| {
        let rest = ["var ", "let ", "const "]
            .iter()
            .find_map(|word| text.strip_prefix(word));
        let value = rest
            .and_then(|rest| rest.strip_prefix(name))
            .map(str::trim_start);
        value
            .and_then(|value| value.strip_prefix('='))
            .map(str::trim)
            .is_some_and(|value| {
                value.starts_with("function") || value.starts_with('{') || value.contains("=>")
            })
    };
    if let Some((line, _)) = lines.iter().find(|(_, text)| starts(text)) {
        draft.add(2, *line, format!("puts {name} together and returns it"));
        let n_set = lines
            .iter()
            .filter(|(_, text)| text.starts_with(&format!("{name}.")))
            .count();
        if let Some((line, _)) = lines
            .iter()
            .find(|(_, text)| text.starts_with(&format!("{name}.")))
            && n_set > 1
        {
            draft.add(1, *line, format!("gives it {n_set} members"));
        }
    }
}

/// Types whose methods set something and return the object, until one makes the result.
pub(super) fn builders(code: &PatternCode<'_>) -> Vec<Draft> {
    let types = code.types.iter().filter(|one| !one.members.is_empty());
    types.filter_map(|one| builder(code, one)).collect()
}

fn builder(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let mut draft = Draft::new(one.id);
    let fluent: Vec<(u32, &str)> = code
        .methods(one)
        .filter(|(id, symbol)| {
            symbol.kind != SymbolKind::Constructor && returns_itself(code, one, *id, symbol)
        })
        .map(|(_, symbol)| (symbol.name_line, symbol.name.as_str()))
        .collect();
    if fluent.len() < 3 {
        return None;
    }
    let names: Vec<&str> = fluent.iter().take(3).map(|(_, name)| *name).collect();
    let why = format!(
        "{} methods return the object: {}",
        fluent.len(),
        names.join(", ")
    );
    draft.add(2, fluent[0].0, why);
    let ends = code.method(one, |name| {
        begins(name, &["build", "finish", "done"]) || is_named(name, &["build"])
    });
    let makes = ends.filter(|(id, symbol)| !returns_itself(code, one, *id, symbol));
    if let Some((_, symbol)) = makes {
        draft.add(
            2,
            symbol.name_line,
            format!("{} makes the result", symbol.name),
        );
    }
    draft.named = is_named(one.name, &["builder"]);
    (draft.named || makes.is_some()).then_some(draft)
}

fn returns_itself(code: &PatternCode<'_>, one: &Type<'_>, id: SymbolId, symbol: &Symbol) -> bool {
    if code.rules(id.file).results_say_self {
        let (_, result) = symbol.signature.split_once("->").unwrap_or_default();
        let result = result
            .trim()
            .trim_start_matches("&mut ")
            .trim_start_matches('&');
        return symbol.signature.contains("self")
            && (result.starts_with("Self") || result == one.name);
    }
    // Kotlin: the value of `apply` is what it is called on.
    let applies =
        |(_, line): (u32, &str)| line.starts_with("apply {") || line.contains("= apply {");
    if code.language(id.file) == "kotlin" && code.body(id).take(4).any(applies) {
        return true;
    }
    let itself = [
        "return this",
        "return self",
        "return $this",
        "return *this",
        "return static",
    ];
    let is_end = |line: &str| {
        let line = line.trim_end_matches(';');
        itself.contains(&line) || line == "self"
    };
    code.inner(id)
        .last()
        .is_some_and(|(_, line)| is_end(line.trim_end_matches('}').trim()))
}
