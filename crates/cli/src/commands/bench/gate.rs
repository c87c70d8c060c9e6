//! What late interaction brings, what the gate costs of it, and a gate fitted to tasks.

use std::path::Path;

use serde_json::json;
use whyrank_benchmark::api::RunRequest;
use whyrank_benchmark::eval::{Ablation, AblationRow, GateFit, GateWorth, Metric, Paired};
use whyrank_benchmark::{Bench, GateReport, Watch};
use whyrank_mcp::ToolError;

use super::show;
use crate::args::BenchGateArgs;
use crate::{out, workspace};

/// `whyrank bench gate`.
pub(super) fn fit(bench: &Bench, args: &BenchGateArgs, json: bool) -> anyhow::Result<()> {
    if args.revert {
        return revert(json);
    }
    let request = RunRequest {
        suites: args.suite.clone(),
        ..super::request(&args.common)
    };
    let metric = args.metric.as_deref().map(metric).transpose()?;
    let report = show(|on_start| {
        let watch = Watch::default();
        on_start(&watch);
        bench.fit_gate(&request, metric, &watch)
    })?;
    if let Some(path) = &args.out {
        std::fs::write(path, report.to_toml())?;
        out::note(&format!("written to {}", path.display()));
    }
    match json {
        true => out::json(&report)?,
        false => print_fit(&report, args.out.as_deref())?,
    }
    if args.apply { apply(&report) } else { Ok(()) }
}

fn metric(name: &str) -> anyhow::Result<Metric> {
    let known = Metric::OF_RANKINGS;
    let found = known.iter().find(|metric| metric.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|metric| metric.name()).collect();
        ToolError::new(
            "bad-argument",
            format!("`{name}` is no metric of rankings"),
            format!("there are: {}", names.join(", ")),
        )
        .into()
    })
}

/// The thresholds decide again.
fn revert(json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    let mut settings = engine.settings()?;
    let was = settings.gate.learned.take();
    if was.is_some() {
        engine.set_settings(&settings)?;
    }
    match (json, was.is_some()) {
        (true, reverted) => out::json(&json!({"reverted": reverted})),
        (false, true) => out::line("the learned gate is out of the settings; thresholds decide"),
        (false, false) => out::line("no learned gate is set; thresholds decide"),
    }
}

/// A gate that does not beat the rules outside noise is not taken over.
fn apply(report: &GateReport) -> anyhow::Result<()> {
    if !report.fit.is_better {
        let message = format!(
            "not applied: learned over rules {}",
            told(&report.fit.over_rules)
        );
        return Err(ToolError::new(
            "no-gain",
            message,
            "the rules stay; `--out FILE` writes the coefficients to try them all the same",
        )
        .into());
    }
    let engine = workspace::open()?;
    let mut settings = engine.settings()?;
    settings.gate.learned = Some(report.gate);
    engine.set_settings(&settings)?;
    out::note(
        "the learned gate is in the settings now; `whyrank bench gate --revert` takes it out",
    );
    Ok(())
}

fn print_fit(report: &GateReport, written: Option<&Path>) -> anyhow::Result<()> {
    let fit = &report.fit;
    out::line(&format!(
        "{} tasks on {} repositories; late interaction improves {} and worsens {}",
        fit.n, fit.n_repositories, fit.n_gain, fit.n_loss
    ))?;
    for (reason, n) in &report.left_out {
        out::note(&format!("{n} left out: {reason}"));
    }
    print_policies(fit)?;
    out::line(&format!("\nlearned over rules {}", told(&fit.over_rules)))?;
    out::line(match fit.is_better {
        false if fit.n_gain == 0 => {
            "no task gains from late interaction, so there is nothing to learn; \
             the mode `never` is as good"
        }
        true => {
            "the learned gate beats the rules outside noise; `--apply` puts it into the settings"
        }
        false => "the learned gate does not beat the rules outside noise: the rules stay",
    })?;
    match written {
        Some(_) => Ok(()),
        None => out::line(&format!("\n{}", report.to_toml().trim_end())),
    }
}

fn print_policies(fit: &GateFit) -> anyhow::Result<()> {
    out::line(&format!(
        "\n  {:<10} {:>7} {:>18} {:>7} {:>9}",
        "gate", "mean", "95 %", "runs", "regret"
    ))?;
    for policy in &fit.policies {
        out::line(&format!(
            "  {:<10} {:>7.4} {:>18} {:>5.0} % {:>+9.4}",
            policy.name,
            policy.value.mean,
            format!("[{:.4}, {:.4}]", policy.value.low, policy.value.high),
            policy.runs * 100.0,
            policy.regret
        ))?;
    }
    out::line(&format!(
        "\n  {:<10} {:>7} {:>7}",
        "forecast", "AUC", "Brier"
    ))?;
    for forecast in &fit.forecasts {
        let auc = forecast
            .auc
            .map_or_else(|| "-".to_owned(), |auc| format!("{auc:.3}"));
        out::line(&format!(
            "  {:<10} {auc:>7} {:>7.4}",
            forecast.name, forecast.brier
        ))?;
    }
    Ok(())
}

/// The configurations side by side.
pub(super) fn print_ablation(table: &Ablation) -> anyhow::Result<()> {
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
