//! Types of errors, by what they extend, derive or have.

use super::code::{PatternCode, Type};
use super::draft::Draft;
use super::words::{has_any, has_word, name_parts, with_article};
use whyrank_syntax::{ReferenceKind, SymbolKind};

/// Types that are thrown, raised or returned when something fails.
pub(super) fn errors(code: &PatternCode<'_>) -> Vec<Draft> {
    let types = code.types.iter();
    types.filter_map(|one| error(code, one)).collect()
}

fn error(code: &PatternCode<'_>, one: &Type<'_>) -> Option<Draft> {
    let is_alias = one.kind == SymbolKind::TypeAlias;
    let is_idea = matches!(one.kind, SymbolKind::Interface | SymbolKind::Trait);
    if is_idea || !(one.kind.is_type() || is_alias) {
        return None;
    }
    let mut draft = Draft::new(one.id);
    if let Some((base, file, line)) = one.bases.iter().find(|base| is_error_name(base.0)) {
        draft.add_in(3, *file, *line, format!("is {}", with_article(base)));
    }
    let head = code.symbol(one.id);
    let before = (head.span.start_line..head.name_line).find(|line| {
        let text = code.line(one.id.file, *line);
        text.contains("derive(") && has_word(text, "Error")
    });
    if let Some(line) = before {
        draft.add(3, line, "derives Error");
    }
    if code.rules(one.id.file).errors_are_told_by_method
        && let Some((id, symbol)) = code.method(one, |name| name == "Error")
        && symbol.signature.contains("Error() string")
    {
        draft.add_in(4, id.file, symbol.name_line, "has Error() string");
    }
    let raised = raised(code, one.name).filter(|_| draft.points() > 0);
    if let Some((file, line)) = raised {
        draft.add_in(1, file, line, "raised here");
    }
    draft.named = is_error_name(one.name);
    Some(draft)
}

/// Says whether a name ends as those of errors do.
pub(super) fn is_error_name(name: &str) -> bool {
    let ends = [
        "error",
        "exception",
        "throwable",
        "warning",
        "failure",
        "err",
    ];
    name_parts(name)
        .last()
        .is_some_and(|part| ends.contains(&part.as_str()))
}

/// The first line of shipped code that throws it.
fn raised(code: &PatternCode<'_>, name: &str) -> Option<(u32, u32)> {
    code.references_named(name)
        .filter(|(file, one)| !code.is_test(*file) && one.kind != ReferenceKind::Import)
        .map(|(file, one)| (file, one.line))
        .find(|(file, line)| {
            has_any(
                code.line(*file, *line),
                &["throw ", "raise ", "Err(", "throw("],
            )
        })
}
