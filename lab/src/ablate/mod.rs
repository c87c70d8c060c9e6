//! What each channel and stage is worth: the same tasks with one thing switched off, or one weight moved,
//! at a time.

mod gate_worth;
mod print;
#[cfg(test)]
mod sample;
mod sensitivity;
mod table;
mod two_stage;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use whyrank_benchmark::api::RunRequest;
use whyrank_benchmark::eval::{RunState, Summary};
use whyrank_benchmark::{Bench, BenchError, Extra, Result, Variant};
use whyrank_engine::api::{Channel, GateMode, Settings, Stage, WeightSetting};
use whyrank_system::files;

use self::gate_worth::{GATE_ROWS, gate_worth};
use self::sensitivity::sensitivity;
use self::table::{Ablation, NotRun, ablation};
use crate::args::{AblateArgs, SensitivityArgs};
use crate::out;
use crate::progress::Follower;

/// A row of the grid: what to call it, what it shows, and what it changes.
struct GridRow {
    name: String,
    notes: String,
    change: Box<dyn Fn(&mut Settings)>,
}

impl GridRow {
    /// Whether `text` names it: its name, or the letter that it begins with.
    fn is_meant(&self, text: &str) -> bool {
        self.name == text || (text.len() == 1 && self.name.split(' ').next() == Some(text))
    }
}

/// For intervals over resampled tasks.
const RESAMPLING_SEED: u64 = 1;
/// How far a weight is moved, as two-stage retrieval's authors moved theirs.
const MOVE: f64 = 0.2;

/// The grid: all, each channel left out, each channel alone, each stage left out.
fn grid() -> Vec<GridRow> {
    let row = |name: String, notes: &str, change: Box<dyn Fn(&mut Settings)>| GridRow {
        name,
        notes: notes.to_owned(),
        change,
    };
    let mut rows = vec![row("whyrank".to_owned(), "everything on", Box::new(|_| {}))];
    for channel in Channel::ALL {
        let (name, weight, notes) = match channel {
            // As a channel it is off unless asked for.
            Channel::LateInteraction => {
                (format!("with {}", channel.name()), 1.2, "one channel more")
            }
            _ => (
                format!("without {}", channel.name()),
                0.0,
                "one channel less",
            ),
        };
        let change =
            Box::new(move |settings: &mut Settings| set(settings, |c| c == channel, weight));
        rows.push(row(name, notes, change));
    }
    let modes = [GateMode::Never, GateMode::Gated, GateMode::Always];
    for (name, mode) in GATE_ROWS.into_iter().zip(modes) {
        let change = Box::new(move |settings: &mut Settings| settings.gate.mode = mode);
        rows.push(row(name.to_owned(), "when late interaction runs", change));
    }
    for stage in Stage::ALL {
        let without = Box::new(move |settings: &mut Settings| settings.off.push(stage));
        let name = format!("without {}", stage.name());
        rows.push(row(name, "one stage less", without));
    }
    for channel in [Channel::Fts, Channel::Vector] {
        let alone = Box::new(move |settings: &mut Settings| {
            set(settings, |c| c != channel, 0.0);
            settings.off = Stage::ALL.to_vec();
            settings.gate.mode = GateMode::Never;
        });
        let name = format!("{} alone", channel.name());
        rows.push(row(name, "one channel, no other stage", alone));
    }
    rows.extend(two_stage::rows());
    rows
}

/// The weights as they are, then each channel's that is on, down and up by [`MOVE`].
fn moved_weights(settings: &Settings) -> Vec<GridRow> {
    let usual = GridRow {
        name: "whyrank".to_owned(),
        notes: "the weights as they are".to_owned(),
        change: Box::new(|_| {}),
    };
    let is_on = |setting: &&WeightSetting| setting.weight > 0.0;
    let moved = settings.weights.iter().filter(is_on).flat_map(|setting| {
        [-MOVE, MOVE].map(|by| {
            let (channel, from) = (setting.channel, setting.weight);
            let to = ((from + by).clamp(0.0, 5.0) * 100.0).round() / 100.0;
            GridRow {
                name: format!("{} {from} -> {to}", channel.name()),
                notes: "one weight moved".to_owned(),
                change: Box::new(move |settings| set(settings, |c| c == channel, to)),
            }
        })
    });
    std::iter::once(usual).chain(moved).collect()
}

/// The request with a title of its own, or this one.
fn titled(request: RunRequest, title: &str) -> RunRequest {
    RunRequest {
        title: match request.title.as_str() {
            "" => title.to_owned(),
            own => own.to_owned(),
        },
        ..request
    }
}

fn set(settings: &mut Settings, is_meant: impl Fn(Channel) -> bool, weight: f64) {
    for setting in settings
        .weights
        .iter_mut()
        .filter(|setting| is_meant(setting.channel))
    {
        setting.weight = weight;
    }
}

