//! Calls that were seen while a program ran: laid over the uses that the text shows, never mixed with
//! them.
//!
//! A call that was seen is certain, whatever its text says: handlers found by name, members called
//! through an interface, callbacks. What was not seen may happen all the same.

use std::collections::{BTreeSet, HashMap};

use whyrank_syntax::ReferenceKind;

use crate::{
    input::files::SymbolId,
    references::find_references::{Confidence, ReferenceHit},
};

/// What profiles and traces saw call what.
#[derive(Clone, Debug, Default)]
pub struct ObservedCalls {
    by_callee: HashMap<SymbolId, Vec<ObservedCall>>,
    /// Who called the caller when it called: by caller and callee.
    above: HashMap<(SymbolId, SymbolId), BTreeSet<SymbolId>>,
}

/// Calls of a definition by another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedCall {
    /// Who called.
    pub caller: SymbolId,
    /// How often, in the unit of the run.
    pub n: u64,
    /// Line of the call in the caller's file; 0 for unknown.
    pub line: u32,
    /// Code from elsewhere stood between the two: a library that calls back.
    pub is_through_others: bool,
    /// The run that saw it first.
    pub run: u32,
}

impl ObservedCalls {
    /// Adds a call. Of a run more of it are added up; a further run adds nothing to what is known.
    pub(crate) fn add(&mut self, callee: SymbolId, call: ObservedCall) {
        let calls = self.by_callee.entry(callee).or_default();
        match calls.iter_mut().find(|known| known.caller == call.caller) {
            None => calls.push(call),
            Some(known) if known.run == call.run => {
                known.n = known.n.saturating_add(call.n);
                known.is_through_others &= call.is_through_others;
                known.line = if known.line == 0 {
                    call.line
                } else {
                    known.line
                };
            }
            Some(_) => {}
        }
    }

    /// Adds who called a caller when it called.
    pub(crate) fn add_above(&mut self, (caller, callee): (SymbolId, SymbolId), above: SymbolId) {
        self.above
            .entry((caller, callee))
            .or_default()
            .insert(above);
    }

    /// Who called a caller when it called; `None` where no run kept the way there.
    pub(crate) fn above(&self, caller: SymbolId, callee: SymbolId) -> Option<&BTreeSet<SymbolId>> {
        self.above.get(&(caller, callee))
    }

    /// Leaves out callers at a distance of what has callers at hand, and puts the rest in order.
    pub(crate) fn settle(&mut self) {
        for calls in self.by_callee.values_mut() {
            if calls.iter().any(|call| !call.is_through_others) {
                calls.retain(|call| !call.is_through_others);
            }
            calls.sort_unstable_by_key(|call| (call.caller, call.run));
        }
    }

    /// Returns the calls of a definition, by caller.
    pub fn of(&self, callee: SymbolId) -> &[ObservedCall] {
        self.by_callee.get(&callee).map_or(&[], Vec::as_slice)
    }

    /// Returns the calls of one definition by another.
    pub fn between(&self, caller: SymbolId, callee: SymbolId) -> Option<&ObservedCall> {
        self.of(callee).iter().find(|call| call.caller == caller)
    }

    /// Says whether no call was seen.
    pub fn is_empty(&self) -> bool {
        self.by_callee.is_empty()
    }

    /// Puts the calls of definitions that are one among the uses that the text shows of them: a guess
    /// that was seen is none any more, and what no text shows is added.
    pub(crate) fn lay_over(&self, callees: &[SymbolId], hits: &mut Vec<ReferenceHit>) {
        for call in callees.iter().flat_map(|callee| self.of(*callee)) {
            let mut known = hits
                .iter_mut()
                .filter(|hit| hit.enclosing == Some(call.caller));
            let mut is_known = false;
            for hit in known.by_ref() {
                is_known = true;
                hit.confidence = hit.confidence.min(Confidence::Observed);
            }
            if !is_known {
                hits.push(ReferenceHit {
                    file: call.caller.file,
                    line: call.line,
                    kind: ReferenceKind::Call,
                    enclosing: Some(call.caller),
                    confidence: Confidence::Observed,
                });
            }
        }
    }
}
