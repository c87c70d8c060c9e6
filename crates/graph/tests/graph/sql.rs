//! SQL: names in any case, schemas, steps of one schema, what hides tables, and queries in texts.

use crate::support::{View, check};

#[test]
fn names_are_meant_in_any_case_but_for_quoted_capitals() {
    check(
        &[
            (
                "db/schema.sql",
                "CREATE TABLE Users (id int, Name text);\nCREATE TABLE \"Quoted\" (id int);\nCREATE TABLE quoted (id int);\nCREATE FUNCTION Count_Users() RETURNS int AS $$ SELECT 1 $$ LANGUAGE sql;\n",
            ),
            (
                "db/use.sql",
                "SELECT u.NAME FROM users u;\nSELECT * FROM \"Quoted\";\nSELECT * FROM QUOTED;\nSELECT COUNT_USERS(), count(*) FROM [Users];\n",
            ),
        ],
        &[
            ("Users", &["db/use.sql:1", "db/use.sql:4"]),
            ("Users.Name", &["db/use.sql:1"]),
            ("Quoted", &["db/use.sql:2"]),
            ("db/schema.sql:3", &["db/use.sql:3"]),
            ("Count_Users", &["db/use.sql:4"]),
        ],
    );
}

#[test]
fn a_schema_tells_tables_of_one_name_apart() {
    check(
        &[(
            "a.sql",
            "create table app.users (id int);\ncreate table public.users (id int);\ncreate table dbo.other (id int);\n\
             select * from app.users;\nselect * from users;\nselect * from public.users;\nselect * from other;\nselect * from far.other;\nselect * from information_schema.users;\n",
        )],
        &[
            ("app.users", &["a.sql:4"]),
            ("public.users", &["a.sql:5", "a.sql:6"]),
            ("dbo.other", &["a.sql:7"]),
        ],
    );
}

#[test]
fn steps_of_one_schema_create_one_table_and_other_folders_another() {
    let view = View::new(&[
        ("mysql/001.sql", "create table users (id int);\n"),
        (
            "mysql/002.sql",
            "create table users (id int);\nselect * from users;\n",
        ),
        (
            "sqlite/001.sql",
            "create table users (id int);\nselect * from users;\n",
        ),
        ("q/all.sql", "select * from users;\n"),
        ("steps/1_a/up.sql", "create table posts (id int);\n"),
        (
            "steps/2_b/up.sql",
            "create table if not exists posts (id int);\nselect * from posts;\n",
        ),
    ]);
    let uses = ["q/all.sql:1?", "mysql/002.sql:2"];
    let found = view.uses("mysql/001.sql:1");
    assert!(
        uses.iter().all(|use_| found.contains(&(*use_).to_owned())),
        "{found:?}"
    );
    assert!(!found.contains(&"sqlite/001.sql:2".to_owned()), "{found:?}");
    assert_eq!(view.uses("steps/1_a/up.sql:1"), ["steps/2_b/up.sql:2"]);
}

#[test]
fn names_that_a_query_gives_hide_tables() {
    let view = View::new(&[(
        "a.sql",
        "create table recent (id int);\ncreate table r (id int);\nwith recent as (select 1) select * from recent;\nselect r.x from orders r;\nselect * from recent;\n",
    )]);
    assert_eq!(view.uses("recent"), ["a.sql:5"]);
    assert_eq!(view.uses("a.sql:2"), [""; 0]);
}

#[test]
fn a_table_is_open_where_a_text_may_name_it() {
    let found = |path: &'static str, text: &'static str| {
        let table = "create table order_items (id int);\n";
        View::new(&[("db/a.sql", table), (path, text)])
            .possible("order_items")
            .len()
    };
    let cases = [
        (
            "a.go",
            "package a\nvar q = \"select id from order_items where x\"\n",
            1,
        ),
        ("a.py", "q = 'SELECT id FROM ORDER_ITEMS'\n", 1),
        ("a.rb", "class OrderItem; end\n", 1),
        ("a.ts", "@Entity() class OrderItems {}\n", 1),
        ("a.yml", "sync: [order_items]\n", 1),
        ("a.go", "package a\n// order_items\n", 0),
        ("a.go", "package a\nvar items = 1\n", 0),
    ];
    for (path, text, expected) in cases {
        assert_eq!(found(path, text), expected, "{text}");
    }
    let plain = View::new(&[
        ("db/a.sql", "create table users (id int);\n"),
        (
            "a.go",
            "package a\nvar q = \"select id from users where x\"\n",
        ),
    ]);
    assert_eq!(plain.possible("users"), ["a.go:2"]);
}

#[test]
fn what_is_made_for_a_while_is_dead_where_nothing_reads_it() {
    let found = View::new(&[(
        "a.sql",
        "create temp table idle as select 1;\ncreate temp table used as select 1;\nselect * from used;\ncreate index i on used (id);\ncreate trigger g after insert on used execute function f();\n",
    )])
    .dead_with_reasons();
    let names: Vec<&str> = found
        .iter()
        .filter_map(|one| one.split(':').next())
        .collect();
    assert_eq!(names, ["dead idle"]);
}

#[test]
fn scripts_lead_to_those_that_they_run() {
    let view = View::new(&[
        ("db/all.sql", "\\i db/tables.sql\n\\ir views/v.sql\n"),
        ("db/tables.sql", "create table t (id int);\n"),
        ("db/views/v.sql", "create view v as select * from t;\n"),
    ]);
    assert_eq!(
        view.imports_of("db/all.sql"),
        ["db/tables.sql", "db/views/v.sql"]
    );
}