/// Runs the tasks with every row of the grid, or with those that are named; the whole stays in: the
/// others are compared with it.
pub(crate) fn run(bench: &Bench, args: &AblateArgs, json: bool) -> anyhow::Result<ExitCode> {
    let grid = grid();
    refuse_unknown(&grid, &args.row)?;
    let wanted = grid.into_iter().enumerate().filter(|(index, row)| {
        *index == 0 || args.row.is_empty() || args.row.iter().any(|text| row.is_meant(text))
    });
    let wanted: Vec<GridRow> = wanted.map(|(_, row)| row).collect();
    let request = titled(args.run.request(), "ablation");
    let done = run_rows(bench, &request, wanted)?;
    let results = bench.results_of(&done.summary.run.id)?;
    let table = ablation(&results, &done.names, &two_stage::GATED, RESAMPLING_SEED);
    let table = Ablation {
        not_run: done.not_run.clone(),
        ..table
    };
    let code = done.tell("ablation", &table, json)?;
    if !json && code == ExitCode::SUCCESS {
        print::gates(&gate_worth(&results, RESAMPLING_SEED))?;
        print::ablation(&table)?;
    }
    Ok(code)
}

/// Runs the tasks with each weight of a channel moved down and up, and holds each against the weights
/// as they are.
pub(crate) fn run_sensitivity(
    bench: &Bench,
    args: &SensitivityArgs,
    json: bool,
) -> anyhow::Result<ExitCode> {
    let request = titled(args.run.request(), "sensitivity");
    let usual = bench.engine_for("ablation-0", request.no_vectors)?;
    let done = run_rows(bench, &request, moved_weights(&usual.settings()?))?;
    let results = bench.results_of(&done.summary.run.id)?;
    let rows = sensitivity(&results, &done.names, RESAMPLING_SEED);
    let code = done.tell("sensitivity", &rows, json)?;
    if !json && code == ExitCode::SUCCESS {
        print::sensitivity(&rows)?;
    }
    Ok(code)
}

/// A run of several rows.
struct RowsRun {
    path: PathBuf,
    summary: Summary,
    /// Names of the rows that ran.
    names: Vec<String>,
    not_run: Vec<NotRun>,
}

impl RowsRun {
    /// Keeps the table beside the run, and prints the run, with the table where that is JSON.
    fn tell(&self, name: &str, table: &impl Serialize, json: bool) -> anyhow::Result<ExitCode> {
        let text = serde_json::to_string_pretty(table)?;
        let file = self.path.join(name).with_extension("json");
        files::replace(&file, text.as_bytes())?;
        if json && self.summary.run.state == RunState::Complete {
            let mut summary = serde_json::to_value(&self.summary)?;
            summary[name] = serde_json::to_value(table)?;
            out::json(&summary)?;
            return Ok(ExitCode::SUCCESS);
        }
        out::summary(&self.path, &self.summary, json)
    }
}

/// Runs the same tasks with each row's settings.
fn run_rows(bench: &Bench, request: &RunRequest, rows: Vec<GridRow>) -> Result<RowsRun> {
    let (mut variants, mut not_run) = (Vec::new(), Vec::new());
    for (index, row) in rows.into_iter().enumerate() {
        let engine = bench.engine_for(&format!("ablation-{index}"), request.no_vectors)?;
        let mut settings = engine.settings()?;
        if let Some(reason) = two_stage::lacks(&row.name, &engine, &settings)? {
            not_run.push(NotRun {
                name: row.name,
                reason,
            });
            continue;
        }
        (row.change)(&mut settings);
        engine.set_settings(&settings)?;
        variants.push(Variant {
            name: row.name,
            notes: row.notes,
            engine,
        });
    }
    let names = variants.iter().map(|variant| variant.name.clone());
    let names: Vec<String> = names.collect();
    let extra = Extra {
        variants: Some(variants),
        ..Extra::default()
    };
    let mut follower = Follower::default();
    let (path, summary) = bench.run(request, extra, |watch| follower.start(watch))?;
    Ok(RowsRun {
        path,
        summary,
        names,
        not_run,
    })
}

fn refuse_unknown(grid: &[GridRow], rows: &[String]) -> Result<()> {
    let unknown = rows
        .iter()
        .find(|text| !grid.iter().any(|row| row.is_meant(text)));
    let Some(unknown) = unknown else {
        return Ok(());
    };
    let names: Vec<&str> = grid.iter().map(|row| row.name.as_str()).collect();
    Err(BenchError::Request {
        message: format!("`{unknown}` is not a row of the grid"),
        hint: format!("there are: {}", names.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_channel_and_stage_has_a_row() {
        let names: BTreeSet<String> = grid().into_iter().map(|row| row.name).collect();
        for channel in Channel::ALL {
            let has = |word: &str| names.contains(&format!("{word} {}", channel.name()));
            assert!(has("without") || has("with"));
        }
        for stage in Stage::ALL {
            assert!(names.contains(&format!("without {}", stage.name())));
        }
    }

    #[test]
    fn a_letter_means_all_rows_of_its_configuration() {
        let grid = grid();
        let meant = |text: &str| {
            let rows = grid.iter().filter(|row| row.is_meant(text));
            rows.map(|row| row.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(meant("A"), ["A bi-encoder"]);
        assert_eq!(meant("D"), ["D never", "D gated", "D always"]);
        assert_eq!(meant("gate never"), ["gate never"]);
        assert!(refuse_unknown(&grid, &["F".to_owned()]).is_err());
    }
}
