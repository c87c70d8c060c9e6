//! Taking back: byte for byte where a file is as we left it, else only what is ours.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Setup;
use super::apply::restore;
use crate::api::{Applied, Scope};
use crate::clients::{Client, client};
use crate::document::{Broken, take_items};
use crate::error::AgentsError;
use crate::files::{self, Audience};
use crate::hooks;
use crate::journal::{Journal, JournalRow};
use crate::snippet;
use crate::written::{slot, text_of};

impl Setup {
    /// Takes back the last step of a client in a scope.
    ///
    /// # Errors
    ///
    /// `UnknownClient`, `NothingToUndo`; `Unparsable`, `ReadOnly`, `Locked`, `Write`.
    pub fn undo(
        &self,
        id: &str,
        scope: Scope,
        project: Option<&str>,
    ) -> Result<Applied, AgentsError> {
        let client = client(id)?;
        self.journal.change(|rows| {
            let step = Journal::last_step(rows, id, scope, project).ok_or_else(|| {
                AgentsError::NothingToUndo {
                    client: client.name.clone(),
                }
            })?;
            let (files, notes) = self.take_back(client, rows, |row| row.step == step)?;
            Ok(applied(client, files, notes))
        })
    }

    /// Removes our entry, the instructions and the permissions of a client, whoever wrote them.
    ///
    /// # Errors
    ///
    /// As [`Setup::undo`], and `NoSuchScope`, `NoProject`.
    pub fn remove(
        &self,
        id: &str,
        scope: Scope,
        project: Option<&str>,
    ) -> Result<Applied, AgentsError> {
        let client = client(id)?;
        self.journal.change(|rows| {
            // Steps are taken back newest first, so that the oldest backup is what remains.
            let (mut files, mut notes) = (Vec::new(), Vec::new());
            while let Some(step) = Journal::last_step(rows, id, scope, project) {
                let (more, said) = self.take_back(client, rows, |row| row.step == step)?;
                files.extend(more);
                notes.extend(said);
            }
            // What is still there was written by hand, or by the client's own command.
            let shared = sharers(rows, client);
            for path in self.files(client, scope, project)? {
                if let (Scope::Project, Some(project)) = (scope, project) {
                    files::check_inside(&path, Path::new(project))?;
                }
                let real = files::real_path(&path);
                if shared.iter().any(|(_, other)| *other == real) {
                    continue;
                }
                if edit(&path, |text| slot(client, text).take(text))? {
                    files.push(path.to_string_lossy().into_owned());
                }
            }
            files.sort();
            files.dedup();
            if files.is_empty() && notes.is_empty() {
                notes.push("there was no entry of ours".to_owned());
            }
            Ok(applied(client, files, notes))
        })
    }

    fn take_back(
        &self,
        client: &Client,
        rows: &mut [JournalRow],
        of_step: impl Fn(&JournalRow) -> bool,
    ) -> Result<(Vec<String>, Vec<String>), AgentsError> {
        let shared = sharers(rows, client);
        let readers = skill_readers(rows, client);
        let (mut files, mut notes) = (Vec::new(), Vec::new());
        for row in rows.iter_mut().rev() {
            if row.undone || row.client != client.id || !of_step(row) {
                continue;
            }
            let is_projects = row.scope == Scope::Project || row.about == "instructions";
            if let (true, Some(project)) = (is_projects, &row.project) {
                files::check_inside(&row.path, Path::new(project))?;
            }
            let shown = row.path.to_string_lossy().into_owned();
            let is_skill = row.about == "skill";
            let others = if is_skill { &readers } else { &shared };
            let sharer = others.iter().find(|(_, path)| *path == row.path);
            if let Some((name, _)) = sharer {
                let what = if is_skill { "stays" } else { "keeps the entry" };
                notes.push(format!("{shown} {what}: {name} uses it too"));
            } else if restore(row)? {
                files.push(shown);
            } else if is_skill {
                notes.push(format!("{shown} was changed since; it stays"));
            } else if self.take_ours(client, row)? {
                notes.push(format!(
                    "{shown} was changed since; only our part was taken out"
                ));
                files.push(shown);
            }
            row.undone = true;
        }
        Ok((files, notes))
    }

    fn take_ours(&self, client: &Client, row: &JournalRow) -> Result<bool, AgentsError> {
        match row.about.as_str() {
            "permissions" => edit(&row.path, |text| {
                let key = client.allow.as_ref().map(|allow| allow.key.as_slice());
                let is_ours = |held: &Value| row.items.iter().any(|item| held == item.as_str());
                take_items(text, key.unwrap_or_default(), &is_ours)
            }),
            "hooks" => edit(&row.path, |text| {
                let key = client.hooks.as_ref().map(|hooks| hooks.key.as_slice());
                take_items(text, key.unwrap_or_default(), &hooks::is_ours)
            }),
            "instructions" => edit(&row.path, snippet::take),
            _ => edit(&row.path, |text| slot(client, text).take(text)),
        }
    }
}

fn applied(client: &Client, mut files: Vec<String>, notes: Vec<String>) -> Applied {
    files.dedup();
    Applied {
        client: client.id.clone(),
        name: client.name.clone(),
        files,
        notes,
        restart: client.restart.clone(),
    }
}

/// Other clients whose entry lies in a file that this one uses, and the file.
fn sharers(rows: &[JournalRow], client: &Client) -> Vec<(String, PathBuf)> {
    let others = rows.iter().filter(|row| {
        let same_place = |other: &Client| other.key == client.key;
        let is_entry = row.about == "server";
        let other = crate::clients::clients()
            .iter()
            .find(|other| other.id == row.client);
        !row.undone && is_entry && row.client != client.id && other.is_some_and(same_place)
    });
    others
        .map(|row| (row.client.clone(), row.path.clone()))
        .collect()
}

/// Other clients that read a skill which this one reads, and its file.
fn skill_readers(rows: &[JournalRow], client: &Client) -> Vec<(String, PathBuf)> {
    let others = rows
        .iter()
        .filter(|row| !row.undone && row.about == "skill" && row.client != client.id);
    others
        .map(|row| (row.client.clone(), row.path.clone()))
        .collect()
}

/// Edits a file in place; false where that changes nothing.
fn edit(
    path: &Path,
    change: impl FnOnce(&str) -> Result<String, Broken>,
) -> Result<bool, AgentsError> {
    let real = files::real_path(path);
    let Some(before) = text_of(&real)? else {
        return Ok(false);
    };
    let after = change(&before).map_err(|broken| AgentsError::Unparsable {
        path: path.to_owned(),
        line: broken.line,
        reason: broken.reason,
        snippet: "(remove the entry `whyrank`)".to_owned(),
    })?;
    if after == before {
        return Ok(false);
    }
    files::check_writable(&real, "(remove the entry `whyrank`)")?;
    let hash = files::hash(Some(before.as_bytes()));
    files::replace(&real, after.as_bytes(), &hash, Audience::User)?;
    Ok(true)
}
