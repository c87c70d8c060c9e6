//! The window's view of commands and events, and the test that keeps its TypeScript current.

use crate::commands as c;
use crate::events::{EngineNotice, LinkOpened, RepoOpened};
use crate::fresh as f;
use crate::updates::UpdateProgress;
use tauri_specta::{Builder, collect_commands, collect_events};
use whyrank_engine::api::EVIDENCE_TERMS;

/// Every command and event of the window.
pub(crate) fn builder() -> Builder<tauri::Wry> {
    commands()
        .events(collect_events![
            EngineNotice,
            LinkOpened,
            RepoOpened,
            UpdateProgress
        ])
        .constant("EVIDENCE_TERMS", EVIDENCE_TERMS)
        .disable_serde_phases()
}

#[expect(clippy::too_many_lines, reason = "a list, one command a line")]
fn commands() -> Builder<tauri::Wry> {
    Builder::new().commands(collect_commands![
        c::app_info,
        c::repos,
        c::add_repo,
        c::add_repos,
        c::scope_choices,
        c::find_repositories,
        c::remove_repo,
        c::repo_health,
        c::scan,
        c::set_watching,
        c::start_index,
        c::jobs,
        c::pause_job,
        c::resume_job,
        c::cancel_job,
        f::look,
        f::search,
        f::grep,
        f::ast_grep,
        f::dead_code,
        f::search_reranked,
        c::cancel_rerank,
        c::test_reranker,
        c::compare_hits,
        c::example_queries,
        c::prepare_search,
        f::suggest,
        f::preview,
        f::blame,
        f::names_in_file,
        f::refs,
        f::impact,
        f::test_map,
        f::review_diff,
        f::change_state,
        f::file_diff,
        c::permalink,
        c::recent_commits,
        c::editors,
        c::open_in_editor,
        c::explain,
        c::gate_what_if,
        c::stage_stats,
        c::export_trace,
        f::graph_view,
        f::repository_map,
        c::graph_save,
        c::save_image,
        f::memos,
        f::memo,
        c::memo_history,
        c::memo_timeline,
        c::memory_home,
        c::memory_attach,
        c::memo_conflicts,
        c::memo_anchor,
        c::memo_add,
        c::memo_edit,
        c::memo_forget,
        c::memo_mark,
        c::memo_purge,
        c::memo_reanchor,
        c::memo_export,
        c::memo_import,
        c::precise_plan,
        c::run_indexers,
        c::cancel_indexers,
        c::forget_precise,
        c::models,
        c::pull_model,
        c::cancel_pull,
        c::import_model,
        c::verify_model,
        c::settings,
        c::default_settings,
        c::set_settings,
        c::bench_suites,
        c::bench_subjects,
        c::bench_runs,
        c::bench_start,
        c::bench_progress,
        c::bench_cancel,
        c::bench_summary,
        c::bench_tasks,
        c::bench_task,
        c::bench_compare,
        c::bench_export,
        c::bench_delete,
        c::judge,
        c::judged_hits,
        c::last_call,
        c::calls,
        c::call_detail,
        c::call_session,
        c::session_cost,
        c::clear_calls,
        c::keep_calls,
        c::calls_save,
        c::agents_overview,
        c::agents_plan,
        c::agents_apply,
        c::agents_undo,
        c::agents_verify,
        c::http_state,
        c::http_start,
        c::http_stop,
        c::http_token,
        c::choose_path,
        c::choose_save_path,
        c::take_launched_repo,
        c::take_opened_link,
        c::notify_of_ends,
        c::desktop,
        c::set_desktop,
        c::paint_window,
        c::zoom,
        c::link_state,
        c::open_links_here,
        c::update_state,
        c::check_for_update,
        c::install_update,
        c::cancel_update,
    ])
}

#[cfg(test)]
mod tests {
    use specta::datatype::Primitive;
    use specta_typescript::{Error, Typescript};
    use specta_util::Remapper;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};
    use tauri_specta::{BuilderConfiguration, LanguageExt};

    /// TypeScript as the window reads it: our `Channel` is `RankChannel`, since the bare name is Tauri's
    /// own, and a float is a number. The generator adds `null` to floats for NaN, which JSON lacks and
    /// the engine never sends; what may be absent is an `Option` in Rust.
    struct WindowTypescript;

    impl LanguageExt for WindowTypescript {
        type Error = Error;

        fn export(self, cfg: &BuilderConfiguration, path: &Path) -> Result<(), Error> {
            let mut cfg = cfg.clone();
            cfg.types.iter_mut(|named| {
                if named.name == "Channel" && named.module_path.starts_with("whyrank") {
                    named.name = "RankChannel".into();
                }
            });
            // A primitive that the generator writes as a plain `number`.
            let number = Primitive::u32;
            cfg.types = Remapper::new()
                .rule(Primitive::f32.into(), number.clone().into())
                .rule(Primitive::f64.into(), number.into())
                .remap_types(cfg.types);
            Typescript::default().export(&cfg, path)
        }
    }

    /// `WHYRANK_UPDATE_BINDINGS=1 cargo test -p whyrank-desktop bindings` rewrites the file.
    #[test]
    fn bindings_are_current() {
        let fresh =
            std::env::temp_dir().join(format!("whyrank-bindings-{}.ts", std::process::id()));
        super::builder()
            .export(WindowTypescript, &fresh)
            .expect("bindings are exported");
        let generated = std::fs::read_to_string(&fresh).expect("the export can be read");
        std::fs::remove_file(&fresh).expect("the export can be removed");

        let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../ui/src/ipc/bindings.ts");
        if std::env::var_os("WHYRANK_UPDATE_BINDINGS").is_some() {
            std::fs::write(&kept, &generated).expect("the bindings can be written");
        }
        let current = std::fs::read_to_string(&kept).unwrap_or_default();
        assert!(
            current == generated,
            "ui/src/ipc/bindings.ts is stale; run with WHYRANK_UPDATE_BINDINGS=1 to rewrite it"
        );
    }

    /// What is not in the list is refused, also where it is a command.
    #[test]
    fn the_manifest_allows_the_commands_of_the_window_and_no_others() {
        let words = |text: &str, before: &str| -> BTreeSet<String> {
            let found = text.split(before).skip(1);
            let word = |rest: &str| {
                rest.chars()
                    .take_while(|c| c.is_ascii_lowercase() || *c == '_')
                    .collect::<String>()
            };
            found.map(word).filter(|word| !word.is_empty()).collect()
        };
        let declared = include_str!("bindings.rs").split("#[cfg(test)]").next();
        let declared = declared.expect("a file has a first part");
        let declared = &words(declared, " c::") | &words(declared, " f::");
        let allowed = words(include_str!("../permissions/window.toml"), "\n  \"");
        assert_eq!(allowed, declared);
    }
}
