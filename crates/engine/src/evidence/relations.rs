//! The relations that a claim states, compared with the index.
//!
//! What is found settles a statement. What is not found settles it only where the text rules it out: a
//! function whose lines do not hold a name does not call it. Everything else is a ClaimVerdict::Maybe.

use super::critique::{Critic, MAX_PLACES, ends_with, place, point, qualified};
use super::sentences::{Names, Sentence};
use crate::api::{
    ClaimVerdict, CritiquePoint, DeadCodeRequest, DeadVerdict, DepsDirection, DepsRequest, Heir,
    ImpactHit, ImpactRequest, RefHit, RefsRequest, SymbolLine, SymbolPlace, UseConfidence,
};
use crate::code::symbols::has_word;
use crate::error::Result;

/// Steps in which a call through others is found.
const MAX_DEPTH: u32 = 6;
/// Steps from a test that covers something.
const TEST_DEPTH: u32 = 4;

const READ: &str = "what is read: calls, uses, imports, extends, \
    implements, overrides, is defined in, is called in, has a \
    method, is used, is unused, has no callers, is tested, is untested";

impl Critic<'_> {
    /// What the index says about a sentence.
    pub(super) fn check(&self, sentence: &Sentence) -> Result<CritiquePoint> {
        let read = self.read(sentence)?;
        Ok(read.unwrap_or_else(|| {
            let why = match sentence {
                Sentence::Unread(_) => READ.to_owned(),
                _ => "one of the names is not defined here".to_owned(),
            };
            point(words(sentence), ClaimVerdict::NotJudged, why, &[])
        }))
    }

    fn read(&self, sentence: &Sentence) -> Result<Option<CritiquePoint>> {
        let point = match sentence {
            Sentence::Uses(user, used) if self.is_place(user) && !self.is_place(used) => {
                self.used_in(used, user)?
            }
            Sentence::Uses(user, used) if !self.is_place(used) => self.uses(user, used)?,
            Sentence::UsedIn(symbol, path) if !self.is_place(symbol) => {
                self.used_in(symbol, path)?
            }
            Sentence::Imports(importer, imported) if self.is_place(importer) => {
                self.imports(importer, imported)?
            }
            Sentence::Extends(child, _, parent) => self.extends(child, parent)?,
            Sentence::DefinedIn(symbol, path) => self.defined_in(symbol, path)?,
            Sentence::HasMember(owner, member) => self.has_member(owner, member)?,
            Sentence::Used(symbol) if !self.is_place(symbol) => self.used(symbol)?,
            Sentence::Unused(symbol) if !self.is_place(symbol) => self.unused(symbol)?,
            Sentence::Tested(symbol) if !self.is_place(symbol) => self.tested(symbol)?,
            Sentence::Untested(symbol) if !self.is_place(symbol) => self
                .tested(symbol)?
                .map(|tested| opposite(tested, words(sentence))),
            Sentence::Not(denied) => self
                .read(denied)?
                .map(|denied| opposite(denied, words(sentence))),
            _ => None,
        };
        Ok(point.map(|point| CritiquePoint {
            says: words(sentence),
            ..point
        }))
    }

    fn uses(&self, user: &str, used: &str) -> Result<Option<CritiquePoint>> {
        let callers = self.callers(used, MAX_DEPTH)?;
        let users = self.lookup(&qualified(user))?.definitions;
        if callers.0.is_empty() || users.is_empty() {
            return Ok(None);
        }
        // What a type's members use, the type uses.
        let is_member = |caller: &SymbolLine| {
            users.iter().any(|user| {
                let lines = user.start_line..=user.end_line;
                user.path == caller.path && lines.contains(&caller.name_line)
            })
        };
        let is_user = |hit: &&ImpactHit| {
            ends_with(&hit.caller.qualified, &qualified(user)) || is_member(&hit.caller)
        };
        let hit = callers.1.iter().find(is_user);
        let of = |hit: &ImpactHit, verdict: ClaimVerdict, shown: String| {
            Some(point(
                String::new(),
                verdict,
                shown,
                std::slice::from_ref(&hit.caller),
            ))
        };
        Ok(match hit {
            Some(hit) if hit.depth == 1 => {
                let shown = format!("{}:{}", hit.caller.path, hit.line);
                of(hit, certainty(hit.confidence), shown)
            }
            hit => {
                let named = self.naming_line(&users, &callers.0[0].name)?;
                let shown = match (&named, hit) {
                    (Some((path, line)), _) => {
                        format!(
                            "{path}:{line} has the name, and it is not settled what it means there"
                        )
                    }
                    (None, Some(hit)) => format!(
                        "only through others: {} steps, by {} ({}:{})",
                        hit.depth, hit.uses, hit.caller.path, hit.line
                    ),
                    (None, None) => {
                        format!("its lines do not have the name; {}", direct(&callers.1))
                    }
                };
                let verdict = if named.is_some() {
                    ClaimVerdict::Maybe
                } else {
                    ClaimVerdict::Contradicted
                };
                Some(point(String::new(), verdict, shown, &users))
            }
        })
    }

    /// Whether a symbol is used in a file or below a folder.
    fn used_in(&self, symbol: &str, path: &str) -> Result<Option<CritiquePoint>> {
        let path = path.split(':').next().unwrap_or(path);
        let found = self.engine.refs(&RefsRequest {
            repo: self.request.repo.clone(),
            symbol: qualified(symbol),
            mentions: true,
            as_of: self.request.as_of.clone(),
            ..RefsRequest::default()
        })?;
        let is_there = self.is_inside(path)?;
        let (Some(first), Some(is_there)) = (found.definitions.first(), is_there) else {
            return Ok(None);
        };
        let mut here: Vec<&RefHit> = found
            .references
            .iter()
            .filter(|hit| is_there(&hit.path))
            .collect();
        here.sort_by_key(|hit| {
            (
                hit.kind == "import",
                hit.kind == "mention",
                certainty(hit.confidence) != ClaimVerdict::Holds,
            )
        });
        let (verdict, shown) = match here.first() {
            None => (
                ClaimVerdict::Contradicted,
                format!("no line of `{path}` has the name `{}`", first.name),
            ),
            Some(hit) if hit.kind == "mention" => (
                ClaimVerdict::Maybe,
                format!(
                    "{}:{} has the name, and not as a use that is known",
                    hit.path, hit.line
                ),
            ),
            Some(hit) => (
                certainty(hit.confidence),
                format!("{}:{} ({})", hit.path, hit.line, hit.kind),
            ),
        };
        Ok(Some(point(
            String::new(),
            verdict,
            shown,
            &found.definitions,
        )))
    }

    fn imports(&self, importer: &str, imported: &str) -> Result<Option<CritiquePoint>> {
        let deps = self.engine.deps(&DepsRequest {
            repo: self.request.repo.clone(),
            path: importer.to_owned(),
            direction: DepsDirection::Imports,
            depth: 0,
            as_of: self.request.as_of.clone(),
        });
        let Ok(deps) = deps else {
            return Ok(None);
        };
        let is_it =
            |path: &str, module: &str| path.ends_with(imported) || module.ends_with(imported);
        let found = deps
            .imports
            .iter()
            .find(|edge| is_it(&edge.path, &edge.module));
        let (verdict, shown) = match found {
            Some(edge) => (ClaimVerdict::Holds, format!("{}:{}", deps.path, edge.line)),
            None => {
                let paths: Vec<&str> = deps
                    .imports
                    .iter()
                    .take(5)
                    .map(|edge| edge.path.as_str())
                    .collect();
                let shown = if paths.is_empty() {
                    "it imports nothing".to_owned()
                } else {
                    format!("it imports {}", paths.join(", "))
                };
                (ClaimVerdict::Contradicted, shown)
            }
        };
        Ok(Some(point(String::new(), verdict, shown, &[])))
    }

    /// Whether one implements, extends or overrides another, directly or through others.
    fn extends(&self, child: &str, parent: &str) -> Result<Option<CritiquePoint>> {
        let found = self.engine.refs(&RefsRequest {
            repo: self.request.repo.clone(),
            symbol: qualified(parent),
            kinds: vec!["implements".to_owned()],
            as_of: self.request.as_of.clone(),
            ..RefsRequest::default()
        })?;
        let known = self.lookup(&qualified(child))?.definitions;
        let is_known = !found.definitions.is_empty() || !found.heirs.is_empty();
        let Some(first) = known.first().filter(|_| is_known) else {
            return Ok(None);
        };
        // Who overrides a member may be named by its type alone.
        let of_child = |heir: &&Heir| {
            let name = &heir.symbol.qualified;
            let owner = name.rsplit_once(['.', ':', '#', '\\']);
            let owner = owner.map_or("", |(owner, _)| owner);
            ends_with(name, &qualified(child)) || ends_with(owner, &qualified(child))
        };
        let hits = found.heirs.iter().filter(of_child);
        let (verdict, shown) = match hits.min_by_key(|heir| !heir.certain) {
            Some(heir) => {
                let at = heir.line.unwrap_or(heir.symbol.name_line);
                let place = format!("{}:{at}", heir.symbol.path);
                match (heir.certain, heir.depth) {
                    (false, _) => (ClaimVerdict::Maybe, format!("possible: {place}")),
                    (true, 1) => (ClaimVerdict::Holds, place),
                    (true, n) => (
                        ClaimVerdict::Holds,
                        format!("through {} others: {place}", n - 1),
                    ),
                }
            }
            None => (
                ClaimVerdict::Contradicted,
                format!("not in its head: {}", first.signature),
            ),
        };
        Ok(Some(point(String::new(), verdict, shown, &known)))
    }

    fn defined_in(&self, symbol: &str, path: &str) -> Result<Option<CritiquePoint>> {
        let found = self.lookup(&qualified(symbol))?.definitions;
        let Some(first) = found.first() else {
            return Ok(None);
        };
        let path = path
            .split(':')
            .next()
            .unwrap_or(path)
            .trim_start_matches("./");
        let here = found.iter().find(|one| {
            one.path == path
                || one.path.ends_with(&format!("/{path}"))
                || one
                    .path
                    .starts_with(&format!("{}/", path.trim_end_matches('/')))
        });
        Ok(Some(match here {
            Some(one) => point(
                String::new(),
                ClaimVerdict::Holds,
                place(one),
                std::slice::from_ref(one),
            ),
            None => point(
                String::new(),
                ClaimVerdict::Contradicted,
                format!("it is defined in {}", place(first)),
                &found,
            ),
        }))
    }

    fn has_member(&self, owner: &str, member: &str) -> Result<Option<CritiquePoint>> {
        let owners = self.lookup(&qualified(owner))?.definitions;
        if owners.is_empty() {
            return Ok(None);
        }
        let name = format!("{}.{}", qualified(owner), qualified(member));
        let found = self.lookup(&name)?.definitions;
        Ok(Some(match found.first() {
            Some(one) => point(String::new(), ClaimVerdict::Holds, place(one), &found),
            // It may have it from what it extends, or get it as it runs.
            None => {
                let shown = format!("no definition of `{name}`; inherited ones are not looked at");
                point(String::new(), ClaimVerdict::Maybe, shown, &owners)
            }
        }))
    }

    fn used(&self, symbol: &str) -> Result<Option<CritiquePoint>> {
        let (definitions, callers) = self.callers(symbol, 1)?;
        if definitions.is_empty() {
            return Ok(None);
        }
        let sure = callers
            .iter()
            .find(|hit| certainty(hit.confidence) == ClaimVerdict::Holds);
        Ok(Some(match sure.or(callers.first()) {
            Some(hit) => {
                let shown = format!("{}:{} {}", hit.caller.path, hit.line, hit.caller.qualified);
                point(
                    String::new(),
                    certainty(hit.confidence),
                    shown,
                    &definitions,
                )
            }
            None => self.unused(symbol)?.map_or_else(
                || {
                    point(
                        String::new(),
                        ClaimVerdict::Maybe,
                        "no use is known".to_owned(),
                        &definitions,
                    )
                },
                |unused| opposite(unused, String::new()),
            ),
        }))
    }

    fn unused(&self, symbol: &str) -> Result<Option<CritiquePoint>> {
        let found = self.engine.dead_code(&DeadCodeRequest {
            repo: self.request.repo.clone(),
            symbols: vec![SymbolPlace {
                symbol: qualified(symbol),
                ..SymbolPlace::default()
            }],
            as_of: self.request.as_of.clone(),
            ..DeadCodeRequest::default()
        })?;
        let Some(finding) = found.findings.first() else {
            return Ok(None);
        };
        let places = std::slice::from_ref(&finding.symbol);
        let (verdict, note) = match finding.verdict {
            DeadVerdict::Used => (ClaimVerdict::Contradicted, ""),
            DeadVerdict::Dead => (ClaimVerdict::Holds, ""),
            _ => (ClaimVerdict::Maybe, "; that no use is known proves none"),
        };
        let shown = format!("{}: {}{note}", finding.verdict, finding.reason);
        Ok(Some(point(String::new(), verdict, shown, places)))
    }

    fn tested(&self, symbol: &str) -> Result<Option<CritiquePoint>> {
        let (definitions, callers) = self.callers(symbol, TEST_DEPTH)?;
        if definitions.is_empty() {
            return Ok(None);
        }
        let tests = callers.iter().filter(|hit| hit.test);
        let test =
            tests.min_by_key(|hit| (certainty(hit.confidence) != ClaimVerdict::Holds, hit.depth));
        Ok(Some(match test {
            Some(hit) => {
                let way = match hit.depth {
                    1 => String::new(),
                    steps => format!(" in {steps} steps"),
                };
                let shown = format!(
                    "{}:{} {} reaches it{way}",
                    hit.caller.path, hit.line, hit.caller.qualified
                );
                let places = std::slice::from_ref(&hit.caller);
                point(String::new(), certainty(hit.confidence), shown, places)
            }
            None => {
                let shown = format!("no test is known to reach it in {TEST_DEPTH} steps");
                point(String::new(), ClaimVerdict::Maybe, shown, &definitions)
            }
        }))
    }

    /// A symbol's definitions and who uses them within so many steps.
    fn callers(&self, symbol: &str, depth: u32) -> Result<(Vec<SymbolLine>, Vec<ImpactHit>)> {
        let found = self.engine.impact(&ImpactRequest {
            repo: self.request.repo.clone(),
            symbol: qualified(symbol),
            depth,
            as_of: self.request.as_of.clone(),
            ..ImpactRequest::default()
        })?;
        Ok((found.definitions, found.callers))
    }

    /// The first line within definitions that has a name.
    fn naming_line(&self, within: &[SymbolLine], name: &str) -> Result<Option<(String, u32)>> {
        let as_of = self.request.as_of.as_deref();
        for one in within.iter().take(MAX_PLACES) {
            let file = self.engine.preview(&self.request.repo, &one.path, as_of)?;
            let lines = (1u32..).zip(file.text.lines());
            let mut inside =
                lines.filter(|(line, _)| (one.start_line..=one.end_line).contains(line));
            if let Some((line, _)) = inside.find(|(_, text)| has_word(text, name)) {
                return Ok(Some((one.path.clone(), line)));
            }
        }
        Ok(None)
    }
}

