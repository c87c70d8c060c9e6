//! C and C++: quotes are relative to the file, both forms match the end of a path.

use crate::input::{paths, view_paths::ViewPaths};

/// Headers of the C library: a file of that name elsewhere is not what `<…>` means.
const SYSTEM: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];

pub(super) fn resolve(places: &ViewPaths<'_>, file: u32, module: &str) -> Option<u32> {
    let angle = module
        .strip_prefix('<')
        .map(|rest| rest.trim_end_matches('>').trim());
    let written = angle.unwrap_or_else(|| module.trim_matches('"'));
    if angle.is_some() && SYSTEM.contains(&written) {
        return None;
    }
    let beside = paths::join(places.folder_of(file), written).and_then(|path| places.file(&path));
    let rooted = || {
        ["include", "src", ""]
            .iter()
            .find_map(|root| paths::join(root, written).and_then(|path| places.file(&path)))
    };
    let plain = written.trim_start_matches("./").trim_start_matches("../");
    let by_end = || places.nearest_ending_with(plain, file);
    let found = if angle.is_some() {
        rooted().or_else(by_end)
    } else {
        beside.or_else(rooted).or_else(by_end)
    };
    found.filter(|target| *target != file)
}
