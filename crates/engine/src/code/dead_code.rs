//! What nothing needs: the whole list, or a verdict for each symbol asked about.

use crate::Engine;
use crate::api::{DeadCodeRequest, DeadCodeResponse, DeadFinding, DeadVerdict, Level, SymbolPlace};
use crate::choices::{DEAD_SYMBOL_KINDS, DEAD_VERDICTS, chosen, need};
use crate::code::graph::{OpenGraph, brought_of};
use crate::code::known_uses::KnownUses;
use crate::code::mentions::NameReader;
use crate::code::narrowing::MAX_NEAR;
use crate::code::selection::{Namesakes, targets};
use crate::code::structure::risk::{counted, times};
use crate::error::{EngineError, Result};
use crate::views::LiveView;
use whyrank_graph::{
    Confidence, ExecutionCoverage, Finding, MentionFile, ReferenceHit, ReferenceQuery, Ruling,
    Surroundings, SymbolId, Verdict, VerdictConfidence, can_be_dead, dead_code, is_public,
    is_unused, rulings, unused_doubt,
};

impl Engine {
    /// Finds definitions that nothing needs, or gives a verdict for each symbol asked about.
    ///
    /// # Errors
    /// As [`Engine::refs`]; `bad-argument` for a path without an indexed file below it.
    pub fn dead_code(&self, request: &DeadCodeRequest) -> Result<DeadCodeResponse> {
        let as_of = request.as_of.as_deref();
        if let OpenGraph::Pending(pending) = self.graph_or_note(&request.repo, as_of)? {
            return pending.dead_code(request);
        }
        let session = self.open_graph_with_facts(&request.repo, as_of)?;
        let coverage = self.execution_of(&session.view, &session.facts, request)?;
        let runtime = coverage.as_ref().map(|coverage| &coverage.runtime);
        let names = self.name_reader(&session.view, &request.repo, as_of)?;
        let mut response = session.with(|known, uses| {
            let evidence = UseEvidence {
                uses,
                runtime,
                names: &names,
            };
            if request.symbols.is_empty() {
                listing(&session.view, evidence, request)
            } else {
                verdicts(&session.view, known, evidence, &request.symbols)
            }
        })?;
        names.finish()?;
        response.coverage = coverage.map_or_else(Vec::new, |coverage| coverage.reports.clone());
        response.brought = session.brought();
        response.brought.extend(brought_of(&response.coverage));
        Ok(response)
    }
}

/// What shows that something is used.
#[derive(Clone, Copy)]
struct UseEvidence<'a, 'u, 'n> {
    uses: &'a ReferenceQuery<'u>,
    /// What ran, where there is coverage.
    runtime: Option<&'a ExecutionCoverage>,
    names: &'a NameReader<'n>,
}

fn listing(
    view: &LiveView,
    UseEvidence {
        uses,
        runtime,
        names,
    }: UseEvidence<'_, '_, '_>,
    request: &DeadCodeRequest,
) -> Result<DeadCodeResponse> {
    let known = [DEAD_VERDICTS.as_slice(), &DEAD_SYMBOL_KINDS].concat();
    let kinds = chosen("kinds", &known, &request.kinds)?;
    let files = &view.files;
    let below = request.path.trim_start_matches("./").trim_matches('/');
    let is_below = |file: u32| {
        let path = files[file as usize].path.as_str();
        below.is_empty() || path == below || path.starts_with(&format!("{below}/"))
    };
    let inside: Vec<u32> = (0..files.len() as u32)
        .filter(|file| is_below(*file))
        .collect();
    if inside.is_empty() && !below.is_empty() {
        return Err(EngineError::bad_argument(
            format!("no indexed file lies below `{below}`"),
            "give a folder or a file relative to the repository root",
        ));
    }
    let around = Surroundings {
        is_test: &|file| view.is_test(file),
        mentions: &|wanted| names.read(wanted),
        with_tests: request.tests,
        runtime,
    };
    let wanted = |finding: &DeadFinding| is_wanted(&kinds, finding);
    let mut findings = dead_code(uses, &around);
    findings.retain(|finding| is_below(finding.symbol.file));
    let count = |verdict| {
        let of_verdict = findings.iter().filter(|finding| finding.verdict == verdict);
        of_verdict.count() as u32
    };
    let (n_never_ran, n_kept_by_run) = (count(Verdict::NeverRan), count(Verdict::Ran));
    let n_exported_unused = count(Verdict::ExportedUnused);
    let findings: Vec<DeadFinding> = findings
        .into_iter()
        .map(|finding| dead_finding(view, finding))
        .filter(wanted)
        .collect();
    let checked = inside
        .iter()
        .filter(|file| request.tests || !view.is_test(**file));
    let n_checked: usize = checked
        .map(|file| {
            let symbols = &files[*file as usize].outline().symbols;
            let language = files[*file as usize].language.name();
            let candidates = symbols.iter().filter(|one| can_be_dead(one, language));
            candidates.count()
        })
        .sum();
    Ok(DeadCodeResponse {
        findings,
        n_checked: n_checked as u32,
        n_exported_unused,
        n_never_ran,
        n_kept_by_run,
        ..DeadCodeResponse::default()
    })
}

