//! The commands of the window: one line each over the engine, off the async runtime's threads.

use crate::agents::{Agents, AgentsOverview, HttpState, SetupRequest};
use crate::consent::{self, PathChoice};
use crate::desktop::{self, Desktop, DesktopSettings, DesktopState};
use crate::idle;
use crate::launch::{Launched, OpenedLink};
use crate::links::{self, LinkState};
use crate::notifications::Notifications;
use crate::shell::Shell;
use crate::updates::{self, UpdateOffer, UpdateState};
use tauri::{AppHandle, State, WebviewWindow};
use whyrank_agents::{Applied, Plan, Scope, Verification};
use whyrank_benchmark::api::{
    RunProgress, RunRequest, SessionCost, SubjectChoice, SuiteChoice, TaskLine,
};
use whyrank_benchmark::eval::{Comparison, RunInfo, Summary, TaskResult};
use whyrank_benchmark::{Bench, BenchError};
use whyrank_engine::api::{
    AnchorPlace, AppInfo, CallDetail, CallLine, CallLog, CallSession, CallsRequest, EditorInfo,
    EngineErrorDto, FoundRepository, GateFeatures, GateSettings, GateVerdict, GraphFormat,
    GraphViewRequest, HitComparison, HitVerdict, IndexOptions, IndexerConsent, JobId, JobProgress,
    JudgeRequest, JudgedHit, MemoActRequest, MemoConflict, MemoDone, MemoEditRequest, MemoHistory,
    MemoHome, MemoId, MemoImport, MemoMark, MemoMoment, MemoTimeline, ModelSummary, Permalink,
    PrecisePlan, PreciseReport, QueryId, RememberRequest, RepoHealth, RepoId, RepoSummary,
    RerankSettings, RerankTest, ScanReport, ScopeChoice, Settings, StageStats, Suggestion,
    TimelineCommit, Trace,
};
use whyrank_engine::{Engine, EngineError, whole};

pub(crate) type Answer<T> = Result<T, EngineErrorDto>;

