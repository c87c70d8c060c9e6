//! What late interaction brings, what the gate costs of it, what moved weights change.

use whyrank_benchmark::eval::Paired;

use super::gate_worth::GateWorth;
use super::sensitivity::SensitivityRow;
use super::table::{Ablation, AblationRow};
use crate::out;

/// The configurations side by side.
pub(super) fn ablation(table: &Ablation) -> anyhow::Result<()> {
    let mut suite = "";
    for row in &table.rows {
        if row.suite != suite {
            suite = &row.suite;
            out::line(&format!("\n{suite}: means, and p50/p95 ms of each stage"))?;
        }
        print_row(row)?;
    }
    for row in &table.not_run {
        out::line(&format!("  {:<20} not run: {}", row.name, row.reason))?;
    }
    for (name, worth) in &table.gates {
        if name != "gate" {
            out::line(&format!(
                "\n{}, configuration {name}: never {:.4}, gated {:.4}, always {:.4}, oracle {:.4}",
                worth.suite, worth.stage.base, worth.regret.base, worth.stage.other, worth.oracle
            ))?;
            out::line(&format!("  always over never {}", told(&worth.stage)))?;
            out::line(&format!("  regret of the gate {}", told(&worth.regret)))?;
        }
    }
    Ok(())
}

fn print_row(row: &AblationRow) -> anyhow::Result<()> {
    let metrics = row.metrics.iter().map(|(metric, value)| {
        format!(
            "{} {:.3} [{:.3}, {:.3}]",
            metric.name(),
            value.mean,
            value.low,
            value.high
        )
    });
    out::line(&format!(
        "  {:<20} {}",
        row.name,
        metrics.collect::<Vec<_>>().join("  ")
    ))?;
    let slow = row.stages.iter().filter(|time| time.p95_ms >= 1.0);
    let times = slow.map(|time| format!("{} {:.1}/{:.1}", time.stage, time.p50_ms, time.p95_ms));
    out::line(&format!(
        "  {:<20} {}",
        "",
        times.collect::<Vec<_>>().join(", ")
    ))
}

pub(super) fn gates(worth: &[GateWorth]) -> anyhow::Result<()> {
    for suite in worth {
        out::line(&format!(
            "\n{}: late interaction over {} tasks, {} of them differ",
            suite.suite, suite.stage.n, suite.n_differ
        ))?;
        out::line(&format!(
            "  never {:.4}, gated {:.4}, always {:.4}, the better of the two per task {:.4}",
            suite.stage.base, suite.regret.base, suite.stage.other, suite.oracle
        ))?;
        out::line(&format!("  always over never {}", told(&suite.stage)))?;
        out::line(&format!("  regret of the gate {}", told(&suite.regret)))?;
    }
    Ok(())
}

/// What each moved weight changes, and how far the widest change goes.
pub(super) fn sensitivity(rows: &[SensitivityRow]) -> anyhow::Result<()> {
    for of_suite in rows.chunk_by(|a, b| a.suite == b.suite) {
        let first = &of_suite[0];
        out::line(&format!(
            "\n{}: {:.4} over {} tasks; each weight moved",
            first.suite, first.moved.base, first.moved.n
        ))?;
        for row in of_suite {
            out::line(&format!("  {:<28} {}", row.name, told(&row.moved)))?;
        }
        let changes = of_suite.iter().map(|row| row.moved.difference.mean.abs());
        let widest = changes.fold(0.0, f64::max);
        let clear = of_suite.iter().filter(|row| row.moved.is_clear()).count();
        out::line(&format!(
            "  widest change {widest:.4}; {clear} of {} clear",
            of_suite.len()
        ))?;
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
