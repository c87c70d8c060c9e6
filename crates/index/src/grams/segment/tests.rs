use super::*;
use std::collections::HashMap;

fn content(content_id: i64) -> GramContent {
    GramContent {
        content_id,
        blob: content_id as u64,
        n_bytes: 100,
        is_known: true,
    }
}

/// 3,000 contents: some grams in nearly all of them, some in one.
fn written(path: &Path) -> HashMap<Gram, Vec<u32>> {
    let mut writer = SegmentWriter::default();
    let mut expected: HashMap<Gram, Vec<u32>> = HashMap::new();
    for number in 0..3_000u32 {
        let mut grams = vec![
            7 * number + 1,
            number % 5,
            0xff_ffff,
            0x10_0000 + number % 2_000,
        ];
        if number % 3 == 0 {
            grams.push(0xab_cdef);
        }
        for gram in &grams {
            expected.entry(*gram).or_default().push(number);
        }
        writer.add(content(i64::from(number)), &grams);
    }
    writer.finish(path).expect("written");
    expected
        .iter_mut()
        .for_each(|(_, contents)| contents.dedup());
    expected
}

fn with(segment: &Segment, gram: Gram) -> Result<Vec<u32>> {
    let mut contents = Vec::new();
    segment.contents_with(gram, |content| contents.push(content))?;
    Ok(contents)
}

#[test]
fn every_gram_leads_to_its_contents_and_no_other_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grams-1-1.bin");
    let expected = written(&path);
    let segment = Segment::open(&path).expect("sound");
    segment.check().expect("sound");
    for (gram, contents) in &expected {
        let mut contents = contents.clone();
        contents.dedup();
        assert_eq!(with(&segment, *gram).expect("sound"), contents, "{gram:x}");
    }
    for gram in [0x20_0000, 0xff_fffe, 0xab_cdee] {
        assert_eq!(with(&segment, gram).expect("sound"), [0u32; 0], "{gram:x}");
    }
}

#[test]
fn a_flipped_byte_is_met_and_never_another_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("grams-1-1.bin");
    let expected = written(&path);
    let whole = std::fs::read(&path).expect("read");
    for place in (0..whole.len()).step_by(whole.len() / 150) {
        let mut bytes = whole.clone();
        bytes[place] ^= 0x10;
        std::fs::write(&path, &bytes).expect("written");
        let Ok(segment) = Segment::open(&path) else {
            continue;
        };
        assert!(segment.check().is_err(), "byte {place}");
        for gram in [0xff_ffff, 0xab_cdef, 3, 0x10_0000] {
            if let Ok(contents) = with(&segment, gram) {
                assert_eq!(contents, expected[&gram], "byte {place}");
            }
        }
    }
}
