//! Objects that are given what they need, and who decides what that is.

use super::code::{PatternCode, Type, parameters};
use super::draft::Draft;
use super::words::{has_any, has_word};
use crate::input::files::SymbolId;
use whyrank_syntax::{ReferenceKind, Symbol, SymbolKind};

/// Constructors that are given what the object needs, and keep it.
pub(super) fn injections(code: &PatternCode<'_>) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (id, symbol) in code.functions() {
        if symbol.kind == SymbolKind::Constructor {
            drafts.extend(injection(code, id, symbol));
        }
    }
    drafts.extend(code.types.iter().filter_map(|one| primary(code, one)));
    drafts.extend(bindings(code));
    drafts
}

fn injection(code: &PatternCode<'_>, id: SymbolId, symbol: &Symbol) -> Option<Draft> {
    let mut draft = Draft::new(id);
    let stored = code.references_in(id).find(|reference| {
        reference.kind == ReferenceKind::Write
            || has_any(&symbol.signature, &["private ", "protected ", "readonly "])
    });
    if let Some(stored) = stored.filter(|_| !parameters(symbol).is_empty()) {
        let given = given(code, id, &symbol.signature);
        add_given(&mut draft, stored.line.min(symbol.span.end_line), &given);
    }
    if let Some(reference) = marked(code, id) {
        draft.add(3, reference.1, format!("marked {}", reference.0));
    }
    Some(draft)
}

/// What is abstract can be exchanged, and counts for more.
fn add_given(draft: &mut Draft, line: u32, given: &[(String, bool)]) {
    let named = |wanted: bool| {
        let names = given
            .iter()
            .filter(move |(_, is_abstract)| *is_abstract == wanted);
        names.map(|(name, _)| name.as_str()).collect::<Vec<_>>()
    };
    let (ideas, classes) = (named(true), named(false));
    if !ideas.is_empty() {
        let points = if ideas.len() > 1 { 4 } else { 3 };
        draft.add(
            points,
            line,
            format!("is given and keeps the abstract {}", ideas.join(", ")),
        );
    }
    if !classes.is_empty() {
        let points = if classes.len() > 1 { 2 } else { 1 };
        draft.add(
            points,
            line,
            format!("is given and keeps a {}", classes.join(", a ")),
        );
    }
}

/// Types of the repository that a head asks for, and whether they are abstract.
fn given(code: &PatternCode<'_>, id: SymbolId, signature: &str) -> Vec<(String, bool)> {
    let Some((_, inside)) = signature.split_once('(') else {
        return Vec::new();
    };
    let mut given: Vec<(String, bool)> = Vec::new();
    let types = code
        .references_in(id)
        .filter(|one| one.kind == ReferenceKind::Type);
    for reference in types.filter(|one| has_word(inside, &one.name)) {
        let one = code
            .types_named(&reference.name)
            .find(|one| one.kind.is_type() && one.kind != SymbolKind::Enum);
        if let Some(one) = one
            && given.iter().all(|known| known.0 != reference.name)
        {
            given.push((reference.name.clone(), code.is_abstract(one)));
        }
    }
    given
}

/// Scala and Kotlin take what they need in the head of the class.
fn primary(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let symbol = code.symbol(one.id);
    let head = symbol.signature.as_str();
    let keeps = matches!(code.language(one.id.file), "kotlin" | "scala")
        && has_any(head, &["val ", "var "]);
    if !keeps || has_word(head, "case") || has_word(head, "data") {
        return None;
    }
    let mut draft = Draft::new(one.id);
    add_given(&mut draft, symbol.name_line, &given(code, one.id, head));
    Some(draft)
}

fn marked<'a>(code: &PatternCode<'a>, id: SymbolId) -> Option<(&'a str, u32)> {
    let is_mark = |name: &str| matches!(name, "Inject" | "Autowired" | "inject" | "Injectable");
    let symbol = code.symbol(id);
    let owner = symbol.parent.map(|parent| SymbolId {
        symbol: parent,
        ..id
    });
    let references = code.references_in(id).chain(
        owner
            .into_iter()
            .flat_map(|owner| code.references_in(owner)),
    );
    references
        .filter(|one| one.kind == ReferenceKind::Decorator && is_mark(&one.name))
        .map(|one| (one.name.as_str(), one.line))
        .next()
}

/// Functions that tell a container what to make.
fn bindings(code: &PatternCode<'_>) -> Vec<Draft> {
    const BINDS: &[&str] = &[
        "->singleton(",
        "->bind(",
        "->bindIf(",
        "->scoped(",
        ".AddSingleton<",
        ".AddScoped<",
        ".AddTransient<",
        "bind<",
        "Depends(",
        "providers.Singleton(",
        "providers.Factory(",
        "container.register(",
    ];
    let mut drafts = Vec::new();
    for (id, _) in code.functions() {
        let mut draft = Draft::new(id);
        let lines = code.body(id).filter(|(_, line)| has_any(line, BINDS));
        for (at, (line, text)) in lines.enumerate() {
            let shown: String = text.chars().take(60).collect();
            draft.add(
                if at < 2 { 2 } else { 0 },
                line,
                format!("registers: {shown}"),
            );
        }
        drafts.push(draft);
    }
    drafts
}