/// Runs a blocking call on a thread of its own: of the engine, or of the benchmark over it.
pub(crate) async fn call<S, T, E>(
    callee: State<'_, S>,
    act: impl FnOnce(&S) -> Result<T, E> + Send + 'static,
) -> Answer<T>
where
    S: Clone + Send + Sync + 'static,
    T: Send + 'static,
    E: Into<EngineErrorDto> + Send + 'static,
{
    let callee = callee.inner().clone();
    let outcome =
        tauri::async_runtime::spawn_blocking(move || whole(|| act(&callee).map_err(E::into))).await;
    idle::after_answer();
    match outcome {
        Ok(answer) => answer,
        Err(error) => Err(EngineErrorDto {
            code: "internal".to_owned(),
            message: format!("the engine stopped while answering: {error}"),
            hint: "try again; if it happens again, restart Whyrank".to_owned(),
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

        #[cfg(all(test, target_os = "linux"))]
        impl crate::tests::recorded::Answers for $callee {
            fn answer(
                &self,
                command: &str,
                given: &serde_json::Value,
            ) -> Option<crate::tests::recorded::Said> {
                $(
                    if command == stringify!($name) {
                        let $engine = self;
                        $(let $arg: $type = crate::tests::recorded::argument(given, stringify!($arg));)*
                        let act = move || $body;
                        return Some(crate::tests::recorded::told::<$answer, _>(act()));
                    }
                )*
                None
            }
        }
    };
}

commands! {
    Engine =>
    fn app_info(engine) -> AppInfo { Ok::<_, EngineError>(engine.info()) }
    fn repos(engine) -> Vec<RepoSummary> { engine.repos() }
    fn scope_choices(engine, asking: RepoId) -> Vec<ScopeChoice> { engine.scope_choices(&asking) }
    fn find_repositories(engine) -> Vec<FoundRepository> { engine.find_repositories() }
    fn remove_repo(engine, id: RepoId, delete_index: bool) -> () {
        engine.remove_repo(&id, delete_index)
    }
    fn repo_health(engine, id: RepoId) -> RepoHealth { engine.health(&id) }
    fn set_watching(engine, id: RepoId, watching: bool) -> () {
        engine.set_watching(&id, watching)
    }
    fn start_index(engine, id: RepoId, options: IndexOptions) -> JobId {
        engine.start_index(&id, options)
    }
    fn jobs(engine) -> Vec<JobProgress> { Ok::<_, EngineError>(engine.jobs()) }
    fn pause_job(engine, job: JobId) -> () { engine.pause_job(&job) }
    fn resume_job(engine, job: JobId) -> () { engine.resume_job(&job) }
    fn cancel_job(engine, job: JobId) -> () { engine.cancel_job(&job) }
    fn example_queries(engine, repo: RepoId) -> Vec<Suggestion> {
        engine.example_queries(&repo)
    }
    fn cancel_rerank(engine, query_id: QueryId) -> () {
        engine.cancel_rerank(&query_id);
        Ok::<_, EngineError>(())
    }
    fn compare_hits(engine, query_id: QueryId, one: u32, other: u32) -> HitComparison {
        engine.compare_hits(&query_id, one, other)
    }
    fn prepare_search(engine, repo: RepoId) -> () {
        engine.prepare_search(&repo)
    }
    fn editors(engine) -> Vec<EditorInfo> { Ok::<_, EngineError>(engine.editors()) }
    fn open_in_editor(
        engine, repo: RepoId, path: String, line: u32, editor: Option<String>
    ) -> EditorInfo {
        engine.open_in_editor(&repo, &path, line, editor.as_deref())
    }
    fn permalink(
        engine, repo: RepoId, path: String, lines: (u32, u32), as_of: Option<String>
    ) -> Permalink {
        engine.permalink(&repo, &path, lines, as_of.as_deref())
    }
    fn recent_commits(engine, repo: RepoId, limit: u32) -> Vec<TimelineCommit> {
        engine.recent_commits(&repo, limit)
    }
    fn gate_what_if(
        engine, settings: GateSettings, features: GateFeatures, missing: Option<String>
    ) -> GateVerdict {
        Ok::<_, EngineError>(engine.gate_what_if(&settings, &features, missing.as_deref()))
    }
    fn stage_stats(engine) -> StageStats { engine.stage_stats() }
    fn memo_history(engine, repo: RepoId, memo: MemoId) -> MemoHistory {
        engine.memo_history(&repo, &memo)
    }
    fn memo_timeline(engine, repo: RepoId, moment: MemoMoment, memos: Vec<MemoId>) -> MemoTimeline {
        engine.memo_timeline(&repo, &moment, &memos)
    }
    fn memory_home(engine, repo: RepoId) -> MemoHome { engine.memory_home(&repo) }
    fn memory_attach(engine, repo: RepoId, from: Option<String>) -> MemoHome {
        match from {
            Some(from) => engine.attach_memory(&repo, &from),
            None => engine.detach_memory(&repo),
        }
    }
    fn memo_conflicts(engine, repo: RepoId, moment: MemoMoment) -> Vec<MemoConflict> {
        engine.memo_conflicts(&repo, &moment)
    }
    fn memo_anchor(engine, repo: RepoId, text: String) -> AnchorPlace {
        engine.look_before_answer(&repo);
        engine.anchor_place(&repo, &text)
    }
    fn memo_add(engine, request: RememberRequest) -> MemoDone {
        engine.look_before_answer(&request.repo);
        engine.remember(&request)
    }
    fn memo_edit(engine, request: MemoEditRequest) -> MemoDone {
        engine.look_before_answer(&request.repo);
        engine.edit_memo(&request)
    }
    fn memo_reanchor(engine, request: MemoActRequest) -> MemoDone {
        engine.look_before_answer(&request.repo);
        engine.reanchor_memo(&request)
    }
    fn memo_forget(engine, request: MemoActRequest) -> MemoDone { engine.forget_memo(&request) }
    fn memo_mark(engine, request: MemoActRequest, mark: MemoMark) -> MemoDone {
        engine.mark_memo(&request, &mark)
    }
    fn memo_purge(engine, request: MemoActRequest) -> u32 { engine.purge_memo(&request) }
    fn precise_plan(engine, repo: RepoId) -> PrecisePlan { engine.precise_plan(&repo) }
    fn cancel_indexers(engine, repo: RepoId) -> () { engine.cancel_indexers(&repo) }
    fn forget_precise(engine, repo: RepoId) -> () { engine.forget_precise(&repo) }
    fn models(engine) -> Vec<ModelSummary> { engine.models() }
    fn pull_model(engine, name: String) -> ModelSummary { engine.pull_model(&name, &mut |_| ()) }
    fn cancel_pull(engine, name: String) -> () { engine.cancel_pull(&name) }
    fn verify_model(engine, name: String) -> ModelSummary { engine.verify_model(&name) }
    fn settings(engine) -> Settings { engine.settings() }
    fn default_settings(engine) -> Settings {
        Ok::<_, EngineError>(engine.default_settings())
    }
    fn judge(engine, request: JudgeRequest) -> Option<HitVerdict> { engine.judge(&request) }
    fn judged_hits(engine) -> Vec<JudgedHit> { engine.judged_hits() }
    fn last_call(engine) -> Option<CallLine> { engine.last_call() }
    fn calls(engine, request: CallsRequest) -> CallLog { engine.calls(&request) }
    fn call_detail(engine, id: u32) -> CallDetail { engine.call_detail(id) }
    fn call_session(engine, session: String) -> CallSession { engine.call_session(&session) }
    fn clear_calls(engine) -> () { engine.clear_calls() }
    fn keep_calls(engine, on: bool) -> () { engine.keep_calls(on) }
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
}

commands! {
    Bench =>
    fn explain(bench, query_id: QueryId) -> Trace { bench.explain(&query_id) }
    fn session_cost(bench, session: String) -> SessionCost { bench.session_cost(&session) }
    fn bench_suites(bench) -> Vec<SuiteChoice> { bench.suites() }
    fn bench_subjects(bench) -> Vec<SubjectChoice> { Ok::<_, BenchError>(bench.subjects()) }
    fn bench_runs(bench) -> Vec<RunInfo> { Ok::<_, BenchError>(bench.runs()) }
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
    fn bench_delete(bench, id: String) -> () { bench.delete(&id) }
}

commands! {
    Shell =>
    fn add_repo(shell, path: String) -> RepoSummary { shell.add_repo(&path) }
    fn add_repos(shell, paths: Vec<String>) -> Vec<RepoSummary> { shell.add_repos(&paths) }
    fn scan(shell, path: String) -> ScanReport { shell.scan(&path) }
    fn test_reranker(shell, settings: RerankSettings) -> RerankTest {
        shell.test_reranker(&settings)
    }
    fn set_settings(shell, settings: Settings) -> Settings { shell.set_settings(&settings) }
    fn import_model(shell, name: String, folder: String) -> ModelSummary {
        shell.import_model(&name, &folder)
    }
    fn run_indexers(shell, repo: RepoId, agreed: Vec<IndexerConsent>) -> PreciseReport {
        shell.run_indexers(&repo, &agreed)
    }
    fn export_trace(shell, query_id: QueryId, path: String) -> () {
        shell.export_trace(&query_id, &path)
    }
    fn graph_save(shell, request: GraphViewRequest, format: GraphFormat, path: String) -> () {
        shell.save_graph(&request, format, &path)
    }
    fn save_image(shell, path: String, image: Vec<u8>) -> () { shell.save_image(&path, &image) }
    fn memo_export(shell, repo: RepoId, path: String) -> u32 { shell.export_memos(&repo, &path) }
    fn memo_import(shell, repo: RepoId, path: String, retire: bool) -> MemoImport {
        shell.import_memos(&repo, &path, retire)
    }
    fn calls_save(shell, path: String) -> u32 { shell.save_calls(&path) }
    fn bench_start(shell, request: RunRequest) -> String { shell.start_run(&request) }
    fn bench_export(shell, id: String, format: String, path: String) -> String {
        shell.export_run(&id, &format, &path)
    }
    fn http_token(shell, rotate: bool) -> String { shell.http_token(rotate) }
}

/// Asks for a file or folder in a dialog of the shell; the page may then hand it on.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_path(
    app: AppHandle,
    shell: State<'_, Shell>,
    what: PathChoice,
) -> Answer<Option<String>> {
    let choose = move |shell: &Shell| {
        let chosen = consent::choose(&app, what);
        Ok::<_, EngineErrorDto>(chosen.map(|path| {
            shell.consent.grant_read(&path);
            path.to_string_lossy().into_owned()
        }))
    };
    call(shell, choose).await
}

/// Asks where to save a file in a dialog of the shell; the page may then have it written there.
#[tauri::command]
#[specta::specta]
pub(crate) async fn choose_save_path(
    app: AppHandle,
    shell: State<'_, Shell>,
    name: String,
) -> Answer<Option<String>> {
    let choose = move |shell: &Shell| {
        let chosen = consent::choose_to_save(&app, &name);
        Ok::<_, EngineErrorDto>(chosen.map(|path| {
            shell.consent.grant_write(&path);
            path.to_string_lossy().into_owned()
        }))
    };
    call(shell, choose).await
}

/// The repository named on the command line, once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_launched_repo(
    app: AppHandle,
    launched: State<'_, Launched>,
) -> Answer<Option<RepoId>> {
    // The first that the page asks for.
    updates::page_is_up(&app);
    Ok(launched.take())
}

