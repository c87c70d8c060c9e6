//! Why a search ranked as it did.

use super::prelude::*;

#[derive(Deserialize, JsonSchema)]
pub(crate) struct ExplainArgs {
    /// From the footer of a detailed answer; default: the last search
    #[serde(default = "last")]
    query_id: String,
    /// Rank of the hit; default: the first three
    hit: Option<u32>,
    /// Rank to compare hit with, in words
    against: Option<u32>,
    /// Default 2000
    max_tokens: Option<u32>,
    format: Option<Format>,
}

impl Tool for ExplainArgs {
    const ABOUT: About = About {
        name: "explain",
        family: Family::Explain,
        profile: Profile::Full,
        title: "Explain a ranking",
        description: "Learn why a search ranked hits as it did: ranks per channel, the terms \
            that sum to each score, weights, timings. Not for what the code does.",
    };

    fn run(self, call: &Call<'_>) -> Answer {
        require("query_id", &self.query_id)?;
        let trace = call.engine().explain(&self.query_id.as_str().into())?;
        call.session.check_reach(&trace.repo)?;
        if let Some(other) = self.against {
            return compare(call, &self, other);
        }
        if let Some(rank) = self.hit
            && trace.rows.iter().all(|row| row.rank != rank)
        {
            let message = format!("no hit {rank}: the trace has {} rows", trace.rows.len());
            return Err(ToolError::new(
                "bad-argument",
                message,
                "leave out hit for the first three",
            ));
        }
        let rows = trace
            .rows
            .iter()
            .filter(|row| self.hit.is_none_or(|rank| rank == row.rank));
        let results = rows.map(|row| ToolResult {
            path: row.path.clone(),
            start_line: row.start_line,
            end_line: row.end_line,
            symbol: row.symbol.clone(),
            score: Some(row.score),
            ..ToolResult::default()
        });
        let common = Common::of(self.max_tokens, self.format);
        Ok(write(&common, results.collect(), &trace, |style| {
            present::explain(&trace, self.hit, style)
        }))
    }
}

fn last() -> String {
    "last".to_owned()
}

/// Why one hit stands before another.
fn compare(call: &Call<'_>, args: &ExplainArgs, other: u32) -> Answer {
    let compared =
        call.engine()
            .compare_hits(&args.query_id.as_str().into(), args.hit.unwrap_or(1), other)?;
    let common = Common::of(args.max_tokens, args.format);
    Ok(write(&common, Vec::new(), &compared, |style| {
        present::comparison(&compared, style)
    }))
}
