//! The grammars: a function for each, `grammars::rust()`, whose tables are unpacked when it is first called.
//!
//! `whyrank-grammars` compiles them without their two large tables, with room for these that is zero when the
//! program starts. The room of a grammar that nobody asks for is never touched.

#![expect(unsafe_code, reason = "grammars are C: a function and an array each")]

use std::ffi::c_void;
use std::sync::Once;

/// A grammar by the names of its function and its room in C, and the file with its packed tables.
macro_rules! grammar {
    ($name:ident, $function:ident, $tables:ident, $n_bytes:literal, $packed:literal) => {
        pub(crate) fn $name() -> tree_sitter::Language {
            unsafe extern "C" {
                fn $function() -> *const c_void;
                static mut $tables: [u8; $n_bytes];
            }
            static UNPACKED: Once = Once::new();
            UNPACKED.call_once(|| {
                // SAFETY: C's array has this size, which its compiler has checked. Only the grammar below
                // leads to it, and who asks for that comes here first and waits.
                let tables = unsafe { &mut *(&raw mut $tables) };
                let n_bytes = lz4_flex::block::decompress_into(include_bytes!($packed), tables);
                assert_eq!(n_bytes.ok(), Some($n_bytes), "as the build packed them");
            });
            // SAFETY: tree-sitter's generator wrote the function; it gives a constant that lives for ever,
            // complete since the tables are in place.
            unsafe { tree_sitter::Language::from_raw($function().cast()) }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/grammars.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parser_memory::new_parser;
    use std::path::Path;

    type Grammar = fn() -> tree_sitter::Language;

    /// Grammars, and a digest of the trees in which they read all samples, as it was when the compiler laid
    /// their tables into the program.
    const GRAMMARS: [(&str, Grammar, u64); 18] = [
        ("bash", bash, 0x3c5b_647c_e54b_7e4e),
        ("c", c, 0x6755_1449_e136_29a3),
        ("c_sharp", c_sharp, 0x96ef_1d3d_cffa_40fe),
        ("cpp", cpp, 0x985c_d7db_16de_225d),
        ("go", go, 0xa363_27e9_95f3_5d69),
        ("html", html, 0xe2ab_b8cf_89e8_8f28),
        ("java", java, 0xc817_b60c_0f41_d786),
        ("javascript", javascript, 0x6d71_5631_ddc6_4f19),
        ("kotlin", kotlin, 0x65a6_5936_920f_7ef2),
        ("lua", lua, 0xc84e_6c11_d1cf_9e64),
        ("php", php, 0x7fd8_ee77_eaf7_9d9f),
        ("python", python, 0x7f58_85c8_e2b8_0cf9),
        ("ruby", ruby, 0x5ab4_3b2d_edec_f130),
        ("rust", rust, 0x5364_6642_a4fe_7db2),
        ("scala", scala, 0x7ff2_e578_e181_8dc5),
        ("swift", swift, 0x0456_394f_8d96_0aba),
        ("tsx", tsx, 0x1619_9e0f_62ca_262b),
        ("typescript", typescript, 0x99a2_ab03_f158_249b),
    ];

    /// What each of them reads, its own language and others: after an error a parser is in states that code
    /// without one never enters.
    const SAMPLES: [&str; 20] = [
        "cpp", "cs", "ex", "go", "hs", "java", "js", "kt", "lua", "md", "php", "py", "rb",
        "rs.txt", "scala", "sh", "swift", "ts", "vue", "zig",
    ];

    #[test]
    fn packed_tables_give_the_trees_of_constant_ones() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
        let texts = SAMPLES.map(|end| std::fs::read_to_string(folder.join(format!("a.{end}"))));
        for (name, grammar, digest) in GRAMMARS {
            let mut parser = new_parser();
            parser
                .set_language(&grammar())
                .expect("a grammar of this version");
            let trees = texts.iter().flatten().map(|text| {
                let tree = parser.parse(text, None).expect("nothing stops it");
                tree.root_node().to_sexp()
            });
            assert_eq!(fnv(&trees.collect::<String>()), digest, "{name}");
        }
    }

    #[test]
    fn threads_that_ask_at_once_get_whole_tables() {
        let read = || {
            let mut parser = new_parser();
            parser
                .set_language(&lua())
                .expect("a grammar of this version");
            let tree = parser.parse("local a = 1", None).expect("nothing stops it");
            tree.root_node().to_sexp()
        };
        let trees = std::thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(read));
            threads.map(|thread| thread.join().expect("it does not panic"))
        });
        assert!(
            trees
                .iter()
                .all(|tree| tree.contains("local") && *tree == trees[0])
        );
    }

    fn fnv(text: &str) -> u64 {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
    }
}
