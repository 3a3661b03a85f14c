use crate::rules::{
    Game,
    quantum_control::{AREAS, Cell, HalfTurn, QuantumControl},
};

/// How many stones more the side to move has in each area.
pub(super) struct Leads(pub(super) [i32; 7]);

impl Leads {
    pub(super) fn of(position: &QuantumControl) -> Leads {
        let own = position.stones(position.side());
        let enemy = position.stones(!position.side());
        Leads(AREAS.map(|area| (own & area).len() as i32 - (enemy & area).len() as i32))
    }

    /// What a stone placed here adds.
    pub(super) fn place(&self, cell: Cell) -> i32 {
        let lead = self.0[area(cell)];
        worth(lead + 1) - worth(lead)
    }

    /// Of the two stones of a turn, the one with the higher rank is put down first, so that each
    /// pair is walked once, and good stones soon.
    pub(super) fn rank(&self, cell: Cell) -> (i32, usize) {
        (self.place(cell), cell.index())
    }

    /// Whether a second stone may follow this first one.
    pub(super) fn leaves_second(&self, position: &QuantumControl, first: Cell) -> bool {
        let seconds = HalfTurn::new(*position, first).second_cells();
        seconds.into_iter().any(|second| self.rank(second) < self.rank(first))
    }

    /// The leads before this stone of the side to move was put down.
    pub(super) fn without(&self, first: Cell) -> Leads {
        let mut leads = self.0;
        leads[area(first)] -= 1;
        Leads(leads)
    }

    /// How many areas more are held by one, two, three, four or more stones.
    #[inline]
    pub(super) fn by_size(&self) -> [i32; 4] {
        let sizes: u32 = self.0.iter().map(|&lead| SIZES[(lead + 8) as usize & 15]).sum();
        sizes.to_le_bytes().map(|size| i32::from(size) - AREAS.len() as i32)
    }
}

/// What an area is worth at first sight to the side that has from 8 stones fewer to 7 stones more in it.
const LEAD: [i32; 16] = [-60, -60, -60, -60, -60, -60, -55, -35, 0, 35, 55, 60, 60, 60, 60, 60];

/// For a lead from -8 to 7 stones: a byte for each size, with 1 for none, 2 for own, 0 for the enemy's.
const SIZES: [u32; 16] = {
    let mut sizes = [0x0101_0101; 16];
    let mut lead = 1;
    while lead < 8 {
        let size = 1 << (8 * if lead < 4 { lead - 1 } else { 3 });
        sizes[8 + lead] += size;
        sizes[8 - lead] -= size;
        lead += 1;
    }
    sizes
};

#[inline]
pub(super) fn worth(lead: i32) -> i32 {
    LEAD[(lead + 8) as usize & 15]
}

pub(super) fn area(cell: Cell) -> usize {
    AREA_OF[cell.index() & 63].into()
}

/// The area of each cell, by index.
const AREA_OF: [u8; 64] = {
    let mut area_of = [0; 64];
    let mut area = 0;
    while area < AREAS.len() {
        let mut cells = AREAS[area];
        while let Some(cell) = cells.pop() {
            area_of[cell.index()] = area as u8;
        }
        area += 1;
    }
    area_of
};