/// Whether a finding is of a kind that is asked for.
fn is_wanted(kinds: &[&str], finding: &DeadFinding) -> bool {
    let verdict = finding.verdict;
    let on_request = matches!(
        verdict,
        DeadVerdict::ExportedUnused | DeadVerdict::NeverRan | DeadVerdict::Ran
    );
    let is_one =
        |kind: &&str| *kind == verdict.as_str() || (!on_request && *kind == finding.symbol.kind);
    (kinds.is_empty() && !on_request) || kinds.iter().any(is_one)
}

fn dead_finding(view: &LiveView, finding: Finding) -> DeadFinding {
    let verdict = match finding.verdict {
        Verdict::Dead => DeadVerdict::Dead,
        Verdict::TestOnly => DeadVerdict::TestOnly,
        Verdict::PossiblyDynamic => DeadVerdict::PossiblyDynamic,
        Verdict::ExportedUnused => DeadVerdict::ExportedUnused,
        Verdict::NeverRan => DeadVerdict::NeverRan,
        Verdict::Ran => DeadVerdict::Ran,
    };
    let confidence = match finding.confidence {
        VerdictConfidence::High => Level::High,
        VerdictConfidence::Medium => Level::Medium,
        VerdictConfidence::Low => Level::Low,
    };
    DeadFinding {
        symbol: view.symbol_line(finding.symbol),
        verdict,
        reason: finding.reason,
        confidence,
        dead: finding.verdict == Verdict::Dead,
    }
}

/// An answer for each symbol, in the order of the question.
fn verdicts(
    view: &LiveView,
    known: &KnownUses,
    evidence: UseEvidence<'_, '_, '_>,
    places: &[SymbolPlace],
) -> Result<DeadCodeResponse> {
    let mut response = DeadCodeResponse {
        n_checked: places.len() as u32,
        ..DeadCodeResponse::default()
    };
    for place in places {
        need(&place.symbol, "symbol")?;
        let targets = match targets(view, &known.table, place.into()) {
            // One of many that is not where it was said to be leaves the others their verdicts.
            Err(error) if error.code == "not-found" && places.len() > 1 => Vec::new(),
            found => found?,
        };
        if targets.is_empty() {
            if response.unknown.is_empty() {
                let near = known.table.near(&place.symbol, MAX_NEAR);
                response.near = view.lines(&near);
            }
            response.unknown.push(place.symbol.clone());
            continue;
        }
        let is_named_alone = places.len() == 1 && place.path.is_none() && place.line.is_none();
        let all = match is_named_alone {
            true => known.table.definitions(&place.symbol),
            false => Vec::new(),
        };
        let mut namesakes = Namesakes::of(evidence.uses, &all);
        response.n_left_out = namesakes.n_left_out as u32;
        if namesakes.groups.len() < 2 {
            namesakes.groups = vec![targets];
        }
        let is_test = |same: &Vec<SymbolId>| view.is_test_code(same[0].file, Some(same[0]));
        namesakes.groups.sort_by_key(is_test);
        for targets in namesakes.groups {
            let mut finding = verdict(view, evidence, targets[0], &targets);
            if let Some(runtime) = evidence.runtime {
                with_runtime(&mut finding, runtime, &targets);
            }
            response.findings.push(finding);
        }
    }
    if places.len() == 1 && !response.findings.is_empty() {
        response.n_checked = response.findings.len() as u32;
        let are_all_judged = response.n_left_out == 0;
        response.dead = Some(are_all_judged && response.findings.iter().all(|it| it.dead));
    }
    Ok(response)
}

/// What ran is alive; what never ran is more surely dead.
fn with_runtime(finding: &mut DeadFinding, runtime: &ExecutionCoverage, targets: &[SymbolId]) {
    let runs = targets.iter().filter_map(|id| runtime.of(*id));
    let Some(run) = runs.max_by_key(|run| run.hits) else {
        return;
    };
    let words = runtime.words(run);
    let says = std::mem::take(&mut finding.reason);
    finding.reason = match (run.hits > 0, finding.verdict) {
        (true, DeadVerdict::TestOnly) | (false, _) => format!("{says}; {words}"),
        (true, _) => format!("{words}; {says}"),
    };
    if run.hits > 0 && finding.verdict != DeadVerdict::TestOnly {
        (finding.verdict, finding.dead) = (DeadVerdict::Used, false);
        finding.confidence = Level::High;
    } else if run.hits == 0 && finding.dead {
        finding.confidence = Level::High;
    }
}

