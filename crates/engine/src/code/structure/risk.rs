//! What makes a changed definition risky, in words and points.

use crate::api::{ReviewedSymbol, RiskKind, RiskReason, SymbolChange, SymbolLine, UnchangedCaller};
use crate::code::symbols::line_of;
use whyrank_syntax::Symbol;

/// Steps to a test that still say that it covers something; one number, wherever it is said that none is known.
pub(super) const TEST_DEPTH: u32 = 4;
pub(super) const MAX_CALLERS: usize = 10;

pub(super) const REMOVED_POINTS: f64 = 45.0;
pub(super) const SIGNATURE_POINTS: f64 = 15.0;
pub(super) const BREAK_POINTS: f64 = 25.0;
const CALLER_POINTS: f64 = 20.0;
const UNTESTED_POINTS: f64 = 25.0;
const DISTANT_POINTS: f64 = 10.0;
const CENTRAL_POINTS: f64 = 15.0;
const SIZE_POINTS: f64 = 10.0;
pub(super) const DUPLICATE_POINTS: f64 = 12.0;

pub(super) fn add(symbol: &mut ReviewedSymbol, kind: RiskKind, text: String, points: f64) {
    let points = (points * 10.0).round() / 10.0;
    symbol.reasons.push(RiskReason { kind, text, points });
    symbol.reasons.sort_by(|a, b| b.points.total_cmp(&a.points));
    let sum: f64 = symbol.reasons.iter().map(|reason| reason.points).sum();
    symbol.risk = sum.min(100.0);
}

/// Weighs another signature by the users that did not change.
pub(super) fn add_signature(reviewed: &mut ReviewedSymbol) {
    reviewed
        .reasons
        .retain(|reason| reason.kind != RiskKind::Signature);
    let n_tests = reviewed.callers.iter().filter(|one| one.test).count() as u32;
    let (text, n) = match (reviewed.n_callers, n_tests) {
        (0, 0) => ("its signature changed".to_owned(), 0.0),
        (0, n) => {
            let users = counted(n, "user");
            (
                format!("its signature changed, and {users} in tests did not"),
                1.0,
            )
        }
        (n, _) => {
            let users = counted(n, "user");
            (
                format!("its signature changed, and {users} did not"),
                f64::from(n),
            )
        }
    };
    let points = SIGNATURE_POINTS + BREAK_POINTS * n / (n + 4.0);
    add(reviewed, RiskKind::Signature, text, points);
}

/// Weighs the lines that changed.
pub(super) fn add_size(reviewed: &mut ReviewedSymbol) {
    let lines = f64::from(reviewed.n_lines);
    if lines >= 10.0 {
        let text = format!("{} changed", counted(reviewed.n_lines, "line"));
        let points = SIZE_POINTS * lines / (lines + 40.0);
        add(reviewed, RiskKind::Size, text, points);
    }
}

/// Weighs the users that did not change.
pub(super) fn add_users(reviewed: &mut ReviewedSymbol) {
    let n = f64::from(reviewed.n_callers);
    match reviewed.change {
        SymbolChange::Signature => add_signature(reviewed),
        SymbolChange::Changed if n > 0.0 => {
            let text = format!("{} did not change", counted(reviewed.n_callers, "user"));
            let points = CALLER_POINTS * n / (n + 8.0);
            add(reviewed, RiskKind::Callers, text, points);
        }
        _ => {}
    }
}

/// Weighs the steps to the nearest test, of `depth` at most.
pub(super) fn add_tests(reviewed: &mut ReviewedSymbol, nearest: Option<u32>, depth: u32) {
    match nearest {
        None => {
            let text = format!("no test reaches it in {depth} steps");
            add(reviewed, RiskKind::Untested, text, UNTESTED_POINTS);
        }
        Some(steps) if steps > 1 => {
            let text = format!("tests reach it only through others ({steps} steps)");
            add(reviewed, RiskKind::Untested, text, DISTANT_POINTS);
        }
        Some(_) => {}
    }
}

