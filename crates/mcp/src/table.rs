//! The table of tools: one row, one tool. Everything that lists or calls tools reads it.

use crate::tool::{Effect, Profile, ToolRow};
use crate::tools::{
    cached_results, explain, memory, repos, review, search, structure, tasks, uses,
};

/// The tools, in the order in which they are listed.
pub static TOOLS: &[ToolRow] = &[
    ToolRow::of::<search::SearchArgs>(),
    ToolRow::of::<search::LookupArgs>(),
    ToolRow::of::<uses::RefsArgs>(),
    ToolRow::of::<uses::DepsArgs>(),
    ToolRow::of::<structure::OverviewArgs>(),
    ToolRow::of::<repos::StatusArgs>(),
    ToolRow::of::<uses::ImpactArgs>(),
    ToolRow::of::<uses::CallPathArgs>(),
    ToolRow::of::<uses::DeadCodeArgs>(),
    ToolRow::of::<structure::AuditArgs>(),
    ToolRow::of::<structure::TestMapArgs>(),
    ToolRow::of::<search::AstGrepArgs>(),
    ToolRow::of::<search::PatternsArgs>(),
    ToolRow::of::<repos::IndexArgs>(),
    ToolRow::of::<explain::ExplainArgs>(),
    ToolRow::of::<repos::ListReposArgs>(),
    ToolRow::of::<structure::ClustersArgs>(),
    ToolRow::of::<structure::ConceptsArgs>(),
    ToolRow::of::<structure::ExportArgs>(),
    ToolRow::of::<tasks::ContextArgs>(),
    ToolRow::of::<review::ReviewDiffArgs>(),
    ToolRow::of::<tasks::InvestigateArgs>(),
    ToolRow::of::<tasks::AskArgs>(),
    ToolRow::of::<search::SearchIterativeArgs>(),
    ToolRow::of::<review::DiffSearchArgs>(),
    ToolRow::of::<review::VerifyArgs>(),
    ToolRow::of::<review::CritiqueArgs>(),
    ToolRow::of::<cached_results::HeadResultsArgs>(),
    ToolRow::of::<cached_results::GrepResultsArgs>(),
    ToolRow::of::<cached_results::CtxPeekArgs>(),
    ToolRow::of::<cached_results::CtxSliceArgs>(),
    ToolRow::of::<cached_results::CtxGrepArgs>(),
    ToolRow::of::<cached_results::CtxStatsArgs>(),
    ToolRow::of::<memory::RememberArgs>(),
    ToolRow::of::<memory::RecallArgs>(),
    ToolRow::of::<memory::WakeupArgs>(),
    ToolRow::of::<memory::MemoriesArgs>(),
    ToolRow::of::<memory::AsOfArgs>(),
    ToolRow::of::<memory::ForgetArgs>(),
    ToolRow::of::<memory::PromoteArgs>(),
    ToolRow::of::<memory::DemoteArgs>(),
    ToolRow::of::<memory::PinArgs>(),
    ToolRow::of::<memory::UnpinArgs>(),
];

/// Returns the tools of a profile, in the table's order.
pub fn tools_of(profile: Profile) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().filter(move |row| row.profile <= profile)
}

/// Returns the tools of a profile that change nothing, by name.
pub fn reading_tools(profile: Profile) -> impl Iterator<Item = &'static str> {
    let reading = tools_of(profile).filter(|row| row.effect == Effect::Reads);
    reading.map(|row| row.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::collections::HashSet;

    #[test]
    fn names_are_short_unique_snake_case() {
        let mut seen = HashSet::new();
        for row in TOOLS {
            assert!(row.name.len() <= 20, "{}", row.name);
            assert!(
                row.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'),
                "{}",
                row.name
            );
            assert!(seen.insert(row.name), "{} twice", row.name);
        }
    }

    #[test]
    fn descriptions_say_when_and_when_not_in_sixty_words() {
        for row in TOOLS {
            let n_words = row.description.split_whitespace().count();
            assert!(n_words <= 60, "{}: {n_words} words", row.name);
            let last = row
                .description
                .trim_end_matches('.')
                .rsplit(". ")
                .next()
                .unwrap();
            assert!(last.starts_with("Not "), "{}: {last}", row.name);
        }
    }

    #[test]
    fn core_has_six_tools() {
        assert_eq!(tools_of(Profile::Core).count(), 6);
        assert_eq!(tools_of(Profile::Full).count(), TOOLS.len());
    }

    #[test]
    fn schemas_hold_nothing_that_clients_trip_over() {
        for row in TOOLS {
            let text = Value::Object(row.schema()).to_string();
            for word in [
                "$schema",
                "$ref",
                "$defs",
                "\"format\":\"",
                "null",
                "anyOf",
                "oneOf",
            ] {
                assert!(!text.contains(word), "{} has {word}: {text}", row.name);
            }
            assert_eq!(row.schema()["type"], "object", "{}", row.name);
        }
    }
}
