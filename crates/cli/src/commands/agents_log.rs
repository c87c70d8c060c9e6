//! `whyrank agents log`: what agents asked, and what it cost.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Context;
use whyrank_engine::Engine;
use whyrank_engine::api::{CallLine, CallLog, CallTotals, CallsRequest};
use whyrank_mcp::present;

use crate::args::AgentsLogArgs;
use crate::confirm::agreed;
use crate::exit::{Exit, NOTHING_FOUND};
use crate::out::{self, Paint};
use crate::workspace;

const ARGS_CHARS: usize = 70;
const KEPT: &str = "calls are logged";
const NOT_KEPT: &str = "calls are not logged; `whyrank agents log --on` logs them again";

pub(crate) fn run(args: &AgentsLogArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    if let Some(path) = &args.export {
        return export(&engine, path);
    }
    if args.on || args.off {
        engine.keep_calls(args.on)?;
        out::note(if args.on { KEPT } else { NOT_KEPT });
        return Ok(());
    }
    if args.clear {
        return clear(&engine, args.yes);
    }
    match args.id {
        Some(id) => show_one(&engine, id, json),
        None => list(&engine, args, json),
    }
}

fn list(engine: &Engine, args: &AgentsLogArgs, json: bool) -> anyhow::Result<()> {
    let log = engine.calls(&CallsRequest {
        client: args.client.clone(),
        tool: args.tool.clone(),
        session: args.session.clone(),
        before: 0,
        limit: args.limit,
    })?;
    if json {
        out::json(&log)?;
    } else {
        print(&log, args.sessions)?;
    }
    if log.calls.is_empty() {
        Err(Exit(NOTHING_FOUND).into())
    } else {
        Ok(())
    }
}

fn print(log: &CallLog, by_session: bool) -> anyhow::Result<()> {
    if by_session {
        for totals in log.sessions.iter().rev() {
            out::line(&sums(totals))?;
        }
    } else {
        for call in log.calls.iter().rev() {
            out::line(&line(call))?;
        }
        for totals in &log.clients {
            out::line(&sums(totals))?;
        }
    }
    let name = "all".to_owned();
    out::line(&sums(&CallTotals {
        name,
        ..log.total.clone()
    }))?;
    if !log.is_on {
        out::note(NOT_KEPT);
    }
    Ok(())
}

fn show_one(engine: &Engine, id: u32, json: bool) -> anyhow::Result<()> {
    let detail = engine.call_detail(id)?;
    if json {
        return out::json(&detail);
    }
    out::line(&out::paint(&line(&detail.line), Paint::Bold))?;
    out::line(&detail.line.args)?;
    out::line(&detail.text)
}

fn export(engine: &Engine, path: &Path) -> anyhow::Result<()> {
    if path == Path::new("-") {
        engine.write_calls(&mut std::io::stdout().lock())?;
        return Ok(());
    }
    let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
    let mut file = BufWriter::new(file);
    let n_calls = engine.write_calls(&mut file)?;
    file.flush()?;
    out::note(&format!("{n_calls} calls in {}", path.display()));
    Ok(())
}

fn clear(engine: &Engine, yes: bool) -> anyhow::Result<()> {
    let kept = engine.calls(&CallsRequest::default())?.total.calls;
    let question = format!("Delete {kept} calls, and which agents have connected?");
    if !yes && !agreed(&question, "`whyrank agents log --export FILE` keeps a copy")? {
        out::note("nothing was deleted");
        return Ok(());
    }
    engine.clear_calls()?;
    out::note("the log is empty now");
    Ok(())
}

fn line(call: &CallLine) -> String {
    let outcome = match &call.error {
        Some(error) => out::paint(error, Paint::Red),
        None => format!("{} hits", call.hits),
    };
    format!(
        "{} {} {:<14} {:<12} {:>7.1} ms {:>5} tokens  {outcome}  {}",
        out::paint(&format!("{:>5}", call.id), Paint::Dim),
        time_of_day(call.at_ms),
        present::clip(&call.client, 14),
        call.tool,
        call.ms,
        call.tokens,
        present::clip(&call.args, ARGS_CHARS),
    )
}

/// Hours and minutes, UTC.
fn time_of_day(at_ms: f64) -> String {
    let seconds = (at_ms / 1e3) as u64 % 86_400;
    format!(
        "{:02}:{:02}:{:02}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

fn sums(totals: &CallTotals) -> String {
    format!(
        "{}: {} calls, {} failed, {:.0} tokens, p50 {:.1} ms, p95 {:.1} ms",
        out::paint(&totals.name, Paint::Bold),
        totals.calls,
        totals.failed,
        totals.tokens,
        totals.p50_ms,
        totals.p95_ms
    )
}
