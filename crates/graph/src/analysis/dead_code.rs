//! Which definitions nothing needs, as far as the text of a view says.
//!
//! What is needed spreads from roots along uses: code that runs when a file is loaded, entry points,
//! what a package shows to others, and what a framework calls by convention. What it does not reach is
//! a candidate; it is called dead where every mention of its name is ruled out as well ([`Proof`]).

pub use super::finding::{Finding, Verdict, VerdictConfidence};

use std::collections::{HashMap, HashSet};

use whyrank_syntax::{Symbol, SymbolKind};

use crate::{
    analysis::{
        coverage::{Execution, ExecutionCoverage},
        mentions::ReadMentions,
        proof::{Doubt, Proof},
        question::is_prose,
        roots::{Roots, is_listed_part, is_shown_as_a_whole},
        settle::settle,
        surface::{Surface, is_public},
    },
    input::{files::SymbolId, paths, test_code::in_test_module},
    languages::{LanguageRules, visibility::is_private_member},
    references::{find_references::ReferenceHit, reference_query::ReferenceQuery},
};

/// What a view's facts do not say.
pub struct Surroundings<'s> {
    /// Says whether a file holds tests, examples or benchmarks.
    pub is_test: &'s dyn Fn(u32) -> bool,
    /// Reads the texts of the checkout for names.
    pub mentions: &'s ReadMentions<'s>,
    /// Whether definitions in tests are judged too: only those that nothing uses are reported.
    pub with_tests: bool,
    /// What ran, where coverage tells.
    pub runtime: Option<&'s ExecutionCoverage>,
}

/// Says whether a definition could be reported: code that has a name of its own, in a language whose
/// uses are known. A target of a Makefile, a key or a heading is none.
pub fn can_be_dead(symbol: &Symbol, language: &str) -> bool {
    let rules = LanguageRules::of(language);
    let is_part = match symbol.kind {
        SymbolKind::EnumMember => true,
        SymbolKind::Field | SymbolKind::Property => !symbol.exported,
        _ => false,
    };
    rules.names_are_known && (is_part && rules.private_is_final || !is_never_listed(symbol.kind))
}

fn is_never_listed(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Section
            | SymbolKind::Module
            | SymbolKind::Namespace
            | SymbolKind::Impl
            | SymbolKind::Constructor
            | SymbolKind::Field
            | SymbolKind::EnumMember
            | SymbolKind::Property
    )
}

/// Returns all definitions outside of tests that nothing needs, by verdict, path and line.
///
/// With coverage also those that it lists: what ran is alive, and what it needs, unless only
/// tests use it; what is needed and never ran is told.
///
/// O(definitions and uses of the view).
pub fn dead_code(uses: &ReferenceQuery<'_>, around: &Surroundings<'_>) -> Vec<Finding> {
    let judge = Judge::new(uses, around);
    let findings: Vec<Finding> = uses
        .definitions()
        .filter(|id| judge.is_candidate(*id))
        .filter_map(|id| judge.finding(id))
        .collect();
    let asked = findings.iter().map(|finding| finding.symbol);
    let proof = Proof::new(uses, asked, around.mentions);
    let in_tests = |doubt: &Doubt| judge.is_test_doubt(doubt);
    let mut findings = settle(&proof, findings, &judge.hits, &in_tests);
    let place = |id: SymbolId| {
        let line = uses.resolver.symbol(id).name_line;
        (uses.resolver.files[id.file as usize].path, line)
    };
    findings.sort_by(|a, b| {
        (a.verdict, place(a.symbol), a.confidence).cmp(&(b.verdict, place(b.symbol), b.confidence))
    });
    findings
}

/// Says whether nothing in the whole checkout, tests included, uses a definition but itself.
///
/// Imports are no use. A use that could mean another definition as well counts, and so does one of
/// a member that a target overrides: who calls it may reach the target. What only uses itself in a circle is
/// unused as a whole.
pub fn is_unused(uses: &ReferenceQuery<'_>, targets: &[SymbolId]) -> bool {
    unused_circle(uses, targets).is_some()
}

/// More definitions that use each other are not followed.
const MOST_IN_CIRCLE: usize = 40;

