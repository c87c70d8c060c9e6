//! What memory costs, for people.

use super::MemoryCosts;
use crate::out;

pub(super) fn costs(costs: &MemoryCosts) -> anyhow::Result<()> {
    out::line(&format!(
        "{} memos, {} commits; the first question to a new process {:.0} ms, {} CPU ms",
        costs.n_memos,
        costs.n_commits,
        costs.first_ms,
        cpu(costs.first_cpu_ms)
    ))?;
    out::line(&format!(
        "{:<36} {:>6} {:>9} {:>9} {:>9} {:>11} {:>13}",
        "question", "asked", "p50 ms", "p95 ms", "worst ms", "p50 CPU ms", "worst CPU ms"
    ))?;
    for cost in &costs.costs {
        out::line(&format!(
            "{:<36} {:>6} {:>9.2} {:>9.2} {:>9.2} {:>11} {:>13}",
            cost.what,
            cost.n,
            cost.p50_ms,
            cost.p95_ms,
            cost.worst_ms,
            cpu(cost.p50_cpu_ms),
            cpu(cost.worst_cpu_ms)
        ))?;
    }
    Ok(())
}

fn cpu(ms: Option<f64>) -> String {
    ms.map_or_else(|| "?".to_owned(), |ms| format!("{ms:.1}"))
}
