//! A gate fitted to tasks: each is asked with late interaction always and never, and what the gate
//! looked at is set against what the stage brought.

use crate::api::RunRequest;
use crate::bench::{Bench, Extra};
use crate::error::{BenchError, Result};
use crate::fit::{Dev, gather, stop_if_cancelled};
use crate::watch::Watch;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use whyrank_engine::Engine;
use whyrank_engine::api::{
    GATE_INPUTS, GateFeatures, GateMode, GateSettings, LearnedGate, Trace, gate_inputs,
};
use whyrank_eval::{GateExample, GateFit, Metric, Task, fit_gate};

/// The gate had all the time it wanted: how busy the machine was is no property of a query.
const UNHURRIED_MS: f64 = 1e9;

/// A fitted gate and where it comes from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GateReport {
    /// Suites.
    pub suites: Vec<String>,
    /// Metric that gains are measured in; `None` for the headline of each task's kind.
    pub metric: Option<Metric>,
    /// Whyrank's version.
    pub version: String,
    /// Tasks left out because the stage did not run to its end, with the reason.
    pub left_out: BTreeMap<String, u32>,
    /// Figures.
    pub fit: GateFit,
    /// Coefficients as the settings take them.
    pub gate: LearnedGate,
    /// What was fitted to.
    pub examples: Vec<GateExample>,
}

impl GateReport {
    /// As the part of a settings file that `whyrank` reads, provenance in comments.
    pub fn to_toml(&self) -> String {
        let Self { fit, gate, .. } = self;
        let over = &fit.over_rules;
        let mut text = format!(
            "# Gate fitted by `whyrank bench gate`, version {}: {} tasks of {}, {} repositories.\n# On repositories left out: rules {:.4}, learned {:.4}, difference {:+.4} [{:+.4}, {:+.4}].\n# Without this table the thresholds decide.\n\n[gate.learned]\nthreshold = {:.6}\nintercept = {:.6}\n",
            self.version,
            fit.n,
            self.suites.join(", "),
            fit.n_repositories,
            over.base,
            over.other,
            over.difference.mean,
            over.difference.low,
            over.difference.high,
            gate.threshold,
            gate.intercept,
        );
        for (name, value) in GATE_INPUTS.iter().zip(gate.coefficients()) {
            text += &format!("{name} = {value:.6}\n");
        }
        text
    }
}

impl Bench {
    /// Fits a gate to the text tasks of `request`, by leaving one repository out at a time.
    ///
    /// # Errors
    /// `Request` when there are too few text tasks or repositories, or late interaction cannot run;
    /// `Cancelled`.
    pub fn fit_gate(
        &self,
        request: &RunRequest,
        metric: Option<Metric>,
        watch: &Watch,
    ) -> Result<GateReport> {
        let engine = self.engine_for("gate", request.no_vectors)?;
        let nobody = Extra {
            variants: Some(Vec::new()),
            ..Extra::default()
        };
        let plan = self.plan(request, nobody)?;
        let suites = plan.suites.iter().map(|(suite, _)| suite.name.clone());
        let suites = suites.collect();
        let dev = gather(engine, &plan, request, watch)?;
        let mut left_out = BTreeMap::new();
        let examples = ask(&dev, metric, &mut left_out, watch)?;
        if examples.is_empty() {
            return Err(nothing_ran(&left_out));
        }
        watch.phase("fitting");
        let fit = fit_gate(&examples, u64::from(request.seed));
        let mut coefficients = [0.0; GATE_INPUTS.len()];
        for (slot, value) in coefficients.iter_mut().zip(&fit.coefficients) {
            *slot = *value;
        }
        Ok(GateReport {
            suites,
            metric,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            left_out,
            gate: LearnedGate::new(fit.threshold, fit.intercept, coefficients),
            fit,
            examples,
        })
    }
}

fn nothing_ran(left_out: &BTreeMap<String, u32>) -> BenchError {
    let most = left_out.iter().max_by_key(|(_, n)| **n);
    let reason = most.map_or("no task", |(reason, _)| reason.as_str());
    BenchError::request(
        format!("late interaction ran for no task: {reason}"),
        "`whyrank models pull minilm-l6` brings the model; without `--no-vectors` token vectors are made",
    )
}

/// Asks every task both ways. Both passes use one engine, so that they search the same index.
fn ask(
    dev: &Dev,
    metric: Option<Metric>,
    left_out: &mut BTreeMap<String, u32>,
    watch: &Watch,
) -> Result<Vec<GateExample>> {
    let engine = &dev.engine;
    let usual = engine.settings()?.gate;
    set_mode(engine, GateMode::Always)?;
    let always = pass(dev, metric, "with late interaction", watch)?;
    set_mode(engine, GateMode::Never)?;
    let never = pass(dev, metric, "without late interaction", watch)?;
    let rules = GateSettings {
        mode: GateMode::Gated,
        learned: None,
        ..usual
    };
    let mut examples = Vec::new();
    for ((_, task), (with, without)) in dev.tasks.iter().zip(always.into_iter().zip(never)) {
        let (Some(with), Some(without)) = (with, without) else {
            continue;
        };
        match looked_at(&with.trace) {
            Ok(features) => examples.push(GateExample {
                repo: task.repo.clone(),
                task: task.id.clone(),
                inputs: gate_inputs(&features).to_vec(),
                rules_run: engine.gate_what_if(&rules, &features, None).runs,
                never: without.value,
                always: with.value,
            }),
            Err(reason) => *left_out.entry(reason).or_default() += 1,
        }
    }
    Ok(examples)
}

fn set_mode(engine: &Engine, mode: GateMode) -> Result<()> {
    let mut settings = engine.settings()?;
    settings.gate.mode = mode;
    settings.gate.learned = None;
    engine.set_settings(&settings)?;
    Ok(())
}

/// An answer's value and how it came about.
struct Asked {
    value: f64,
    trace: Trace,
}

/// `None` for tasks that do not have the metric.
fn pass(
    dev: &Dev,
    metric: Option<Metric>,
    phase: &str,
    watch: &Watch,
) -> Result<Vec<Option<Asked>>> {
    watch.phase(format!("asking {} tasks {phase}", dev.tasks.len()));
    let one = |(repo, task): &(String, Task)| {
        stop_if_cancelled(watch)?;
        let Some((scores, query_id)) = dev.scores(repo, task, None)? else {
            return Ok(None);
        };
        let metric = metric.unwrap_or_else(|| whyrank_eval::headline(task.category));
        let Some(value) = scores.get(&metric).copied() else {
            return Ok(None);
        };
        let trace = dev.engine.explain(&query_id)?;
        Ok(Some(Asked { value, trace }))
    };
    dev.tasks.iter().map(one).collect()
}

/// What the gate saw, or why the stage did not run to its end.
fn looked_at(trace: &Trace) -> std::result::Result<GateFeatures, String> {
    let gate = trace.gate.as_ref().ok_or("no gate was recorded")?;
    let refine = trace.refine.as_ref();
    let refine = refine.ok_or_else(|| gate.verdict.sentence.clone())?;
    if refine.cut.is_some() || refine.n_done == 0 {
        return Err("out of time".to_owned());
    }
    Ok(GateFeatures {
        time_left_ms: UNHURRIED_MS,
        expected_ms: None,
        ..gate.features
    })
}
