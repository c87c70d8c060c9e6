//! Precise edges: SCIP indexes that compilers' indexers wrote, made on consent and laid over views.
//!
//! [`indexers`] is the table of what can be run, [`plan`] says what a run would do, [`run`] does it,
//! [`overlay`] lays what there is over a view. Nothing is started that was not shown before.

mod indexers;
mod made;
mod overlay;
mod plan;
mod run;
mod scip_files;

pub(crate) use made::delete;
pub(crate) use run::PreciseRuns;
pub(crate) use scip_files::{ScipCache, ScipRead, USUAL};

use crate::Engine;
use crate::api::{PrecisePlan, RepoId};
use crate::error::Result;
use plan::Site;

impl Engine {
    /// Lists the indexers that fit a repository and what they would run; starts nothing.
    ///
    /// # Errors
    /// `unknown-repository`, `index-missing`, `index-damaged`, `index-incompatible`.
    pub fn precise_plan(&self, repo: &RepoId) -> Result<PrecisePlan> {
        let registered = self.state.registry.get(repo)?;
        let view = self.state.view_as_of(&registered, None)?;
        let site = Site::new(&registered, &view, &self.state.paths.data_dir);
        Ok(PrecisePlan {
            indexers: site.plans(),
            current: self.scip_import(&registered, &view)?,
            is_running: self.state.precise_runs.is_running(&registered.id),
        })
    }

    /// Deletes the indexes that were made for a repository; one in the repository itself stays.
    ///
    /// # Errors
    /// `unknown-repository`, `busy` while indexers run, `io`.
    pub fn forget_precise(&self, repo: &RepoId) -> Result<()> {
        let registered = self.state.registry.get(repo)?;
        let _claim = self.state.precise_runs.claim(&registered)?;
        delete(&self.state.paths.data_dir, &registered.id)?;
        self.repo_changed(&registered.id);
        Ok(())
    }
}
