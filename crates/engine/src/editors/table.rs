//! The editors that are known: their commands, and how each takes a file and a line.

use std::ffi::OsString;
use std::path::Path;

/// An editor.
pub(super) struct Editor {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    /// Names of its command, most usual first.
    pub(super) commands: &'static [&'static str],
    /// Where its command lies when it is in no folder of `PATH`.
    pub(super) bundled: &'static [&'static str],
    pub(super) style: Style,
    pub(super) window: Window,
}

/// Whether it has a window.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Window {
    Own,
    Terminal,
}

/// How a line is named.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// `--goto FILE:LINE`
    Goto,
    /// `FILE:LINE`
    Colon,
    /// `--line LINE FILE`
    Line,
    /// `+LINE FILE`
    Plus,
}

impl Style {
    /// The arguments. `file` is absolute, so that it is never read as an option.
    pub(super) fn args(self, file: &Path, line: u32) -> Vec<OsString> {
        let line = line.max(1);
        let with_line = || {
            let mut place = file.as_os_str().to_owned();
            place.push(format!(":{line}"));
            place
        };
        match self {
            Self::Goto => vec!["--goto".into(), with_line()],
            Self::Colon => vec![with_line()],
            Self::Line => vec!["--line".into(), line.to_string().into(), file.into()],
            Self::Plus => vec![format!("+{line}").into(), file.into()],
        }
    }
}

const fn windowed(
    id: &'static str,
    name: &'static str,
    commands: &'static [&'static str],
    bundled: &'static [&'static str],
    style: Style,
) -> Editor {
    let window = Window::Own;
    Editor {
        id,
        name,
        commands,
        bundled,
        style,
        window,
    }
}

pub(super) const EDITORS: &[Editor] = &[
    windowed(
        "vscode",
        "VS Code",
        &["code", "code-insiders"],
        &["/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code"],
        Style::Goto,
    ),
    windowed(
        "cursor",
        "Cursor",
        &["cursor"],
        &["/Applications/Cursor.app/Contents/Resources/app/bin/cursor"],
        Style::Goto,
    ),
    windowed(
        "vscodium",
        "VSCodium",
        &["codium", "vscodium"],
        &[],
        Style::Goto,
    ),
    windowed(
        "zed",
        "Zed",
        &["zed", "zeditor"],
        &["/Applications/Zed.app/Contents/MacOS/cli"],
        Style::Colon,
    ),
    windowed(
        "idea",
        "IntelliJ IDEA",
        &["idea", "idea.sh", "intellij-idea-ultimate"],
        &[],
        Style::Line,
    ),
    windowed(
        "pycharm",
        "PyCharm",
        &["pycharm", "charm", "pycharm.sh"],
        &[],
        Style::Line,
    ),
    windowed(
        "webstorm",
        "WebStorm",
        &["webstorm", "webstorm.sh"],
        &[],
        Style::Line,
    ),
    windowed(
        "goland",
        "GoLand",
        &["goland", "goland.sh"],
        &[],
        Style::Line,
    ),
    windowed("clion", "CLion", &["clion", "clion.sh"], &[], Style::Line),
    windowed(
        "rustrover",
        "RustRover",
        &["rustrover", "rustrover.sh"],
        &[],
        Style::Line,
    ),
    windowed(
        "phpstorm",
        "PhpStorm",
        &["phpstorm", "phpstorm.sh"],
        &[],
        Style::Line,
    ),
    windowed("rider", "Rider", &["rider", "rider.sh"], &[], Style::Line),
    windowed(
        "rubymine",
        "RubyMine",
        &["rubymine", "mine", "rubymine.sh"],
        &[],
        Style::Line,
    ),
    windowed(
        "sublime",
        "Sublime Text",
        &["subl", "sublime_text"],
        &["/Applications/Sublime Text.app/Contents/SharedSupport/bin/subl"],
        Style::Colon,
    ),
    windowed("emacs", "Emacs", &["emacs"], &[], Style::Plus),
    windowed("gvim", "gVim", &["gvim"], &[], Style::Plus),
    Editor {
        id: "neovim",
        name: "Neovim",
        commands: &["nvim"],
        bundled: &[],
        style: Style::Plus,
        window: Window::Terminal,
    },
    Editor {
        id: "helix",
        name: "Helix",
        commands: &["hx", "helix"],
        bundled: &[],
        style: Style::Colon,
        window: Window::Terminal,
    },
    Editor {
        id: "vim",
        name: "Vim",
        commands: &["vim"],
        bundled: &[],
        style: Style::Plus,
        window: Window::Terminal,
    },
];

/// Terminals with what comes before the program that they run.
pub(super) const TERMINALS: &[(&str, &[&str])] = &[
    ("x-terminal-emulator", &["-e"]),
    ("kitty", &[]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("foot", &[]),
    ("ghostty", &["-e"]),
    ("gnome-terminal", &["--"]),
    ("konsole", &["-e"]),
    ("xterm", &["-e"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn said(style: Style) -> Vec<String> {
        let args = style.args(Path::new("/r/a b.rs"), 12).into_iter();
        args.map(|arg| arg.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn each_editor_is_told_the_line_in_its_own_way() {
        assert_eq!(said(Style::Goto), ["--goto", "/r/a b.rs:12"]);
        assert_eq!(said(Style::Colon), ["/r/a b.rs:12"]);
        assert_eq!(said(Style::Line), ["--line", "12", "/r/a b.rs"]);
        assert_eq!(said(Style::Plus), ["+12", "/r/a b.rs"]);
    }

    #[test]
    fn every_editor_has_an_id_of_its_own() {
        let ids: std::collections::BTreeSet<_> = EDITORS.iter().map(|editor| editor.id).collect();
        assert_eq!(ids.len(), EDITORS.len());
    }
}
