//! How often is the first file right in answers like this one? Said only of answers like those that
//! were measured, and of no others.

use crate::context::{QueryContext, SearchContext, SearchQuery};
use crate::coverage::Coverage;
use crate::fuse::{QueryFit, is_one_letter};
use crate::gate::GateSettings;
use crate::query::{ParsedQuery, QueryShape};
use crate::settings::{ChannelWeights, Tuning};
use crate::terms::Channel;
use serde::{Deserialize, Serialize};
use specta::Type;

/// How sure an answer is of its first file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerConfidence {
    /// How often the first file was right in answers like this one, 0 to 1.
    Measured(f64),
    /// Nothing is said, and why.
    Withheld(String),
}

impl AnswerConfidence {
    /// Returns the share, where there is one.
    pub fn measured(&self) -> Option<f64> {
        match self {
            Self::Measured(share) => Some(*share),
            Self::Withheld(_) => None,
        }
    }

    /// Returns it in words.
    pub fn sentence(&self) -> String {
        match self {
            Self::Measured(share) => {
                format!("{:.0}%: first file right so often", share * 100.0)
            }
            Self::Withheld(why) => format!("not given: {why}"),
        }
    }
}

/// A logistic regression on the share of the words and on how far the best file is ahead.
///
/// Fitted on the 321 questions of 16 repositories of the semble part, and judged there by repositories
/// left out; more figures (cosine, ranks in channels, those of the gate, number of words) made it worse.
struct Logistic {
    bias: f64,
    words: f64,
    margin: f64,
}

/// Brier .161 where the base rate has .198, area under ROC .76, calibration error .02.
const WITHOUT_VECTORS: Logistic = Logistic {
    bias: -0.88,
    words: 1.56,
    margin: 4.55,
};

/// Brier .135 where the base rate has .154, area under ROC .75, calibration error .02. Those without
/// vectors say too little here: calibration error .09.
const WITH_VECTORS: Logistic = Logistic {
    bias: -0.44,
    words: 1.68,
    margin: 5.25,
};

/// The model whose vectors were measured.
const MEASURED_MODEL: &str = "minilm-l6";

/// Further ahead, or alone, is as sure as this.
const MOST_AHEAD: f64 = 1.0;

impl Logistic {
    fn at(&self, words: f64, margin: f64) -> f64 {
        let z = self.bias + self.words * words + self.margin * margin;
        1.0 / (1.0 + (-z).exp())
    }
}

/// Says how sure the first file is, from the final order: `scores` has file and score of each row, best
/// first. `fit` is `None` for an issue. `None` where nothing was found.
pub(crate) fn of_first_file(
    ctx: QueryContext<'_, '_>,
    fit: Option<&QueryFit>,
    scores: impl IntoIterator<Item = (u32, f64)>,
) -> Option<AnswerConfidence> {
    let margin = margin(scores)?;
    let withheld = |why: &str| Some(AnswerConfidence::Withheld(why.to_owned()));
    let Some(fit) = fit else {
        return withheld("not measured for bug reports");
    };
    if fit.poor.is_some() {
        return withheld("nothing fits well");
    }
    if let Some(why) = unmeasured(ctx.search, ctx.request, ctx.query) {
        return withheld(why);
    }
    let encoder = ctx.search.encoder.as_ref().ok();
    let model = encoder.map(|encoder| encoder.spec().name.as_str());
    match fitted(&ctx.search.coverage, model) {
        Ok(fitted) => Some(AnswerConfidence::Measured(fitted.at(fit.words, margin))),
        Err(why) => withheld(why),
    }
}

/// The coefficients for an index with these vectors, or why there are none.
fn fitted(coverage: &Coverage, model: Option<&str>) -> Result<&'static Logistic, &'static str> {
    let is_whole = coverage.vector >= 1.0 && coverage.tokens >= 1.0;
    match model {
        _ if coverage.vector == 0.0 => Ok(&WITHOUT_VECTORS),
        _ if !is_whole => Err("not measured with vectors of some chunks only"),
        Some(MEASURED_MODEL) => Ok(&WITH_VECTORS),
        _ => Err("not measured with this model"),
    }
}

