//! Channel weights fitted to tasks, with the honest figure beside them: what the fit gains on
//! repositories that it has not seen.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use serde::Serialize;
use whyrank_benchmark::api::RunRequest;
use whyrank_benchmark::eval::{
    Answer, Category, Paired, Question, Random, RepositoryInfo, ReturnedPlace, Task, headline,
    judge, paired_difference,
};
use whyrank_benchmark::subjects::{Subject, WhyrankSubject};
use whyrank_benchmark::{Bench, BenchError, Result, SuiteCheckouts, Watch};
use whyrank_engine::Engine;
use whyrank_engine::api::{Channel, RepoId, SearchRequest, WeightSetting};
use whyrank_mcp::ToolError;

use crate::args::FitArgs;
use crate::out;
use crate::progress::Follower;

const FOLDS: usize = 4;
const ROUNDS: usize = 2;
/// Factors that each weight is tried with.
const FACTORS: [f64; 4] = [0.5, 0.75, 1.4, 2.0];
const MAX_WEIGHT: f64 = 5.0;
/// A gain below this is noise that a fit would follow.
const MIN_GAIN: f64 = 5e-4;

/// Weights and where they come from.
#[derive(Clone, Debug, Serialize)]
struct Fit {
    /// Weight of each channel.
    weights: BTreeMap<Channel, f64>,
    /// How they were come by.
    provenance: Provenance,
}

/// Where weights come from.
#[derive(Clone, Debug, Serialize)]
struct Provenance {
    /// Suites.
    suites: Vec<String>,
    /// Repositories.
    repositories: Vec<String>,
    /// Tasks.
    tasks: usize,
    /// Seed of the folds.
    seed: u32,
    /// Whyrank's version.
    version: String,
    /// Mean of the headline metric on the tasks that it was fitted to: before, after.
    fitted: (f64, f64),
    /// The same on repositories left out of the fit, by cross-validation.
    held_out: (f64, f64),
    /// Difference on those with its 95% interval.
    held_out_gain: (f64, f64, f64),
}

impl Fit {
    /// Writes a settings file that `whyrank` reads, provenance in comments.
    fn to_toml(&self) -> String {
        let from = &self.provenance;
        let mut text = format!(
            "# Channel weights fitted by `whyrank-lab fit`, version {}, seed {}.\n# {} tasks of {} on {}.\n# Fitted: {:.4} -> {:.4}. Held out: {:.4} -> {:.4}, difference {:+.4} [{:+.4}, {:+.4}].\n\n[weights]\n",
            from.version,
            from.seed,
            from.tasks,
            from.suites.join(", "),
            from.repositories.join(", "),
            from.fitted.0,
            from.fitted.1,
            from.held_out.0,
            from.held_out.1,
            from.held_out_gain.0,
            from.held_out_gain.1,
            from.held_out_gain.2,
        );
        for (channel, weight) in &self.weights {
            text += &format!("{} = {weight:.3}\n", channel.name());
        }
        text
    }
}

type Weights = BTreeMap<Channel, f64>;

/// Tasks with the repository that each is asked of.
struct Dev {
    engine: Engine,
    tasks: Vec<(RepoId, Task)>,
}

