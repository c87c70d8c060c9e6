//! ripgrep's configuration file: arguments, one a line, that come before those of the command line.

use std::ffi::OsString;
use std::path::Path;

/// Reads the arguments of the file that `RIPGREP_CONFIG_PATH` names. Empty lines and those that begin with `#`
/// say nothing.
///
/// # Errors
/// The error of reading.
pub fn config_args(path: &Path) -> std::io::Result<Vec<OsString>> {
    let bytes = std::fs::read(path)?;
    let lines = bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
    let said = lines.filter(|line| !line.is_empty() && line[0] != b'#');
    Ok(said.map(argument).collect())
}

#[cfg(unix)]
fn argument(line: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStringExt as _;
    OsString::from_vec(line.to_vec())
}

#[cfg(not(unix))]
fn argument(line: &[u8]) -> OsString {
    String::from_utf8_lossy(line).into_owned().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_an_argument_and_remarks_are_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("rc");
        std::fs::write(
            &path,
            "# mine\n--context=0\n   --smart-case\n\n  # --bar\n-u",
        )
        .expect("written");
        let args = config_args(&path).expect("read");
        assert_eq!(args, ["--context=0", "--smart-case", "-u"]);
        assert!(config_args(&folder.path().join("gone")).is_err());
    }
}
