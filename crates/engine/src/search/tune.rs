//! Settings for one question: channels and stages on or off, weights, the gate, the reranker.
//!
//! The words are those of the settings file: `-vector` and `-evidence` switch off, `graph` switches on,
//! `graph=2` weighs, `gate=always`, `rerank=off`. What a question changes ends with it.

use crate::api::{Channel, GateMode, RerankMode, Settings};
use crate::error::{EngineError, Result};
use crate::settings;
use whyrank_retrieval::{Stage, Tuning};

/// Weight of a channel that is off by default, once it is switched on.
const LEAST_ON: f64 = 0.15;
/// More are a mistake.
const MAX_WORDS: usize = 40;

/// The settings with what a question changes of them.
///
/// # Errors
/// `bad-argument` for a word that names nothing, and for a value that does not fit.
pub(super) fn tuned(settings: &Settings, words: &[String]) -> Result<Settings> {
    let mut settings = settings.clone();
    if words.is_empty() {
        return Ok(settings);
    }
    for word in words.iter().take(MAX_WORDS) {
        let word = word.trim();
        apply(&mut settings, word).ok_or_else(|| unknown(word))?;
    }
    settings::check(&settings)?;
    Ok(settings)
}

fn apply(settings: &mut Settings, word: &str) -> Option<()> {
    let (name, value) = match (word.split_once('='), word.strip_prefix(['-', '!'])) {
        (Some((name, value)), _) => (name.trim(), value.trim()),
        (None, Some(name)) => (name, "off"),
        (None, None) => (word, "on"),
    };
    let name = name.trim_start_matches('+').replace('_', "-");
    let channel = Channel::ALL.into_iter().find(|one| one.name() == name);
    let stage = Stage::ALL.into_iter().find(|one| one.name() == name);
    match (name.as_str(), channel, stage) {
        ("gate", ..) => settings.gate.mode = gate(value)?,
        ("rerank", ..) => settings.rerank.mode = rerank(value, settings.rerank.mode)?,
        ("rrf-k", ..) => settings.rrf_k = value.parse().ok()?,
        (_, Some(channel), _) => set_weight(settings, channel, value)?,
        (_, _, Some(stage)) => {
            let is_off = switch(value)?;
            settings.off.retain(|one| *one != stage);
            settings.off.extend((!is_off).then_some(stage));
        }
        _ => {
            let name = name.replace('-', "_");
            Tuning::default().values().get(&name)?;
            settings.evidence.insert(name, value.parse().ok()?);
        }
    }
    Some(())
}

/// `None` for what neither switches on nor off.
fn switch(value: &str) -> Option<bool> {
    match value {
        "on" | "true" | "yes" => Some(true),
        "off" | "false" | "no" => Some(false),
        _ => None,
    }
}

fn gate(value: &str) -> Option<GateMode> {
    match value {
        "always" => Some(GateMode::Always),
        "never" | "off" => Some(GateMode::Never),
        "gated" | "on" => Some(GateMode::Gated),
        _ => None,
    }
}

/// Nobody is asked whom the settings do not name: a question chooses none that costs or sends.
fn rerank(value: &str, set: RerankMode) -> Option<RerankMode> {
    match (switch(value)?, set) {
        (false, _) => Some(RerankMode::Off),
        (true, RerankMode::Off) => None,
        (true, set) => Some(set),
    }
}

fn set_weight(settings: &mut Settings, channel: Channel, value: &str) -> Option<()> {
    let usual = settings::defaults().weights;
    let usual = usual.iter().find(|one| one.channel == channel);
    let mut set = settings.weights.iter_mut();
    let set = set.find(|one| one.channel == channel)?;
    set.weight = match switch(value) {
        Some(false) => 0.0,
        Some(true) if set.weight > 0.0 => set.weight,
        Some(true) => usual.map_or(0.0, |one| one.weight).max(LEAST_ON),
        None => value.parse().ok()?,
    };
    Some(())
}

fn unknown(word: &str) -> EngineError {
    let channels = Channel::ALL.map(Channel::name).join(", ");
    let stages = Stage::ALL.map(Stage::name).join(", ");
    EngineError::bad_argument(
        format!("`{word}` is not a setting of a question"),
        format!(
            "-NAME, NAME or NAME=NUMBER of a channel ({channels}); -NAME or NAME of a stage \
             ({stages}); gate=always|gated|never; rerank=off; rrf-k=60; NAME=NUMBER of a \
             coefficient in docs/settings.md"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tune(words: &[&str]) -> Result<Settings> {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        tuned(&settings::defaults(), &words)
    }

    fn weight(settings: &Settings, channel: Channel) -> f64 {
        let mut weights = settings.weights.iter();
        weights.find(|one| one.channel == channel).unwrap().weight
    }

    #[test]
    fn words_switch_and_weigh_for_one_question() {
        let usual = settings::defaults();
        let tuned = tune(&[
            "-vector",
            "graph=2",
            "late-interaction",
            "-evidence",
            "gate=always",
            "rrf-k=20",
        ]);
        let tuned = tuned.unwrap();
        assert_eq!(weight(&tuned, Channel::Vector), 0.0);
        assert_eq!(weight(&tuned, Channel::Graph), 2.0);
        assert!(weight(&tuned, Channel::LateInteraction) > 0.0);
        assert_eq!(weight(&tuned, Channel::Fts), weight(&usual, Channel::Fts));
        assert_eq!(tuned.off, [Stage::Evidence]);
        assert_eq!((tuned.gate.mode, tuned.rrf_k), (GateMode::Always, 20.0));
        assert_eq!(tune(&["-evidence", "evidence"]).unwrap().off, []);
        let (name, _) = Tuning::default().values().into_iter().next().unwrap();
        assert_eq!(tune(&[&format!("{name}=3")]).unwrap().evidence[&name], 3.0);
    }

    #[test]
    fn what_tunes_nothing_is_an_error_that_says_what_does() {
        for word in [
            "-nothing",
            "vector=much",
            "gate=2",
            "evidence=2",
            "rerank",
            "vector=9",
        ] {
            let error = tune(&[word]).unwrap_err();
            assert_eq!(error.code, "bad-argument", "{word}");
        }
        assert!(
            tune(&["-nothing"])
                .unwrap_err()
                .hint
                .contains("doc-section")
        );
    }
}