/// Targets that nothing uses, with all that uses them and is used by nothing else; none where something does.
fn unused_circle(uses: &ReferenceQuery<'_>, targets: &[SymbolId]) -> Option<Vec<SymbolId>> {
    let roots = Roots::default();
    let mut circle: Vec<SymbolId> = targets.to_vec();
    let mut next = 0;
    while let Some(id) = circle.get(next).copied() {
        // Targets are asked about together.
        let asked = if next < targets.len() { targets } else { &[id] };
        if !outer_uses(uses, &overridden(uses, asked)).is_empty() {
            return None;
        }
        for hit in outer_uses(uses, asked) {
            if uses.lies_in(&hit, &circle) {
                continue;
            }
            let user = hit.enclosing.filter(|_| hit.confidence.is_certain())?;
            let is_free = !is_shown_as_a_whole(uses, user) && !roots.is_convention(uses, user);
            if !is_free || circle.len() > MOST_IN_CIRCLE {
                return None;
            }
            circle.push(user);
        }
        next = if next < targets.len() {
            targets.len()
        } else {
            next + 1
        };
    }
    Some(circle)
}

/// Says why something may mean one of these definitions although no use is known; none where every
/// place of the name is ruled out.
pub fn unused_doubt(
    uses: &ReferenceQuery<'_>,
    targets: &[SymbolId],
    read: &ReadMentions<'_>,
) -> Option<String> {
    let known = || targets.iter().copied().filter(|id| uses.has(*id));
    let circle = unused_circle(uses, targets).unwrap_or_default();
    let users = circle.get(targets.len()..).unwrap_or_default();
    let roots = Roots::default();
    if let Some(way) = known().find_map(|id| roots.way_of_convention(uses, id)) {
        return Some(way);
    }
    let proof = Proof::new(uses, known().chain(users.iter().copied()), read);
    let is_outer = |doubt: &Doubt| !doubt.within.iter().any(|id| circle.contains(id));
    let way = |id| {
        proof
            .way_through_members(id)
            .or_else(|| proof.way_past_users(id))
    };
    if let Some(way) = known().find_map(way) {
        return Some(way);
    }
    // Documents and builds of a public definition mention it, and use nothing.
    let may_use = |doubt: &Doubt| {
        doubt.at.is_some_and(|(file, _)| {
            let file = &uses.resolver.files[file as usize];
            !is_prose(file) && !paths::is_built(file.path)
        })
    };
    let mut doubts = known().flat_map(|id| {
        if is_public(uses, id) {
            proof.places(id).0.into_iter().filter(may_use).collect()
        } else {
            proof.doubts(id, &[])
        }
    });
    let of_users = users.iter().flat_map(|id| proof.doubts(*id, &[]));
    let first = doubts
        .find(is_outer)
        .or_else(|| of_users.into_iter().find(is_outer));
    first.map(|doubt| doubt.why)
}

/// The members of bases in the view that these override or implement.
fn overridden(uses: &ReferenceQuery<'_>, targets: &[SymbolId]) -> Vec<SymbolId> {
    let resolver = &uses.resolver;
    let known = targets.iter().copied().filter(|id| uses.has(*id));
    let known = known.filter(|id| !is_private_member(resolver, *id));
    let of_bases = known.flat_map(|id| {
        let owner = resolver.parent(id).map(|owner| resolver.bases(owner, 0).0);
        let bases = owner.unwrap_or_default();
        resolver.members_of(&bases, &resolver.symbol(id).name)
    });
    of_bases.collect()
}

fn outer_uses(uses: &ReferenceQuery<'_>, targets: &[SymbolId]) -> Vec<ReferenceHit> {
    let known: Vec<SymbolId> = targets.iter().copied().filter(|id| uses.has(*id)).collect();
    let same: Vec<SymbolId> = known.iter().flat_map(|id| uses.same(*id)).collect();
    let mut hits = uses.settled(&same);
    hits.retain(|hit| !uses.lies_in(hit, &same) && uses.impl_at(hit).is_none());
    hits
}

