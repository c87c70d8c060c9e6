//! `whyrank search`.

use whyrank_engine::api::{Hit, SearchFilters, SearchRequest, SearchResponse};
use whyrank_mcp::path_globs;

use crate::args::SearchArgs;
use crate::exit::{Exit, NOTHING_FOUND};
use crate::out::{self, Paint, paint};
use crate::workspace;

/// Lines of a snippet.
const SNIPPET_LINES: usize = 4;

pub(crate) fn run(args: &SearchArgs, json: bool) -> anyhow::Result<()> {
    let (session, summary) = workspace::searchable(args.repo.repo.as_deref())?;
    let response = session.engine().search(&SearchRequest {
        repo: summary.id,
        query: args.query.clone(),
        limit: args.limit,
        filters: SearchFilters {
            paths: path_globs(&args.path),
            languages: args.lang.clone(),
            kinds: args.kind.clone(),
            no_tests: args.no_tests,
        },
        as_of: args.as_of.clone(),
        weights: None,
        distinct_files: true,
    })?;
    match json {
        true => out::json(&response)?,
        false => print(&response)?,
    }
    match response.hits.is_empty() {
        true => Err(Exit(NOTHING_FOUND).into()),
        false => Ok(()),
    }
}

/// Prints hits with snippets, and how to ask why.
pub(crate) fn print(response: &SearchResponse) -> anyhow::Result<()> {
    for note in &response.notes {
        out::note(&format!("note: {note}"));
    }
    if response.hits.is_empty() {
        out::note("nothing found; try fewer or other words, or lift filters");
        return Ok(());
    }
    for hit in &response.hits {
        out::line(&head(hit))?;
        for line in hit.snippet.iter().take(SNIPPET_LINES) {
            let number = paint(&format!("{:>6}", line.line), Paint::Green);
            out::line(&format!(
                "{number}  {}",
                out::with_matches(&line.text, &line.matches)
            ))?;
        }
    }
    for memo in &response.memos {
        let first = memo.content.lines().next().unwrap_or_default();
        let line = format!("   memo {} {}: {first}", memo.id, memo.kind);
        out::line(&paint(&line, Paint::Yellow))?;
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

fn head(hit: &Hit) -> String {
    let place = format!("{}:{}-{}", hit.path, hit.start_line, hit.end_line);
    let channels: Vec<&str> = hit.channels.iter().map(|channel| channel.name()).collect();
    let name = hit.symbol.as_deref().unwrap_or_default();
    let badges = match hit.badges.is_empty() {
        true => String::new(),
        false => format!(" [{}]", hit.badges.join(", ")),
    };
    let more = match hit.more_in_file {
        0 => String::new(),
        n => format!(" (+{n} in file)"),
    };
    let score = paint(
        &format!("{:.4} {}", hit.score, channels.join(" ")),
        Paint::Dim,
    );
    format!(
        "{:>2} {} {} {name}{badges}{more} {score}",
        hit.rank,
        paint(&place, Paint::Bold),
        hit.kind
    )
}
