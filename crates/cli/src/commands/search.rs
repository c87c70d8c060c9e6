//! `whyrank search`.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;

use whyrank_engine::api::{
    EngineEvent, GrepRequest, GrepResponse, Hit, RepoId, RepoScope, RepoSummary, RerankMode,
    SearchFilters, SearchRequest, SearchResponse,
};
use whyrank_engine::{Engine, EngineError};
use whyrank_mcp::{path_globs, present};

use crate::args::{Reranker, SearchArgs};
use crate::exit::{Exit, NOTHING_FOUND, STALE};
use crate::interrupt::Interrupt;
use crate::out::{self, Paint, paint};
use crate::unindexed;
use crate::workspace::{self, Readable, RepoSelection};

/// Lines of a snippet.
const SNIPPET_LINES: usize = 4;
/// Bytes of a query that are read.
const MAX_TEXT: u64 = 1 << 20;
/// How often a waiting search looks whether it is done.
const POLL: Duration = Duration::from_millis(50);

pub(crate) fn run(args: &SearchArgs, json: bool) -> anyhow::Result<()> {
    let asked = match SearchTarget::of(args)? {
        Found::Indexed(asked) => asked,
        Found::Unindexed(engine, summary) => {
            let is_by_words = !(args.exact || args.regex) && args.as_of.is_none();
            let query = is_by_words.then(|| query(args)).transpose()?;
            return unindexed::answer(&engine, &summary, query.as_deref(), json);
        }
    };
    let engine = &asked.engine;
    let behind = match args.as_of {
        None => asked.behind()?,
        Some(_) => None,
    };
    // What is not found may be in the files that the index does not show yet.
    let nothing = if behind.is_some() {
        STALE
    } else {
        NOTHING_FOUND
    };
    let filters = SearchFilters {
        paths: path_globs(&args.path),
        languages: args.lang.clone(),
        kinds: args.kind.clone(),
        no_tests: args.no_tests,
    };
    if args.exact || args.regex {
        let request = GrepRequest {
            repo: asked.as_one(),
            pattern: args.query.clone().unwrap_or_default(),
            regex: args.regex,
            match_case: args.match_case,
            filters,
            as_of: args.as_of.clone(),
            limit: args.limit.unwrap_or_default(),
        };
        let missing = asked.scope.missing.iter();
        let missing = missing.map(|one| format!("{}: {}", one.name, one.why));
        let first: Vec<String> = missing.chain(behind).collect();
        let first = (!first.is_empty()).then(|| first.join("\n"));
        return grep(engine, &request, first.as_deref(), nothing, json);
    }
    let request = SearchRequest {
        repo: asked.asking.clone(),
        repos: asked.scope.ids(),
        query: query(args)?,
        limit: args.limit.unwrap_or_default(),
        filters,
        as_of: args.as_of.clone(),
        weights: None,
        tune: args.tune.clone(),
        current_file: args.current_file.clone(),
        distinct_files: true,
        prefix: args.prefix,
    };
    let mut response = match args.rerank {
        None => engine.search(&request)?,
        Some(who) => reranked(engine, &request, who)?,
    };
    response.missing.splice(0..0, asked.scope.missing.clone());
    if let (Some(line), false) = (&behind, json) {
        out::line(line)?;
    }
    if json {
        response.notes.splice(0..0, behind);
        out::json(&response)?;
    } else {
        print(&response)?
    }
    if response.hits.is_empty() {
        Err(Exit(nothing).into())
    } else {
        Ok(())
    }
}

/// The repositories of a search.
struct SearchTarget {
    engine: Engine,
    /// The one that is asked, or that asks several.
    asking: RepoId,
    /// Several; empty for one.
    scope: RepoScope,
}

/// What a search is asked of.
enum Found {
    Indexed(SearchTarget),
    /// One repository that has no index.
    Unindexed(Engine, Box<RepoSummary>),
}

