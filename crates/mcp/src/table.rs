//! The table of tools: one row, one tool. Everything that lists or calls tools reads it.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{ToolAnswer, ToolError};
use crate::args::{
    AsOfArgs, AskArgs, AstGrepArgs, AuditArgs, CallPathArgs, ClustersArgs, ConceptsArgs,
    ContextArgs, CritiqueArgs, CtxGrepArgs, CtxPeekArgs, CtxSliceArgs, CtxStatsArgs, DeadCodeArgs,
    DepsArgs, DiffSearchArgs, ExplainArgs, ExportArgs, GrepResultsArgs, HeadResultsArgs,
    ImpactArgs, IndexArgs, InvestigateArgs, ListReposArgs, LookupArgs, MemoArgs, MemoriesArgs,
    OverviewArgs, PatternsArgs, RecallArgs, RefsArgs, RememberArgs, ReviewDiffArgs, SearchArgs,
    SearchIterativeArgs, StatusArgs, TestMapArgs, VerifyArgs, WakeupArgs,
};
use crate::run;
use crate::schema::schema_of;
use crate::session::Call;
use crate::tool::{Effect, Family, Profile, ToolRow};

/// The tools, in the order in which they are listed.
pub static TOOLS: &[ToolRow] = &[
    ToolRow {
        name: "search",
        family: Family::Search,
        profile: Profile::Core,
        title: "Search code",
        description: "Find code by meaning, name, path or error text: the first call for any \
            question. Returns ranked path:lines kind signature, one hit per file. Not for a known \
            name: lookup, refs.",
        effect: Effect::Reads,
        schema: schema_of::<SearchArgs>,
        run: |call, args| typed(call, args, run::search),
    },
    ToolRow {
        name: "lookup",
        family: Family::Search,
        profile: Profile::Core,
        title: "Look up a definition",
        description: "Find where a symbol is defined, by bare or qualified name. Returns \
            path:lines kind signature, or near names. Not for who uses it: refs.",
        effect: Effect::Reads,
        schema: schema_of::<LookupArgs>,
        run: |call, args| typed(call, args, run::lookup),
    },
    ToolRow {
        name: "refs",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Find uses",
        description: "List every use of a symbol before changing it: path: lines, production \
            code first; with kinds=[implements], who implements, extends or overrides it. Pass path \
            and line when names collide. Not for words in text: search.",
        effect: Effect::Reads,
        schema: schema_of::<RefsArgs>,
        run: |call, args| typed(call, args, run::refs),
    },
    ToolRow {
        name: "deps",
        family: Family::Impact,
        profile: Profile::Core,
        title: "Imports and importers",
        description: "See what a file imports and which files import it, resolved to paths. Not \
            for uses of one symbol: refs.",
        effect: Effect::Reads,
        schema: schema_of::<DepsArgs>,
        run: |call, args| typed(call, args, run::deps),
    },
    ToolRow {
        name: "overview",
        family: Family::Search,
        profile: Profile::Core,
        title: "Map of the code base",
        description: "Get to know an unfamiliar repository or folder: folders by importance, with \
            their main files and definitions. Not for a specific question: search.",
        effect: Effect::Reads,
        schema: schema_of::<OverviewArgs>,
        run: |call, args| typed(call, args, run::overview),
    },
    ToolRow {
        name: "status",
        family: Family::Index,
        profile: Profile::Core,
        title: "Index status",
        description: "Check the index when answers look incomplete or outdated: coverage, \
            freshness, skipped files with reasons, model. Not needed before other tools.",
        effect: Effect::Reads,
        schema: schema_of::<StatusArgs>,
        run: |call, args| typed(call, args, run::status),
    },
    ToolRow {
        name: "impact",
        family: Family::Impact,
        profile: Profile::Standard,
        title: "Find callers",
        description: "See what a change of a symbol can break: the definitions that call or use it, \
            directly and through others, by distance; tests apart. Not for each line of use: refs.",
        effect: Effect::Reads,
        schema: schema_of::<ImpactArgs>,
        run: |call, args| typed(call, args, run::impact),
    },
    ToolRow {
        name: "call_path",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Find a call path",
        description: "Learn how one symbol reaches another: the shortest chains of calls and uses \
            between them, with lines; else of imports. Not for all callers: impact.",
        effect: Effect::Reads,
        schema: schema_of::<CallPathArgs>,
        run: |call, args| typed(call, args, run::call_path),
    },
    ToolRow {
        name: "dead_code",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Find dead code",
        description: "Find what can be deleted: dead, test-only, maybe dynamic, exported and \
            unused; or ask about symbols. Not for uses: refs.",
        effect: Effect::Reads,
        schema: schema_of::<DeadCodeArgs>,
        run: |call, args| typed(call, args, run::dead_code),
    },
    ToolRow {
        name: "audit",
        family: Family::Impact,
        profile: Profile::Full,
        title: "Audit the structure",
        description: "Find structural outliers: import cycles, edges against the layers, god \
            files, hubs, orphans, with numbers and lines, judged by the repository itself. Not \
            for unused definitions: dead_code.",
        effect: Effect::Reads,
        schema: schema_of::<AuditArgs>,
        run: |call, args| typed(call, args, run::audit),
    },
    ToolRow {
        name: "test_map",
        family: Family::Review,
        profile: Profile::Standard,
        title: "Map tests to code",
        description: "See which tests reach your changes (ref), a path or a symbol, directly or \
            through others, and what no test reaches, riskiest first. Not for running tests.",
        effect: Effect::Reads,
        schema: schema_of::<TestMapArgs>,
        run: |call, args| typed(call, args, run::test_map),
    },
    ToolRow {
        name: "ast_grep",
        family: Family::Search,
        profile: Profile::Standard,
        title: "Search by structure",
        description: "Search code by structure, such as $X.unwrap() or def $F($$$): $$$. Not for \
            words or meaning: search; not for one symbol: refs.",
        effect: Effect::Reads,
        schema: schema_of::<AstGrepArgs>,
        run: |call, args| typed(call, args, run::ast_grep),
    },
    ToolRow {
        name: "patterns",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find design patterns",
        description: "Find design patterns: which definitions are factories, middleware, \
            observers, strategies, error types, and the lines that show it. Not for structural \
            search: ast_grep.",
        effect: Effect::Reads,
        schema: schema_of::<PatternsArgs>,
        run: |call, args| typed(call, args, run::patterns),
    },
    ToolRow {
        name: "index",
        family: Family::Index,
        profile: Profile::Standard,
        title: "Build the index",
        description: "Add a repository (repo = its folder), or update, rebuild or cancel its \
            index; waits and reports progress. Not needed after edits: saves are watched.",
        effect: Effect::Rebuilds,
        schema: schema_of::<IndexArgs>,
        run: |call, args| typed(call, args, run::index),
    },
    ToolRow {
        name: "explain",
        family: Family::Explain,
        profile: Profile::Full,
        title: "Explain a ranking",
        description: "Learn why a search ranked hits as it did: ranks per channel, the terms \
            that sum to each score, weights, timings. Not for what the code does.",
        effect: Effect::Reads,
        schema: schema_of::<ExplainArgs>,
        run: |call, args| typed(call, args, run::explain),
    },
    ToolRow {
        name: "list_repos",
        family: Family::Index,
        profile: Profile::Standard,
        title: "List repositories",
        description: "See which repositories are indexed, to pass one as repo. Not needed for \
            the working directory's own.",
        effect: Effect::Reads,
        schema: schema_of::<ListReposArgs>,
        run: |call, args| typed(call, args, run::list_repos),
    },
    ToolRow {
        name: "clusters",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find clusters",
        description: "See what belongs together by imports and uses: communities with labels, cohesion, and the \
            bridges between them. Not for the folder tree: overview.",
        effect: Effect::Reads,
        schema: schema_of::<ClustersArgs>,
        run: |call, args| typed(call, args, run::clusters),
    },
    ToolRow {
        name: "concepts",
        family: Family::Search,
        profile: Profile::Full,
        title: "Find topics",
        description: "Find the topics that match a few words, each with its key definitions and \
            files. Not for one place in the code: search.",
        effect: Effect::Reads,
        schema: schema_of::<ConceptsArgs>,
        run: |call, args| typed(call, args, run::concepts),
    },
    ToolRow {
        name: "export_context",
        family: Family::Explain,
        profile: Profile::Full,
        title: "Export for a model",
        description: "Pack a repository or folder into a token budget: module table, bridges, then signatures by \
            importance with callers [c=n] and stars. Not for one question: search.",
        effect: Effect::Reads,
        schema: schema_of::<ExportArgs>,
        run: |call, args| typed(call, args, run::export_context),
    },
    ToolRow {
        name: "context",
        family: Family::Search,
        profile: Profile::Standard,
        title: "Context for a task",
        description: "Start a task with one call: the code it needs within max_tokens, with who uses \
            it, what it uses and its tests. Not for one fact: search, lookup.",
        effect: Effect::Reads,
        schema: schema_of::<ContextArgs>,
        run: |call, args| typed(call, args, run::context),
    },
    ToolRow {
        name: "review_diff",
        family: Family::Review,
        profile: Profile::Standard,
        title: "Review a diff",
        description: "Before a commit or for a branch: what changed by risk, with signature breaks, \
            users that did not change, missing tests and near-duplicates. Not for style.",
        effect: Effect::Reads,
        schema: schema_of::<ReviewDiffArgs>,
        run: |call, args| typed(call, args, run::review_diff),
    },
    ToolRow {
        name: "investigate",
        family: Family::Search,
        profile: Profile::Full,
        title: "Investigate",
        description: "Answer a broad question, such as how something works: hits with their users \
            and what they use. Not for one place: search; before an edit: context.",
        effect: Effect::Reads,
        schema: schema_of::<InvestigateArgs>,
        run: |call, args| typed(call, args, run::investigate),
    },
    ToolRow {
        name: "ask",
        family: Family::Search,
        profile: Profile::Full,
        title: "Ask",
        description: "Ask in plain words: the best tool is chosen, called and named. Not needed \
            when you know the tool.",
        effect: Effect::Reads,
        schema: schema_of::<AskArgs>,
        run: |call, args| typed(call, args, run::ask),
    },
    ToolRow {
        name: "search_iterative",
        family: Family::Search,
        profile: Profile::Full,
        title: "Search step by step",
        description: "Keep 200 candidates under a handle and narrow them by path or kind \
            without searching again. Not for a first look: search; for any answer: grep_results.",
        effect: Effect::Reads,
        schema: schema_of::<SearchIterativeArgs>,
        run: |call, args| typed(call, args, run::search_iterative),
    },
    ToolRow {
        name: "diff_search",
        family: Family::Review,
        profile: Profile::Full,
        title: "Search a diff",
        description: "Search only in what changed since a revision. Not for risk: review_diff.",
        effect: Effect::Reads,
        schema: schema_of::<DiffSearchArgs>,
        run: |call, args| typed(call, args, run::diff_search),
    },
    ToolRow {
        name: "verify",
        family: Family::Review,
        profile: Profile::Full,
        title: "Verify evidence",
        description: "Check whether cited code is unchanged, moved, modified or deleted. Not for \
            statements: critique.",
        effect: Effect::Reads,
        schema: schema_of::<VerifyArgs>,
        run: |call, args| typed(call, args, run::verify),
    },
    ToolRow {
        name: "critique",
        family: Family::Review,
        profile: Profile::Full,
        title: "Check a claim",
        description: "Check a claim before you state it: whether its symbols and paths exist, and who \
            calls, imports, extends or tests what. Not for opinions.",
        effect: Effect::Reads,
        schema: schema_of::<CritiqueArgs>,
        run: |call, args| typed(call, args, run::critique),
    },
    ToolRow {
        name: "head_results",
        family: Family::Result,
        profile: Profile::Standard,
        title: "Page results",
        description: "Page through the places of a truncated answer, by the handle after \
            \"rest\". Not a search; for its text: ctx_slice.",
        effect: Effect::Reads,
        schema: schema_of::<HeadResultsArgs>,
        run: |call, args| typed(call, args, run::head_results),
    },
    ToolRow {
        name: "grep_results",
        family: Family::Result,
        profile: Profile::Full,
        title: "Filter results",
        description: "Filter the places of an earlier answer. Not a search of files; for its text: ctx_grep.",
        effect: Effect::Reads,
        schema: schema_of::<GrepResultsArgs>,
        run: |call, args| typed(call, args, run::grep_results),
    },
    ToolRow {
        name: "ctx_peek",
        family: Family::Result,
        profile: Profile::Full,
        title: "Peek at an answer",
        description: "See head and tail of a truncated answer. Not a file reader.",
        effect: Effect::Reads,
        schema: schema_of::<CtxPeekArgs>,
        run: |call, args| typed(call, args, run::ctx_peek),
    },
    ToolRow {
        name: "ctx_slice",
        family: Family::Result,
        profile: Profile::Full,
        title: "Lines of an answer",
        description: "Read lines of a truncated answer. Not a file reader.",
        effect: Effect::Reads,
        schema: schema_of::<CtxSliceArgs>,
        run: |call, args| typed(call, args, run::ctx_slice),
    },
    ToolRow {
        name: "ctx_grep",
        family: Family::Result,
        profile: Profile::Full,
        title: "Search an answer",
        description: "Find lines in a truncated answer. Not a search of files.",
        effect: Effect::Reads,
        schema: schema_of::<CtxGrepArgs>,
        run: |call, args| typed(call, args, run::ctx_grep),
    },
    ToolRow {
        name: "ctx_stats",
        family: Family::Result,
        profile: Profile::Full,
        title: "Kept answers",
        description: "List kept answers with sizes. Not for the index: status.",
        effect: Effect::Reads,
        schema: schema_of::<CtxStatsArgs>,
        run: |call, args| typed(call, args, run::ctx_stats),
    },
    ToolRow {
        name: "remember",
        family: Family::Memory,
        profile: Profile::Standard,
        title: "Remember",
        description: "Record what the code does not say: a decision and its reason, a preference, a \
            correction; pinned to this commit. Not for what code says.",
        effect: Effect::Records,
        schema: schema_of::<RememberArgs>,
        run: |call, args| typed(call, args, run::remember),
    },
    ToolRow {
        name: "recall",
        family: Family::Memory,
        profile: Profile::Standard,
        title: "Recall",
        description: "Ask what was decided or learned before changing something; only what holds at this \
            commit. Not for code: search.",
        effect: Effect::Reads,
        schema: schema_of::<RecallArgs>,
        run: |call, args| typed(call, args, run::recall),
    },
    ToolRow {
        name: "wakeup",
        family: Family::Index,
        profile: Profile::Full,
        title: "Begin a session",
        description: "Begin a session: pinned and core memos, recent commits, head of the map. Not for \
            a question: recall, search.",
        effect: Effect::Reads,
        schema: schema_of::<WakeupArgs>,
        run: |call, args| typed(call, args, run::wakeup),
    },
    ToolRow {
        name: "memories",
        family: Family::Memory,
        profile: Profile::Full,
        title: "List memos",
        description: "List memos by state: those that hold, conflicts, drifted ones whose code changed. \
            Not for a question: recall.",
        effect: Effect::Reads,
        schema: schema_of::<MemoriesArgs>,
        run: |call, args| typed(call, args, run::memories),
    },
    ToolRow {
        name: "as_of",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Memory as of a commit",
        description: "See what memory held at a commit, or was known then. Not for code of a commit: search \
            with as_of.",
        effect: Effect::Reads,
        schema: schema_of::<AsOfArgs>,
        run: |call, args| typed(call, args, run::as_of),
    },
    ToolRow {
        name: "forget",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Forget",
        description: "End a memo that no longer holds; its history stays. Not for one that another \
            replaces: remember with supersedes.",
        effect: Effect::Records,
        schema: schema_of::<MemoArgs>,
        run: |call, args| typed(call, args, run::forget),
    },
    ToolRow {
        name: "promote",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Promote",
        description: "Make a memo more prominent: archive, normal, core. Not for the top of \
            lists: pin.",
        effect: Effect::Records,
        schema: schema_of::<MemoArgs>,
        run: |call, args| typed(call, args, run::promote),
    },
    ToolRow {
        name: "demote",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Demote",
        description: "Make a memo less prominent: core, normal, archive. Not for what is wrong: \
            forget.",
        effect: Effect::Records,
        schema: schema_of::<MemoArgs>,
        run: |call, args| typed(call, args, run::demote),
    },
    ToolRow {
        name: "pin",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Pin",
        description: "Show a memo first. Not for every session: promote.",
        effect: Effect::Records,
        schema: schema_of::<MemoArgs>,
        run: |call, args| typed(call, args, run::pin),
    },
    ToolRow {
        name: "unpin",
        family: Family::Memory,
        profile: Profile::Full,
        title: "Unpin",
        description: "Undo pin. Not for what is wrong: forget.",
        effect: Effect::Records,
        schema: schema_of::<MemoArgs>,
        run: |call, args| typed(call, args, run::unpin),
    },
];

/// The tools of a profile, in the table's order.
pub fn tools_of(profile: Profile) -> impl Iterator<Item = &'static ToolRow> {
    TOOLS.iter().filter(move |row| row.profile <= profile)
}

/// The tools of a profile that change nothing, by name.
pub fn reading_tools(profile: Profile) -> impl Iterator<Item = &'static str> {
    let reading = tools_of(profile).filter(|row| row.effect == Effect::Reads);
    reading.map(|row| row.name)
}

fn typed<A: DeserializeOwned>(
    call: &Call<'_>,
    args: Value,
    run: fn(&Call<'_>, A) -> Result<ToolAnswer, ToolError>,
) -> Result<ToolAnswer, ToolError> {
    let args = serde_json::from_value(args).map_err(|error| {
        ToolError::new("bad-argument", error.to_string(), "see the tool's schema")
    })?;
    run(call, args)
}

#[cfg(test)]
mod tests {
    use super::*;
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