/// Says whether a file may mean a field by its name: it sees the types that the field stands in.
fn may_reach(uses: &ReferenceQuery<'_>, id: SymbolId, file: u32) -> bool {
    let resolver = &uses.resolver;
    if resolver.symbol(id).kind != SymbolKind::Field {
        return true;
    }
    let mut owners = std::iter::successors(resolver.parent(id), |id| resolver.parent(*id));
    owners.all(|owner| {
        let visibility = (resolver.rules(owner.file).visibility)(resolver, owner);
        visibility.has(resolver, owner, file)
    })
}

/// What one pass over the view found out.
struct Judge<'u, 'a> {
    uses: &'u ReferenceQuery<'a>,
    around: &'u Surroundings<'u>,
    roots: Roots<'a>,
    surface: Surface,
    /// The definitions with uses other than their own, and these uses.
    hits: HashMap<SymbolId, Vec<ReferenceHit>>,
    needed: HashSet<SymbolId>,
    needed_by_tests: HashSet<SymbolId>,
    /// What nothing needs and ran.
    ran: HashSet<SymbolId>,
}

impl<'u, 'a> Judge<'u, 'a> {
    fn new(uses: &'u ReferenceQuery<'a>, around: &'u Surroundings<'u>) -> Self {
        let mut judge = Self {
            uses,
            around,
            roots: Roots::default(),
            surface: Surface::new(uses),
            hits: HashMap::new(),
            needed: HashSet::new(),
            needed_by_tests: HashSet::new(),
            ran: HashSet::new(),
        };
        for id in uses.definitions() {
            let mut hits = outer_uses(uses, &[id]);
            hits.retain(|hit| hit.confidence.is_certain() || may_reach(uses, id, hit.file));
            if !hits.is_empty() {
                judge.hits.insert(id, hits);
            }
        }
        let links = judge.links();
        let roots = judge.roots();
        judge.needed = spread(&links, roots.iter().copied());
        let tests = judge.test_roots();
        judge.needed_by_tests = spread(&links, roots.into_iter().chain(tests));
        judge.ran = judge.unneeded_that_ran();
        judge
            .needed
            .extend(spread(&links, judge.ran.iter().copied()));
        judge
    }

    fn is_candidate(&self, id: SymbolId) -> bool {
        let symbol = self.uses.resolver.symbol(id);
        let path = self.uses.resolver.files[id.file as usize].path;
        can_be_dead(symbol, self.uses.resolver.files[id.file as usize].language)
            && (!is_never_listed(symbol.kind) || is_listed_part(&self.uses.resolver, id))
            && (self.around.with_tests || !(self.is_test(id) || paths::is_non_production(path)))
            && !path.ends_with(".d.ts")
            && !self.is_promise(id)
            && !self.is_spoken_for(id)
    }

    /// Says whether a definition is part of a test: its file is, or its module (`mod tests`).
    fn is_test(&self, id: SymbolId) -> bool {
        let symbols = self.uses.resolver.files[id.file as usize].symbols();
        (self.around.is_test)(id.file) || in_test_module(symbols, id.symbol)
    }

    fn is_test_use(&self, hit: &ReferenceHit) -> bool {
        (self.around.is_test)(hit.file) || hit.enclosing.is_some_and(|id| self.is_test(id))
    }

    fn is_test_doubt(&self, doubt: &Doubt) -> bool {
        doubt
            .at
            .is_some_and(|(file, _)| (self.around.is_test)(file))
            || doubt.within.iter().any(|id| self.is_test(*id))
    }

    /// One of several overloads speaks for all: the last, which has the body.
    fn is_spoken_for(&self, id: SymbolId) -> bool {
        let mut same = self.uses.same(id).into_iter();
        same.any(|other| other.file == id.file && other.symbol > id.symbol)
    }

    /// A member of an interface or trait is what others promise, not code.
    fn is_promise(&self, id: SymbolId) -> bool {
        self.uses.resolver.parent(id).is_some_and(|parent| {
            let kind = self.uses.resolver.symbol(parent).kind;
            matches!(kind, SymbolKind::Interface | SymbolKind::Trait)
        })
    }

