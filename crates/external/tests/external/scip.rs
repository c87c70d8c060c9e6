//! SCIP indexes, whole and damaged.

use ::scip::types::{
    self, Document, Occurrence, PositionEncoding, Relationship, SymbolInformation, SymbolRole,
    ToolInfo,
};
use proptest::prelude::*;
use protobuf::{EnumOrUnknown, Message, MessageField};
use whyrank_external::Budget;
use whyrank_external::scip::{Encoding, Index, Role, read};

/// Allows what the least file may take.
fn endless() -> Budget<'static> {
    let mut budget = Budget::new(&|| true);
    budget.allow(0);
    budget
}

const ADD: &str = "scip-typescript npm shop 1.0 src/`a.ts`/add().";

fn occurrence(range: &[i32], symbol: &str, role: SymbolRole) -> Occurrence {
    Occurrence {
        range: range.to_vec(),
        symbol: symbol.to_owned(),
        symbol_roles: role as i32,
        ..Occurrence::default()
    }
}

fn document(path: &str, occurrences: Vec<Occurrence>) -> Document {
    Document {
        relative_path: path.to_owned(),
        occurrences,
        position_encoding: EnumOrUnknown::new(PositionEncoding::UTF16CodeUnitOffsetFromLineStart),
        ..Document::default()
    }
}

fn bytes() -> Vec<u8> {
    let tool_info = ToolInfo {
        name: "scip-typescript".to_owned(),
        version: "0.3.1".to_owned(),
        ..ToolInfo::default()
    };
    let metadata = types::Metadata {
        tool_info: MessageField::some(tool_info),
        project_root: "file:///ci/shop".to_owned(),
        ..types::Metadata::default()
    };
    let relation = Relationship {
        symbol: "scip-typescript npm shop 1.0 src/`a.ts`/base().".to_owned(),
        is_reference: true,
        ..Relationship::default()
    };
    let information = SymbolInformation {
        symbol: ADD.to_owned(),
        relationships: vec![relation],
        ..SymbolInformation::default()
    };
    let mut first = document(
        "src/a.ts",
        vec![
            occurrence(&[0, 16, 19], ADD, SymbolRole::Definition),
            occurrence(&[1, 2, 1, 5], "local 1", SymbolRole::WriteAccess),
            occurrence(&[1, 2, 9, 5], "local 2", SymbolRole::ReadAccess),
            occurrence(&[-1, 2, 3], "local 3", SymbolRole::ReadAccess),
        ],
    );
    first.symbols.push(information);
    let second = document(
        "src/b.ts",
        vec![
            occurrence(&[3, 0, 3], ADD, SymbolRole::ReadAccess),
            occurrence(&[4, 0, 3], "local 1", SymbolRole::Import),
        ],
    );
    let index = types::Index {
        metadata: MessageField::some(metadata),
        documents: vec![first, second],
        ..types::Index::default()
    };
    index.write_to_bytes().expect("bytes of a message")
}

fn read_bytes(mut bytes: &[u8]) -> Index {
    read(&mut bytes, &mut endless())
}

#[test]
fn documents_occurrences_and_roles() {
    let index = read_bytes(&bytes());
    assert_eq!(index.tool, "scip-typescript 0.3.1");
    assert_eq!(index.project_root, "file:///ci/shop");
    assert!(index.problems.is_empty(), "{:?}", index.problems);
    let paths: Vec<&str> = index
        .documents
        .iter()
        .map(|one| one.path.as_str())
        .collect();
    assert_eq!(paths, ["src/a.ts", "src/b.ts"]);
    assert_eq!(index.documents[0].encoding, Some(Encoding::Utf16));
    let first = &index.documents[0].occurrences;
    let roles: Vec<_> = first
        .iter()
        .map(|at| (at.line, at.start, at.end, at.role))
        .collect();
    assert_eq!(
        roles,
        [(1, 16, 19, Role::Definition), (2, 2, 5, Role::Write)]
    );
    let second = &index.documents[1].occurrences;
    assert_eq!(second[0].symbol, first[0].symbol);
    assert_ne!(
        second[1].symbol, first[1].symbol,
        "locals belong to their document"
    );
    assert_eq!(second[1].role, Role::Import);
    assert_eq!(index.symbols[first[0].symbol as usize].name, "add");
    assert_eq!(index.shared.len(), 1);
}

#[test]
fn a_file_of_zeros_is_given_up_at_its_first_byte() {
    let file = std::io::repeat(0);
    let index = read(&mut std::io::BufReader::new(file), &mut endless());
    assert_eq!(index.problems.len(), 1, "{:?}", index.problems);
}

#[test]
fn a_cut_index_gives_the_documents_before_the_cut() {
    let bytes = bytes();
    let index = read_bytes(&bytes[..bytes.len() - 5]);
    assert_eq!(index.documents.len(), 1);
    assert_eq!(index.problems.len(), 1);
    assert!(
        index.problems[0].starts_with("byte "),
        "{:?}",
        index.problems
    );
}

#[test]
fn what_is_no_index_is_an_empty_one_with_a_problem() {
    let index = read_bytes(b"hello, this is text");
    assert!(index.documents.is_empty() && !index.problems.is_empty());
    let huge = [0x12, 0xff, 0xff, 0xff, 0xff, 0x0f];
    let index = read_bytes(&huge);
    assert!(
        index.problems[0].contains("is left out"),
        "{:?}",
        index.problems
    );
}

proptest! {
    #[test]
    fn no_damage_stops_the_reader(at in 0usize..600, byte: u8, cut in 0usize..600) {
        let mut bytes = bytes();
        let n_bytes = bytes.len();
        bytes[at % n_bytes] = byte;
        read_bytes(&bytes);
        bytes.truncate(cut % n_bytes);
        read_bytes(&bytes);
    }
}