impl SearchTarget {
    fn of(args: &SearchArgs) -> anyhow::Result<Found> {
        let selectors = match workspace::scope(args.scope.selectors(), true)? {
            RepoSelection::One(repo) => {
                return Ok(match workspace::readable(repo.as_deref())? {
                    Readable::Indexed(session, summary) => Found::Indexed(Self {
                        engine: session.engine().clone(),
                        asking: summary.id,
                        scope: RepoScope::default(),
                    }),
                    Readable::Unindexed(engine, summary) => Found::Unindexed(engine, summary),
                });
            }
            RepoSelection::Several(selectors) => selectors,
        };
        let engine = workspace::open()?;
        let scope = engine.scope(&selectors)?;
        let here = engine.known_repo(".")?.map(|repo| repo.id);
        let first = scope.repos.first().map(|repo| repo.id.clone());
        Ok(Found::Indexed(Self {
            asking: here.or(first).unwrap_or_default(),
            engine,
            scope,
        }))
    }

    /// What is behind its files, after a second's wait for each.
    fn behind(&self) -> anyhow::Result<Option<String>> {
        if self.scope.repos.is_empty() {
            return workspace::behind(&self.engine, &self.asking);
        }
        let mut lines = Vec::new();
        for repo in &self.scope.repos {
            let behind = workspace::behind(&self.engine, &repo.id)?;
            lines.extend(behind.map(|line| format!("{}: {line}", repo.name)));
        }
        Ok((!lines.is_empty()).then(|| lines.join("\n")))
    }

    /// The id of one, or that of several as one.
    fn as_one(&self) -> RepoId {
        match self.scope.ids().as_slice() {
            [] => self.asking.clone(),
            [only] => only.clone(),
            several => RepoId::joined(several),
        }
    }
}

/// Prints the lines that match, as grep does, after what is `behind`; ends with the status `nothing` where none does.
fn grep(
    engine: &Engine,
    request: &GrepRequest,
    behind: Option<&str>,
    nothing: u8,
    json: bool,
) -> anyhow::Result<()> {
    let response = engine.grep(request)?;
    if let Some(problem) = &response.problem {
        let message = format!(
            "`{}` is not a regular expression: {}, at character {}",
            request.pattern,
            problem.message,
            problem.start + 1
        );
        let hint = "--exact looks for the text as it is";
        return Err(EngineError::new("bad-argument", message, hint).into());
    }
    if json {
        out::json(&response)?;
    } else {
        behind.map_or(Ok(()), out::line)?;
        print_lines(&response)?;
    }
    if response.n_lines == 0 {
        return Err(Exit(nothing).into());
    }
    Ok(())
}

fn print_lines(response: &GrepResponse) -> anyhow::Result<()> {
    for file in &response.files {
        for line in &file.lines {
            let place = paint(&format!("{}:{}", file.path, line.text.line), Paint::Green);
            let text = out::with_matches(&line.text.text, &line.text.matches);
            out::line(&format!("{place}: {text}"))?;
        }
    }
    let lines = if response.n_lines == 1 {
        "line"
    } else {
        "lines"
    };
    let mut footer = format!(
        "{} {lines} in {} of {} files, {:.0} ms",
        response.n_lines, response.n_files, response.n_searched, response.elapsed_ms
    );
    if let Some(stopped) = &response.stopped {
        footer = format!("{footer}; {stopped}");
    }
    out::note(&footer);
    Ok(())
}

