//! What the stages of the last answers took, in two lines.

use whyrank_engine::api::StageStats;

/// Timers that are worth a reader's tokens.
const SHOWN: [(&str, &str); 6] = [
    ("channels_ms", "channels"),
    ("graph_ms", "graph"),
    ("evidence_ms", "evidence"),
    ("warp_encode_ms", "query tokens"),
    ("warp_search_ms", "late interaction"),
    ("order_ms", "order"),
];

/// `times of the last 100 answers, p50/p95 ms: channels 12.0/31.4, …`, and how often the gate let
/// late interaction run. Empty before the first answer.
pub(super) fn stages(stats: &StageStats) -> Vec<String> {
    if stats.n_answers == 0 {
        return Vec::new();
    }
    let times = SHOWN.iter().filter_map(|(name, label)| {
        let timer = stats.timers.iter().find(|timer| timer.name == *name)?;
        Some(format!("{label} {:.1}/{:.1}", timer.p50_ms, timer.p95_ms))
    });
    let count = |name: &str| {
        let counter = stats.counters.iter().find(|counter| counter.name == name);
        counter.map_or(0, |counter| counter.n)
    };
    vec![
        format!(
            "times of the last {} answers, p50/p95 ms: {}",
            stats.n_answers,
            times.collect::<Vec<_>>().join(", ")
        ),
        format!(
            "late interaction: ran {}, skipped by the gate {}, out of time {}",
            count("warp_runs"),
            count("warp_skipped_gate"),
            count("warp_skipped_timeout")
        ),
    ]
}
