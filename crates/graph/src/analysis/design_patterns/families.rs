//! Types that belong together: visitors, mixins.

use whyrank_syntax::SymbolKind;

use super::code::{PatternCode, Type};
use super::draft::Draft;
use super::words::{calls, has_word, is_named, with_article};
use crate::{input::files::SymbolId, languages::Mixins};

/// Types with a method for each kind of node, and nodes that accept them.
pub(super) fn visitors(code: &PatternCode<'_>) -> Vec<Draft> {
    let types = code.types.iter();
    types.filter_map(|one| visitor(code, one)).collect()
}

fn visitor(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let is_visit = |name: &str| {
        let lower = name.to_lowercase();
        lower.starts_with("visit") && lower.len() > 5
    };
    let visits: Vec<(SymbolId, &str)> = code
        .methods(one)
        .filter(|(_, symbol)| is_visit(&symbol.name))
        .map(|(id, symbol)| (id, symbol.name.as_str()))
        .collect();
    if visits.len() < 2 {
        return None;
    }
    let mut draft = Draft::new(one.id);
    let names: Vec<&str> = visits.iter().take(3).map(|(_, name)| *name).collect();
    let (first, _) = visits[0];
    let points = if visits.len() > 3 { 3 } else { 2 };
    let why = format!("{} visit methods: {}", visits.len(), names.join(", "));
    draft.add_in(points, first.file, code.symbol(first).name_line, why);
    if let Some((base, file, line)) = one.bases.iter().find(|base| is_named(base.0, &["visitor"])) {
        draft.add_in(1, *file, *line, format!("is {}", with_article(base)));
    }
    let is_called = |symbol: &whyrank_syntax::Symbol| {
        is_named(&symbol.name, &["accept", "walk", "traverse", "visit"])
    };
    let accepts = code.functions().find_map(|(id, symbol)| {
        // Names are read before bodies: the repository has as many bodies as functions.
        if !is_called(symbol) || one.members.contains(&id) {
            return None;
        }
        let hit = code.line_where(id, |line| {
            names.iter().any(|name| calls(line, name)) && line.contains('.')
        });
        hit.map(|(line, _)| (id.file, line, symbol.name.as_str()))
    });
    if let Some((file, line, name)) = accepts {
        draft.add_in(2, file, line, format!("{name} lets it in"));
    }
    draft.named = is_named(one.name, &["visitor", "walker"]);
    Some(draft)
}

/// What is mixed into several types: Ruby modules, PHP traits, Python mixins, copied objects.
pub(super) fn mixins(code: &PatternCode<'_>) -> Vec<Draft> {
    let types = code.types.iter();
    types
        .filter_map(|one| mixin(code, one))
        .chain(copied(code))
        .collect()
}

fn mixin(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let head = code.symbol(one.id);
    let users = match code.rules(one.id.file).mixins {
        Mixins::Modules if one.kind == SymbolKind::Module => included(code, one),
        Mixins::UsedTraits if one.kind == SymbolKind::Trait => used(code, one),
        Mixins::NamedBases if is_named(one.name, &["mixin"]) => mixed(code, one),
        Mixins::TraitBases if one.kind == SymbolKind::Trait => mixed(code, one),
        _ => return None,
    };
    let (name, file, line) = users.first()?;
    if one.members.is_empty() {
        return None;
    }
    let mut draft = Draft::new(one.id);
    let n_users = users.len();
    let points = if n_users > 1 { 3 } else { 2 };
    draft.add_in(
        points,
        *file,
        *line,
        match n_users {
            1 => format!("mixed into {name}"),
            n => format!("mixed into {name} and {} more", n - 1),
        },
    );
    draft.add(
        1,
        head.name_line,
        format!("brings {} members along", one.members.len()),
    );
    draft.named = is_named(one.name, &["mixin"]);
    Some(draft)
}

/// `include X`, `extend X`, `prepend X`.
fn included<'a>(code: &PatternCode<'a>, one: &Type<'_>) -> Vec<(&'a str, u32, u32)> {
    uses(code, one, |line| {
        ["include ", "extend ", "prepend "]
            .iter()
            .any(|word| line.starts_with(word))
    })
}

/// `use X;` in a class.
fn used<'a>(code: &PatternCode<'a>, one: &Type<'_>) -> Vec<(&'a str, u32, u32)> {
    uses(code, one, |line| {
        line.starts_with("use ") && !line.contains('\\')
    })
}

fn uses<'a>(
    code: &PatternCode<'a>,
    one: &Type<'_>,
    is_use: impl Fn(&str) -> bool,
) -> Vec<(&'a str, u32, u32)> {
    let rules = code.rules(one.id.file);
    let mut users: Vec<(&str, u32, u32)> = Vec::new();
    for (file, reference) in code.references_named(one.name) {
        if code.rules(file) != rules || code.is_test(file) {
            continue;
        }
        let inside = reference
            .enclosing
            .map(|symbol| code.symbol(SymbolId { file, symbol }));
        let text = code.line(file, reference.line);
        // `include Rack::Utils` uses no `Rack`.
        let is_meant = is_use(text) && has_word(text, one.name) && !is_part_of_path(text, one.name);
        if let Some(inside) = inside.filter(|_| is_meant)
            && users.iter().all(|known| known.0 != inside.name)
        {
            users.push((&inside.name, file, reference.line));
        }
    }
    users
}

fn is_part_of_path(text: &str, name: &str) -> bool {
    text.contains(&format!("{name}::"))
}

/// Named as a base beside another.
fn mixed<'a>(code: &PatternCode<'a>, one: &Type<'_>) -> Vec<(&'a str, u32, u32)> {
    let heirs = code
        .heirs(one.name)
        .filter(|heir| heir.bases.len() > 1 && !code.is_test(heir.id.file));
    heirs
        .filter_map(|heir| {
            let base = heir
                .bases
                .iter()
                .skip(usize::from(code.language(heir.id.file) == "scala"));
            base.into_iter()
                .find(|base| base.0 == one.name)
                .map(|base| (heir.name, base.1, base.2))
        })
        .collect()
}

/// Members of one object copied into another.
fn copied(code: &PatternCode<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (id, _) in code.functions() {
        if !code.rules(id.file).functions_build_objects {
            continue;
        }
        let mut draft = Draft::new(id);
        let copies = |line: &str| {
            line.contains("Object.assign(") && line.contains(".prototype")
                || calls(line, "mixin")
                || calls(line, "mixins")
        };
        let lines = code.body(id).filter(|(_, line)| copies(line));
        for (at, (line, text)) in lines.enumerate() {
            draft.add(
                if at < 2 { 2 } else { 0 },
                line,
                text.trim_end_matches(';').to_owned(),
            );
        }
        drafts.push(draft);
    }
    drafts
}