/// Fits channel weights, prints or keeps them as a preset, and takes them over where that is asked.
pub(crate) fn run(bench: &Bench, args: &FitArgs, json: bool) -> anyhow::Result<ExitCode> {
    let (follower, watch) = Follower::of_new_watch();
    let fit = fit(bench, &args.run.request(), &watch)?;
    drop(follower);
    if let Some(path) = &args.out {
        std::fs::write(path, fit.to_toml())?;
        out::note(&format!("written to {}", path.display()));
    }
    if args.apply {
        apply(bench, &fit)?;
    }
    match (json, &args.out) {
        (true, _) => out::json(&fit)?,
        (false, None) => out::line(fit.to_toml().trim_end())?,
        (false, Some(_)) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Weights that do not clearly gain on held-out repositories are not taken over.
fn apply(bench: &Bench, fit: &Fit) -> anyhow::Result<()> {
    let (gain, low, _) = fit.provenance.held_out_gain;
    if low <= 0.0 {
        let message = format!(
            "not applied: {gain:+.4} on held-out repositories, and the interval includes zero"
        );
        return Err(
            ToolError::new("no-gain", message, "the weights in use stay as they are").into(),
        );
    }
    let mut settings = bench.engine().settings()?;
    for setting in &mut settings.weights {
        if let Some(weight) = fit.weights.get(&setting.channel) {
            setting.weight = *weight;
        }
    }
    bench.engine().set_settings(&settings)?;
    out::note("the weights are in the settings now");
    Ok(())
}

/// Fits weights to the text tasks of `request`, by coordinate ascent; cross-validated over repositories.
fn fit(bench: &Bench, request: &RunRequest, watch: &Watch) -> Result<Fit> {
    let engine = bench.engine_for("fit", request.no_vectors)?;
    let suites = bench.checkouts_of(request)?;
    let start: Weights = engine
        .settings()?
        .weights
        .iter()
        .map(|setting| (setting.channel, setting.weight))
        .collect();
    let dev = gather(engine, &suites, request, watch)?;
    let folds = folds(&dev.tasks, request.seed);
    let pairs = cross_validate(&dev, &folds, &start, watch)?;
    let all: Vec<usize> = (0..dev.tasks.len()).collect();
    watch.phase("fitting on everything");
    let weights = ascend(&dev, &all, &start, watch)?;
    let held_out = paired_difference(&pairs, u64::from(request.seed));
    let fitted = (
        mean(&dev.values(&all, &start)?),
        mean(&dev.values(&all, &weights)?),
    );
    let names = suites.suites.iter().map(|suite| suite.name.clone());
    Ok(Fit {
        provenance: provenance(&dev, names.collect(), request, fitted, &held_out),
        weights,
    })
}

fn provenance(
    dev: &Dev,
    suites: Vec<String>,
    request: &RunRequest,
    fitted: (f64, f64),
    held_out: &Paired,
) -> Provenance {
    let repositories: BTreeSet<&String> = dev.tasks.iter().map(|(_, task)| &task.repo).collect();
    let gain = held_out.difference;
    Provenance {
        suites,
        repositories: repositories.into_iter().cloned().collect(),
        tasks: dev.tasks.len(),
        seed: request.seed,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        fitted,
        held_out: (held_out.base, held_out.other),
        held_out_gain: (gain.mean, gain.low, gain.high),
    }
}

/// Indexes the repositories of all text tasks.
fn gather(
    engine: Engine,
    suites: &SuiteCheckouts,
    request: &RunRequest,
    watch: &Watch,
) -> Result<Dev> {
    let mut subject = WhyrankSubject::new("fit", "", engine.clone(), request.no_vectors);
    let mut tasks = Vec::new();
    let mut ready: BTreeMap<String, Option<RepoId>> = BTreeMap::new();
    for suite in &suites.suites {
        for task in suite.tasks.iter().filter(|task| is_search(task)) {
            let pin = suite.repositories.iter().find(|pin| pin.name == task.repo);
            let Some(pin) = pin else { continue };
            let repo = ready.entry(task.repo.clone()).or_insert_with(|| {
                let prepared =
                    suites
                        .checkouts
                        .obtain(&suite.name, pin, watch)
                        .and_then(|checkout| {
                            subject.prepare(
                                &checkout,
                                &[],
                                &mut RepositoryInfo::default(),
                                watch,
                            )?;
                            let root = checkout.root.to_string_lossy();
                            let repo = engine.find_repo(&root).map_err(|error| error.message)?;
                            Ok(repo.id)
                        });
                prepared.map_err(|error| watch.note(error)).ok()
            });
            if let Some(repo) = repo {
                tasks.push((repo.clone(), task.clone()));
            }
            stop_if_cancelled(watch)?;
        }
    }
    let n_repositories = ready.values().flatten().count();
    if n_repositories < FOLDS || tasks.len() < 5 * FOLDS {
        return Err(BenchError::Request {
            message: format!(
                "{} text tasks on {n_repositories} repositories are too few to fit to",
                tasks.len()
            ),
            hint: format!("name suites with search tasks on at least {FOLDS} repositories"),
        });
    }
    Ok(Dev { engine, tasks })
}

fn is_search(task: &Task) -> bool {
    use Category::{Needle, NlDoc, Ranking, Search};
    matches!(task.category, Search | NlDoc | Needle | Ranking)
}

/// Parts the tasks by repository, so that no fold knows another's code.
fn folds(tasks: &[(RepoId, Task)], seed: u32) -> Vec<Vec<usize>> {
    let mut repos: Vec<&String> = tasks
        .iter()
        .map(|(_, task)| &task.repo)
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    Random(u64::from(seed)).shuffle(&mut repos);
    let fold_of: BTreeMap<&String, usize> = repos
        .iter()
        .enumerate()
        .map(|(index, repo)| (*repo, index % FOLDS))
        .collect();
    let mut folds = vec![Vec::new(); FOLDS];
    for (index, (_, task)) in tasks.iter().enumerate() {
        folds[fold_of[&task.repo]].push(index);
    }
    folds
}

/// For each task its value with the starting weights and with those fitted without its fold.
fn cross_validate(
    dev: &Dev,
    folds: &[Vec<usize>],
    start: &Weights,
    watch: &Watch,
) -> Result<Vec<(f64, f64)>> {
    let mut pairs = Vec::new();
    for (number, held_out) in folds.iter().enumerate() {
        watch.phase(format!("fold {} of {FOLDS}", number + 1));
        let rest: Vec<usize> = folds
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != number)
            .flat_map(|(_, fold)| fold.clone())
            .collect();
        let weights = ascend(dev, &rest, start, watch)?;
        let before = dev.values(held_out, start)?;
        let after = dev.values(held_out, &weights)?;
        pairs.extend(before.into_iter().zip(after));
    }
    Ok(pairs)
}

/// One weight after the other takes the best of a few factors, for a few rounds.
fn ascend(dev: &Dev, tasks: &[usize], start: &Weights, watch: &Watch) -> Result<Weights> {
    let mut best = start.clone();
    let mut score = mean(&dev.values(tasks, &best)?);
    for _ in 0..ROUNDS {
        for channel in Channel::ALL {
            for factor in FACTORS {
                stop_if_cancelled(watch)?;
                let mut tried = best.clone();
                let weight = tried.entry(channel).or_insert(0.0);
                *weight = (*weight * factor).min(MAX_WEIGHT);
                let value = mean(&dev.values(tasks, &tried)?);
                if value > score + MIN_GAIN {
                    (best, score) = (tried, value);
                }
            }
        }
    }
    Ok(best)
}

impl Dev {
    /// The headline metric of each task.
    fn values(&self, tasks: &[usize], weights: &Weights) -> Result<Vec<f64>> {
        let weights: Vec<WeightSetting> = weights
            .iter()
            .map(|(channel, weight)| WeightSetting {
                channel: *channel,
                weight: *weight,
            })
            .collect();
        tasks
            .iter()
            .map(|index| self.value(&self.tasks[*index], &weights))
            .collect()
    }

    fn value(&self, (repo, task): &(RepoId, Task), weights: &[WeightSetting]) -> Result<f64> {
        let Question::Text { text, .. } = &task.question else {
            return Ok(0.0);
        };
        let response = self.engine.search(&SearchRequest {
            repo: repo.to_owned(),
            query: text.clone(),
            limit: 10,
            weights: Some(weights.to_vec()),
            distinct_files: true,
            ..SearchRequest::default()
        })?;
        let found = response.hits.into_iter().map(|hit| ReturnedPlace {
            file: hit.path,
            line: hit.start_line,
            end_line: hit.end_line,
            symbol: hit.symbol,
            ..ReturnedPlace::default()
        });
        let answer = Answer {
            found: found.collect(),
            ..Answer::default()
        };
        let scores = judge(task, &answer).scores;
        Ok(scores.get(&headline(task.category)).copied().unwrap_or(0.0))
    }
}

fn stop_if_cancelled(watch: &Watch) -> Result<()> {
    if watch.is_cancelled() {
        Err(BenchError::Cancelled)
    } else {
        Ok(())
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_benchmark::eval::Expected;

    fn task(repo: &str) -> (RepoId, Task) {
        let question = Question::Text {
            text: "x".to_owned(),
            scope: None,
            kinds: Vec::new(),
            top_k: 10,
            as_of: None,
        };
        let task = Task {
            id: String::new(),
            repo: repo.to_owned(),
            language: String::new(),
            category: Category::Search,
            stratum: String::new(),
            question,
            expected: Expected::Dead { dead: false },
        };
        (repo.into(), task)
    }

    #[test]
    fn a_repository_lies_in_one_fold_and_every_task_in_some() {
        let tasks: Vec<_> = (0..60)
            .map(|index| task(&format!("r{}", index % 7)))
            .collect();
        let folds = folds(&tasks, 3);
        assert_eq!(folds.iter().map(Vec::len).sum::<usize>(), 60);
        for (number, fold) in folds.iter().enumerate() {
            let repos: BTreeSet<_> = fold.iter().map(|index| &tasks[*index].0).collect();
            for other in folds.iter().skip(number + 1) {
                assert!(other.iter().all(|index| !repos.contains(&tasks[*index].0)));
            }
        }
    }
}
