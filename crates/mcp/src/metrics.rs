//! What the last answers took, as OpenMetrics text: for anyone who collects such figures on this machine.
//!
//! All are gauges over the last answers: they rise and fall. No query, no path and no name of a repository
//! is among them.

use std::fmt::Write;

use whyrank_engine::api::StageStats;

/// What the text is served as.
pub(crate) const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Writes the figures, with the end mark that the format asks for.
pub(crate) fn openmetrics(stats: &StageStats) -> String {
    let mut text = String::new();
    head(
        &mut text,
        "recent_answers",
        "Answers that the figures are over.",
    );
    sample(&mut text, "recent_answers", "", f64::from(stats.n_answers));
    head(&mut text, "stage_milliseconds", "Time of a stage.");
    for timer in &stats.timers {
        let stage = timer.name.strip_suffix("_ms").unwrap_or(&timer.name);
        for (quantile, ms) in [("0.5", timer.p50_ms), ("0.95", timer.p95_ms)] {
            let labels = format!("stage=\"{stage}\",quantile=\"{quantile}\"");
            sample(&mut text, "stage_milliseconds", &labels, ms);
        }
    }
    head(&mut text, "recent_count", "Counts summed over the answers.");
    for counter in &stats.counters {
        let labels = format!("name=\"{}\"", counter.name);
        sample(&mut text, "recent_count", &labels, f64::from(counter.n));
    }
    head(
        &mut text,
        "first_hits",
        "First ten hits that a stage ranked, moved, brought in.",
    );
    for one in &stats.movements {
        let figures = [
            ("ranked", one.n_hits),
            ("moved", one.n_moved),
            ("entered", one.n_entered),
        ];
        for (what, n) in figures {
            let labels = format!("stage=\"{}\",what=\"{what}\"", one.stage);
            sample(&mut text, "first_hits", &labels, f64::from(n));
        }
    }
    text.push_str("# EOF\n");
    text
}

fn head(text: &mut String, name: &str, help: &str) {
    let _ = writeln!(
        text,
        "# TYPE whyrank_{name} gauge\n# HELP whyrank_{name} {help}"
    );
}

fn sample(text: &mut String, name: &str, labels: &str, value: f64) {
    let _ = match labels {
        "" => writeln!(text, "whyrank_{name} {value}"),
        labels => writeln!(text, "whyrank_{name}{{{labels}}} {value}"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::{CounterStats, StageMovement, TimerStats};

    #[test]
    fn figures_are_gauges_with_labels_and_an_end() {
        let stats = StageStats {
            n_answers: 7,
            timers: vec![TimerStats {
                name: "graph_ms".to_owned(),
                n: 7,
                p50_ms: 1.5,
                p95_ms: 2.0,
            }],
            counters: vec![CounterStats {
                name: "warp_runs".to_owned(),
                n: 3,
            }],
            movements: vec![StageMovement {
                stage: "evidence".to_owned(),
                n_hits: 70,
                n_moved: 30,
                n_entered: 4,
            }],
        };
        let text = openmetrics(&stats);
        for line in [
            "# TYPE whyrank_recent_answers gauge",
            "whyrank_recent_answers 7",
            "whyrank_stage_milliseconds{stage=\"graph\",quantile=\"0.95\"} 2",
            "whyrank_recent_count{name=\"warp_runs\"} 3",
            "whyrank_first_hits{stage=\"evidence\",what=\"entered\"} 4",
        ] {
            assert!(text.lines().any(|one| one == line), "{line} in {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
