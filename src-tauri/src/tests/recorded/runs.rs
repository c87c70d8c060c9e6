//! Runs of the benchmark on the demo: one, the same with other settings, and one that was cancelled.

use super::demo::{PATH, Stage};
use super::ids::Ids;
use std::path::Path;
use whyrank_benchmark::Extra;
use whyrank_benchmark::api::RunRequest;
use whyrank_engine::api::{Channel, RepoId};

/// Programs that the runs need, of the machine.
const PROGRAMS: [&str; 3] = ["git", "grep", "sh"];

/// Lets the runs find the machine's programs.
pub(super) fn link_programs(bin: &Path) {
    let path = std::env::var_os(PATH)
        .or_else(|| std::env::var_os("PATH"))
        .unwrap_or_default();
    for name in PROGRAMS {
        let mut folders = std::env::split_paths(&path);
        let program = folders.find_map(|folder| folder.join(name).canonicalize().ok());
        let program = program.unwrap_or_else(|| panic!("the demo needs {name}"));
        std::os::unix::fs::symlink(program, bin.join(name)).expect("a link");
    }
}

impl Stage {
    /// Asks Whyrank and two baselines about the code of a repository.
    pub(super) fn measure(&self, repo: &RepoId, ids: &mut Ids) {
        let run = |title: &str, is_cancelled: bool, name: &str, ids: &mut Ids| {
            let request = RunRequest {
                title: title.to_owned(),
                subjects: ["whyrank", "smart-grep-fair", "bm25"]
                    .map(str::to_owned)
                    .to_vec(),
                limit: 12,
                own_repo: Some(repo.clone()),
                ..RunRequest::default()
            };
            let (path, _) = self
                .bench
                .run(&request, Extra::default(), |watch| {
                    if is_cancelled {
                        watch.cancel();
                    }
                })
                .expect("a run");
            let id = path.file_name().expect("a folder").to_string_lossy();
            ids.call(&id, name);
        };
        run("With all channels", false, "20260528-093001", ids);
        let before = self.engine.settings().expect("settings");
        let mut without_names = before.clone();
        for one in &mut without_names.weights {
            if one.channel == Channel::SymbolName {
                one.weight = 0.0;
            }
        }
        self.engine.set_settings(&without_names).expect("settings");
        run("Without names", false, "20260528-093002", ids);
        self.engine.set_settings(&before).expect("settings");
        run("Cancelled", true, "20260528-093003", ids);
    }
}
