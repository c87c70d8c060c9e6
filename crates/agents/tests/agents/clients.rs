//! Every client: its files on each operating system, its entry, and back again byte for byte.

use std::fmt::Write;
use std::path::Path;

use crate::support::{machine, read};
use whyrank_agents::{Os, PlacementState, Scope, clients};

const SYSTEMS: [Os; 3] = [Os::Linux, Os::Macos, Os::Windows];

/// What a file of each ending may look like before.
fn fixture(path: &str) -> &'static str {
    let ending = path.rsplit('.').next().unwrap_or_default();
    match ending {
        "toml" => include_str!("../fixtures/config.toml"),
        "yaml" => include_str!("../fixtures/config.yaml"),
        _ => include_str!("../fixtures/config.jsonc"),
    }
}

#[test]
fn the_table_is_whole() {
    let tier_1 = clients().iter().filter(|client| client.tier == 1).count();
    assert_eq!((tier_1, clients().len()), (10, 22));
    for client in clients() {
        assert!(client.source.starts_with("https://"), "{}", client.id);
        assert!(
            !client.restart.is_empty() && !client.hello.is_empty(),
            "{}",
            client.id
        );
        assert!(
            client.says_hello_as(&client.hello[0].to_uppercase()),
            "{}",
            client.id
        );
    }
}

#[test]
fn each_client_has_its_file_on_each_system() {
    let mut table = String::new();
    for client in clients() {
        for os in SYSTEMS {
            let machine = machine(os);
            let list = machine
                .setup
                .list(&machine.server, &["/p".to_owned()], &[])
                .expect("a list");
            let status = list
                .iter()
                .find(|status| status.id == client.id)
                .expect("listed");
            for placement in &status.placements {
                let home = machine.home("");
                let path = placement.path.replace(home.to_str().expect("text"), "~/");
                writeln!(table, "{:<15} {os:<8?} {path}", client.id).expect("text");
            }
        }
    }
    insta::assert_snapshot!("files", table);
}

#[test]
fn entries_look_as_each_client_expects() {
    let mut texts = String::new();
    for client in clients() {
        let machine = machine(Os::Linux);
        let mut request = machine.request(&client.id);
        request.server.env = vec![("WHYRANK_HOME".to_owned(), "/w".to_owned())];
        machine.apply(&request);
        let list = machine
            .setup
            .list(&request.server, &[], &[])
            .expect("a list");
        let status = list
            .iter()
            .find(|status| status.id == client.id)
            .expect("listed");
        let placement = &status.placements[0];
        assert_eq!(
            placement.state,
            PlacementState::Set,
            "{}: {}",
            client.id,
            placement.note
        );
        let plan = machine.setup.plan(&request).expect("a plan");
        write!(
            texts,
            "== {}\n{}\n",
            client.id,
            read(Path::new(&placement.path)).trim_end()
        )
        .expect("text");
        for more in [plan.cli, plan.link].into_iter().flatten() {
            writeln!(texts, "-- {more}").expect("text");
        }
    }
    insta::assert_snapshot!("entries", texts);
}

#[test]
fn put_and_undo_leave_a_file_of_others_byte_for_byte_as_it_was() {
    for client in clients() {
        for os in SYSTEMS {
            let machine = machine(os);
            let list = machine
                .setup
                .list(&machine.server, &[], &[])
                .expect("a list");
            let status = list
                .iter()
                .find(|status| status.id == client.id)
                .expect("listed");
            let path = status.placements[0].path.clone();
            let before = fixture(&path);
            std::fs::create_dir_all(Path::new(&path).parent().expect("a folder")).expect("folders");
            std::fs::write(&path, before).expect("a file");

            machine.add(&client.id);
            let with = read(Path::new(&path));
            assert!(
                with.contains("whyrank") && with.len() > before.len(),
                "{with}"
            );
            let squeezed = |text: &str| text.split_whitespace().collect::<String>();
            for line in before.lines() {
                let kept = squeezed(line.trim_end_matches([',', '}', ']']));
                assert!(
                    squeezed(&with).contains(&kept),
                    "{}: lost {line}\n{with}",
                    client.id
                );
            }
            machine.undo(&client.id);
            assert_eq!(read(Path::new(&path)), before, "{} on {os:?}", client.id);
        }
    }
}

#[test]
fn ours_is_taken_out_of_a_file_that_somebody_changed_since() {
    for client in clients() {
        let machine = machine(Os::Linux);
        let list = machine
            .setup
            .list(&machine.server, &[], &[])
            .expect("a list");
        let status = list
            .iter()
            .find(|status| status.id == client.id)
            .expect("listed");
        let path = Path::new(&status.placements[0].path).to_owned();
        let before = fixture(&status.placements[0].path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(&path, before).expect("a file");
        machine.add(&client.id);
        let tail = "\n\n\n";
        std::fs::write(&path, format!("{}{tail}", read(&path))).expect("a file");
        let undone = machine
            .setup
            .undo(&client.id, Scope::User, None)
            .expect("undone");
        assert!(
            undone.notes[0].contains("only our part"),
            "{:?}",
            undone.notes
        );
        let after = read(&path);
        assert!(!after.contains("whyrank"), "{}\n{after}", client.id);
        assert!(after.ends_with(tail), "{}", client.id);
    }
}

#[test]
fn a_client_is_found_by_its_folder_or_its_program() {
    let machine = machine(Os::Linux);
    std::fs::create_dir_all(machine.home(".cursor")).expect("a folder");
    let list = machine
        .setup
        .list(&machine.server, &[], &[])
        .expect("a list");
    assert_eq!(list[0].id, "cursor", "found ones come first");
    assert!(list[0].detected && !list[1].detected);
}

#[test]
fn a_name_that_begins_like_anothers_is_heard_as_its_own() {
    let heard = |name: &str| -> Vec<&str> {
        let them = clients().iter().filter(|client| client.says_hello_as(name));
        them.map(|client| client.id.as_str()).collect()
    };
    assert_eq!(heard("Visual Studio Code"), ["vscode"]);
    assert_eq!(heard("Visual Studio Code - Insiders"), ["vscode-insiders"]);
    assert_eq!(heard("devin-cli/3"), ["devin-cli"]);
    assert_eq!(heard("a stranger"), [""; 0]);
}

#[test]
fn the_page_on_agents_has_a_row_for_each() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/agents.md");
    let page = std::fs::read_to_string(path).expect("the page");
    for client in whyrank_agents::clients() {
        let head = format!("| {} | `{}` |", client.name, client.id);
        assert!(page.contains(&head), "{head}");
    }
}
