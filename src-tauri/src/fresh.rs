//! Answers about a working tree: each is of the files as they are, or comes with what it does not show yet.
//!
//! Whatever answers from the index stands here, so that no answer of the window goes around the look at the
//! files. What is asked of a commit, which does not change, needs none.

use crate::commands::{Answer, call};
use serde::Serialize;
use specta::Type;
use tauri::State;
use whyrank_engine::api::{
    AstGrepRequest, AstGrepResponse, ChangeState, DeadCodeRequest, DeadCodeResponse,
    EngineErrorDto, FileBlame, FileDiff, FileDiffRequest, FileNames, FileNamesRequest, FilePreview,
    GraphView, GraphViewRequest, GrepRequest, GrepResponse, ImpactRequest, ImpactResponse, Memo,
    MemoId, MemoListRequest, MemoListResponse, MemoMoment, RefsRequest, RefsResponse, RepoId,
    RepositoryMap, RepositoryMapRequest, ReviewRequest, ReviewResponse, SearchRequest,
    SearchResponse, Suggestion, TestMapRequest, TestMapResponse, TreeLook,
};
use whyrank_engine::{Engine, EngineError};

/// An answer, and what the look at the files before it came to.
#[derive(Serialize, Type)]
pub(crate) struct Fresh<T> {
    answer: T,
    /// A repository each; none where a commit was asked.
    looks: Vec<TreeLook>,
}

/// The files that an answer is of.
struct Files {
    repos: Vec<RepoId>,
    /// The answer comes at once, of the index as it is, and the look follows: somebody is typing.
    at_once: bool,
}

impl Files {
    fn of(repo: &RepoId, as_of: Option<&str>) -> Self {
        let is_of_commit = as_of.is_some_and(|as_of| !as_of.trim().is_empty());
        Self {
            repos: if is_of_commit {
                Vec::new()
            } else {
                vec![repo.clone()]
            },
            at_once: false,
        }
    }

    /// Those of all repositories that a search asks.
    fn searched(engine: &Engine, request: &SearchRequest) -> Self {
        let one = Self::of(&request.repo, request.as_of.as_deref());
        if one.repos.is_empty() || request.repos.is_empty() {
            return one;
        }
        let names: Vec<String> = request.repos.iter().map(ToString::to_string).collect();
        // What cannot be asked is an error of the search.
        let repos = engine.scope(&names).map(|scope| vec![scope.joined()]);
        Self {
            repos: repos.unwrap_or(one.repos),
            ..one
        }
    }

    fn at_once(self, at_once: bool) -> Self {
        Self { at_once, ..self }
    }

    fn look(&self, engine: &Engine) -> Vec<TreeLook> {
        let look = |repo| {
            if self.at_once {
                engine.look_beside_answer(repo)
            } else {
                engine.look_before_answer(repo)
            }
        };
        self.repos.iter().flat_map(look).collect()
    }
}

/// Declares commands that answer from the index: each is a name, its arguments, the files that it is of and
/// the call that answers it.
macro_rules! fresh_commands {
    ($(
        fn $name:ident($engine:ident $(, $arg:ident: $type:ty)*) -> $answer:ty, of $files:expr => $act:expr;
    )*) => {
        $(
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(
                engine: State<'_, Engine>
                $(, $arg: $type)*
            ) -> Answer<Fresh<$answer>> {
                call(engine, move |$engine: &Engine| {
                    let looks = $files.look($engine);
                    let answer = $act?;
                    Ok::<_, EngineError>(Fresh { answer, looks })
                })
                .await
            }
        )*

        #[cfg(all(test, target_os = "linux"))]
        impl crate::tests::recorded::Answers for OfFiles {
            fn answer(
                &self,
                command: &str,
                given: &serde_json::Value,
            ) -> Option<crate::tests::recorded::Said> {
                $(
                    if command == stringify!($name) {
                        let $engine = &self.0;
                        $(let $arg: $type = crate::tests::recorded::argument(given, stringify!($arg));)*
                        let act = move || {
                            let looks = $files.look($engine);
                            let answer = $act?;
                            Ok::<_, EngineError>(Fresh::<$answer> { answer, looks })
                        };
                        return Some(crate::tests::recorded::told(act()));
                    }
                )*
                None
            }
        }
    };
}

/// The engine, asked what is answered of files.
#[cfg(all(test, target_os = "linux"))]
pub(crate) struct OfFiles(pub(crate) Engine);

