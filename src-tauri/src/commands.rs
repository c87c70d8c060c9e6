//! The commands of the window: one line each over the engine, off the async runtime's threads.

use crate::agents::{Agents, AgentsOverview, HttpState, SetupRequest};
use crate::launch::Launched;
use std::path::Path;
use tauri::State;
use whyrank_agents::{Applied, Plan, Scope, Verification};
use whyrank_benchmark::api::{RunProgress, RunRequest, SubjectChoice, SuiteChoice, TaskLine};
use whyrank_benchmark::eval::{Comparison, RunInfo, Summary, TaskResult};
use whyrank_benchmark::{Bench, BenchError};
use whyrank_engine::api::{
    AppInfo, CallDetail, CallLog, CallsRequest, EditorInfo, EngineErrorDto, FilePreview,
    GateFeatures, GateSettings, GateVerdict, GraphExport, GraphFormat, GraphView, GraphViewRequest,
    HitComparison, IndexOptions, IndexerConsent, JobProgress, Memo, MemoActRequest, MemoConflict,
    MemoDone, MemoEditRequest, MemoHistory, MemoHome, MemoImport, MemoListRequest,
    MemoListResponse, MemoMark, MemoMoment, MemoTimeline, ModelSummary, PrecisePlan, PreciseReport,
    RecallRequest, RecallResponse, RememberRequest, RepoHealth, RepoSummary, RerankSettings,
    RerankTest, ScanReport, SearchRequest, SearchResponse, Settings, StageStats, Suggestion, Trace,
};
use whyrank_engine::{Engine, EngineError};

type Answer<T> = Result<T, EngineErrorDto>;

/// Runs a blocking call on a thread of its own: of the engine, or of the benchmark over it.
async fn call<S, T, E>(
    callee: State<'_, S>,
    act: impl FnOnce(&S) -> Result<T, E> + Send + 'static,
) -> Answer<T>
where
    S: Clone + Send + Sync + 'static,
    T: Send + 'static,
    E: Into<EngineErrorDto> + Send + 'static,
{
    let callee = callee.inner().clone();
    let outcome = tauri::async_runtime::spawn_blocking(move || act(&callee)).await;
    match outcome {
        Ok(answer) => answer.map_err(E::into),
        Err(error) => Err(EngineErrorDto {
            code: "internal".to_owned(),
            message: format!("the engine stopped while answering: {error}"),
            hint: "try again; if it happens again, restart Whyrank".to_owned(),
        }),
    }
}

/// Writes a trace as JSON to a file that the person chose.
fn write_trace(engine: &Engine, query_id: &str, path: &Path) -> Result<(), EngineError> {
    let trace = engine.explain(query_id)?;
    let failed = |error: &dyn std::fmt::Display| {
        let message = format!("cannot write {}: {error}", path.display());
        EngineError::new("write-failed", message, "choose another folder")
    };
    let json = serde_json::to_string_pretty(&trace).map_err(|error| failed(&error))?;
    std::fs::write(path, json).map_err(|error| failed(&error))
}

/// Writes an export of memory to a file that the person chose; how many facts it has.
fn write_memos(engine: &Engine, repo: &str, path: &Path) -> Result<u32, EngineError> {
    let export = engine.export_memos(repo)?;
    std::fs::write(path, &export.text).map_err(|error| {
        let message = format!("cannot write {}: {error}", path.display());
        EngineError::new("write-failed", message, "choose another folder")
    })?;
    Ok(export.n_facts)
}

/// Writes the log of calls to a file that the person chose; how many calls it has.
fn write_calls(engine: &Engine, path: &Path) -> Result<u32, EngineError> {
    let failed = |error: std::io::Error| {
        let message = format!("cannot write {}: {error}", path.display());
        EngineError::new("write-failed", message, "choose another folder")
    };
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).map_err(failed)?);
    let n_calls = engine.write_calls(&mut file)?;
    std::io::Write::flush(&mut file).map_err(failed)?;
    Ok(n_calls)
}

