//! The configurations of two-stage retrieval, each with its letter: A bi-encoder only, B late
//! interaction only, C two stages, D C with words and rank fusion, E D with the listwise reranker.
//! Without the rules about code that the product adds, so that only the stages differ.

use super::{GridRow, set};
use whyrank_benchmark::Result;
use whyrank_engine::Engine;
use whyrank_engine::api::{Channel, GateMode, ModelPresence, RerankMode, Settings, Stage};

/// Configurations that run with the gate never, gated and always.
pub(super) const GATED: [&str; 4] = ["gate", "C", "D", "E"];

const MODES: [(&str, GateMode); 3] = [
    ("never", GateMode::Never),
    ("gated", GateMode::Gated),
    ("always", GateMode::Always),
];

pub(super) fn rows() -> Vec<GridRow> {
    let mut rows = vec![
        GridRow {
            name: "A bi-encoder".to_owned(),
            notes: "one stage: nearest vectors".to_owned(),
            change: Box::new(|settings| only(settings, &[Channel::Vector], GateMode::Never)),
        },
        GridRow {
            name: "B late-interaction".to_owned(),
            notes: "one stage: token vectors of all chunks".to_owned(),
            change: Box::new(|settings| {
                only(settings, &[Channel::LateInteraction], GateMode::Never);
            }),
        },
    ];
    for letter in ["C", "D", "E"] {
        rows.extend(MODES.map(|(name, mode)| GridRow {
            name: format!("{letter} {name}"),
            notes: about(letter).to_owned(),
            change: Box::new(move |settings| configure(settings, letter, mode)),
        }));
    }
    rows
}

fn about(letter: &str) -> &'static str {
    match letter {
        "C" => "nearest vectors, then late interaction over them",
        "D" => "C with BM25, by rank fusion",
        _ => "D with the listwise reranker",
    }
}

fn configure(settings: &mut Settings, letter: &str, mode: GateMode) {
    let rerank = settings.rerank.mode;
    match letter {
        "C" => only(settings, &[Channel::Vector], mode),
        _ => only(settings, &[Channel::Vector, Channel::Fts], mode),
    }
    if letter == "E" {
        settings.rerank.mode = rerank;
        settings.rerank.agents_wait_s = settings.rerank.time_limit_s;
    }
}

/// These channels at the weights that they have, or 1 where that is none; no rules about code.
fn only(settings: &mut Settings, channels: &[Channel], mode: GateMode) {
    for channel in channels {
        let known = settings
            .weights
            .iter()
            .find(|setting| setting.channel == *channel);
        let weight = known.map_or(0.0, |setting| setting.weight);
        set(
            settings,
            |c| c == *channel,
            if weight > 0.0 { weight } else { 1.0 },
        );
    }
    set(settings, |c| !channels.contains(&c), 0.0);
    settings.gate.mode = mode;
    settings.rerank.mode = RerankMode::Off;
    settings.off = vec![Stage::ShapeRules, Stage::Evidence, Stage::WithinFile];
}

/// What a configuration of two stages lacks here; `None` when it can run, and for other rows.
pub(super) fn lacks(name: &str, engine: &Engine, settings: &Settings) -> Result<Option<String>> {
    let letter = name.split(' ').next().unwrap_or_default();
    if !matches!(letter, "A" | "B" | "C" | "D" | "E") {
        return Ok(None);
    }
    if letter == "E" && settings.rerank.mode == RerankMode::Off {
        return Ok(Some(
            "no reranker is set up: choose one in the settings, or set `mode` in [rerank]"
                .to_owned(),
        ));
    }
    let token_model = settings.token_model.as_ref().unwrap_or(&settings.model);
    let mut needed = vec![&settings.model];
    if letter != "A" {
        needed.push(token_model);
    }
    let models = engine.models()?;
    let missing = models
        .iter()
        .find(|model| needed.contains(&&model.name) && model.state != ModelPresence::Present);
    Ok(missing.map(|model| {
        format!(
            "the model {} is {}: {}",
            model.name, model.state, model.state_note
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::EnginePaths;

    fn engine(folder: &std::path::Path) -> Engine {
        let paths = EnginePaths {
            data_dir: folder.join("data"),
            config_file: folder.join("config.toml"),
            state_dir: folder.join("state"),
            models_dir: folder.join("models"),
        };
        Engine::open(paths).expect("an empty home opens")
    }

    #[test]
    fn a_configuration_whose_model_is_missing_says_which() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = engine(folder.path());
        let mut settings = engine.settings().expect("defaults");
        let lacks =
            |name: &str, settings: &Settings| lacks(name, &engine, settings).expect("known");
        let reason = lacks("A bi-encoder", &settings).expect("no model is there");
        assert!(reason.contains(&settings.model), "{reason}");
        let reason = lacks("E always", &settings).expect("no reranker is set");
        assert!(reason.contains("[rerank]"), "{reason}");
        settings.rerank.mode = RerankMode::Http;
        assert!(
            lacks("E always", &settings)
                .expect("no encoder")
                .contains(&settings.model)
        );
        assert_eq!(lacks("gate never", &settings), None);
    }

    #[test]
    fn configurations_differ_in_their_stages_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = engine(folder.path());
        let on = |name: &str| {
            let rows = rows();
            let row = rows.iter().find(|row| row.name == name).expect("a row");
            let mut settings = engine.settings().expect("defaults");
            settings.rerank.mode = RerankMode::Http;
            (row.change)(&mut settings);
            let weights = settings
                .weights
                .iter()
                .filter(|setting| setting.weight > 0.0);
            let channels: Vec<Channel> = weights.map(|setting| setting.channel).collect();
            (channels, settings.gate.mode, settings.rerank.mode)
        };
        use Channel::{Fts, LateInteraction, Vector};
        let off = RerankMode::Off;
        assert_eq!(on("A bi-encoder"), (vec![Vector], GateMode::Never, off));
        assert_eq!(
            on("B late-interaction"),
            (vec![LateInteraction], GateMode::Never, off)
        );
        assert_eq!(on("C always"), (vec![Vector], GateMode::Always, off));
        assert_eq!(on("D gated").0, vec![Fts, Vector]);
        assert_eq!(on("E gated").2, RerankMode::Http);
    }
}
