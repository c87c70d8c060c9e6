//! The lines of a run as CSV (RFC 4180), a row each, for spreadsheets and notebooks.

use crate::metric::Metric;
use crate::results::TaskResult;

/// Columns do not depend on what was run, so that files can be put together.
const METRICS: [Metric; 27] = [
    Metric::F1,
    Metric::Precision,
    Metric::Recall,
    Metric::CertainRight,
    Metric::PossibleRight,
    Metric::Pass,
    Metric::Mrr,
    Metric::Ndcg,
    Metric::Recall1,
    Metric::Recall5,
    Metric::Recall10,
    Metric::SpanMrr,
    Metric::SpanRecall10,
    Metric::FileAcc1,
    Metric::FileAcc3,
    Metric::FileAcc5,
    Metric::FileAcc10,
    Metric::FunctionAcc5,
    Metric::FunctionAcc10,
    Metric::FunctionAny5,
    Metric::FunctionAny10,
    Metric::LineRecall100,
    Metric::LineRecall300,
    Metric::LineRecall500,
    Metric::LineNdcg100,
    Metric::LineNdcg300,
    Metric::LineNdcg500,
];

/// Writes one row a line of `results`, under a head; rows end with CRLF.
///
/// Figures are written in full, not rounded. What is not there is empty: a metric that the task does
/// not have, CPU time that could not be told, the value of a subject that does not do the category.
pub fn csv(results: &[TaskResult]) -> String {
    let mut head: Vec<String> = [
        "suite", "task", "subject", "repo", "language", "category", "stratum", "headline", "value",
    ]
    .map(str::to_owned)
    .to_vec();
    head.extend(METRICS.map(|metric| metric.name().to_owned()));
    head.extend(["tokens", "calls", "wall_ms", "cpu_ms", "error"].map(str::to_owned));
    let mut text = record(&head);
    results
        .iter()
        .for_each(|line| text.push_str(&record(&fields(line))));
    text
}

fn fields(line: &TaskResult) -> Vec<String> {
    let value = (!line.unsupported).then(|| line.value());
    let error = match (&line.error, line.unsupported) {
        (Some(error), _) => error.as_str(),
        (None, true) => "unsupported",
        (None, false) => "",
    };
    let mut fields = vec![
        line.suite.clone(),
        line.task.clone(),
        line.subject.clone(),
        line.repo.clone(),
        line.language.clone(),
        line.category.name().to_owned(),
        line.stratum.clone(),
        line.headline.name().to_owned(),
        figure(value),
    ];
    fields.extend(
        METRICS
            .iter()
            .map(|metric| figure(line.scores.get(metric).copied())),
    );
    fields.push(line.tokens.to_string());
    fields.push(line.calls.len().to_string());
    fields.push(figure(Some(line.wall_ms)));
    fields.push(figure(line.cpu_ms));
    fields.push(error.to_owned());
    fields
}

fn figure(value: Option<f64>) -> String {
    value
        .filter(|value| value.is_finite())
        .map(|value| value.to_string())
        .unwrap_or_default()
}

fn record(fields: &[String]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| quoted(field)).collect();
    format!("{}\r\n", fields.join(","))
}

/// Quotes where RFC 4180 asks for it.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn a_run_without_answers_is_a_head() {
        let text = csv(&[]);
        assert!(
            text.starts_with(
                "suite,task,subject,repo,language,category,stratum,headline,value,f1,"
            )
        );
        assert!(text.ends_with(",tokens,calls,wall_ms,cpu_ms,error\r\n"));
        assert_eq!(text.lines().count(), 1);
    }

    #[test]
    fn each_row_has_a_field_for_each_column() {
        let line = sample::line("whyrank", "t1", 0.5);
        let text = csv(&[line]);
        let columns: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(columns, [9 + METRICS.len() + 5; 2]);
        assert!(text.ends_with(",255,1,12.5,,\r\n"), "{text}");
    }

    #[test]
    fn commas_quotes_and_line_ends_are_quoted() {
        let mut line = sample::line("a,b", "say \"hi\"", 1.0);
        line.error = Some("first\nsecond".to_owned());
        line.wall_ms = f64::NAN;
        let text = csv(&[line]);
        assert!(text.contains("\"say \"\"hi\"\"\",\"a,b\""));
        assert!(text.ends_with(",1,,,\"first\nsecond\"\r\n"));
        assert!(!text.contains("NaN"));
    }

    #[test]
    fn a_subject_that_does_not_do_the_category_has_no_value() {
        let mut line = sample::line("a", "t", 0.0);
        line.unsupported = true;
        line.scores.clear();
        assert!(csv(&[line]).contains(",f1,,,,,"));
    }
}
