//! The number of those who use a definition, in one line.

use crate::ask::Ask;
use crate::failure::Failure;
use crate::roots::ServedRepo;
use std::collections::HashSet;
use whyrank_engine::api::{
    LookupRequest, Memo, MemoListRequest, RefHit, RefsRequest, RefsResponse, SymbolLine,
};

/// Memos that a look-up names at most; where it names so many there may be more.
const LOOKUP_MEMOS: usize = 3;

/// The users of a definition.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Users {
    pub(crate) n_users: usize,
    pub(crate) n_tests: usize,
    /// Places that may use it.
    pub(crate) n_maybe: usize,
    /// Why there may be others; empty where all places of the name were ruled on.
    pub(crate) open: String,
}

impl Users {
    /// Counts who uses a definition. Imports and mentions are no uses.
    ///
    /// # Errors
    ///
    /// Those of the engine.
    pub(crate) fn of(
        ask: &Ask<'_>,
        repo: &ServedRepo,
        symbol: &SymbolLine,
    ) -> Result<Self, Failure> {
        let refs = ask.engine().refs(&refs_request(repo, symbol))?;
        Ok(Self::counted(&refs))
    }

    fn counted(refs: &RefsResponse) -> Self {
        let is_use = |hit: &&RefHit| {
            !matches!(&hit.kind[..], "import" | "re-export" | "mention") && !hit.doc
        };
        let (certain, maybe): (Vec<&RefHit>, Vec<&RefHit>) = refs
            .references
            .iter()
            .filter(is_use)
            .partition(|hit| hit.confidence.is_certain() && refs.by_name_only.is_empty());
        let users = |is_test: bool| {
            let of_these = certain.iter().filter(|hit| hit.test == is_test);
            let users = of_these.map(|hit| {
                // Code outside of any definition uses it line by line.
                let line = hit.enclosing.is_none().then_some(hit.line);
                (&hit.path, &hit.enclosing, line)
            });
            users.collect::<HashSet<_>>().len()
        };
        let by_name = refs.by_name.as_ref().map_or(0, |places| places.n_uses);
        let open = match (&refs.by_name_only[..], refs.are_places_unread) {
            ("", false) => String::new(),
            ("", true) => "other places of the name were not read".to_owned(),
            (note, _) => note.to_owned(),
        };
        Self {
            n_users: users(false),
            n_tests: users(true),
            n_maybe: maybe.len() + (refs.n_unsettled + by_name) as usize,
            open,
        }
    }

    /// `7 users · 2 maybe · 3 tests · 1 memo`.
    pub(crate) fn words(&self, n_memos: usize) -> String {
        let count = |n: usize, single: &str, several: &str| match n {
            1 => format!("1 {single}"),
            n => format!("{n} {several}"),
        };
        let mut parts = vec![count(self.n_users, "user", "users")];
        if self.n_maybe > 0 {
            parts.push(format!("{} maybe", self.n_maybe));
        }
        if self.n_tests > 0 {
            parts.push(count(self.n_tests, "test", "tests"));
        }
        if n_memos > 0 {
            parts.push(count(n_memos, "memo", "memos"));
        }
        if !self.open.is_empty() {
            parts.push(self.open.clone());
        }
        parts.join(" · ")
    }
}

/// Asks for the uses of one definition.
pub(crate) fn refs_request(repo: &ServedRepo, symbol: &SymbolLine) -> RefsRequest {
    RefsRequest {
        repo: repo.id.clone(),
        symbol: symbol.qualified.clone(),
        path: Some(symbol.path.clone()),
        line: Some(symbol.name_line),
        ..RefsRequest::default()
    }
}

/// The memos about a definition.
///
/// # Errors
///
/// Those of the engine.
pub(crate) fn memos_of(
    ask: &Ask<'_>,
    repo: &ServedRepo,
    symbol: &SymbolLine,
) -> Result<Vec<Memo>, Failure> {
    let lookup = ask.engine().lookup(&LookupRequest {
        repo: repo.id.clone(),
        symbol: symbol.qualified.clone(),
        path: Some(symbol.path.clone()),
        ..LookupRequest::default()
    })?;
    let memos = match lookup.memos.len() < LOOKUP_MEMOS {
        true => lookup.memos,
        false => {
            let request = MemoListRequest {
                repo: repo.id.clone(),
                with_drift: true,
                ..MemoListRequest::default()
            };
            ask.engine().memos(&request)?.memos
        }
    };
    let is_about = |memo: &Memo| {
        memo.anchors.iter().any(|anchor| {
            let is_named = anchor.symbol.as_ref() == Some(&symbol.qualified);
            let is_around =
                anchor.start_line <= symbol.end_line && symbol.start_line <= anchor.end_line;
            anchor.path == symbol.path && (is_named || (anchor.symbol.is_none() && is_around))
        })
    };
    Ok(memos.into_iter().filter(is_about).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use whyrank_engine::api::UseConfidence;

    fn hit(kind: &str, line: u32, confidence: UseConfidence, test: bool) -> RefHit {
        RefHit {
            path: "a.rs".to_owned(),
            line,
            kind: kind.to_owned(),
            enclosing: None,
            confidence,
            text: String::new(),
            test,
            doc: false,
            ruling: None,
            because: String::new(),
        }
    }

    #[test]
    fn certain_uses_are_counted_apart_from_those_that_may_be_some() {
        let found = RefsResponse {
            references: vec![
                hit("import", 1, UseConfidence::Resolved, false),
                hit("call", 2, UseConfidence::Resolved, false),
                hit("call", 3, UseConfidence::Possible, false),
                hit("call", 4, UseConfidence::Resolved, true),
            ],
            n_unsettled: 1,
            ..RefsResponse::default()
        };
        let users = Users::counted(&found);
        assert_eq!(users.words(1), "1 user · 2 maybe · 1 test · 1 memo");
    }

    #[test]
    fn what_goes_by_the_name_alone_is_certain_of_nothing() {
        let found = RefsResponse {
            references: vec![hit("call", 2, UseConfidence::Resolved, false)],
            by_name_only: "the symbol graph is being made".to_owned(),
            ..RefsResponse::default()
        };
        let words = Users::counted(&found).words(0);
        assert_eq!(words, "0 users · 1 maybe · the symbol graph is being made");
    }
}
