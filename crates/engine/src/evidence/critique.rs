//! What of a claim the index bears out: the names and places in it, and a few kinds of sentences.
//!
//! Only what the index can decide is decided; the rest is called unknown. No language model is asked.

use crate::Engine;
use crate::api::{
    CritiquePoint, CritiqueRequest, CritiqueResponse, DeadCodeRequest, DepsRequest, Heir,
    ImpactRequest, LookupRequest, RefsRequest, SymbolLine, SymbolPlace, VerifyRequest,
};
use crate::error::{EngineError, Result};
use std::collections::BTreeSet;

use super::sentences::{Sentence, is_path, read, sentences};

/// Names looked up; a claim that names more is a book.
const MAX_NAMES: usize = 30;
const MAX_CLAIM: usize = 8 << 10;
const MAX_PLACES: usize = 3;
/// Steps in which a call through others is found.
const MAX_DEPTH: u32 = 6;

impl Engine {
    /// Checks the names, places and sentences of a claim, and the evidence that it cites.
    ///
    /// # Errors
    /// `bad-argument` for an empty or huge claim; those of opening the view.
    pub fn critique(&self, request: &CritiqueRequest) -> Result<CritiqueResponse> {
        if request.claim.trim().is_empty() || request.claim.len() > MAX_CLAIM {
            return Err(EngineError::bad_argument(
                format!("the claim has {} characters", request.claim.len()),
                format!("say in 1 to {MAX_CLAIM} what is claimed"),
            ));
        }
        let critic = Critic {
            engine: self,
            request,
        };
        let words = read(&request.claim);
        let mut points = Vec::new();
        let mut seen = BTreeSet::new();
        let asked = request.symbols.iter().map(String::as_str);
        let named = words
            .iter()
            .filter(|word| word.is_code)
            .map(|word| word.text.as_str());
        for name in asked.chain(named).take(MAX_NAMES) {
            if seen.insert(name.to_owned()) {
                points.extend(critic.exists(name)?);
            }
        }
        for sentence in sentences(&words) {
            points.extend(critic.check(&sentence)?);
        }
        let order = |point: &CritiquePoint| match point.verdict.as_str() {
            "contradicted" => 0,
            "unknown" => 1,
            _ => 2,
        };
        points.sort_by_key(order);
        let evidence = match request.evidence.is_empty() {
            true => Vec::new(),
            false => {
                self.verify_evidence(&VerifyRequest {
                    repo: request.repo.clone(),
                    evidence: request.evidence.clone(),
                    as_of: request.as_of.clone(),
                })?
                .evidence
            }
        };
        Ok(CritiqueResponse { points, evidence })
    }
}

struct Critic<'a> {
    engine: &'a Engine,
    request: &'a CritiqueRequest,
}

