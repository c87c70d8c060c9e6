//! The file that is open where a question is asked: what lies next to it by imports.

use std::path::Path;

use whyrank_retrieval::OpenFile;

use crate::api::SearchRequest;
use crate::views::{LivePart, LivePool};

/// Returns the files next to the one that is open, as the pool numbers them. `Err` says why a named one
/// has none: it is new, or of another repository.
pub(super) fn open_file(
    request: &SearchRequest,
    pool: &LivePool,
) -> Result<Option<OpenFile>, String> {
    let Some(given) = request.current_file.as_deref().map(str::trim) else {
        return Ok(None);
    };
    let is_asking = |part: &&LivePart| pool.parts.len() == 1 || part.repo.id == request.repo;
    let asking = pool.parts.iter().position(|part| is_asking(&part));
    let found = asking.and_then(|at| Some((at, file_of(&pool.parts[at], given)?)));
    let Some((at, file)) = found else {
        return Err(format!(
            "current_file does not count, not in the asking repository's index: {given}"
        ));
    };
    let before = pool.parts[..at].iter().map(|part| part.view.files.len());
    let offset = u32::try_from(before.sum::<usize>()).unwrap_or(u32::MAX);
    let part = &pool.parts[at];
    let imports = &part.view.graph.imports;
    let targets = imports.imports(file).iter().filter_map(|edge| edge.target);
    let importers = imports.importers(file).iter().map(|(file, _)| *file);
    let sorted = |files: &mut dyn Iterator<Item = u32>| {
        let mut files: Vec<u32> = files
            .filter(|other| *other != file)
            .map(|file| offset + file)
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    };
    Ok(Some(OpenFile {
        path: part.view.files[file as usize].path.clone(),
        imports: sorted(&mut targets.into_iter()),
        importers: sorted(&mut importers.into_iter()),
    }))
}

/// The file of a path below the repository's root, or an absolute one in it.
fn file_of(part: &LivePart, given: &str) -> Option<u32> {
    let below = Path::new(given).strip_prefix(&part.repo.root);
    let path = below.map_or_else(
        |_| given.to_owned(),
        |path| path.to_string_lossy().into_owned(),
    );
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let at = part.view.files.iter().position(|file| file.path == path)?;
    u32::try_from(at).ok()
}
