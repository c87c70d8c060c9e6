//! Functions that hand over to the next of a chain: middleware, filters, interceptors.

use super::code::{PatternCode, parameters};
use super::draft::Draft;
use super::words::{calls, has_any, has_word, is_named};
use crate::input::files::SymbolId;
use whyrank_syntax::{ReferenceKind, Symbol};

const NEXT: &[&str] = &[
    "next",
    "nxt",
    "call_next",
    "chain",
    "callNext",
    "nextHandler",
    "get_response",
    "$next",
];

/// Uses of a function that are looked at in one file.
const MAX_PLACES: usize = 20;

/// Functions that do something and hand over to the next of a chain.
pub(super) fn middleware(code: &PatternCode<'_>) -> Vec<Draft> {
    let all = code.functions();
    all.filter_map(|(id, symbol)| middleware_of(code, id, symbol))
        .collect()
}

fn middleware_of(code: &PatternCode<'_>, id: SymbolId, symbol: &Symbol) -> Option<Draft> {
    let mut draft = Draft::new(id);
    let signature = symbol.signature.as_str();
    let given = parameters(symbol);
    let curried = ["next => ", "(next) => ", "(next: "]
        .iter()
        .any(|text| signature.contains(text));
    let next = given.iter().copied().find(|name| NEXT.contains(name));
    let next = next.or_else(|| (curried || has_word(signature, "chainingTo")).then_some("next"));
    if let Some(next) = next {
        let hands_over = code.line_where(id, |line| {
            !line.contains("function next")
                && (calls(line, next)
                    || has_any(
                        line,
                        &[
                            &format!("{next}.handle("),
                            &format!("{next}.ServeHTTP("),
                            &format!("{next}.proceed("),
                            &format!("{next}.respond("),
                            &format!("{next}.doFilter("),
                            &format!("{next}.run("),
                        ],
                    ))
        });
        let (line, _) = hands_over
            .filter(|(line, _)| *line > symbol.name_line || symbol.span.end_line == *line)?;
        draft.add(2, line, format!("hands over to {next}"));
    } else if let Some((line, _)) = code.line_where(id, |line| {
        line.contains("c.Next()") || line.contains("ctx.Next()")
    }) {
        let is_made = symbol.signature.contains("HandlerFunc");
        draft.add(
            if is_made { 3 } else { 2 },
            line,
            "hands over to the next handler",
        );
        if is_made {
            draft.add(1, symbol.name_line, "makes a handler");
        }
    } else {
        wraps_handler(code, id, symbol, &mut draft)?;
    }
    let has = |names: &[&str]| names.iter().all(|name| given.contains(name));
    let is_web = has(&["req", "res"])
        || has(&["request", "response"])
        || has(&["ctx"])
        || has(&["environ", "start_response"])
        || has(&["request"])
        || has(&["$request"])
        || (curried && has_word(signature, "action"))
        || has_any(signature, &["Request", "store", "Context"]);
    if is_web {
        draft.add(1, symbol.name_line, "takes a request and the next handler");
    }
    if let Some((file, line)) = registered(code, symbol).filter(|_| next.is_some()) {
        draft.add_in(1, file, line, "put into a chain");
    }
    let owner = symbol.parent.map(|parent| {
        code.symbol(SymbolId {
            symbol: parent,
            ..id
        })
    });
    draft.named = is_named(&symbol.qualified, &["middleware", "interceptor", "filter"])
        || owner
            .is_some_and(|owner| is_named(&owner.name, &["middleware", "interceptor", "filter"]));
    Some(draft)
}

/// A function from a handler to a handler.
fn wraps_handler(
    code: &PatternCode<'_>,
    id: SymbolId,
    symbol: &Symbol,
    draft: &mut Draft,
) -> Option<()> {
    let signature = symbol.signature.as_str();
    let n_handlers =
        signature.matches("http.Handler").count() + signature.matches("HandlerFunc").count();
    if n_handlers >= 2 {
        let (line, _) = code.line_where(id, |line| {
            has_any(line, &[".ServeHTTP(", "HandlerFunc(func"])
        })?;
        draft.add(3, line, "makes a handler of a handler");
        return Some(());
    }
    // WSGI: an object that is called with the environment and calls the application.
    let given = parameters(symbol);
    if given.contains(&"environ") && given.contains(&"start_response") {
        let (line, _) = code.line_where(id, |line| {
            line.contains("(environ, start_response)") && !line.starts_with("def ")
        })?;
        draft.add(2, line, "hands over to the application inside");
        return Some(());
    }
    None
}

/// Where a function is put into a chain: `app.use(f)`.
fn registered(code: &PatternCode<'_>, symbol: &Symbol) -> Option<(u32, u32)> {
    const PUTS: &[&str] = &[
        ".use(",
        ".Use(",
        "add_middleware(",
        "->middleware(",
        "applyMiddleware(",
        ".wrap(",
    ];
    let used = code
        .references_named(&symbol.name)
        .filter(|(_, one)| matches!(one.kind, ReferenceKind::Read | ReferenceKind::Call));
    let (mut last, mut n_in_file) = (None, 0);
    for (file, reference) in used {
        n_in_file = if last == Some(file) { n_in_file + 1 } else { 1 };
        last = Some(file);
        if n_in_file <= MAX_PLACES && has_any(code.line(file, reference.line), PUTS) {
            return Some((file, reference.line));
        }
    }
    None
}