/// Reads an export of memory from a file that the person chose.
fn read_memos(engine: &Engine, repo: &str, path: &Path) -> Result<MemoImport, EngineError> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        EngineError::new("read-failed", message, "choose an export of memory")
    })?;
    engine.import_memos(repo, &text)
}

/// A page must not name what is started: outside subjects are for the command line.
fn starts_no_program(request: &RunRequest) -> Result<(), EngineErrorDto> {
    let mut subjects = request.subjects.iter();
    match subjects.find(|one| one.starts_with("command:") || one.starts_with("mcp:")) {
        None => Ok(()),
        Some(subject) => Err(EngineErrorDto {
            code: "bad-argument".to_owned(),
            message: format!("the window does not start programs: {subject}"),
            hint: "run it with `whyrank bench run`".to_owned(),
        }),
    }
}

/// Declares commands: each is a name, its arguments and the call that answers it.
macro_rules! commands {
    ($callee:ty => $(fn $name:ident($engine:ident $(, $arg:ident: $type:ty)*) -> $answer:ty $body:block)*) => {
        $(
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(
                engine: State<'_, $callee>
                $(, $arg: $type)*
            ) -> Answer<$answer> {
                call(engine, move |$engine: &$callee| $body).await
            }
        )*
    };
}

commands! {
    Engine =>
    fn app_info(engine) -> AppInfo { Ok::<_, EngineError>(engine.info()) }
    fn repos(engine) -> Vec<RepoSummary> { engine.repos() }
    fn repo(engine, id: String) -> RepoSummary { engine.repo(&id) }
    fn add_repo(engine, path: String) -> RepoSummary { engine.add_repo(Path::new(&path)) }
    fn remove_repo(engine, id: String, delete_index: bool) -> () {
        engine.remove_repo(&id, delete_index)
    }
    fn repo_health(engine, id: String) -> RepoHealth { engine.health(&id) }
    fn scan(engine, path: String) -> ScanReport { engine.scan(Path::new(&path)) }
    fn set_watching(engine, id: String, watching: bool) -> () {
        engine.set_watching(&id, watching)
    }
    fn start_index(engine, id: String, options: IndexOptions) -> String {
        engine.start_index(&id, options)
    }
    fn jobs(engine) -> Vec<JobProgress> { Ok::<_, EngineError>(engine.jobs()) }
    fn pause_job(engine, job: String) -> () { engine.pause_job(&job) }
    fn resume_job(engine, job: String) -> () { engine.resume_job(&job) }
    fn cancel_job(engine, job: String) -> () { engine.cancel_job(&job) }
    fn search(engine, request: SearchRequest) -> SearchResponse { engine.search(&request) }
    fn search_reranked(engine, request: SearchRequest) -> SearchResponse {
        engine.search_reranked(&request, None)
    }
    fn cancel_rerank(engine, query_id: String) -> () {
        engine.cancel_rerank(&query_id);
        Ok::<_, EngineError>(())
    }
    fn test_reranker(engine, settings: RerankSettings) -> RerankTest {
        engine.test_reranker(&settings)
    }
    fn compare_hits(engine, query_id: String, one: u32, other: u32) -> HitComparison {
        engine.compare_hits(&query_id, one, other)
    }
    fn suggest(engine, repo: String, prefix: String, limit: u32) -> Vec<Suggestion> {
        engine.suggest(&repo, &prefix, limit)
    }
    fn editors(engine) -> Vec<EditorInfo> { Ok::<_, EngineError>(engine.editors()) }
    fn open_in_editor(
        engine, repo: String, path: String, line: u32, editor: Option<String>
    ) -> EditorInfo {
        engine.open_in_editor(&repo, &path, line, editor.as_deref())
    }
    fn preview(engine, repo: String, path: String) -> FilePreview {
        engine.preview(&repo, &path, None)
    }
    fn gate_what_if(
        engine, settings: GateSettings, features: GateFeatures, missing: Option<String>
    ) -> GateVerdict {
        Ok::<_, EngineError>(engine.gate_what_if(&settings, &features, missing.as_deref()))
    }
    fn stage_stats(engine) -> StageStats { engine.stage_stats() }
    fn export_trace(engine, query_id: String, path: String) -> () {
        write_trace(engine, &query_id, Path::new(&path))
    }
    fn graph_view(engine, request: GraphViewRequest) -> GraphView { engine.graph_view(&request) }
    fn graph_export(engine, request: GraphViewRequest, format: GraphFormat) -> GraphExport {
        engine.graph_export(&request, format)
    }
    fn graph_save(engine, request: GraphViewRequest, format: GraphFormat, path: String) -> () {
        engine.graph_save(&request, format, Path::new(&path))
    }
    fn memos(engine, request: MemoListRequest) -> MemoListResponse { engine.memos(&request) }
    fn memo(engine, repo: String, memo: String, moment: MemoMoment) -> Memo {
        engine.memo(&repo, &memo, &moment)
    }
    fn memo_history(engine, repo: String, memo: String) -> MemoHistory {
        engine.memo_history(&repo, &memo)
    }
    fn memo_timeline(engine, repo: String, moment: MemoMoment, memos: Vec<String>) -> MemoTimeline {
        engine.memo_timeline(&repo, &moment, &memos)
    }
    fn memory_home(engine, repo: String) -> MemoHome { engine.memory_home(&repo) }
    fn memory_attach(engine, repo: String, from: Option<String>) -> MemoHome {
        match from {
            Some(from) => engine.attach_memory(&repo, &from),
            None => engine.detach_memory(&repo),
        }
    }
    fn memo_conflicts(engine, repo: String, moment: MemoMoment) -> Vec<MemoConflict> {
        engine.memo_conflicts(&repo, &moment)
    }
    fn memo_recall(engine, request: RecallRequest) -> RecallResponse { engine.recall(&request) }
    fn memo_add(engine, request: RememberRequest) -> MemoDone { engine.remember(&request) }
    fn memo_edit(engine, request: MemoEditRequest) -> MemoDone { engine.edit_memo(&request) }
    fn memo_forget(engine, request: MemoActRequest) -> MemoDone { engine.forget_memo(&request) }
    fn memo_mark(engine, request: MemoActRequest, mark: MemoMark) -> MemoDone {
        engine.mark_memo(&request, &mark)
    }
    fn memo_purge(engine, request: MemoActRequest) -> u32 { engine.purge_memo(&request) }
    fn memo_reanchor(engine, request: MemoActRequest) -> MemoDone {
        engine.reanchor_memo(&request)
    }
    fn memo_export(engine, repo: String, path: String) -> u32 {
        write_memos(engine, &repo, Path::new(&path))
    }
    fn memo_import(engine, repo: String, path: String) -> MemoImport {
        read_memos(engine, &repo, Path::new(&path))
    }
    fn precise_plan(engine, repo: String) -> PrecisePlan { engine.precise_plan(&repo) }
    fn run_indexers(engine, repo: String, agreed: Vec<IndexerConsent>) -> PreciseReport {
        engine.run_indexers(&repo, &agreed, &mut |_| ())
    }
    fn cancel_indexers(engine, repo: String) -> () { engine.cancel_indexers(&repo) }
    fn forget_precise(engine, repo: String) -> () { engine.forget_precise(&repo) }
    fn models(engine) -> Vec<ModelSummary> { engine.models() }
    fn pull_model(engine, name: String) -> ModelSummary { engine.pull_model(&name, &mut |_| ()) }
    fn cancel_pull(engine, name: String) -> () { engine.cancel_pull(&name) }
    fn import_model(engine, name: String, folder: String) -> ModelSummary {
        engine.import_model(&name, Path::new(&folder), &mut |_| ())
    }
    fn verify_model(engine, name: String) -> ModelSummary { engine.verify_model(&name) }
    fn settings(engine) -> Settings { engine.settings() }
    fn default_settings(engine) -> Settings {
        Ok::<_, EngineError>(engine.default_settings())
    }
    fn set_settings(engine, settings: Settings) -> Settings { engine.set_settings(&settings) }
    fn calls(engine, request: CallsRequest) -> CallLog { engine.calls(&request) }
    fn call_detail(engine, id: u32) -> CallDetail { engine.call_detail(id) }
    fn clear_calls(engine) -> () { engine.clear_calls() }
    fn keep_calls(engine, on: bool) -> () { engine.keep_calls(on) }
    fn calls_save(engine, path: String) -> u32 { write_calls(engine, Path::new(&path)) }
}

