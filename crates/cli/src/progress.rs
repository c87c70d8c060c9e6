//! Progress on standard error: a bar a lane in a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use whyrank_engine::api::{JobProgress, JobStage, JobState, Lane, ModelProgress, ModelStage};
use whyrank_mcp::present;

use crate::out;

/// Between two plain lines of the same stage.
const LINE_INTERVAL: Duration = Duration::from_secs(5);

/// Shows a job's progress.
pub(crate) enum Progress {
    /// A bar for each lane.
    Bars {
        /// Draws them below each other.
        all: MultiProgress,
        /// Lane 1.
        lexical: Box<ProgressBar>,
        /// Lane 2, once it is at work.
        vector: Option<Box<ProgressBar>>,
    },
    /// A line when the stage changes, and now and then.
    Lines {
        /// Stage of the last line, and when it was written.
        last: Option<(JobStage, Instant)>,
    },
}

impl Progress {
    /// Bars in a terminal, lines elsewhere.
    pub(crate) fn new() -> Self {
        if !std::io::stderr().is_terminal() {
            return Self::Lines { last: None };
        }
        let all = MultiProgress::new();
        let lexical = Box::new(all.add(bar()));
        Self::Bars {
            all,
            lexical,
            vector: None,
        }
    }

    /// Shows where the job is.
    pub(crate) fn show(&mut self, job: &JobProgress) {
        match self {
            Self::Bars {
                all,
                lexical,
                vector,
            } => {
                let bar = match job.lane {
                    Lane::Lexical => lexical,
                    Lane::Vector => {
                        lexical.finish_and_clear();
                        vector.get_or_insert_with(|| Box::new(all.add(bar())))
                    }
                };
                draw(bar, job);
            }
            Self::Lines { last } => line(last, job),
        }
    }

    /// Takes the bars away.
    pub(crate) fn finish(&mut self) {
        if let Self::Bars {
            lexical, vector, ..
        } = self
        {
            lexical.finish_and_clear();
            if let Some(vector) = vector {
                vector.finish_and_clear();
            }
        }
    }
}

/// A bar that shows nothing outside a terminal.
pub(crate) fn bar() -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:10} {bar:30.green} {pos}/{len} {per_sec} {eta}");
    let bar = ProgressBar::new(0);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn draw(bar: &ProgressBar, job: &JobProgress) {
    if bar.message() != job.stage.as_str() {
        bar.set_message(job.stage.as_str());
        bar.reset_eta();
    }
    bar.set_length(job.total.into());
    bar.set_position(job.done.into());
}

fn line(last: &mut Option<(JobStage, Instant)>, job: &JobProgress) {
    let is_due = match last {
        Some((stage, at)) => *stage != job.stage || at.elapsed() >= LINE_INTERVAL,
        None => true,
    };
    // A stage's first report has no figures yet.
    let has_news = job.total > 0 || job.stage == JobStage::Waiting;
    if is_due && has_news && job.state == JobState::Running {
        out::note(&present::index_progress(job));
        *last = Some((job.stage, Instant::now()));
    }
}

/// Shows a model's download.
pub(crate) struct Download {
    bar: ProgressBar,
    last: Option<(String, Instant)>,
}

impl Download {
    /// A bar in a terminal, lines elsewhere.
    pub(crate) fn new() -> Self {
        let style = ProgressStyle::with_template(
            "{msg:20} {bar:30.green} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
        );
        let bar = ProgressBar::new(0);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, last: None }
    }

    /// Shows where the download is.
    pub(crate) fn show(&mut self, progress: &ModelProgress) {
        if !self.bar.is_hidden() {
            self.bar
                .set_message(format!("{} {}", progress.stage, progress.model));
            self.bar.set_length(progress.total_bytes as u64);
            self.bar.set_position(progress.done_bytes as u64);
            return;
        }
        if matches!(progress.stage, ModelStage::Failed | ModelStage::Cancelled) {
            // The command says so itself, with the reason.
            return;
        }
        let source = match progress.source.as_str() {
            "" => String::new(),
            source => format!(" from {source}"),
        };
        let step = format!("{} {}{source}", progress.stage, progress.model);
        let is_due = match &self.last {
            Some((last, at)) => *last != step || at.elapsed() >= LINE_INTERVAL,
            None => true,
        };
        if is_due {
            let (done, total) = (progress.done_bytes / 1e6, progress.total_bytes / 1e6);
            out::note(&format!("{step}: {done:.1} of {total:.1} MB"));
            self.last = Some((step, Instant::now()));
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