/// The same evidence for the opposite statement.
fn opposite(point: CritiquePoint, says: String) -> CritiquePoint {
    let verdict = match point.verdict {
        ClaimVerdict::Holds => ClaimVerdict::Contradicted,
        ClaimVerdict::Contradicted => ClaimVerdict::Holds,
        other => other,
    };
    CritiquePoint {
        verdict,
        says,
        ..point
    }
}

/// What a use proves: one that the name alone suggests proves nothing.
fn certainty(confidence: UseConfidence) -> ClaimVerdict {
    if confidence.is_certain() {
        ClaimVerdict::Holds
    } else {
        ClaimVerdict::Maybe
    }
}

fn direct(callers: &[ImpactHit]) -> String {
    let direct = callers.iter().filter(|hit| hit.depth == 1);
    let names: Vec<&str> = direct
        .take(MAX_PLACES)
        .map(|hit| hit.caller.qualified.as_str())
        .collect();
    if names.is_empty() {
        "no use of it is known".to_owned()
    } else {
        format!("it is used by {}", names.join(", "))
    }
}

/// A sentence as it was understood.
fn words(sentence: &Sentence) -> String {
    match sentence {
        Sentence::Uses(one, other) => format!("`{one}` uses `{other}`"),
        Sentence::UsedIn(one, path) => format!("`{one}` is used in `{path}`"),
        Sentence::Imports(one, other) => format!("`{one}` imports `{other}`"),
        Sentence::Extends(one, verb, other) => format!("`{one}` {verb} `{other}`"),
        Sentence::DefinedIn(one, path) => format!("`{one}` is defined in `{path}`"),
        Sentence::HasMember(one, other) => format!("`{one}` has `{other}`"),
        Sentence::Used(one) => format!("`{one}` is used"),
        Sentence::Unused(one) => format!("`{one}` is unused"),
        Sentence::Tested(one) => format!("`{one}` has a test"),
        Sentence::Untested(one) => format!("`{one}` has no test"),
        Sentence::Not(denied) => format!("not: {}", words(denied)),
        Sentence::Unread(text) => text.clone(),
    }
}
