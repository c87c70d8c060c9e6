//! Hits that the person judged: a line of JSON each, in a file for each repository below the benchmark's
//! folder, whose suite `judged` asks about them again.

use crate::Engine;
use crate::api::{HitVerdict, JudgeRequest, JudgedHit, JudgedPlace, RepoId};
use crate::clock::now_s;
use crate::error::{EngineError, Result};
use crate::kept_list::{KeptList, Listed};
use std::path::Path;
use whyrank_source::{Repository, without_secrets_in};

/// Judgements that are kept of a repository: more than anybody makes by hand.
const MAX_JUDGED: usize = 2_000;
/// Longest query and path that are kept, in bytes.
const MAX_TEXT: usize = 4 << 10;

/// The judgements of a repository, oldest first.
#[derive(Default)]
struct Kept(Vec<JudgedHit>);

impl Listed for Kept {
    const NAME: &'static str = "list of judged hits";
    const HINT: &'static str =
        "delete that file and the copy beside it; hits of that repository can then be judged again";

    fn parse(text: &str) -> std::result::Result<Self, String> {
        let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
        let hit = |(line, number): (&str, usize)| {
            serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))
        };
        lines
            .map(hit)
            .collect::<std::result::Result<_, _>>()
            .map(Self)
    }

    fn text(&self) -> String {
        let line =
            |hit: &JudgedHit| serde_json::to_string(hit).expect("plain data serialises") + "\n";
        self.0.iter().map(line).collect()
    }
}

impl Engine {
    /// Keeps what the person says of a hit; returns what was said of it before.
    ///
    /// # Errors
    /// `unknown-repository`, `bad-argument`, `unknown-revision`, `judged-full`, and where the list cannot be
    /// read or written: `registry-damaged`, `busy`, `io`.
    pub fn judge(&self, request: &JudgeRequest) -> Result<Option<HitVerdict>> {
        let root = self.state.registry.get(&request.repo)?.root;
        let asked = checked(request, &root)?;
        let list = self.judged_list(&request.repo);
        list.change(|kept: &mut Kept| {
            let earlier = kept.0.iter().position(|hit| is_same(hit, &asked));
            let Some(verdict) = asked.verdict else {
                return Ok(earlier.map(|place| kept.0.remove(place).verdict));
            };
            if earlier.is_none() && kept.0.len() >= MAX_JUDGED {
                return Err(full());
            }
            let before = earlier.map(|place| kept.0.remove(place).verdict);
            kept.0.push(JudgedHit {
                repo: asked.repo,
                query: asked.query,
                as_of: asked.as_of,
                place: asked.place,
                verdict,
                at: u32::try_from(now_s()).unwrap_or(u32::MAX),
            });
            Ok(before)
        })?
    }

    /// Returns the judged hits of all registered repositories, the newest of each first.
    ///
    /// # Errors
    /// `registry-damaged`, `io`.
    pub fn judged_hits(&self) -> Result<Vec<JudgedHit>> {
        let mut all = Vec::new();
        for repo in self.state.registry.all()? {
            let kept: Kept = self.judged_list(&repo.id).read()?;
            all.extend(kept.0.into_iter().rev());
        }
        Ok(all)
    }

    fn judged_list(&self, repo: &RepoId) -> KeptList {
        let folder = self.state.paths.data_dir.join("benchmark").join("judged");
        KeptList::of_lines(&folder, repo)
    }
}

/// The request as it is kept: secrets hidden, and a commit by its whole id, so that it means the same
/// tomorrow.
fn checked(request: &JudgeRequest, root: &Path) -> Result<JudgeRequest> {
    let JudgedPlace {
        path,
        start_line,
        end_line,
        ..
    } = &request.place;
    let is_place = !path.is_empty() && *start_line > 0 && end_line >= start_line;
    let query = without_secrets_in(request.query.trim());
    if query.is_empty() || !is_place {
        return Err(EngineError::bad_argument(
            "a judgement needs a query, a path and its lines",
            "pass them as the answer has them; lines count from 1",
        ));
    }
    if query.len() > MAX_TEXT || path.len() > MAX_TEXT {
        return Err(EngineError::bad_argument(
            format!("the query or the path is longer than {MAX_TEXT} bytes"),
            "judge a hit of a shorter query",
        ));
    }
    let commit = |revision: &String| -> Result<String> {
        Ok(Repository::discover(root)?.resolve(revision)?.to_string())
    };
    Ok(JudgeRequest {
        query: query.into_owned(),
        as_of: request.as_of.as_ref().map(commit).transpose()?,
        ..request.clone()
    })
}

/// A definition is the same wherever it stands in its file; other places go by their first line.
fn is_same(hit: &JudgedHit, asked: &JudgeRequest) -> bool {
    let (kept, new) = (&hit.place, &asked.place);
    let is_there =
        kept.symbol == new.symbol && (kept.symbol.is_some() || kept.start_line == new.start_line);
    hit.query == asked.query && hit.as_of == asked.as_of && kept.path == new.path && is_there
}

fn full() -> EngineError {
    EngineError::new(
        "judged-full",
        format!("{MAX_JUDGED} hits of this repository are judged, more are not kept"),
        "delete some in the window under Measure, Judged",
    )
}