commands! {
    Agents =>
    fn agents_overview(agents, projects: Vec<String>) -> AgentsOverview {
        agents.overview(&projects)
    }
    fn agents_plan(agents, request: SetupRequest) -> Plan { agents.plan(&request) }
    fn agents_apply(agents, request: SetupRequest, seen: Vec<String>) -> Applied {
        agents.apply(&request, &seen)
    }
    fn agents_undo(agents, client: String, scope: Scope, project: Option<String>) -> Applied {
        agents.undo(&client, scope, project.as_deref())
    }
    fn agents_verify(
        agents,
        client: String,
        scope: Scope,
        project: Option<String>
    ) -> Vec<Verification> {
        agents.verify(&client, scope, project.as_deref())
    }
    fn http_state(agents) -> HttpState { Ok::<_, EngineErrorDto>(agents.http_state()) }
    fn http_start(agents, port: Option<u16>) -> HttpState { agents.start_http(port) }
    fn http_stop(agents) -> HttpState { Ok::<_, EngineErrorDto>(agents.stop_http()) }
    fn http_token(agents, rotate: bool) -> String { agents.token(rotate) }
}

commands! {
    Bench =>
    fn explain(bench, query_id: String) -> Trace { bench.explain(&query_id) }
    fn bench_suites(bench) -> Vec<SuiteChoice> { bench.suites() }
    fn bench_subjects(bench) -> Vec<SubjectChoice> { Ok::<_, BenchError>(bench.subjects()) }
    fn bench_runs(bench) -> Vec<RunInfo> { Ok::<_, BenchError>(bench.runs()) }
    fn bench_start(bench, request: RunRequest) -> String {
        starts_no_program(&request)?;
        bench.start(&request).map_err(EngineErrorDto::from)
    }
    fn bench_progress(bench) -> Option<RunProgress> { Ok::<_, BenchError>(bench.progress()) }
    fn bench_cancel(bench) -> () {
        bench.cancel();
        Ok::<_, BenchError>(())
    }
    fn bench_summary(bench, id: String) -> Summary { bench.summary(&id) }
    fn bench_tasks(bench, id: String) -> Vec<TaskLine> { bench.tasks(&id) }
    fn bench_task(bench, id: String, suite: String, subject: String, task: String) -> TaskResult {
        bench.task(&id, &suite, &subject, &task)
    }
    fn bench_compare(bench, base: String, other: String) -> Comparison {
        bench.compare(&base, &other)
    }
    fn bench_export(bench, id: String, format: String, path: String) -> String {
        let written = bench.export(&id, &format, Path::new(&path))?;
        Ok::<_, BenchError>(written.to_string_lossy().into_owned())
    }
    fn bench_delete(bench, id: String) -> () { bench.delete(&id) }
}

/// The repository named on the command line, once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_launched_repo(launched: State<'_, Launched>) -> Answer<Option<String>> {
    Ok(launched.take())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_the_window_asks_for_starts_no_program() {
        let asked = |subject: &str| RunRequest {
            subjects: vec!["whyrank".to_owned(), subject.to_owned()],
            ..RunRequest::default()
        };
        assert!(starts_no_program(&asked("grep")).is_ok());
        for subject in ["command:x=/bin/sh -c id", "mcp:servers.json"] {
            let refused = starts_no_program(&asked(subject)).expect_err(subject);
            assert_eq!(refused.code, "bad-argument");
        }
    }
}
