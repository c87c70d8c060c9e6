//! Where the tokens of a text lie and which words they are, in about five bytes a token.
//!
//! For each token, as LEB128: bytes between the end of the last one and its start, its length, its
//! vocabulary id.

/// A token's bytes in the text, and its vocabulary id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) id: u32,
}

/// `spans` ascend and do not overlap; where they do not, the gap wraps and comes back.
pub(super) fn pack(spans: &[(u32, u32)], ids: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(5 * spans.len());
    let mut last = 0u32;
    for ((start, end), id) in spans.iter().zip(ids) {
        for value in [start.wrapping_sub(last), end.wrapping_sub(*start), *id] {
            push(&mut bytes, value);
        }
        last = *end;
    }
    bytes
}

/// `None` for bytes that were not written by [`pack`].
pub(super) fn unpack(mut bytes: &[u8]) -> Option<Vec<Place>> {
    let (mut places, mut last) = (Vec::new(), 0u32);
    while !bytes.is_empty() {
        let [gap, len, id] = [take(&mut bytes)?, take(&mut bytes)?, take(&mut bytes)?];
        let start = last.wrapping_add(gap);
        last = start.wrapping_add(len);
        places.push(Place { start, len, id });
    }
    Some(places)
}

fn push(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u32> {
    let mut value = 0u32;
    for shift in (0..35).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back_and_damage_is_seen() {
        let spans = [(0, 5), (6, 9), (9, 300), (1000, 1002)];
        let ids = [1, 30_521, 128, 127];
        let packed = pack(&spans, &ids);
        let found = unpack(&packed).unwrap();
        let again: Vec<(u32, u32)> = found.iter().map(|p| (p.start, p.start + p.len)).collect();
        assert_eq!(again, spans);
        assert_eq!(found.iter().map(|p| p.id).collect::<Vec<_>>(), ids);
        assert_eq!(unpack(&packed[..packed.len() - 1]), None);
        assert_eq!(unpack(&[]), Some(Vec::new()));
    }
}
