//! What would be written: every file with its diff, before anything is touched.

use std::path::{Path, PathBuf};

use serde_json::Value;
use similar::TextDiff;

use super::{Setup, put};
use crate::api::{FileChange, Plan, Request, Scope};
use crate::clients::{Client, client};
use crate::document::{Broken, put_items};
use crate::entry::Entry;
use crate::error::AgentsError;
use crate::files::{self, Audience};
use crate::hooks;
use crate::links;
use crate::redact::redact_text;
use crate::skill;
use crate::snippet;
use crate::written::text_of;

/// A file with the bytes that it shall hold.
pub(super) struct Planned {
    pub(super) about: &'static str,
    pub(super) path: PathBuf,
    /// Links followed.
    pub(super) real: PathBuf,
    pub(super) before: Option<String>,
    pub(super) after: String,
    pub(super) audience: Audience,
    pub(super) items: Vec<String>,
}

impl Planned {
    pub(super) fn is_same(&self) -> bool {
        self.before.as_deref().unwrap_or_default() == self.after
    }

    pub(super) fn before_hash(&self) -> String {
        files::hash(self.before.as_deref().map(str::as_bytes))
    }

    fn change(&self) -> FileChange {
        let shown = |path: &Path| path.to_string_lossy().into_owned();
        FileChange {
            about: self.about.to_owned(),
            path: shown(&self.path),
            links_to: (self.real != self.path && is_link(&self.path)).then(|| shown(&self.real)),
            exists: self.before.is_some(),
            before: self.before_hash(),
            diff: diff(
                self.before.as_deref().unwrap_or_default(),
                &self.after,
                &shown(&self.path),
            ),
        }
    }
}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink())
}

/// A unified diff without secrets; empty where nothing changes.
pub(super) fn diff(before: &str, after: &str, path: &str) -> String {
    if before == after {
        return String::new();
    }
    let old_name = if before.is_empty() { "/dev/null" } else { path };
    let new_name = if after.is_empty() { "/dev/null" } else { path };
    let diff = TextDiff::from_lines(before, after);
    let unified = diff.unified_diff().header(old_name, new_name).to_string();
    redact_text(&unified)
}

impl Setup {
    /// Returns what a request would write.
    ///
    /// # Errors
    ///
    /// `UnknownClient`, `NoSuchScope`, `NoProject`; `Unparsable`, `ReadOnly`, `Locked`, `TooLarge` for
    /// a file that must not or cannot be edited.
    pub fn plan(&self, request: &Request) -> Result<Plan, AgentsError> {
        let client = client(&request.client)?;
        let entry = Entry::of(client, &request.server, &request.allowed);
        let planned = self.planned(request)?;
        Ok(Plan {
            client: client.id.clone(),
            name: client.name.clone(),
            changes: planned.iter().map(Planned::change).collect(),
            notes: self.notes(client, request),
            snippet: links::to_paste(client, &entry),
            cli: links::command(client, &request.server),
            link: links::address(client, &entry),
            restart: client.restart.clone(),
        })
    }

    pub(super) fn planned(&self, request: &Request) -> Result<Vec<Planned>, AgentsError> {
        let client = client(&request.client)?;
        let entry = Entry::of(client, &request.server, &request.allowed);
        let paste = links::to_paste(client, &entry);
        let audience = match request.scope {
            Scope::User => Audience::User,
            Scope::Project => Audience::Project,
        };
        let project = request.project.as_deref().map(Path::new);
        let mut planned = Vec::new();
        for path in self.files(client, request.scope, request.project.as_deref())? {
            planned.push(edited(
                Target {
                    about: "server",
                    path,
                    audience,
                },
                &paste,
                |text| put(client, text, &entry),
            )?);
        }
        planned.extend(self.permissions(client, request, audience)?);
        planned.extend(self.hooks(client, request, &planned)?);
        planned.extend(self.skill(client, request, audience)?);
        if request.instructions {
            let project = project.ok_or(AgentsError::NoProject)?;
            planned.extend(instructions(client, project)?);
        }
        let is_projects = |plan: &&Planned| plan.audience == Audience::Project;
        for plan in planned.iter().filter(is_projects) {
            files::check_inside(&plan.path, project.ok_or(AgentsError::NoProject)?)?;
        }
        Ok(planned)
    }

    fn permissions(
        &self,
        client: &Client,
        request: &Request,
        audience: Audience,
    ) -> Result<Option<Planned>, AgentsError> {
        let Some(allow) = client
            .allow
            .as_ref()
            .filter(|_| !request.allowed.is_empty())
        else {
            return Ok(None);
        };
        let path = match (request.scope, &request.project) {
            (Scope::Project, Some(project)) => Path::new(project).join(&allow.project),
            _ => self.places.expand(&allow.user),
        };
        let tools = request.allowed.iter();
        let items: Vec<String> = tools
            .map(|tool| allow.item.replace("{tool}", tool))
            .collect();
        let paste = format!("\"{}\": {:?}", allow.key.join("."), items);
        let mut planned = edited(
            Target {
                about: "permissions",
                path,
                audience,
            },
            &paste,
            |text| {
                let values: Vec<Value> = items.iter().cloned().map(Value::from).collect();
                put_items(text, &allow.key, &values, &|_| false)
            },
        )?;
        planned.items = items;
        Ok(Some(planned))
    }

