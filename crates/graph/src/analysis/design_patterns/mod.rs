//! Design patterns that structure proves: builders, error types, factories and middleware.
//!
//! In: the facts of every file and its text. Out: findings, each with the lines that speak for it.
//! What counts is structure: what is defined, inherited, called, returned. A name counts for little,
//! and never makes a finding by itself. The same input gives the same findings.

mod draft;
use draft::Draft;
pub use draft::{DesignPatternInput, PatternEvidence};

mod code;
mod creation;
mod error_types;
mod middleware;
mod words;

use crate::input::files::SymbolId;
use code::PatternCode;

/// A recurring role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum DesignPattern {
    Builder,
    ErrorType,
    Factory,
    Middleware,
}

impl DesignPattern {
    /// All of them, by name.
    pub const ALL: [Self; 4] = [
        Self::Builder,
        Self::ErrorType,
        Self::Factory,
        Self::Middleware,
    ];

    /// Returns the name that people and agents write.
    pub fn name(self) -> &'static str {
        match self {
            Self::Builder => "builder",
            Self::ErrorType => "error-type",
            Self::Factory => "factory",
            Self::Middleware => "middleware",
        }
    }

    /// Returns the pattern of a name, also under what else it is called: `exception`,
    /// `interceptor`.
    pub fn from_name(name: &str) -> Option<Self> {
        let lower = name.trim().to_lowercase().replace([' ', '_'], "-");
        let lower = lower.strip_suffix("-pattern").unwrap_or(&lower);
        let known = |name: &str| Self::ALL.into_iter().find(|pattern| pattern.name() == name);
        let other = |name: &str| match name {
            "fluent" | "fluent-builder" => Some(Self::Builder),
            "error" | "exception" | "exception-type" => Some(Self::ErrorType),
            "factory-method" | "abstract-factory" => Some(Self::Factory),
            "interceptor" => Some(Self::Middleware),
            _ => None,
        };
        let singular = lower
            .strip_suffix("ies")
            .map(|stem| format!("{stem}y"))
            .or_else(|| lower.strip_suffix('s').map(str::to_owned));
        let either = |name: &str| known(name).or_else(|| other(name));
        either(lower).or_else(|| singular.and_then(|name| either(&name)))
    }
}

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the meaning")]
pub enum PatternConfidence {
    Low,
    Medium,
    High,
}

/// A place where a design pattern occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DesignPatternFinding {
    /// Which.
    pub pattern: DesignPattern,
    /// The definition that plays the role.
    pub symbol: SymbolId,
    /// How sure.
    pub confidence: PatternConfidence,
    /// Evidence for it, most telling first.
    pub evidence: Vec<PatternEvidence>,
    /// Sum of what the evidence counts for, to rank by.
    pub points: u32,
}

/// Finds design patterns: all, or one.
///
/// By pattern; within each by confidence, production code first, then by evidence and place. Costs a
/// few passes over the texts.
pub fn design_patterns(
    input: &DesignPatternInput<'_>,
    wanted: Option<DesignPattern>,
) -> Vec<DesignPatternFinding> {
    let code = PatternCode::new(input);
    let mut found: Vec<DesignPatternFinding> = DesignPattern::ALL
        .into_iter()
        .filter(|pattern| wanted.is_none_or(|wanted| wanted == *pattern))
        .flat_map(|pattern| of_pattern(&code, pattern))
        .collect();
    found.sort_by_key(|finding| {
        let in_test = (input.is_test)(finding.symbol.file);
        let confidence = std::cmp::Reverse(finding.confidence);
        let points = std::cmp::Reverse(finding.points);
        (finding.pattern, in_test, confidence, points, finding.symbol)
    });
    found
}

fn of_pattern(code: &PatternCode<'_>, pattern: DesignPattern) -> Vec<DesignPatternFinding> {
    let drafts = match pattern {
        DesignPattern::Builder => creation::builders(code),
        DesignPattern::ErrorType => error_types::errors(code),
        DesignPattern::Factory => creation::factories(code),
        DesignPattern::Middleware => middleware::middleware(code),
    };
    drafts
        .into_iter()
        .filter_map(|draft| draft.finding(pattern))
        .collect()
}

/// Points from which a finding is sure.
const HIGH: u32 = 4;
const MEDIUM: u32 = 3;
/// Fewer points are no finding.
const LOW: u32 = 2;
/// Lines of evidence kept.
const MAX_EVIDENCE: usize = 6;

impl Draft {
    fn new(symbol: SymbolId) -> Self {
        Self {
            symbol,
            evidence: Vec::new(),
            named: false,
        }
    }

    /// A line of the symbol's own file that counts for some points.
    fn add(&mut self, points: u32, line: u32, why: impl Into<String>) {
        self.add_in(points, self.symbol.file, line, why);
    }

    fn add_in(&mut self, points: u32, file: u32, line: u32, why: impl Into<String>) {
        let why = why.into();
        self.evidence
            .push((points, PatternEvidence { file, line, why }));
    }

    fn points(&self) -> u32 {
        self.evidence.iter().map(|(points, _)| points).sum()
    }

    /// A name counts for one point, and not towards a sure finding unless structure nearly makes one.
    fn finding(mut self, pattern: DesignPattern) -> Option<DesignPatternFinding> {
        let structure = self.points();
        let points = structure + u32::from(self.named);
        let confidence = match points {
            _ if structure < LOW => return None,
            HIGH.. => PatternConfidence::High,
            MEDIUM => PatternConfidence::Medium,
            _ => PatternConfidence::Low,
        };
        self.evidence
            .sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        self.evidence.truncate(MAX_EVIDENCE);
        Some(DesignPatternFinding {
            pattern,
            symbol: self.symbol,
            confidence,
            evidence: self.evidence.into_iter().map(|(_, one)| one).collect(),
            points,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn design_patterns_are_known_by_their_other_names() {
        let name = |name: &str| DesignPattern::from_name(name).map(DesignPattern::name);
        assert_eq!(name("Exceptions"), Some("error-type"));
        assert_eq!(name("factories"), Some("factory"));
        assert_eq!(name("Builder pattern"), Some("builder"));
        assert_eq!(name("interceptor"), Some("middleware"));
        assert_eq!(name("soup"), None);
        for pattern in DesignPattern::ALL {
            assert_eq!(DesignPattern::from_name(pattern.name()), Some(pattern));
        }
    }

    #[test]
    fn a_name_is_no_finding() {
        let mut draft = Draft::new(SymbolId { file: 0, symbol: 0 });
        draft.named = true;
        draft.add(1, 1, "little");
        assert_eq!(draft.finding(DesignPattern::Factory), None);
    }
}
