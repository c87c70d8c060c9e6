//! The commands of the window: one line each over the engine, off the async runtime's threads.

use crate::launch::Launched;
use std::path::Path;
use tauri::State;
use whyrank_engine::api::{
    AppInfo, EngineErrorDto, FilePreview, IndexOptions, JobProgress, ModelSummary, RepoHealth,
    RepoSummary, ScanReport, SearchRequest, SearchResponse, Settings, Suggestion, Trace,
};
use whyrank_engine::{Engine, EngineError};

type Answer<T> = Result<T, EngineErrorDto>;

/// Runs a blocking engine call on a thread of its own.
async fn call<T: Send + 'static>(
    engine: State<'_, Engine>,
    act: impl FnOnce(&Engine) -> Result<T, EngineError> + Send + 'static,
) -> Answer<T> {
    let engine = engine.inner().clone();
    let outcome = tauri::async_runtime::spawn_blocking(move || act(&engine)).await;
    match outcome {
        Ok(answer) => answer.map_err(EngineErrorDto::from),
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

/// Declares commands: each is a name, its arguments and the engine call that answers it.
macro_rules! commands {
    ($(fn $name:ident($engine:ident $(, $arg:ident: $type:ty)*) -> $answer:ty { $body:expr })*) => {
        $(
            #[tauri::command]
            #[specta::specta]
            pub(crate) async fn $name(
                engine: State<'_, Engine>
                $(, $arg: $type)*
            ) -> Answer<$answer> {
                call(engine, move |$engine| $body).await
            }
        )*
    };
}

commands! {
    fn app_info(engine) -> AppInfo { Ok(engine.info()) }
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
    fn jobs(engine) -> Vec<JobProgress> { Ok(engine.jobs()) }
    fn pause_job(engine, job: String) -> () { engine.pause_job(&job) }
    fn resume_job(engine, job: String) -> () { engine.resume_job(&job) }
    fn cancel_job(engine, job: String) -> () { engine.cancel_job(&job) }
    fn search(engine, request: SearchRequest) -> SearchResponse { engine.search(&request) }
    fn suggest(engine, repo: String, prefix: String, limit: u32) -> Vec<Suggestion> {
        engine.suggest(&repo, &prefix, limit)
    }
    fn preview(engine, repo: String, path: String) -> FilePreview {
        engine.preview(&repo, &path, None)
    }
    fn explain(engine, query_id: String) -> Trace { engine.explain(&query_id) }
    fn export_trace(engine, query_id: String, path: String) -> () {
        write_trace(engine, &query_id, Path::new(&path))
    }
    fn models(engine) -> Vec<ModelSummary> { engine.models() }
    fn pull_model(engine, name: String) -> ModelSummary { engine.pull_model(&name, &mut |_| ()) }
    fn cancel_pull(engine, name: String) -> () { engine.cancel_pull(&name) }
    fn verify_model(engine, name: String) -> ModelSummary { engine.verify_model(&name) }
    fn settings(engine) -> Settings { engine.settings() }
    fn default_settings(engine) -> Settings { Ok(engine.default_settings()) }
    fn set_settings(engine, settings: Settings) -> Settings { engine.set_settings(&settings) }
}

/// The repository named on the command line, once.
#[tauri::command]
#[specta::specta]
pub(crate) async fn take_launched_repo(launched: State<'_, Launched>) -> Answer<Option<String>> {
    Ok(launched.take())
}
