//! What late interaction brings, and what the gate costs of it.

use crate::out;
use whyrank_benchmark::eval::{GateWorth, Paired};

pub(super) fn print(worth: &[GateWorth]) -> anyhow::Result<()> {
    for suite in worth {
        out::line(&format!(
            "\n{}: late interaction over {} tasks, {} of them differ",
            suite.suite, suite.stage.n, suite.n_differ
        ))?;
        out::line(&format!(
            "  never {:.4}, gated {:.4}, always {:.4}, the better of both each time {:.4}",
            suite.stage.base, suite.regret.base, suite.stage.other, suite.oracle
        ))?;
        out::line(&format!("  always over never {}", told(&suite.stage)))?;
        out::line(&format!("  regret of the gate {}", told(&suite.regret)))?;
    }
    Ok(())
}

/// `+0.0110 [-0.0020, +0.0240], 9 better, 4 worse`.
fn told(paired: &Paired) -> String {
    let difference = &paired.difference;
    format!(
        "{:+.4} [{:+.4}, {:+.4}], {} better, {} worse",
        difference.mean, difference.low, difference.high, paired.wins, paired.losses
    )
}
