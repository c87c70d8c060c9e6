//! The bindings that local names mean, on small sources of each family.

use whyrank_syntax::{Language, local_names};

/// Each place as `name@line:column`, those of one binding together, the declaration first; a `*` sets.
fn groups(language: &str, source: &str) -> Vec<String> {
    let language = Language::from_name(language).expect("a known language");
    let names = local_names(source, language);
    let place = |start: u32| {
        let before = &source[..start as usize];
        let line = before.matches('\n').count() + 1;
        let column = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
        format!("{line}:{column}")
    };
    let mut groups: Vec<(u32, String)> = Vec::new();
    for name in &names {
        let mark = if name.sets { "*" } else { "" };
        let place = format!("{}{mark}", place(name.start));
        match groups
            .iter_mut()
            .find(|(binding, _)| *binding == name.binding)
        {
            Some((_, group)) => *group = format!("{group} {place}"),
            None => {
                let text = &source[name.start as usize..name.end as usize];
                groups.push((name.binding, format!("{text} {place}")));
            }
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn check(language: &str, source: &str, expected: &[&str]) {
    assert_eq!(groups(language, source), expected, "{language}: {source}");
}

#[test]
fn python_assignments_are_of_the_function_and_comprehensions_of_their_own() {
    check(
        "python",
        r"
def f(self, items, n=n):
    total = 0
    for item in items:
        total += item
    items = [item for item in items if item]
    def inner(x=total):
        nonlocal total
        total = x
        return self.total
    return total
",
        &[
            "self 2:6* 10:15",
            "items 2:12* 4:16 6:4* 6:30",
            "n 2:19*",
            "total 3:4* 5:8* 7:16 8:17 9:8* 11:11",
            "item 4:8* 5:17",
            "item 6:13 6:22* 6:39",
            "x 7:14* 9:16",
        ],
    );
}

#[test]
fn python_says_nothing_where_another_thing_binds_the_name() {
    let source = r"
def f(value):
    x = 1
    class A:
        x = 2
        y = x
        def g(self):
            return x
    try:
        import json
    except ImportError:
        json = None
    def value(): pass
    global counter
    counter = json
    return value
";
    check("python", source, &["x 3:4* 8:19", "self 7:14*"]);
}

#[test]
fn scripts_hoist_var_and_keep_let_in_its_block() {
    check(
        "typescript",
        r"
function f(a: number, { b, c: d }: P = {}) {
    if (a) { var v = b; let l = d; use(l, { l, a: l }); }
    for (const x of v) { let a = x; a++; }
    for (v of a) { }
    const late = () => a + after + like(1);
    const after = [a], like = (q): q is T => q.after;
    return v;
}
",
        &[
            "a 2:11* 3:8 5:14 6:23 7:19",
            "b 2:24* 3:21",
            "d 2:30* 3:32",
            "v 3:17* 4:20 5:9* 8:11",
            "l 3:28* 3:39 3:44 3:50",
            "x 4:15* 4:33",
            "a 4:29* 4:36*",
            "after 6:27 7:10*",
            "q 7:31* 7:35 7:45",
        ],
    );
}

#[test]
fn go_declares_again_what_is_new_in_a_block() {
    check(
        "go",
        r"
package p
func f(x int, cb func(y int) error) (err error) {
	a, err := g(x)
	x, b := g(a)
	if c, err := g(b); err != nil {
		x := c + x
		_ = x
		_ = func(y int) int { return y + a }
	}
	for i := range a { use(i, map[int]int{b: a}) }
	for x = range a { }
	switch a := a.(type) { case int: use(a) }
	if b == 0 { b = 1; b++ }
	return err
}
",
        &[
            "x 3:7* 4:13 5:1* 7:11 12:5*",
            "cb 3:14*",
            "err 3:37* 4:4* 15:8",
            "a 4:1* 5:11 9:35 11:16 11:42 12:15 13:13",
            "b 5:4* 6:16 11:39 14:4 14:13* 14:20*",
            "c 6:4* 7:7",
            "err 6:7* 6:20",
            "x 7:2* 8:6",
            "y 9:11* 9:31",
            "i 11:5* 11:24",
            "a 13:8* 13:38",
        ],
    );
}

#[test]
fn rust_hides_by_each_let_and_shows_nothing_to_else_and_inner_functions() {
    check(
        "rust",
        r#"
fn f(x: Option<u8>, y: u8) -> u8 {
    let y = y + 1;
    if let Some(x) = x { println!("{}", x); x } else { g(x) };
    let add = |y: u8| y + 1;
    match x { A(n) | B(n) if n > y => n, C { n } => n, _ => 0 };
    fn inner() -> u8 { y }
    assert!(xs.iter().all(|x| x > y));
    let n = S { y };
    y
}
"#,
        &[
            "x 2:5* 4:21 4:57 6:10",
            "y 2:20* 3:12",
            "y 3:8* 6:33 9:16 10:4",
            "x 4:16* 4:40 4:44",
            "add 5:8*",
            "y 5:15* 5:22",
            "n 6:16* 6:23* 6:29 6:38",
            "n 6:45* 6:52",
            "n 9:8*",
        ],
    );
}

#[test]
fn c_knows_blocks_and_no_parameters_of_types() {
    check(
        "c",
        r"
static int f(struct s *x, int n) {
    int (*cb)(int x) = g;
    int proto(int n);
    for (int i = 0; i < n; i++) { int x = i; x++; }
#ifdef A
    int two = 1;
#else
    int two = 2;
#endif
    if (n) { n = 1; x = g(n); }
    return x->n + cb(two);
}
",
        &[
            "x 2:23* 11:20* 12:11",
            "n 2:30* 5:24 11:8 11:13* 11:26",
            "cb 3:10* 12:18",
            "proto 4:8*",
            "i 5:13* 5:20 5:27* 5:42",
            "x 5:38* 5:45*",
        ],
    );
}

#[test]
fn a_lambda_of_cpp_may_bind_a_name_of_its_own() {
    check(
        "cpp",
        r"
int f(int x, int y) {
    auto g = [x = h(x), &y](int z) { return x + y + z; };
    try { g(y); } catch (Error& e) { log(e); }
    return x;
}
",
        &[
            "y 2:17* 3:25 3:48 4:12",
            "g 3:9* 4:10",
            "z 3:32* 3:52",
            "e 4:32* 4:41",
        ],
    );
}

#[test]
fn members_of_a_class_in_a_method_may_hide_its_locals() {
    check(
        "java",
        r"
class A {
    int f(int x, int y) {
        int n = y;
        run(new B() { int g(int z) { return x + z; } });
        use(v -> v + n);
        for (int i = 0; i < n; i++) { x = i; }
        return x;
    }
}
",
        &[
            "x 3:14* 7:38* 8:15",
            "y 3:21* 4:16",
            "n 4:12* 6:21 7:28",
            "z 5:32* 5:48",
            "v 6:12* 6:17",
            "i 7:17* 7:24 7:31* 7:42",
        ],
    );
}

#[test]
fn closures_of_php_see_what_they_take_along() {
    check(
        "php",
        r"<?php
function f($x, $y) {
    $n = $x;
    $n = $n + 1;
    $g = function ($z) use ($n) { return $n + $z + $y; };
    $h = fn($x) => $x + $n;
    return $this->x;
}
",
        &[
            "$x 2:11* 3:9",
            "$y 2:15*",
            "$n 3:4* 4:4* 4:9 6:24",
            "$g 5:4*",
            "$z 5:19* 5:46",
            "$n 5:28* 5:41",
            "$h 6:4*",
            "$x 6:12* 6:19",
        ],
    );
}

#[test]
fn where_blocks_are_not_all_known_a_name_is_told_that_is_declared_once() {
    check(
        "ruby",
        "def f(a, b)\n  c = a\n  c += 1\n  each { |b| b }\n  each { |d| c = d }\n  rescue => e\n  e\nend\n",
        &[
            "a 1:6* 2:6",
            "c 2:2* 3:2* 5:13*",
            "d 5:10* 5:17",
            "e 6:12* 7:2",
        ],
    );
    check(
        "lua",
        "function f(a)\n  if a then local x = 1 end\n  local x = a\n  return x\nend\n",
        &["a 1:11* 2:5 3:12"],
    );
    check(
        "kotlin",
        "fun f(a: Int, name: String) {\n  val b = a + 1\n  val name = name\n  xs.map { c -> \"$c ${b}\" }\n}\n",
        &["a 1:6* 2:10", "b 2:6* 4:22", "c 4:11* 4:18"],
    );
}

#[test]
fn where_the_reader_lost_its_way_its_words_are_left_alone() {
    let source = "def f(a, b):\n    x = a\n    b = = x )\n    return b\n";
    check("python", source, &["a 1:6* 2:8", "b 1:9* 3:4* 4:11"]);
    check("bash", "f() { local x=1; echo $x; }\n", &[]);
}