/// The query itself, or the text of a file or of standard input. What is no UTF-8 is read as far as it is.
fn query(args: &SearchArgs) -> anyhow::Result<String> {
    let stdin = Path::new("-");
    let path = match (&args.query, &args.file) {
        (Some(query), _) if query != "-" => return Ok(query.clone()),
        (_, Some(file)) => file.as_path(),
        (_, None) => stdin,
    };
    let mut bytes = Vec::new();
    if path == stdin {
        let read = std::io::stdin().take(MAX_TEXT).read_to_end(&mut bytes);
        read.context("cannot read standard input")?;
    } else {
        let file = File::open(path).and_then(|file| file.take(MAX_TEXT).read_to_end(&mut bytes));
        file.with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Waits for the reranker and says how far it is; Ctrl-C takes what is finished.
fn reranked(
    engine: &Engine,
    request: &SearchRequest,
    who: Reranker,
) -> anyhow::Result<SearchResponse> {
    let mode = match who {
        Reranker::Set => None,
        Reranker::Http => Some(RerankMode::Http),
    };
    let (events, interrupt) = (engine.subscribe(), Interrupt::listen());
    let waiting = {
        let (engine, request) = (engine.clone(), request.clone());
        std::thread::spawn(move || engine.search_reranked(&request, mode))
    };
    let mut at_work = None;
    while !waiting.is_finished() {
        if let Ok(EngineEvent::Rerank(progress)) = events.recv_timeout(POLL) {
            if progress.done < progress.total {
                let part = progress.done + 1;
                out::note(&format!("reranking, part {part} of {}", progress.total));
            }
            at_work = Some(progress.query_id);
        }
        if interrupt.is_heard()
            && let Some(query_id) = &at_work
        {
            engine.cancel_rerank(query_id);
        }
    }
    let answered = waiting.join();
    let answered = answered.map_err(|_| anyhow::anyhow!("the reranker panicked"))?;
    Ok(answered?)
}

/// Prints hits with snippets, and how to ask why.
pub(crate) fn print(response: &SearchResponse) -> anyhow::Result<()> {
    if !response.missing.is_empty() {
        out::note(&present::missing(&response.missing));
    }
    let unknown = response.unknown_current_file.iter();
    let doubt = response.doubt();
    for note in unknown.chain(&response.notes).chain(&doubt) {
        out::note(&format!("note: {note}"));
    }
    if let Some(gap) = &response.memory_gap {
        out::note(&format!("note: {gap}"));
    }
    if response.hits.is_empty() {
        out::note("nothing found; try fewer or other words, or remove filters");
        return Ok(());
    }
    let before = response.rerank.as_ref().map(|note| note.before.as_slice());
    for (at, hit) in response.hits.iter().enumerate() {
        let before = before.and_then(|before| before.get(at).copied());
        out::line(&head(hit, before))?;
        for line in hit.snippet.iter().take(SNIPPET_LINES) {
            let number = paint(&format!("{:>6}", line.line), Paint::Green);
            out::line(&format!(
                "{number}  {}",
                out::with_matches(&line.text, &line.matches)
            ))?;
        }
    }
    for memo in &response.memos {
        let line = format!("   {}", present::memo_beside(memo));
        out::line(&paint(&line, Paint::Yellow))?;
    }
    if let Some(note) = &response.rerank {
        out::line(&format!("{}: {}", note.backend, note.sentence))?;
    }
    let footer = format!(
        "{} of {} candidates in {:.0} ms; why: whyrank explain {}",
        response.hits.len(),
        response.n_candidates,
        response.elapsed_ms,
        response.query_id
    );
    out::line(&paint(&footer, Paint::Dim))
}

fn head(hit: &Hit, before: Option<u32>) -> String {
    let mut place = format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line);
    if let Some(repo) = &hit.repo {
        place = format!("{repo}/{place}");
    }
    let channels: Vec<&str> = hit.channels.iter().map(|channel| channel.name()).collect();
    let name = hit.symbol.as_deref().unwrap_or_default();
    let badges = if hit.badges.is_empty() {
        String::new()
    } else {
        format!(" [{}]", hit.badges.join(", "))
    };
    let more = match hit.more_in_file {
        0 => String::new(),
        n => format!(" (+{n} in file)"),
    };
    let copies = match hit.copies.as_slice() {
        [] => String::new(),
        copies => format!(" (same in {})", copies.join(", ")),
    };
    let moved = match before.filter(|rank| *rank != hit.rank) {
        Some(rank) => paint(&format!(" (was {rank})"), Paint::Yellow),
        None => String::new(),
    };
    let score = paint(
        &format!("{:.4} {}", hit.score, channels.join(" ")),
        Paint::Dim,
    );
    format!(
        "{:>2} {} {} {name}{badges}{more}{copies}{moved} {score}",
        hit.rank,
        paint(&place, Paint::Bold),
        hit.kind
    )
}
