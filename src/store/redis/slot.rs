use std::collections::BTreeSet;

use super::address::Address;

/// One of the 16,384 parts into which a cluster divides its keys (Redis Cluster Specification).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Slot(u16);

const SLOTS: u16 = 16_384;

impl Slot {
    /// The slot of a key: that of what is between its first braces, if there is anything.
    pub(super) fn of(key: &[u8]) -> Slot {
        let tag = key.iter().position(|&byte| byte == b'{').and_then(|open| {
            let rest = &key[open + 1..];
            let close = rest.iter().position(|&byte| byte == b'}')?;
            (0 < close).then_some(&rest[..close])
        });
        Slot(crc16(tag.unwrap_or(key)) % SLOTS)
    }

    /// A number below `count`, the same for the same slot.
    pub(super) fn among(self, count: usize) -> usize {
        usize::from(self.0) % count
    }
}

/// CRC-16/XMODEM.
fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ (u16::from(byte) << 8), |crc, _| {
            if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 }
        })
    })
}

/// Which server keeps which slots, as far as is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Owners {
    /// The last slot of each range and who keeps it, in order; what lies between ranges belongs to
    /// the later one, which will say so if it knows better.
    ranges: Vec<(Slot, Address)>,
}

impl Owners {
    /// One server keeps all.
    pub(super) fn one(address: Address) -> Owners {
        Owners { ranges: vec![(Slot(SLOTS - 1), address)] }
    }

    /// Owners of ranges, each given by its last slot.
    pub(super) fn of(ranges: impl IntoIterator<Item = (u16, Address)>) -> Owners {
        let mut ranges: Vec<_> = ranges.into_iter().map(|(last, address)| (Slot(last), address)).collect();
        ranges.sort();
        Owners { ranges }
    }

    /// Who keeps a slot; nobody, only if nothing is known of it and those behind it.
    pub(super) fn owner(&self, slot: Slot) -> Option<&Address> {
        let at = self.ranges.partition_point(|(last, _)| *last < slot);
        self.ranges.get(at).map(|(_, address)| address)
    }

    /// Every server that keeps something, in order.
    pub(super) fn all(&self) -> BTreeSet<&Address> {
        self.ranges.iter().map(|(_, address)| address).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_the_specification() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
        assert_eq!(Slot::of(b"123456789"), Slot(12_739));
        assert_eq!(Slot::of(b"bk1:{t/g}:log"), Slot::of(b"t/g"));
        assert_eq!(Slot::of(b"foo{}{bar}"), Slot(crc16(b"foo{}{bar}") % SLOTS));
        assert_eq!(Slot::of(b"foo{{bar}}zap"), Slot::of(b"{bar"));
        assert_eq!(Slot::of(b"foo{bar}{zap}"), Slot::of(b"bar"));
    }

    #[test]
    fn ranges_have_owners() {
        let address = |port| Address { host: "a".into(), port };
        let owners = Owners::of([(16_383, address(3)), (5_460, address(1)), (10_922, address(2))]);
        for (slot, port) in [(0, 1), (5_460, 1), (5_461, 2), (10_922, 2), (10_923, 3), (16_383, 3)] {
            assert_eq!(owners.owner(Slot(slot)), Some(&address(port)), "slot {slot}");
        }
        assert_eq!(owners.all().len(), 3);
        assert_eq!(Owners::default().owner(Slot(0)), None);
    }
}