fresh_commands! {
    fn search(engine, request: SearchRequest, typing: bool) -> SearchResponse,
        of Files::searched(engine, &request).at_once(typing) => engine.search(&request);
    fn search_reranked(engine, request: SearchRequest) -> SearchResponse,
        of Files::searched(engine, &request) => engine.search_reranked(&request, None);
    fn grep(engine, request: GrepRequest, typing: bool) -> GrepResponse,
        of Files::of(&request.repo, request.as_of.as_deref()).at_once(typing)
        => engine.grep(&request);
    fn ast_grep(engine, request: AstGrepRequest) -> AstGrepResponse,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.ast_grep(&request);
    fn dead_code(engine, request: DeadCodeRequest) -> DeadCodeResponse,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.dead_code(&request);
    fn suggest(engine, repo: RepoId, prefix: String, limit: u32) -> Vec<Suggestion>,
        of Files::of(&repo, None).at_once(true) => engine.suggest(&repo, &prefix, limit);
    fn preview(engine, repo: RepoId, path: String, as_of: Option<String>) -> FilePreview,
        of Files::of(&repo, as_of.as_deref()).at_once(true)
        => engine.preview(&repo, &path, as_of.as_deref());
    fn blame(engine, repo: RepoId, path: String, as_of: Option<String>) -> FileBlame,
        of Files::of(&repo, as_of.as_deref()).at_once(true)
        => engine.blame(&repo, &path, as_of.as_deref());
    fn names_in_file(engine, request: FileNamesRequest) -> FileNames,
        of Files::of(&request.repo, request.as_of.as_deref()).at_once(true)
        => engine.names_in_file(&request);
    fn refs(engine, request: RefsRequest) -> RefsResponse,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.refs(&request);
    fn impact(engine, request: ImpactRequest) -> ImpactResponse,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.impact(&request);
    fn test_map(engine, request: TestMapRequest) -> TestMapResponse,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.test_map(&request);
    fn review_diff(engine, request: ReviewRequest) -> ReviewResponse,
        of Files::of(&request.repo, None) => engine.review_diff(&request);
    fn change_state(engine, repo: RepoId) -> ChangeState,
        of Files::of(&repo, None).at_once(true) => engine.change_state(&repo);
    fn file_diff(engine, request: FileDiffRequest) -> FileDiff,
        of Files::of(&request.repo, None).at_once(true) => engine.file_diff(&request);
    fn graph_view(engine, request: GraphViewRequest) -> GraphView,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.graph_view(&request);
    fn repository_map(engine, request: RepositoryMapRequest) -> RepositoryMap,
        of Files::of(&request.repo, request.as_of.as_deref()) => engine.repository_map(&request);
    fn memos(engine, request: MemoListRequest) -> MemoListResponse,
        of Files::of(&request.repo, request.moment.as_of.as_deref()) => engine.memos(&request);
    fn memo(engine, repo: RepoId, memo: MemoId, moment: MemoMoment) -> Memo,
        of Files::of(&repo, moment.as_of.as_deref()) => engine.memo(&repo, &memo, &moment);
}

/// Looks whether files changed since the index; `update` sees to it, and waits a second at most.
#[tauri::command]
#[specta::specta]
pub(crate) async fn look(
    engine: State<'_, Engine>,
    repo: RepoId,
    update: bool,
) -> Answer<Vec<TreeLook>> {
    call(engine, move |engine: &Engine| {
        Ok::<_, EngineErrorDto>(if update {
            engine.look_before_answer(&repo)
        } else {
            engine.glance(&repo)
        })
    })
    .await
}

#[cfg(test)]
mod tests {
    /// Commands about a repository that answer from git, memory, settings or jobs, or look themselves.
    const NOT_FROM_THE_INDEX: [&str; 27] = [
        "scope_choices",
        "remove_repo",
        "repo_health",
        "set_watching",
        "start_index",
        "example_queries",
        "prepare_search",
        "open_in_editor",
        "permalink",
        "recent_commits",
        "memo_history",
        "memo_timeline",
        "memory_home",
        "memory_attach",
        "memo_conflicts",
        "memo_anchor",
        "memo_add",
        "memo_edit",
        "memo_reanchor",
        "memo_forget",
        "memo_mark",
        "memo_purge",
        "judge",
        "precise_plan",
        "cancel_indexers",
        "forget_precise",
        "calls",
    ];

    /// A new command is declared in this file, or named above by who knows that it needs no look.
    #[test]
    fn no_answer_goes_around_the_look() {
        let source = include_str!("commands.rs");
        let of_engine = source.split("Engine =>").nth(1);
        let of_engine = of_engine.and_then(|rest| rest.split("\n}\n").next());
        let commands = of_engine.expect("a block of the engine's").split("    fn ");
        for command in commands.skip(1) {
            let (name, rest) = command.split_once('(').expect("a name and its arguments");
            let arguments = rest.split(" -> ").next().unwrap_or_default();
            let is_of_files = arguments.contains("RepoId") || arguments.contains("Request");
            assert!(
                !is_of_files || NOT_FROM_THE_INDEX.contains(&name),
                "{name} answers without a look at the files"
            );
        }
    }
}
