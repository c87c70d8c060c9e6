//! The user's settings: one TOML file, unknown keys kept out with a message.

use crate::Engine;
use crate::api::{
    Channel, GateMode, GateSettings, GateThresholds, RerankSettings, Settings, Stage, TokenVectors,
    WeightSetting,
};
use crate::error::{EngineError, Result};
use crate::paths::MAX_FILE_BYTES;
use crate::registry::replace_file;
use crate::search::rerank::RerankFile;
use serde::de::IntoDeserializer;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use whyrank_retrieval::{ChannelWeights, Tuning};
use whyrank_system::regular;

/// Three to four hours of two cores; larger repositories get vectors for what is central.
const MAX_VECTORS: u32 = 300_000;

/// The file's form: weights by channel name, so that a person can edit it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct SettingsFile {
    rrf_k: Option<f64>,
    model: Option<String>,
    token_model: Option<String>,
    /// A channel of an older version: read and left out.
    #[serde(skip_serializing)]
    sparse_model: serde::de::IgnoredAny,
    cross_encoder: Option<String>,
    model_hub: Option<String>,
    token_vectors: Option<TokenVectors>,
    index_threads: Option<u32>,
    max_vectors: Option<u32>,
    #[serde(skip_serializing_if = "MemoryFile::is_empty")]
    memory: MemoryFile,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    off: Vec<Stage>,
    #[serde(deserialize_with = "weights_of_channels")]
    weights: BTreeMap<Channel, f64>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    evidence: BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "GateFile::is_empty")]
    gate: GateFile,
    #[serde(skip_serializing_if = "RerankFile::is_empty")]
    rerank: RerankFile,
}

/// Reads weights by channel, and leaves out those of channels that older versions had.
fn weights_of_channels<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<BTreeMap<Channel, f64>, D::Error> {
    let by_name = BTreeMap::<String, f64>::deserialize(deserializer)?;
    let of_today = by_name
        .into_iter()
        .filter(|(name, _)| !Channel::REMOVED.contains(&name.as_str()));
    of_today
        .map(|(name, weight)| Ok((Channel::deserialize(name.into_deserializer())?, weight)))
        .collect()
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct MemoryFile {
    max_mb: Option<u32>,
}

impl MemoryFile {
    fn is_empty(&self) -> bool {
        self.max_mb.is_none()
    }
}

/// Only what differs from the defaults is written, so that better defaults reach everybody.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct GateFile {
    mode: Option<GateMode>,
    max_entropy: Option<f64>,
    min_margin: Option<f64>,
    min_peak: Option<f64>,
    min_agreement: Option<f64>,
    /// A fitted gate of an older version: read and left out.
    #[serde(skip_serializing)]
    learned: serde::de::IgnoredAny,
}

