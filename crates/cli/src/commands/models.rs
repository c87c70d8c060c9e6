//! `whyrank models`: the only command that goes online, and only for `pull`.

use whyrank_engine::api::{ModelPresence, ModelProgress, ModelSummary};
use whyrank_engine::{Engine, EngineError};
use whyrank_mcp::ToolError;

use crate::args::{ModelsAction, ModelsArgs};
use crate::interrupt::Interrupt;
use crate::out::{self, Paint, paint};
use crate::progress::Download;
use crate::workspace;

pub(crate) fn run(args: &ModelsArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    match args.action.as_ref().unwrap_or(&ModelsAction::List) {
        ModelsAction::List => list(&engine, json),
        ModelsAction::Pull { name } => {
            let name = name_of(&engine, name.as_deref())?;
            show(&pull(&engine, &name)?, json)
        }
        ModelsAction::Import { name, folder } => {
            find(&engine, name)?;
            let bring = |report: Report<'_>| engine.import_model(name, folder, report);
            show(&present(watched(&engine, name, bring)?)?, json)
        }
        ModelsAction::Verify { name } => {
            let name = name_of(&engine, name.as_deref())?;
            show(&present(engine.verify_model(&name)?)?, json)
        }
        ModelsAction::Path { name } => {
            let name = name_of(&engine, name.as_deref())?;
            let model = present(find(&engine, &name)?)?;
            if json {
                out::json(&model)
            } else {
                out::line(model.path.as_deref().unwrap_or_default())
            }
        }
    }
}

fn list(engine: &Engine, json: bool) -> anyhow::Result<()> {
    let models = engine.models()?;
    if json {
        return out::json(&models);
    }
    models.iter().try_for_each(line)
}

fn line(model: &ModelSummary) -> anyhow::Result<()> {
    let chosen = if model.chosen { "*" } else { " " };
    let roles = model.roles.join(" and ");
    let size = if model.import_only {
        format!("{roles}, import only, {}", model.licence)
    } else {
        format!(
            "{roles}, {:.0} MB, {}",
            model.size_bytes / 1e6,
            model.licence
        )
    };
    let name = paint(&model.name, Paint::Bold);
    out::line(&format!(
        "{chosen} {name} {}: {}",
        model.state, model.state_note
    ))?;
    out::line(&paint(
        &format!("  {} ({size})", model.description),
        Paint::Dim,
    ))
}

fn show(model: &ModelSummary, json: bool) -> anyhow::Result<()> {
    if json {
        out::json(model)
    } else {
        out::line(&format!(
            "{} is {} at {}",
            model.name,
            model.state,
            model.path.as_deref().unwrap_or_default()
        ))
    }
}

/// The model named, or the one that searches use.
fn name_of(engine: &Engine, name: Option<&str>) -> anyhow::Result<String> {
    match name {
        Some(name) => Ok(name.to_owned()),
        None => Ok(engine.settings()?.model),
    }
}

fn find(engine: &Engine, name: &str) -> anyhow::Result<ModelSummary> {
    let models = engine.models()?;
    let names: Vec<String> = models.iter().map(|model| model.name.clone()).collect();
    models
        .into_iter()
        .find(|model| model.name == name)
        .ok_or_else(|| {
            let hint = format!("the models are {}", names.join(", "));
            ToolError::new("unknown-model", format!("no model is named `{name}`"), hint).into()
        })
}

fn present(model: ModelSummary) -> Result<ModelSummary, ToolError> {
    if model.state == ModelPresence::Present {
        return Ok(model);
    }
    let message = format!("{} is {}: {}", model.name, model.state, model.state_note);
    let hint = if model.import_only {
        "`whyrank models` says where its files are".to_owned()
    } else {
        format!("run `whyrank models pull {}`", model.name)
    };
    Err(ToolError::new("model-missing", message, hint))
}

/// Fetches a model; Ctrl-C ends it, and what has arrived is kept.
fn pull(engine: &Engine, name: &str) -> anyhow::Result<ModelSummary> {
    watched(engine, name, |report| engine.pull_model(name, report))
}

type Report<'a> = &'a mut dyn FnMut(&ModelProgress);

/// Shows how far it is; Ctrl-C ends it.
fn watched(
    engine: &Engine,
    name: &str,
    bring: impl FnOnce(Report<'_>) -> Result<ModelSummary, EngineError>,
) -> anyhow::Result<ModelSummary> {
    let interrupt = Interrupt::listen();
    let mut download = Download::new();
    let mut is_cancelled = false;
    let brought = bring(&mut |progress| {
        download.show(progress);
        if interrupt.is_heard() && !is_cancelled {
            is_cancelled = engine.cancel_pull(name).is_ok();
        }
    });
    download.finish();
    Ok(brought?)
}
