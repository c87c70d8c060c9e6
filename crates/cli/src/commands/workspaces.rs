//! `whyrank workspace`.

use serde_json::json;
use whyrank_engine::api::{ProposedWorkspace, Workspace};

use crate::args::{WorkspaceAction, WorkspaceArgs};
use crate::out::{self, Paint, paint};
use crate::workspace;

pub(crate) fn run(args: &WorkspaceArgs, json: bool) -> anyhow::Result<()> {
    let engine = workspace::open()?;
    match args.action.as_ref().unwrap_or(&WorkspaceAction::List) {
        WorkspaceAction::List => list(&engine.workspaces()?, json),
        WorkspaceAction::Set { name, repos } => list(&[engine.set_workspace(name, repos)?], json),
        WorkspaceAction::Default { name, repo, .. } => {
            let repo = engine.find_repo(workspace::selector(repo.as_deref()))?;
            engine.set_default_workspace(&repo.id, name.as_deref())?;
            if json {
                return out::json(&json!({"repo": repo.id, "default": name}));
            }
            out::line(&match name {
                Some(name) => format!(
                    "questions from {} are asked of {name}; --repo . asks it alone",
                    repo.name
                ),
                None => format!("questions from {} are asked of it alone", repo.name),
            })
        }
        WorkspaceAction::Propose => propose(&engine.propose_workspaces()?, json),
        WorkspaceAction::Remove { name } => {
            engine.remove_workspace(name)?;
            if json {
                out::json(&json!({"removed": name}))
            } else {
                out::line(&format!("{name} is forgotten; its repositories stay"))
            }
        }
    }
}

/// Prints what ties repositories together, and the command that names them.
fn propose(proposed: &[ProposedWorkspace], json: bool) -> anyhow::Result<()> {
    if json {
        return out::json(&proposed);
    }
    if proposed.is_empty() {
        out::note("no indexed repository imports what another one provides");
    }
    for workspace in proposed {
        for import in &workspace.imports {
            let modules = import.modules.join(", ");
            let line = format!(
                "{} imports {} ({modules})",
                import.importer, import.provider
            );
            out::line(&line)?;
        }
        let roots: Vec<&str> = workspace
            .repos
            .iter()
            .map(|repo| repo.root.as_str())
            .collect();
        let command = format!("  whyrank workspace set NAME {}", roots.join(" "));
        out::line(&paint(&command, Paint::Dim))?;
    }
    Ok(())
}

fn list(workspaces: &[Workspace], json: bool) -> anyhow::Result<()> {
    if json {
        return out::json(&workspaces);
    }
    if workspaces.is_empty() {
        out::note("no workspaces; `whyrank workspace set NAME REPO REPO` makes one");
    }
    for workspace in workspaces {
        out::line(&paint(&workspace.name, Paint::Bold))?;
        for repo in &workspace.repos {
            let root = match repo.root.as_str() {
                "" => "no longer registered",
                root => root,
            };
            out::line(&format!("  {} {root}", repo.name))?;
        }
    }
    Ok(())
}
