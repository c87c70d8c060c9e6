//! Where the tokens of a text lie and which words they are, in about three bytes a token.
//!
//! For each token: one byte, its high half the bytes between the end of the last token and its start,
//! its low half its length; then its vocabulary id, two bytes little-endian. A half of 15 is followed
//! by the value as LEB128 (the gap's before the length's), an id of 65,535 by the id in four bytes.

/// A token's bytes in the text, and its vocabulary id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TokenSpan {
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) id: u32,
}

/// In half a byte: the value stands behind.
const LARGE: u32 = 15;

/// `spans` ascend and do not overlap; where they do not, the gap wraps and comes back.
pub(super) fn pack(spans: &[(u32, u32)], ids: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(4 * spans.len());
    let mut last = 0u32;
    for ((start, end), id) in spans.iter().zip(ids) {
        let (gap, len) = (start.wrapping_sub(last), end.wrapping_sub(*start));
        bytes.push((gap.min(LARGE) << 4 | len.min(LARGE)) as u8);
        for value in [gap, len] {
            if value >= LARGE {
                push(&mut bytes, value);
            }
        }
        match u16::try_from(*id) {
            Ok(id) if id < u16::MAX => bytes.extend(id.to_le_bytes()),
            _ => {
                bytes.extend(u16::MAX.to_le_bytes());
                bytes.extend(id.to_le_bytes());
            }
        }
        last = *end;
    }
    bytes
}

/// `None` for bytes that were not written by [`pack`].
pub(super) fn unpack(mut bytes: &[u8]) -> Option<Vec<TokenSpan>> {
    let (mut places, mut last) = (Vec::new(), 0u32);
    while let Some((halves, rest)) = bytes.split_first() {
        bytes = rest;
        let gap = value_of(u32::from(halves >> 4), &mut bytes)?;
        let len = value_of(u32::from(halves & 15), &mut bytes)?;
        let id = match u16::from_le_bytes(fixed(&mut bytes)?) {
            u16::MAX => u32::from_le_bytes(fixed(&mut bytes)?),
            id => u32::from(id),
        };
        let start = last.wrapping_add(gap);
        last = start.wrapping_add(len);
        places.push(TokenSpan { start, len, id });
    }
    Some(places)
}

fn value_of(half: u32, bytes: &mut &[u8]) -> Option<u32> {
    match half {
        LARGE => take(bytes),
        small => Some(small),
    }
}

fn fixed<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (value, rest) = bytes.split_first_chunk::<N>()?;
    *bytes = rest;
    Some(*value)
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
        let spans = [
            (0, 5),
            (6, 9),
            (9, 300),
            (1000, 1002),
            (1017, 1032),
            (1031, 1032),
        ];
        let ids = [1, 30_521, 65_534, 65_535, 250_001, 127];
        let packed = pack(&spans, &ids);
        let found = unpack(&packed).unwrap();
        let again: Vec<(u32, u32)> = found.iter().map(|p| (p.start, p.start + p.len)).collect();
        assert_eq!(again, spans);
        assert_eq!(found.iter().map(|p| p.id).collect::<Vec<_>>(), ids);
        for cut in [1, 2] {
            assert_eq!(unpack(&packed[..packed.len() - cut]), None);
        }
        assert_eq!(pack(&spans[..2], &ids[..2]).len(), 6);
        assert_eq!(unpack(&[]), Some(Vec::new()));
    }
}