impl GateFile {
    fn of(settings: &GateSettings) -> Self {
        let standard = GateSettings::default();
        let (set, usual) = (&settings.thresholds, &standard.thresholds);
        let changed = |value: f64, usual: f64| (value != usual).then_some(value);
        Self {
            mode: (settings.mode != standard.mode).then_some(settings.mode),
            max_entropy: changed(set.max_entropy, usual.max_entropy),
            min_margin: changed(set.min_margin, usual.min_margin),
            min_peak: changed(set.min_peak, usual.min_peak),
            min_agreement: changed(set.min_agreement, usual.min_agreement),
            learned: serde::de::IgnoredAny,
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn apply(&self, settings: &mut GateSettings) {
        settings.mode = self.mode.unwrap_or(settings.mode);
        let set = &mut settings.thresholds;
        set.max_entropy = self.max_entropy.unwrap_or(set.max_entropy);
        set.min_margin = self.min_margin.unwrap_or(set.min_margin);
        set.min_peak = self.min_peak.unwrap_or(set.min_peak);
        set.min_agreement = self.min_agreement.unwrap_or(set.min_agreement);
    }
}

fn check_gate(gate: &GateSettings) -> Result<()> {
    let thresholds: &GateThresholds = &gate.thresholds;
    let bounds = [
        ("max-entropy", thresholds.max_entropy, 1.0),
        ("min-margin", thresholds.min_margin, 100.0),
        ("min-peak", thresholds.min_peak, 100.0),
        ("min-agreement", thresholds.min_agreement, 1.0),
    ];
    for (name, value, most) in bounds {
        if !(0.0..=most).contains(&value) {
            return Err(EngineError::bad_argument(
                format!("the gate's {name} is {value}"),
                format!("it must be between 0 and {most}"),
            ));
        }
    }
    Ok(())
}

pub(crate) fn defaults() -> Settings {
    let weights = ChannelWeights::default();
    Settings {
        weights: Channel::ALL
            .into_iter()
            .map(|channel| WeightSetting {
                channel,
                weight: weights.get(channel),
            })
            .collect(),
        rrf_k: 60.0,
        model: whyrank_inference::ModelLock::builtin()
            .default_entry()
            .name
            .clone(),
        token_model: None,
        cross_encoder: None,
        model_hub: None,
        token_vectors: TokenVectors::default(),
        index_threads: 0,
        max_vectors: MAX_VECTORS,
        max_memory_mb: 0,
        evidence: BTreeMap::new(),
        gate: GateSettings::default(),
        off: Vec::new(),
        rerank: RerankSettings::default(),
    }
}

/// Models that older versions had: a file that still names one has what it would have without.
const REMOVED_MODELS: [&str; 1] = ["xtr-base-en"];

pub(crate) fn load(path: &Path) -> Result<Settings> {
    let text = match regular::read_text(path, MAX_FILE_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(defaults()),
        Err(error) => return Err(EngineError::io(path, &error)),
    };
    let file: SettingsFile = toml::from_str(&text).map_err(|error| {
        EngineError::new(
            "settings",
            format!(
                "the settings file {} cannot be read: {}",
                path.display(),
                error.message()
            ),
            "fix that line, or delete the file to go back to the defaults",
        )
    })?;
    let mut settings = defaults();
    for setting in &mut settings.weights {
        if let Some(weight) = file.weights.get(&setting.channel) {
            setting.weight = *weight;
        }
    }
    settings.rrf_k = file.rrf_k.unwrap_or(settings.rrf_k);
    settings.model = file.model.unwrap_or(settings.model);
    let is_of_today = |name: &String| !name.is_empty() && !REMOVED_MODELS.contains(&&**name);
    settings.token_model = file.token_model.filter(is_of_today);
    settings.cross_encoder = file.cross_encoder.filter(|path| !path.is_empty());
    settings.model_hub = file.model_hub.filter(|url| !url.is_empty());
    settings.token_vectors = file.token_vectors.unwrap_or(settings.token_vectors);
    settings.index_threads = file.index_threads.unwrap_or(settings.index_threads);
    settings.max_vectors = file.max_vectors.unwrap_or(settings.max_vectors);
    settings.max_memory_mb = file.memory.max_mb.unwrap_or(settings.max_memory_mb);
    settings.evidence = file.evidence;
    // Of an older version: read and left out.
    settings.evidence.remove("graph_blend");
    settings.off = file.off;
    file.gate.apply(&mut settings.gate);
    file.rerank.apply(&mut settings.rerank);
    check(&settings)?;
    Ok(settings)
}

pub(crate) fn check(settings: &Settings) -> Result<()> {
    for setting in &settings.weights {
        if !(0.0..=5.0).contains(&setting.weight) {
            return Err(EngineError::bad_argument(
                format!(
                    "the weight of {} is {}",
                    setting.channel.name(),
                    setting.weight
                ),
                "weights must be between 0 and 5",
            ));
        }
    }
    if !(1.0..=1000.0).contains(&settings.rrf_k) {
        return Err(EngineError::bad_argument(
            format!("the fusion constant is {}", settings.rrf_k),
            "it must be between 1 and 1000; 60 is usual",
        ));
    }
    check_gate(&settings.gate)?;
    crate::search::rerank::check(&settings.rerank)?;
    Tuning::changed(&settings.evidence).map_err(|error| {
        EngineError::bad_argument(error, "docs/settings.md lists the coefficients")
    })?;
    check_hub(settings.model_hub.as_deref())?;
    check_models(settings)
}

fn check_hub(url: Option<&str>) -> Result<()> {
    let is_web = |url: &str| url.starts_with("https://") || url.starts_with("http://");
    match url.filter(|url| !is_web(url)) {
        None => Ok(()),
        Some(url) => Err(EngineError::bad_argument(
            format!("`model-hub` is {url}, which is no address of the web"),
            "write it with https:// or http:// before it",
        )),
    }
}

/// Each model is one, and does what it is chosen for.
fn check_models(settings: &Settings) -> Result<()> {
    let lock = whyrank_inference::ModelLock::builtin();
    let chosen = [
        ("model", Some(&settings.model), "bi-encoder"),
        (
            "token-model",
            settings.token_model.as_ref(),
            "token encoder",
        ),
    ];
    for (key, name, role) in chosen {
        let Some(name) = name else { continue };
        if !lock.get(name)?.roles().contains(&role) {
            let able = lock.entries().filter(|entry| entry.roles().contains(&role));
            let able: Vec<&str> = able.map(|entry| entry.name.as_str()).collect();
            return Err(EngineError::bad_argument(
                format!("`{key}` is {name}, which is not a {role}"),
                format!("choose one of {}", able.join(", ")),
            ));
        }
    }
    Ok(())
}

/// Weights as retrieval takes them.
pub(crate) fn channel_weights(settings: &[WeightSetting]) -> ChannelWeights {
    ChannelWeights(
        settings
            .iter()
            .map(|setting| (setting.channel, setting.weight))
            .collect(),
    )
}

/// Coefficients that differ from the defaults: what is set to its default follows later ones.
fn other_than_standard(evidence: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let standard = Tuning::default().values();
    let differs = |(name, value): &(&String, &f64)| standard.get(*name) != Some(*value);
    let changed = evidence.iter().filter(differs);
    changed
        .map(|(name, value)| (name.clone(), *value))
        .collect()
}

impl Engine {
    /// Returns the user's settings.
    pub fn settings(&self) -> Result<Settings> {
        Ok(self.state.settings())
    }

    /// Returns the settings as they come, with every coefficient of the evidence.
    pub fn default_settings(&self) -> Settings {
        Settings {
            evidence: Tuning::default().values(),
            ..defaults()
        }
    }

    /// Checks, saves and applies settings.
    ///
    /// # Errors
    /// `bad-argument` for values out of range, `io` when the file cannot be written.
    pub fn set_settings(&self, settings: &Settings) -> Result<Settings> {
        check(settings)?;
        let settings = &Settings {
            evidence: other_than_standard(&settings.evidence),
            ..settings.clone()
        };
        let file = SettingsFile {
            rrf_k: Some(settings.rrf_k),
            model: Some(settings.model.clone()),
            token_model: settings.token_model.clone(),
            sparse_model: serde::de::IgnoredAny,
            cross_encoder: settings.cross_encoder.clone(),
            model_hub: settings.model_hub.clone(),
            token_vectors: Some(settings.token_vectors),
            index_threads: Some(settings.index_threads),
            max_vectors: Some(settings.max_vectors).filter(|most| *most != MAX_VECTORS),
            memory: MemoryFile {
                max_mb: Some(settings.max_memory_mb).filter(|mb| *mb > 0),
            },
            evidence: settings.evidence.clone(),
            gate: GateFile::of(&settings.gate),
            rerank: RerankFile::of(&settings.rerank),
            off: settings.off.clone(),
            weights: settings
                .weights
                .iter()
                .map(|setting| (setting.channel, setting.weight))
                .collect(),
        };
        let text = toml::to_string_pretty(&file).expect("plain data serialises");
        replace_file(&self.state.paths.config_file, text.as_bytes())?;
        self.state.replace_settings(settings.clone());
        Ok(settings.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_vectors_can_be_chosen() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        assert_eq!(load(&path).expect("defaults").max_vectors, MAX_VECTORS);
        std::fs::write(&path, "max-vectors = 0\n").expect("written");
        assert_eq!(load(&path).expect("read").max_vectors, 0);
    }

    #[test]
    fn the_ceiling_of_memory_is_a_number_of_its_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "[memory]\nmax-mb = 512\n").expect("written");
        assert_eq!(load(&path).expect("read").max_memory_mb, 512);
        std::fs::write(&path, "[memory]\nmax-gb = 1\n").expect("written");
        assert!(load(&path).is_err());
    }

    #[test]
    fn a_mirror_of_the_hub_is_an_address() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "model-hub = \"https://mirror.example\"\n").expect("written");
        let mirror = load(&path).expect("read").model_hub;
        assert_eq!(mirror.as_deref(), Some("https://mirror.example"));
        std::fs::write(&path, "model-hub = \"/models\"\n").expect("written");
        let error = load(&path).expect_err("no address");
        assert!(error.message.contains("/models"), "{error}");
    }

    #[test]
    fn a_missing_file_gives_the_defaults() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(
            load(&folder.path().join("config.toml")).unwrap(),
            defaults()
        );
    }

    #[test]
    fn an_unknown_key_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "rrf_kk = 3\n").unwrap();
        let error = load(&path).unwrap_err();
        assert!(error.message.contains("rrf_kk"), "{error}");
    }

    #[test]
    fn a_coefficient_that_is_gone_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "[evidence]\ngraph_blend = 0.4\n").unwrap();
        assert_eq!(load(&path).unwrap().evidence, defaults().evidence);
    }

    #[test]
    fn the_gate_is_edited_by_name_and_its_bounds_are_checked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "[gate]\nmode = \"always\"\nmin-margin = 3.0\n").unwrap();
        let gate = load(&path).unwrap().gate;
        assert_eq!(gate.mode, GateMode::Always);
        assert_eq!(gate.thresholds.min_margin, 3.0);
        assert_eq!(
            gate.thresholds.max_entropy,
            defaults().gate.thresholds.max_entropy
        );
        let old = "[gate.learned]\nthreshold = 0.4\n";
        std::fs::write(&path, old).unwrap();
        assert_eq!(
            load(&path).unwrap().gate,
            defaults().gate,
            "an older version's table"
        );
        std::fs::write(&path, "[gate]\nmax-entropy = 2.0\n").unwrap();
        assert!(load(&path).unwrap_err().message.contains("max-entropy"));
    }

    #[test]
    fn a_model_is_chosen_for_what_it_does() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "token-model = \"lateon-code-edge\"\n").unwrap();
        let settings = load(&path).unwrap();
        assert_eq!(settings.token_model.as_deref(), Some("lateon-code-edge"));
        std::fs::write(&path, "token-model = \"xtr-base-en\"\n").unwrap();
        assert_eq!(load(&path).unwrap(), defaults(), "a model that is gone");
        std::fs::write(&path, "model = \"lateon-code-edge\"\n").unwrap();
        let error = load(&path).unwrap_err();
        assert!(error.message.contains("not a bi-encoder"), "{error}");
        assert!(error.hint.contains("minilm-l6"), "{error}");
        std::fs::write(&path, "token-model = \"coderank-embed\"\n").unwrap();
        assert!(
            load(&path)
                .unwrap_err()
                .message
                .contains("not a token encoder")
        );
    }

    #[test]
    fn weights_are_edited_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::fs::write(&path, "[weights]\nsymbol-name = 0.5\n").unwrap();
        let settings = load(&path).unwrap();
        let weight = settings
            .weights
            .iter()
            .find(|weight| weight.channel == Channel::SymbolName);
        assert_eq!(weight.unwrap().weight, 0.5);
        std::fs::write(&path, "[weights]\nsymbol-names = 0.5\n").unwrap();
        let error = load(&path).unwrap_err();
        assert!(error.message.contains("symbol-names"), "{error}");
    }

    #[test]
    fn what_a_removed_channel_had_set_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        let old = "sparse-model = \"splade-tiny\"\n[weights]\nsplade = 0.5\nfts = 2.0\n";
        std::fs::write(&path, old).unwrap();
        let mut of_today = defaults();
        of_today.weights[0].weight = 2.0;
        assert_eq!(load(&path).unwrap(), of_today);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_in_place_of_the_settings_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(load(&path).unwrap_err().code, "io");
    }
}