/// Why nobody knows how often the first file of such an answer is right; `None` where it was measured.
fn unmeasured(
    context: &SearchContext<'_>,
    request: &SearchQuery,
    query: &ParsedQuery,
) -> Option<&'static str> {
    let cases = [
        (
            !context.index.parts().is_empty(),
            "not measured over several repositories",
        ),
        (!request.filters.is_empty(), "not measured with filters"),
        (query.shape == QueryShape::Path, "not measured for paths"),
        (is_one_letter(query), "not measured for single letters"),
        (
            context.open_file.is_some(),
            "not measured with an open file",
        ),
        (
            !is_as_measured(request),
            "not measured with other weights or stages than the standard ones",
        ),
        (
            matches!(context.cross, Some(Ok(_))),
            "not measured with further models",
        ),
    ];
    cases
        .into_iter()
        .find_map(|(is_so, why)| is_so.then_some(why))
}

/// Whether weights, coefficients, gate and stages are those of the measurement.
fn is_as_measured(request: &SearchQuery) -> bool {
    let standard = ChannelWeights::default();
    let mut channels = Channel::ALL.iter();
    request.off.is_empty()
        && request.tuning == Tuning::default()
        && request.gate == GateSettings::default()
        && channels.all(|channel| request.weights.get(*channel) == standard.get(*channel))
}

/// How far the best file is ahead of the next, as the logarithm of what it scores more.
fn margin(scores: impl IntoIterator<Item = (u32, f64)>) -> Option<f64> {
    let mut scores = scores.into_iter();
    let (file, best) = scores.next().filter(|(_, best)| *best > 0.0)?;
    let next = scores.find(|(other, score)| *other != file && *score > 0.0);
    let margin = next.map_or(MOST_AHEAD, |(_, score)| (best / score).ln());
    Some(margin.clamp(0.0, MOST_AHEAD))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_is_surer_the_further_it_is_ahead() {
        let confidence = |scores: &[(u32, f64)]| {
            let margin = margin(scores.iter().copied())?;
            Some(WITHOUT_VECTORS.at(0.5, margin))
        };
        let close = confidence(&[(0, 0.20), (0, 0.19), (1, 0.195)]).unwrap();
        let ahead = confidence(&[(0, 0.20), (0, 0.19), (1, 0.10)]).unwrap();
        let alone = confidence(&[(0, 0.20)]).unwrap();
        assert!(
            close < 0.6 && ahead > 0.9 && alone > ahead,
            "{close} {ahead} {alone}"
        );
        assert_eq!(confidence(&[]), None);
    }

    #[test]
    fn vectors_have_coefficients_of_their_own_where_every_chunk_has_those_measured() {
        let bias = |vector, tokens, model| {
            let coverage = Coverage {
                vector,
                tokens,
                ..Coverage::default()
            };
            fitted(&coverage, model).map(|fitted| fitted.bias)
        };
        let model = Some(MEASURED_MODEL);
        assert_eq!(bias(0.0, 0.0, None), Ok(WITHOUT_VECTORS.bias));
        assert_eq!(bias(0.0, 0.0, model), Ok(WITHOUT_VECTORS.bias));
        assert_eq!(bias(1.0, 1.0, model), Ok(WITH_VECTORS.bias));
        for (vector, tokens) in [(0.9, 0.9), (1.0, 0.9), (1.0, 0.0)] {
            let why = "not measured with vectors of some chunks only";
            assert_eq!(bias(vector, tokens, model), Err(why));
        }
        let other = bias(1.0, 1.0, Some("coderank-embed"));
        assert_eq!(other, Err("not measured with this model"));
    }
}