    fn finding(&self, id: SymbolId) -> Option<Finding> {
        let run = self.run(id);
        match (self.unneeded(id), run) {
            (found, None) => found,
            (found, Some(run)) if self.ran.contains(&id) => Some(self.ran(id, run, found)),
            (None, Some(run)) => self.never_ran(id, run),
            (Some(found), Some(run)) if found.verdict == Verdict::TestOnly || run.hits == 0 => {
                Some(self.with_run(found, run))
            }
            (Some(found), Some(run)) if self.hits.contains_key(&id) => {
                Some(self.with_run(found, run))
            }
            (Some(found), Some(run)) => Some(self.ran(id, run, Some(found))),
        }
    }

    fn run(&self, id: SymbolId) -> Option<Execution> {
        self.around.runtime?.of(id)
    }

    fn words(&self, run: Execution) -> String {
        let runtime = self.around.runtime;
        runtime.map_or_else(String::new, |runtime| runtime.words(run))
    }

    /// What neither the text nor a test needs, and ran nevertheless.
    fn unneeded_that_ran(&self) -> HashSet<SymbolId> {
        let ran = |id: &SymbolId| {
            !self.needed_by_tests.contains(id)
                && !self.needed.contains(id)
                && self.run(*id).is_some_and(|run| run.hits > 0)
        };
        self.uses.definitions().filter(ran).collect()
    }

    fn ran(&self, id: SymbolId, run: Execution, found: Option<Finding>) -> Finding {
        let name = &self.uses.resolver.symbol(id).name;
        let but = match found {
            Some(found) => found.reason,
            None => format!("nothing that is needed names `{name}`"),
        };
        Finding {
            symbol: id,
            verdict: Verdict::Ran,
            reason: format!("{}; {but}", self.words(run)),
            confidence: VerdictConfidence::High,
        }
    }

    fn never_ran(&self, id: SymbolId, run: Execution) -> Option<Finding> {
        let uses = match self.hits.get(&id).map_or(0, Vec::len) {
            0 => "called by convention or by name".to_owned(),
            1 => "1 use".to_owned(),
            n => format!("{n} uses"),
        };
        (run.hits == 0 && !self.is_test(id)).then(|| Finding {
            symbol: id,
            verdict: Verdict::NeverRan,
            reason: format!("{uses}, {}", self.words(run)),
            confidence: VerdictConfidence::High,
        })
    }

    /// Measured and never ran speaks for a verdict.
    fn with_run(&self, found: Finding, run: Execution) -> Finding {
        let confidence = match (run.hits, found.confidence) {
            (0, VerdictConfidence::Low) => VerdictConfidence::Medium,
            (0, _) => VerdictConfidence::High,
            (_, confidence) => confidence,
        };
        Finding {
            reason: format!("{}; {}", found.reason, self.words(run)),
            confidence,
            ..found
        }
    }

    /// What the text alone says.
    fn unneeded(&self, id: SymbolId) -> Option<Finding> {
        let hits = self.hits.get(&id).map_or(&[][..], Vec::as_slice);
        let name = &self.uses.resolver.symbol(id).name;
        if self.is_test(id) {
            let is_idle = hits.is_empty()
                && !self.is_run_as_test(id)
                && !self.roots.is_convention(self.uses, id);
            return is_idle.then(|| Finding {
                symbol: id,
                verdict: Verdict::Dead,
                reason: format!("nothing uses `{name}`, not even a test"),
                confidence: VerdictConfidence::Medium,
            });
        }
        let (verdict, reason, confidence) = if self.surface.shows(self.uses, id) {
            if self.roots.is_convention(self.uses, id) {
                return None;
            }
            let reason = match hits {
                [] => "exported, and nothing in the checkout uses it",
                hits if hits.iter().all(|hit| self.is_test_use(hit)) => {
                    "exported, and only tests or examples use it"
                }
                _ => return None,
            };
            (
                Verdict::ExportedUnused,
                reason.to_owned(),
                VerdictConfidence::Medium,
            )
        } else if self.needed.contains(&id) && !self.ran.contains(&id) {
            return None;
        } else if self.needed_by_tests.contains(&id) {
            let reason = format!(
                "used only by tests or examples: {}",
                self.place_of(hits, true)
            );
            (Verdict::TestOnly, reason, VerdictConfidence::High)
        } else if hits.is_empty() {
            let reason = format!("nothing in the checkout uses `{name}`");
            (Verdict::Dead, reason, VerdictConfidence::High)
        } else {
            let reason = format!("used only by dead code: {}", self.place_of(hits, false));
            (Verdict::Dead, reason, VerdictConfidence::Medium)
        };
        Some(Finding {
            symbol: id,
            verdict,
            reason,
            confidence,
        })
    }

