//! `whyrank agents log`: what agents asked, and what it cost.

use whyrank_engine::api::{CallLine, CallTotals, CallsRequest};
use whyrank_mcp::present;

use crate::args::AgentsLogArgs;
use crate::exit::{Exit, NOTHING_FOUND};
use crate::out::{self, Paint};
use crate::workspace;

const ARGS_CHARS: usize = 70;

pub(crate) fn run(args: &AgentsLogArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    if args.clear {
        engine.clear_calls()?;
        out::note("the log of calls is empty");
        return Ok(());
    }
    if let Some(id) = args.id {
        let detail = engine.call_detail(id)?;
        if json {
            return out::json(&detail);
        }
        out::line(&out::paint(&line(&detail.line), Paint::Bold))?;
        out::line(&detail.line.args)?;
        return out::line(&detail.text);
    }
    let log = engine.calls(&CallsRequest {
        client: args.client.clone(),
        tool: args.tool.clone(),
        before: 0,
        limit: args.limit,
    })?;
    if json {
        out::json(&log)?;
    } else {
        for call in log.calls.iter().rev() {
            out::line(&line(call))?;
        }
        for totals in &log.clients {
            out::line(&sums(totals))?;
        }
        out::line(&sums(&CallTotals {
            name: "all".to_owned(),
            ..log.total.clone()
        }))?;
    }
    match log.calls.is_empty() {
        true => Err(Exit(NOTHING_FOUND).into()),
        false => Ok(()),
    }
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