/// The link that was opened last, once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_opened_link(opened: State<'_, OpenedLink>) -> Answer<Option<String>> {
    Ok(opened.take())
}

/// Tells the end of long work while the window is not in front, or no longer.
#[tauri::command]
#[specta::specta]
pub(crate) async fn notify_of_ends(
    notifications: State<'_, Notifications>,
    on: bool,
) -> Answer<()> {
    notifications.set(on);
    Ok(())
}

/// Says what was chosen of tray and key, and what of it this desktop cannot do.
#[tauri::command]
#[specta::specta]
pub(crate) async fn desktop(desktop: State<'_, Desktop>) -> Answer<DesktopState> {
    call(desktop, |desktop: &Desktop| {
        Ok::<_, EngineErrorDto>(desktop.state())
    })
    .await
}

/// Chooses tray and key.
#[tauri::command]
#[specta::specta]
pub(crate) async fn set_desktop(
    app: AppHandle,
    desktop: State<'_, Desktop>,
    settings: DesktopSettings,
) -> Answer<DesktopState> {
    call(desktop, move |desktop: &Desktop| {
        desktop.choose(&app, settings)
    })
    .await
}

/// Gives the window the colour of its page, for what is seen before it has painted.
#[tauri::command]
#[specta::specta]
pub(crate) async fn paint_window(
    window: WebviewWindow,
    desktop: State<'_, Desktop>,
    dark: bool,
) -> Answer<()> {
    call(desktop, move |desktop: &Desktop| {
        desktop.paint(&window, dark)
    })
    .await
}

