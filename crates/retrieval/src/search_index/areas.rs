//! Areas: parts of a program as messages of changes name them, by the names of files and folders.

/// A name without what joins its words.
pub(crate) fn plain(text: &str) -> String {
    text.replace(['_', '-', ' '], "")
}

/// How well a file lies in an area, 0 to 1: it or a folder of it has the name, or the name among
/// others. O(length of the path).
pub(crate) fn lies_in(path: &str, area: &str) -> f64 {
    let path = path.to_lowercase();
    let area = area.trim_matches('/');
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let stem = name.split('.').next().unwrap_or(name);
    let wanted = plain(
        area.rsplit('/')
            .next()
            .unwrap_or(area)
            .split('.')
            .next()
            .unwrap_or(area),
    );
    if wanted.len() < 2 {
        return 0.0;
    }
    if plain(stem) == wanted || folders.split('/').any(|folder| plain(folder) == wanted) {
        return 1.0;
    }
    let parts = |text: &str| -> bool { text.split(['_', '-', '.']).any(|part| part == wanted) };
    if parts(stem) || folders.split('/').any(parts) {
        0.8
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lie_in_areas_by_name_or_folder_and_less_by_a_part() {
        assert_eq!(lies_in("lua/git.lua", "git"), 1.0);
        assert_eq!(lies_in("lua/git/task.lua", "git"), 1.0);
        assert_eq!(lies_in("src/tool-git.c", "git"), 0.8);
        assert_eq!(lies_in("src/digit.c", "git"), 0.0);
        assert_eq!(lies_in("src/tool_writeout.c", "tool_writeout"), 1.0);
    }
}
