//! What the stages of the last answers took and what they changed, in a few lines.

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
    let n_gated = count("warp_skipped_gate");
    let share = match count("gate_decisions") {
        0 => String::new(),
        n => format!(" of {n}"),
    };
    let mut lines = vec![
        format!(
            "times of the last {} answers, p50/p95 ms: {}",
            stats.n_answers,
            times.collect::<Vec<_>>().join(", ")
        ),
        format!(
            "late interaction: ran {}, skipped by the gate {n_gated}{share}, out of time {}",
            count("warp_runs"),
            count("warp_skipped_timeout")
        ),
    ];
    lines.extend(movements(stats));
    let over = stats.counters.iter().filter_map(|one| {
        let stage = one.name.strip_prefix("over_budget_")?;
        Some(format!("{stage} {}", one.n))
    });
    let over: Vec<String> = over.collect();
    if !over.is_empty() {
        lines.push(format!("over budget: {}", over.join(", ")));
    }
    lines
}

/// `first hits moved: evidence 71 of 100 (23 from beyond the tenth), …`.
fn movements(stats: &StageStats) -> Option<String> {
    let told = stats.movements.iter().map(|one| {
        let entered = match one.n_entered {
            0 => String::new(),
            n => format!(" ({n} from beyond the tenth)"),
        };
        format!("{} {} of {}{entered}", one.stage, one.n_moved, one.n_hits)
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| format!("first hits moved: {}", told.join(", ")))
}
