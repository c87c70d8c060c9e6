//! What is behind an answer: its candidates and the times of its stages.

use whyrank_engine::api::Trace;
use whyrank_eval::{Answer, ReturnedPlace};

pub(super) fn look_behind(answer: &mut Answer, trace: &Trace) {
    answer.candidates = trace
        .rows
        .iter()
        .map(|row| ReturnedPlace {
            file: row.path.clone(),
            line: row.start_line,
            end_line: row.end_line,
            symbol: row.symbol.clone(),
            ..ReturnedPlace::default()
        })
        .collect();
    let ran = trace
        .timings
        .iter()
        .filter(|timing| timing.skipped.is_none());
    let times = ran.map(|timing| (timing.stage.clone(), timing.elapsed_ms));
    answer.stages = times.collect();
}
