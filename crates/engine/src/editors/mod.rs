//! Opening a file where its person edits: editors that are installed, and how each is told a line.
//!
//! Which program runs is a row of a table or the person's own `$VISUAL` or `$EDITOR`; nobody who asks
//! names one. What is opened lies in a registered repository.

mod table;

use crate::Engine;
use crate::api::{EditorInfo, RepoId};
use crate::error::{EngineError, Result};
use std::path::{Path, PathBuf};
use table::{EDITORS, Editor, Window};
use whyrank_system::program::{Program, SearchPath};

/// The id of the person's own editor, as the environment names it.
const OWN: &str = "environment";

impl Engine {
    /// Editors that are installed, in the order in which one is chosen where none is.
    pub fn editors(&self) -> Vec<EditorInfo> {
        let path = SearchPath::outside_of_here();
        let own = own_editor(&path).map(|(_, name)| EditorInfo {
            id: OWN.to_owned(),
            name: format!("$EDITOR ({name})"),
        });
        let known = EDITORS.iter().filter(|editor| is_usable(editor, &path));
        let known = known.map(|editor| EditorInfo {
            id: editor.id.to_owned(),
            name: editor.name.to_owned(),
        });
        known.chain(own).collect()
    }

    /// Opens a file of a repository at a line, in the editor of that id or the first that there is.
    ///
    /// # Errors
    /// `unknown-repository`; `bad-argument` for a path that is not a file of it; `no-editor` where the
    /// editor is not installed, or none is; `io` when it cannot be started.
    pub fn open_in_editor(
        &self,
        repo: &RepoId,
        path: &str,
        line: u32,
        editor: Option<&str>,
    ) -> Result<EditorInfo> {
        let (repo, path) = &self.part_of(repo, path)?;
        let root = self.state.registry.get(repo)?.root;
        let file = file_within(&root, path)?;
        let search = SearchPath::outside(Some(&root));
        let wanted = match editor.filter(|id| !id.is_empty()) {
            Some(id) => id.to_owned(),
            None => self
                .editors()
                .into_iter()
                .next()
                .map_or_else(String::new, |first| first.id),
        };
        let (info, program) = if wanted == OWN {
            own_program(&search, &file, line, &root)
        } else {
            known_program(&wanted, &search, &file, line, &root)
        }
        .ok_or_else(|| no_editor(&wanted))?;
        program
            .release(&search)
            .map_err(|error| EngineError::io(&program.path, &error))?;
        Ok(info)
    }
}

fn no_editor(wanted: &str) -> EngineError {
    let message = if wanted.is_empty() {
        "no editor was found".to_owned()
    } else {
        format!("the editor `{wanted}` was not found, or no terminal to run it in")
    };
    let hint = "put its command into a folder of PATH (`code`, `zed`, `subl`, `idea`, `nvim`), or set EDITOR";
    EngineError::new("no-editor", message, hint)
}

/// The file that a path names, which lies in the repository also when links are followed.
fn file_within(root: &Path, path: &str) -> Result<PathBuf> {
    let outside = || {
        EngineError::bad_argument(
            format!("`{path}` is not a file of this repository"),
            "name it as search does, from the repository's root",
        )
    };
    let root = root.canonicalize().map_err(|_| outside())?;
    let file = root.join(path).canonicalize().map_err(|_| outside())?;
    if file.is_file() && file.starts_with(&root) {
        Ok(file)
    } else {
        Err(outside())
    }
}

fn is_usable(editor: &Editor, path: &SearchPath) -> bool {
    let has_window = editor.window == Window::Own || terminal(path).is_some();
    has_window && program_of(editor, path).is_some()
}

fn program_of(editor: &Editor, path: &SearchPath) -> Option<PathBuf> {
    let mut named = editor.commands.iter().filter_map(|name| path.find(name));
    let bundled = editor.bundled.iter().map(PathBuf::from);
    let mut bundled = bundled.filter(|file| path.has(file));
    named.next().or_else(|| bundled.next())
}

fn known_program(
    id: &str,
    path: &SearchPath,
    file: &Path,
    line: u32,
    root: &Path,
) -> Option<(EditorInfo, Program)> {
    let editor = EDITORS.iter().find(|editor| editor.id == id)?;
    let command = program_of(editor, path)?;
    let program = Program::new(command, root).args(editor.style.args(file, line));
    let program = match editor.window {
        Window::Own => program,
        Window::Terminal => in_terminal(program, path)?,
    };
    let info = EditorInfo {
        id: id.to_owned(),
        name: editor.name.to_owned(),
    };
    Some((info, program))
}

fn own_program(
    path: &SearchPath,
    file: &Path,
    line: u32,
    root: &Path,
) -> Option<(EditorInfo, Program)> {
    let (command, name) = own_editor(path)?;
    let known = EDITORS
        .iter()
        .find(|editor| editor.commands.contains(&name.as_str()));
    let style = known.map_or(table::Style::Plus, |editor| editor.style);
    let program = Program::new(command, root).args(style.args(file, line));
    let has_own = known.is_some_and(|editor| editor.window == Window::Own);
    let program = if has_own {
        program
    } else {
        in_terminal(program, path)?
    };
    let id = OWN.to_owned();
    Some((EditorInfo { id, name }, program))
}

/// The program that `VISUAL` or `EDITOR` names, without its arguments, and its name.
fn own_editor(path: &SearchPath) -> Option<(PathBuf, String)> {
    let named = ["VISUAL", "EDITOR"]
        .into_iter()
        .find_map(std::env::var_os)?;
    let word = named.to_str()?.split_whitespace().next()?.to_owned();
    let file = if Path::new(&word).is_absolute() {
        Some(PathBuf::from(&word)).filter(|file| path.has(file))
    } else {
        path.find(&word)
    }?;
    let name = file.file_stem()?.to_string_lossy().into_owned();
    Some((file, name))
}

fn terminal(path: &SearchPath) -> Option<(PathBuf, &'static [&'static str])> {
    let mut found = table::TERMINALS
        .iter()
        .filter_map(|(name, args)| Some((path.find(name)?, *args)));
    found.next()
}

fn in_terminal(program: Program, path: &SearchPath) -> Option<Program> {
    let (command, args) = terminal(path)?;
    let wrapped = Program::new(command, program.folder).args(args.iter().copied());
    Some(
        wrapped
            .args([program.path.into_os_string()])
            .args(program.args),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn only_files_of_the_repository_are_opened() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let root = folder.path().join("repo");
        fs::create_dir_all(root.join("src")).expect("it is made");
        fs::write(root.join("src/a.rs"), "").expect("it is written");
        fs::write(folder.path().join("secret"), "").expect("it is written");
        assert!(file_within(&root, "src/a.rs").is_ok());
        for path in ["../secret", "src", "src/none.rs", "/etc/passwd"] {
            assert!(file_within(&root, path).is_err(), "{path}");
        }
    }
}