/// The verdict on what nothing uses, or only what is dead as well.
fn unneeded(hits: &[ReferenceHit]) -> (DeadVerdict, String, Level) {
    let (reason, confidence) = match hits.is_empty() {
        true => ("nothing in the checkout uses it", Level::High),
        false => ("used only by dead code", Level::Medium),
    };
    (DeadVerdict::Dead, reason.to_owned(), confidence)
}

/// Says whether a place outside of tests and documents may mean definitions.
fn is_open_outside_tests(
    view: &LiveView,
    uses: &ReferenceQuery<'_>,
    names: &NameReader<'_>,
    targets: &[SymbolId],
) -> bool {
    let places = rulings(uses, targets, &|wanted| names.read(wanted));
    places.iter().any(|place| {
        let is_aside = match &place.file {
            MentionFile::Indexed(file) => {
                view.is_doc(*file) || view.is_test_code(*file, place.within.first().copied())
            }
            MentionFile::LeftOut(_) => false,
        };
        matches!(place.ruling, Ruling::Unsettled(_)) && !is_aside
    })
}

fn doubted(view: &LiveView, id: SymbolId, why: &str) -> DeadFinding {
    DeadFinding {
        symbol: view.symbol_line(id),
        verdict: DeadVerdict::PossiblyDynamic,
        reason: format!("no certain use, but {why}"),
        confidence: Level::Low,
        dead: false,
    }
}

/// The strict question: does anything use it at all?
fn verdict(
    view: &LiveView,
    UseEvidence { uses, names, .. }: UseEvidence<'_, '_, '_>,
    first: SymbolId,
    targets: &[SymbolId],
) -> DeadFinding {
    let dead = is_unused(uses, targets);
    let knows_precisely = dead && uses.knows_precisely(first);
    // An index that knows the definition has looked for uses by other means.
    let doubt = if dead && !knows_precisely {
        unused_doubt(uses, targets, &|wanted| names.read(wanted))
    } else {
        None
    };
    if let Some(why) = doubt {
        return doubted(view, first, &why);
    }
    let symbol = view.symbol_line(first);
    let hits = uses.settled(targets);
    let n_sure = hits
        .iter()
        .filter(|hit| hit.confidence != Confidence::Ambiguous)
        .count();
    let is_test = |hit: &ReferenceHit| view.is_test_code(hit.file, hit.enclosing);
    let in_tests = hits.iter().all(is_test);
    let (verdict, reason, confidence) = match (dead, is_public(uses, first)) {
        (true, true) => (
            DeadVerdict::ExportedUnused,
            "nothing in the checkout uses it; users of the package could".to_owned(),
            Level::Medium,
        ),
        (true, false) => unneeded(&hits),
        _ if hits.is_empty() => (
            DeadVerdict::Used,
            "a member that it overrides or implements is used".to_owned(),
            Level::Medium,
        ),
        _ if n_sure == 0 => (
            DeadVerdict::Used,
            format!(
                "maybe used: {} that could mean another definition",
                hits.len()
            ),
            Level::Low,
        ),
        _ if in_tests && is_open_outside_tests(view, uses, names, targets) => (
            DeadVerdict::Used,
            format!(
                "maybe used: tests use it {}, and a place outside of them may mean it",
                times(n_sure as u32)
            ),
            Level::Low,
        ),
        _ if in_tests => (
            DeadVerdict::TestOnly,
            format!("only tests or examples use it, {}", times(n_sure as u32)),
            Level::High,
        ),
        _ => {
            let is_precise = |hit: &&ReferenceHit| hit.confidence == Confidence::Precise;
            let uses = match hits.iter().filter(is_precise).count() {
                0 => counted(n_sure as u32, "use"),
                1 if n_sure == 1 => "1 precise use".to_owned(),
                n if n == n_sure => format!("{n} precise uses"),
                n => format!("{n_sure} uses, {n} precise"),
            };
            (DeadVerdict::Used, uses, Level::High)
        }
    };
    let (reason, confidence) = if knows_precisely {
        (
            format!("{reason}, nor does the SCIP index know a use"),
            Level::High,
        )
    } else {
        (reason, confidence)
    };
    DeadFinding {
        symbol,
        verdict,
        reason,
        confidence,
        dead,
    }
}
