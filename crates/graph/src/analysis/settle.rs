//! From what nothing is known to need to what is proven dead: findings with their doubts.
//!
//! Dead code may use dead code. So all candidates are taken for dead at first, and one after another is
//! given up that something outside of them may mean.

use std::collections::{HashMap, HashSet};

use crate::{
    analysis::{
        dead_code::{Finding, Verdict, VerdictConfidence},
        proof::{Doubt, Proof, hidden},
    },
    input::files::SymbolId,
    references::find_references::ReferenceHit,
};

/// The findings as far as the words of the checkout bear them out; `hits` are known uses.
///
/// What may be used after all is possibly dynamic, with the reason; of what is shown to users of the
/// package it is left out.
pub(crate) fn settle(
    proof: &Proof<'_, '_>,
    findings: Vec<Finding>,
    hits: &HashMap<SymbolId, Vec<ReferenceHit>>,
    in_tests: &dyn Fn(&Doubt) -> bool,
) -> Vec<Finding> {
    let judged = findings.iter().filter(|finding| is_judged(finding.verdict));
    let doubts = judged.map(|finding| {
        let id = finding.symbol;
        let doubts = match finding.verdict {
            // Who finds it without naming it is a user of the package as well.
            Verdict::ExportedUnused => match proof.way_past_users(id) {
                Some(why) => vec![hidden(why)],
                None => proof.places(id).0,
            },
            _ => proof.doubts(id, hits.get(&id).map_or(&[], Vec::as_slice)),
        };
        (id, doubts)
    });
    let doubts: HashMap<SymbolId, Vec<Doubt>> = doubts.collect();
    let of = |verdict: Verdict| {
        let found = findings.iter().filter(move |one| one.verdict == verdict);
        found.map(|finding| finding.symbol)
    };
    let dead = without_doubt(of(Verdict::Dead).collect(), &doubts, &|_| false);
    let unneeded: HashSet<SymbolId> = dead.iter().copied().chain(of(Verdict::TestOnly)).collect();
    let unneeded = without_doubt(unneeded, &doubts, in_tests);
    let judge = |mut finding: Finding| {
        let found = doubts.get(&finding.symbol).map_or(&[][..], Vec::as_slice);
        let mut open = found.iter().filter(|doubt| !lies_in(doubt, &dead));
        match finding.verdict {
            Verdict::Dead if !dead.contains(&finding.symbol) => {
                let first = open.next();
                let is_tested = first.is_some_and(in_tests) && open.all(in_tests);
                Some(maybe(
                    finding,
                    first,
                    if is_tested { "a test: " } else { "" },
                ))
            }
            Verdict::TestOnly if !unneeded.contains(&finding.symbol) => {
                let first = open.find(|doubt| !in_tests(doubt) && !lies_in(doubt, &unneeded));
                Some(maybe(finding, first, "besides tests: "))
            }
            Verdict::ExportedUnused
                if open
                    .clone()
                    .any(|doubt| is_place(doubt) && !in_tests(doubt)) =>
            {
                None
            }
            Verdict::ExportedUnused if found.iter().any(|doubt| !is_place(doubt)) => {
                Some(maybe(finding, found.first(), ""))
            }
            Verdict::ExportedUnused if open.any(is_place) => {
                "exported, and only tests or examples use it".clone_into(&mut finding.reason);
                Some(finding)
            }
            _ => Some(finding),
        }
    };
    findings.iter().cloned().filter_map(judge).collect()
}

fn is_place(doubt: &Doubt) -> bool {
    doubt.at.is_some()
}

fn is_judged(verdict: Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Dead | Verdict::TestOnly | Verdict::ExportedUnused
    )
}

/// Those of the definitions that only they themselves may use, or what is passed over.
fn without_doubt(
    mut left: HashSet<SymbolId>,
    doubts: &HashMap<SymbolId, Vec<Doubt>>,
    pass_over: &dyn Fn(&Doubt) -> bool,
) -> HashSet<SymbolId> {
    let doubts_of = |id: &SymbolId| doubts.get(id).into_iter().flatten();
    // Who has to be looked at again once a definition is given up.
    let mut resting_on: HashMap<SymbolId, Vec<SymbolId>> = HashMap::new();
    for id in &left {
        for around in doubts_of(id).flat_map(|doubt| &doubt.within) {
            if around != id && left.contains(around) {
                resting_on.entry(*around).or_default().push(*id);
            }
        }
    }
    let mut open: Vec<SymbolId> = left.iter().copied().collect();
    while let Some(id) = open.pop() {
        let is_proven = |left: &HashSet<SymbolId>| {
            doubts_of(&id).all(|doubt| lies_in(doubt, left) || pass_over(doubt))
        };
        if left.contains(&id) && !is_proven(&left) {
            left.remove(&id);
            open.extend(resting_on.remove(&id).unwrap_or_default());
        }
    }
    left
}

fn lies_in(doubt: &Doubt, definitions: &HashSet<SymbolId>) -> bool {
    doubt.within.iter().any(|id| definitions.contains(id))
}

fn maybe(finding: Finding, doubt: Option<&Doubt>, what: &str) -> Finding {
    let why = doubt.map_or("what uses it may be used", |doubt| &doubt.why);
    Finding {
        verdict: Verdict::PossiblyDynamic,
        reason: format!("{what}{why}"),
        confidence: VerdictConfidence::Low,
        ..finding
    }
}