    /// The hook after an edit. Its file may be one that `planned` edits already: then it goes on from there.
    fn hooks(
        &self,
        client: &Client,
        request: &Request,
        planned: &[Planned],
    ) -> Result<Option<Planned>, AgentsError> {
        let Some(hooks) = client.hooks.as_ref().filter(|_| request.hooks) else {
            return Ok(None);
        };
        let (path, audience) = match (request.scope, &request.project) {
            (Scope::Project, Some(project)) => {
                (Path::new(project).join(&hooks.project), Audience::Project)
            }
            _ => (self.places.expand(&hooks.user), Audience::User),
        };
        let group = hooks::after_edit(hooks, &request.server);
        let paste = format!("\"{}\": [{group}]", hooks.key.join("."));
        let target = Target {
            about: "hooks",
            path,
            audience,
        };
        let real = files::real_path(&target.path);
        let earlier = planned.iter().rfind(|plan| plan.real == real);
        let mut before = None;
        let mut planned = edited(target, &paste, |text| {
            let text = earlier.map_or(text, |plan| &plan.after);
            before = earlier.map(|plan| plan.after.clone());
            put_items(text, &hooks.key, &[group], &hooks::is_ours)
        })?;
        planned.before = before.or(planned.before);
        Ok(Some(planned))
    }

    fn skill(
        &self,
        client: &Client,
        request: &Request,
        audience: Audience,
    ) -> Result<Option<Planned>, AgentsError> {
        let project = match request.scope {
            Scope::Project => request.project.as_deref().map(Path::new),
            Scope::User => None,
        };
        let path = client.skill_file(&self.places, project);
        let Some(path) = path.filter(|_| request.skill) else {
            return Ok(None);
        };
        let target = Target {
            about: "skill",
            path,
            audience,
        };
        edited(target, skill::PAGE, skill::put).map(Some)
    }

    fn notes(&self, client: &Client, request: &Request) -> Vec<String> {
        let has_hooks = request.hooks && client.hooks.is_some();
        let no_hooks = if has_hooks {
            ""
        } else {
            " No hooks are written."
        };
        let mut notes = vec![match request.allowed.len() {
            0 if has_hooks => {
                "No permissions are written: the client asks before each tool.".to_owned()
            }
            0 => "No hooks and no permissions are written: the client asks before each tool."
                .to_owned(),
            n if client.allow.is_some() || client.allow_field.is_some() => {
                format!("Permissions: {n} tools that only read may run without asking.{no_hooks}")
            }
            _ => format!("{} has no list of allowed tools; it will ask.", client.name),
        }];
        if request.skill && client.skills.is_none() {
            notes.push(format!("{} reads no skills; none is written.", client.name));
        }
        if request.hooks && client.hooks.is_none() {
            let name = &client.name;
            notes.push(format!("{name} has no hooks that Whyrank writes; none is."));
        }
        if request.scope == Scope::Project {
            notes.push(
                "The project's file is meant to be committed; its command is a path of this machine, and the client asks each person to approve it.".to_owned(),
            );
        }
        if self.places.variable("WSL_DISTRO_NAME").is_some() {
            notes.push(
                "This is WSL: programs on the Windows side read other files, and are set up from there.".to_owned(),
            );
        }
        let is_remote = ["SSH_CONNECTION", "REMOTE_CONTAINERS", "CODESPACES"]
            .iter()
            .any(|name| self.places.variable(name).is_some());
        if is_remote {
            notes.push(
                "This is a remote machine: a client whose window runs elsewhere reads its files there.".to_owned(),
            );
        }
        notes
    }
}

fn instructions(client: &Client, project: &Path) -> Result<Vec<Planned>, AgentsError> {
    let files = [Some(snippet::AGENTS_FILE), client.rules.as_deref()];
    let planned = files.into_iter().flatten().map(|file| {
        let target = Target {
            about: "instructions",
            path: project.join(file),
            audience: Audience::Project,
        };
        edited(target, "", |text| {
            // Anyone who imports the file already reads the block.
            let imports = text.lines().any(|line| line.trim() == "@AGENTS.md");
            if file != snippet::AGENTS_FILE && imports {
                Ok(text.to_owned())
            } else {
                snippet::put(text, file)
            }
        })
    });
    let mut planned = planned.collect::<Result<Vec<_>, _>>()?;
    // One of them is often a link to the other.
    planned.dedup_by(|link, file| link.real == file.real);
    Ok(planned)
}

/// A file that is to be edited.
struct Target {
    /// What the edit is about.
    about: &'static str,
    path: PathBuf,
    audience: Audience,
}

fn edited(
    target: Target,
    paste: &str,
    edit: impl FnOnce(&str) -> Result<String, Broken>,
) -> Result<Planned, AgentsError> {
    let Target {
        about,
        path,
        audience,
    } = target;
    let real = files::real_path(&path);
    let before = text_of(&real)?;
    let after =
        edit(before.as_deref().unwrap_or_default()).map_err(|broken| AgentsError::Unparsable {
            path: path.clone(),
            line: broken.line,
            reason: broken.reason,
            snippet: paste.to_owned(),
        })?;
    if before.as_deref() != Some(after.as_str()) {
        files::check_writable(&real, paste)?;
    }
    Ok(Planned {
        about,
        path,
        real,
        before,
        after,
        audience,
        items: Vec::new(),
    })
}