    /// Says whether a test runner may find it by its name, or by being a member of what it finds.
    fn is_run_as_test(&self, id: SymbolId) -> bool {
        let symbol = self.uses.resolver.symbol(id);
        let lower = symbol.name.to_lowercase();
        let starts = ["test", "bench", "example", "fuzz", "spec", "it_"];
        symbol.parent.is_some() && self.uses.resolver.rules(id.file).tests_are_members
            || starts.iter().any(|start| lower.starts_with(start))
            || lower.ends_with("test")
            || lower.ends_with("tests")
    }

    fn place_of(&self, hits: &[ReferenceHit], in_tests: bool) -> String {
        let mut fitting = hits.iter().filter(|hit| !in_tests || self.is_test_use(hit));
        let Some(hit) = fitting.next().or(hits.first()) else {
            return "through other definitions".to_owned();
        };
        let path = self.uses.resolver.files[hit.file as usize].path;
        format!("{path}:{}", hit.line)
    }

    /// From each definition to those that it needs.
    fn links(&self) -> HashMap<SymbolId, Vec<SymbolId>> {
        let resolver = &self.uses.resolver;
        let mut links: HashMap<SymbolId, Vec<SymbolId>> = HashMap::new();
        let mut link = |from, to| links.entry(from).or_default().push(to);
        for (id, hits) in &self.hits {
            for from in hits.iter().filter_map(|hit| hit.enclosing) {
                link(from, *id);
            }
        }
        for id in self.uses.definitions() {
            let is_type = resolver.symbol(id).kind.has_members();
            if is_type && resolver.rules(id.file).blocks_name_types {
                let heads = self.uses.settled(&[id]);
                for block in heads.iter().filter_map(|hit| self.uses.impl_at(hit)) {
                    link(id, block);
                }
            }
            for same in self.uses.same(id).into_iter().filter(|same| *same != id) {
                link(id, same);
            }
            let Some(parent) = resolver.parent(id) else {
                continue;
            };
            // What holds a needed definition is needed; what frameworks call comes with its holder.
            link(id, parent);
            if self.roots.comes_with_owner(self.uses, id, parent) {
                link(parent, id);
            }
        }
        links
    }

    fn roots(&self) -> Vec<SymbolId> {
        let is_root = |id: &SymbolId| {
            let is_test = self.is_test(*id);
            let starts =
                || self.roots.is_root(self.uses, *id) || self.surface.shows(self.uses, *id);
            self.is_loaded(*id, false) || (!is_test && starts())
        };
        self.uses.definitions().filter(is_root).collect()
    }

    /// Tests run as a whole.
    fn test_roots(&self) -> Vec<SymbolId> {
        let is_root = |id: &SymbolId| self.is_test(*id) || self.is_loaded(*id, true);
        self.uses.definitions().filter(is_root).collect()
    }

    /// Says whether code outside of any definition uses it: in tests, or in what is shipped.
    fn is_loaded(&self, id: SymbolId, in_tests: bool) -> bool {
        let mut hits = self.hits.get(&id).into_iter().flatten();
        hits.any(|hit| hit.enclosing.is_none() && self.is_test_use(hit) == in_tests)
    }
}

fn spread(
    links: &HashMap<SymbolId, Vec<SymbolId>>,
    roots: impl Iterator<Item = SymbolId>,
) -> HashSet<SymbolId> {
    let mut next: Vec<SymbolId> = roots.collect();
    let mut reached: HashSet<SymbolId> = next.iter().copied().collect();
    while let Some(id) = next.pop() {
        let linked = links.get(&id).into_iter().flatten().copied();
        next.extend(linked.filter(|id| reached.insert(*id)));
    }
    reached
}