/// Draws the page larger or smaller.
#[tauri::command]
#[specta::specta]
pub(crate) async fn zoom(window: WebviewWindow, factor: f64) -> Answer<()> {
    desktop::zoom(&window, factor)
}

/// Says whether `whyrank://` links open this program.
#[tauri::command]
#[specta::specta]
pub(crate) async fn link_state() -> Answer<LinkState> {
    Ok(links::state())
}

/// Makes this program the one that opens `whyrank://` links, or takes that back.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_links_here(shell: State<'_, Shell>, on: bool) -> Answer<LinkState> {
    call(shell, move |shell: &Shell| {
        links::open_here(&shell.consent, on)
    })
    .await
}

/// Says how this program is kept up to date.
#[tauri::command]
#[specta::specta]
pub(crate) async fn update_state(app: AppHandle) -> Answer<UpdateState> {
    Ok(updates::state(&app))
}

/// Asks whether there is a newer version; the one connection of the updater besides the download.
#[tauri::command]
#[specta::specta]
pub(crate) async fn check_for_update(app: AppHandle) -> Answer<Option<UpdateOffer>> {
    updates::check(&app).await
}

/// Installs the version that was found and starts it in place of this one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn install_update(app: AppHandle) -> Answer<()> {
    updates::install(&app).await
}

/// Stops the download of a new version.
#[tauri::command]
#[specta::specta]
pub(crate) async fn cancel_update(app: AppHandle) -> Answer<()> {
    updates::cancel(&app);
    Ok(())
}