/// Weighs a definition's place in the graph.
pub(super) fn add_rank(reviewed: &mut ReviewedSymbol, rank: f64) {
    if rank > 0.05 {
        let text = format!("central: PageRank {rank:.2} of the highest");
        let points = CENTRAL_POINTS * rank.sqrt();
        add(reviewed, RiskKind::Central, text, points);
    }
}

const REMOVED: &str = "it was removed";

/// Says of a new definition what it was. `gone`: what was told of that, where it left something behind.
pub(super) fn renamed(
    reviewed: &mut ReviewedSymbol,
    from: SymbolLine,
    gone: Option<ReviewedSymbol>,
) {
    let is_moved = from.qualified == reviewed.symbol.qualified;
    let says = if is_moved {
        "it was moved"
    } else {
        "it was renamed"
    };
    reviewed.change = SymbolChange::Renamed;
    let is_other = from.signature != reviewed.symbol.signature;
    reviewed.was = is_other.then(|| from.signature.clone());
    reviewed.from = Some(from);
    let Some(gone) = gone else {
        return;
    };
    reviewed.n_callers += gone.n_callers;
    reviewed.callers.splice(0..0, gone.callers);
    reviewed.callers.sort_by_key(|caller| caller.test);
    reviewed.callers.truncate(MAX_CALLERS);
    for reason in gone.reasons {
        let text = reason.text.replacen(REMOVED, says, 1);
        let text = text.replacen("its name is", "its old name is", usize::from(!is_moved));
        add(reviewed, reason.kind, text, reason.points);
    }
}

/// A definition that is in another file as it was, with the uses that it left behind.
pub(super) fn moved(now: SymbolLine, from: SymbolLine, gone: ReviewedSymbol) -> ReviewedSymbol {
    let mut reviewed = ReviewedSymbol {
        symbol: now,
        n_lines: 0,
        risk: 0.0,
        reasons: Vec::new(),
        callers: Vec::new(),
        n_callers: 0,
        ..gone.clone()
    };
    renamed(&mut reviewed, from, Some(gone));
    reviewed
}

/// A definition that went from a path, with the uses of it that are there still.
pub(super) fn removed(
    path: &str,
    symbol: &Symbol,
    mut callers: Vec<UnchangedCaller>,
) -> ReviewedSymbol {
    callers.sort_by_key(|caller| caller.test);
    let n_callers = callers.iter().filter(|caller| !caller.test).count() as u32;
    let n_uses = callers.len() as u32;
    callers.truncate(MAX_CALLERS);
    let mut reviewed = ReviewedSymbol {
        symbol: line_of(path, symbol),
        change: SymbolChange::Removed,
        was: None,
        from: None,
        n_lines: symbol.span.end_line + 1 - symbol.span.start_line,
        risk: 0.0,
        reasons: Vec::new(),
        callers,
        n_callers,
        n_tests: 0,
    };
    if n_uses > 0 {
        let text = format!("{REMOVED}, and its name is still used {}", times(n_uses));
        let n = f64::from(n_uses);
        let points = REMOVED_POINTS + BREAK_POINTS * n / (n + 4.0);
        add(&mut reviewed, RiskKind::Removed, text, points);
    } else if symbol.exported {
        let text = format!("{REMOVED}, and others could see it");
        add(&mut reviewed, RiskKind::Removed, text, SIGNATURE_POINTS);
    }
    reviewed
}

/// A number of things in words.
pub(crate) fn counted(n: u32, noun: &str) -> String {
    match n {
        1 => format!("1 {noun}"),
        n => format!("{n} {noun}s"),
    }
}

/// A number of times in words.
pub(crate) fn times(n: u32) -> String {
    match n {
        1 => "once".to_owned(),
        n => format!("{n} times"),
    }
}