impl Critic<'_> {
    fn check(&self, sentence: &Sentence) -> Result<Vec<CritiquePoint>> {
        let point = match sentence {
            Sentence::Uses(user, used) if !is_path(user) && !is_path(used) => {
                self.uses(user, used)?
            }
            Sentence::Imports(importer, imported) if is_path(importer) => {
                self.imports(importer, imported)?
            }
            Sentence::Extends(child, verb, parent) => self.extends(child, verb, parent)?,
            Sentence::DefinedIn(symbol, path) => self.defined_in(symbol, path)?,
            Sentence::Unused(symbol) if !is_path(symbol) => self.unused(symbol)?,
            Sentence::Untested(symbol) if !is_path(symbol) => self.untested(symbol)?,
            _ => None,
        };
        Ok(point.into_iter().collect())
    }

    fn exists(&self, name: &str) -> Result<Option<CritiquePoint>> {
        if is_path(name) {
            return Ok(Some(self.place_exists(name)));
        }
        let symbol = qualified(name);
        let found = self.lookup(&symbol)?;
        let says = format!("`{name}` exists");
        if let Some(first) = found.definitions.first() {
            let shown = match found.definitions.len() {
                1 => place(first),
                n => format!("{n} definitions, first {}", place(first)),
            };
            return Ok(Some(point(says, "holds", shown, &found.definitions)));
        }
        // A library's name is defined elsewhere, and used here.
        let used = self.engine.refs(&RefsRequest {
            repo: self.request.repo.clone(),
            symbol: symbol.clone(),
            as_of: self.request.as_of.clone(),
            ..RefsRequest::default()
        })?;
        if let Some(first) = used.references.first() {
            let shown = format!("not defined here, but used: {}:{}", first.path, first.line);
            return Ok(Some(point(says, "unknown", shown, &[])));
        }
        let near: Vec<String> = found.near.iter().take(MAX_PLACES).map(place).collect();
        let shown = match near.is_empty() {
            true => "no definition and no use of this name".to_owned(),
            false => format!("no definition of this name; near: {}", near.join(", ")),
        };
        Ok(Some(point(says, "contradicted", shown, &found.near)))
    }

    fn place_exists(&self, name: &str) -> CritiquePoint {
        let (path, line) = match name.split_once(':') {
            Some((path, lines)) => {
                let first = lines.split(['-', ':']).next().unwrap_or(lines);
                (path, first.parse::<u32>().ok())
            }
            None => (name, None),
        };
        let says = format!("`{name}` exists");
        let repo = &self.request.repo;
        let preview = self
            .engine
            .preview(repo, path, self.request.as_of.as_deref());
        match preview {
            Err(error) => point(
                says,
                "contradicted",
                format!("{}; {}", error.message, error.hint),
                &[],
            ),
            Ok(file) => {
                let n_lines = file.text.lines().count() as u32;
                match line.filter(|line| *line > n_lines && !file.truncated) {
                    Some(_) => point(
                        says,
                        "contradicted",
                        format!("{} has {n_lines} lines", file.path),
                        &[],
                    ),
                    None => point(
                        says,
                        "holds",
                        format!("{} ({n_lines} lines)", file.path),
                        &[],
                    ),
                }
            }
        }
    }

    fn uses(&self, user: &str, used: &str) -> Result<Option<CritiquePoint>> {
        let says = format!("`{user}` uses `{used}`");
        let callers = self.engine.impact(&ImpactRequest {
            repo: self.request.repo.clone(),
            symbol: qualified(used),
            depth: MAX_DEPTH,
            as_of: self.request.as_of.clone(),
            ..ImpactRequest::default()
        })?;
        if callers.definitions.is_empty() || self.lookup(&qualified(user))?.definitions.is_empty() {
            return Ok(None);
        }
        let is_user = |caller: &SymbolLine| ends_with(&caller.qualified, &qualified(user));
        let hit = callers.callers.iter().find(|hit| is_user(&hit.caller));
        Ok(Some(match hit {
            Some(hit) if hit.depth == 1 => {
                let shown = format!("{}:{}", hit.caller.path, hit.line);
                point(says, "holds", shown, std::slice::from_ref(&hit.caller))
            }
            Some(hit) => {
                let shown = format!(
                    "only through others: {} steps, by {} ({}:{})",
                    hit.depth, hit.uses, hit.caller.path, hit.line
                );
                point(
                    says,
                    "contradicted",
                    shown,
                    std::slice::from_ref(&hit.caller),
                )
            }
            None => {
                let direct = callers.callers.iter().filter(|hit| hit.depth == 1);
                let names: Vec<&str> = direct
                    .take(MAX_PLACES)
                    .map(|hit| hit.caller.qualified.as_str())
                    .collect();
                let shown = match names.is_empty() {
                    true => format!("nothing known uses `{used}`"),
                    false => format!("no use is known; it is used by {}", names.join(", ")),
                };
                let by_name = callers.by_name.iter().flat_map(|found| &found.uses);
                let may_be = by_name.into_iter().find(|hit| {
                    let around = hit.enclosing.as_deref().unwrap_or_default();
                    ends_with(around, &qualified(user))
                });
                match may_be {
                    Some(hit) => {
                        let shown = format!("by name only: {}:{}", hit.path, hit.line);
                        point(says, "unknown", shown, &callers.definitions)
                    }
                    None => point(says, "contradicted", shown, &callers.definitions),
                }
            }
        }))
    }

    fn imports(&self, importer: &str, imported: &str) -> Result<Option<CritiquePoint>> {
        let deps = self.engine.deps(&DepsRequest {
            repo: self.request.repo.clone(),
            path: importer.to_owned(),
            direction: "imports".to_owned(),
            as_of: self.request.as_of.clone(),
        });
        let Ok(deps) = deps else {
            return Ok(None);
        };
        let says = format!("`{importer}` imports `{imported}`");
        let is_it =
            |path: &str, module: &str| path.ends_with(imported) || module.ends_with(imported);
        let found = deps
            .imports
            .iter()
            .find(|edge| is_it(&edge.path, &edge.module));
        Ok(Some(match found {
            Some(edge) => point(says, "holds", format!("{}:{}", deps.path, edge.line), &[]),
            None => {
                let paths: Vec<&str> = deps
                    .imports
                    .iter()
                    .take(5)
                    .map(|edge| edge.path.as_str())
                    .collect();
                let shown = match paths.is_empty() {
                    true => "it imports nothing".to_owned(),
                    false => format!("it imports {}", paths.join(", ")),
                };
                point(says, "contradicted", shown, &[])
            }
        }))
    }

    /// Whether one implements, extends or overrides another, directly or through others.
    fn extends(&self, child: &str, verb: &str, parent: &str) -> Result<Option<CritiquePoint>> {
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
        let says = format!("`{child}` {verb} `{parent}`");
        // Who overrides a member may be named by its type alone.
        let of_child = |heir: &&Heir| {
            let name = &heir.symbol.qualified;
            let owner = name
                .rsplit_once(['.', ':', '#', '\\'])
                .map_or("", |(owner, _)| owner);
            ends_with(name, &qualified(child)) || ends_with(owner, &qualified(child))
        };
        let mut hits: Vec<&Heir> = found.heirs.iter().filter(of_child).collect();
        hits.sort_by_key(|heir| !heir.certain);
        Ok(Some(match hits.first() {
            Some(heir) => {
                let verdict = if heir.certain { "holds" } else { "unknown" };
                let how = match (heir.certain, heir.depth) {
                    (false, _) => "possible: ".to_owned(),
                    (true, 1) => String::new(),
                    (true, n) => format!("through {} others: ", n - 1),
                };
                let at = heir.line.unwrap_or(heir.symbol.name_line);
                point(
                    says,
                    verdict,
                    format!("{how}{}:{at}", heir.symbol.path),
                    &known,
                )
            }
            None => point(
                says,
                "contradicted",
                format!("its head: {}", first.signature),
                &known,
            ),
        }))
    }

    fn defined_in(&self, symbol: &str, path: &str) -> Result<Option<CritiquePoint>> {
        let found = self.lookup(&qualified(symbol))?.definitions;
        let Some(first) = found.first() else {
            return Ok(None);
        };
        let says = format!("`{symbol}` is defined in `{path}`");
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
            Some(one) => point(says, "holds", place(one), std::slice::from_ref(one)),
            None => point(
                says,
                "contradicted",
                format!("it is defined in {}", place(first)),
                &found,
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
        let says = format!("`{symbol}` is unused");
        let places = std::slice::from_ref(&finding.symbol);
        let verdict = match finding.verdict.as_str() {
            "used" => "contradicted",
            _ if finding.dead => "holds",
            _ => "unknown",
        };
        Ok(Some(point(
            says,
            verdict,
            format!("{}: {}", finding.verdict, finding.reason),
            places,
        )))
    }

    fn untested(&self, symbol: &str) -> Result<Option<CritiquePoint>> {
        let callers = self.engine.impact(&ImpactRequest {
            repo: self.request.repo.clone(),
            symbol: qualified(symbol),
            depth: 4,
            as_of: self.request.as_of.clone(),
            ..ImpactRequest::default()
        })?;
        if callers.definitions.is_empty() {
            return Ok(None);
        }
        let says = format!("`{symbol}` has no test");
        let test = callers
            .callers
            .iter()
            .filter(|hit| hit.test)
            .min_by_key(|hit| hit.depth);
        Ok(Some(match test {
            Some(hit) => {
                let shown = format!(
                    "{}:{} reaches it in {} steps",
                    hit.caller.path, hit.line, hit.depth
                );
                point(
                    says,
                    "contradicted",
                    shown,
                    std::slice::from_ref(&hit.caller),
                )
            }
            None => {
                let mut by_name = callers.by_name.iter().flat_map(|found| &found.uses);
                let (verdict, shown) = match by_name.find(|hit| hit.test) {
                    Some(hit) => {
                        let shown = format!("by name only: {}:{}", hit.path, hit.line);
                        ("unknown", shown)
                    }
                    None => ("holds", "no test reaches it in 4 steps".to_owned()),
                };
                point(says, verdict, shown, &callers.definitions)
            }
        }))
    }

    fn lookup(&self, symbol: &str) -> Result<crate::api::LookupResponse> {
        self.engine.lookup(&LookupRequest {
            repo: self.request.repo.clone(),
            symbol: symbol.to_owned(),
            as_of: self.request.as_of.clone(),
            ..LookupRequest::default()
        })
    }
}

/// Names with `#` for a member are written with a dot.
fn qualified(name: &str) -> String {
    name.replace('#', ".")
}

/// Whether a qualified name ends with another, part by part.
fn ends_with(qualified: &str, name: &str) -> bool {
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['.', ':', '\\']).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    parts(qualified).ends_with(&parts(name))
}

fn place(one: &SymbolLine) -> String {
    format!("{} ({}:{})", one.qualified, one.path, one.name_line)
}

fn point(says: String, verdict: &str, shown: String, places: &[SymbolLine]) -> CritiquePoint {
    CritiquePoint {
        says,
        verdict: verdict.to_owned(),
        shown,
        places: places.iter().take(MAX_PLACES).cloned().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_qualified_name_is_that_name() {
        assert!(ends_with("app::Router.use", "Router.use"));
        assert!(ends_with("Router.use", "use") && !ends_with("Router.reuse", "use"));
    }
}
