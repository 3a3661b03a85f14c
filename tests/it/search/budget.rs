//! What a search may spend, and that equal searches are equal.

use std::{
    cell::Cell,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use boardkeeper::{
    rules::{
        Game, Record, kvantumsakk::Kvantumsakk, quantum::Quantum, quantum_control::QuantumControl,
        surakarta::Surakarta,
    },
    search::{Bot, Control, LEVELS, Limits, Line, Searchable, Searcher, StopReason},
};

use super::think::{Chance, at_leisure, random_game, think};

#[test]
fn the_levels_have_their_limits() {
    let names = LEVELS.map(|level| level.name);
    assert_eq!(names, ["GolemBot One", "GolemBot Two", "GolemBot Three", "GolemBot Four", "GolemBot Five"]);
    assert_eq!(LEVELS.map(|level| level.number), [1, 2, 3, 4, 5]);
    let five = LEVELS[4].limits;
    assert_eq!((five.depth(), five.nodes(), five.time()), (12, 200_000, Duration::from_secs(2)));
    for pair in LEVELS.windows(2) {
        assert!(pair[0].limits.depth() < pair[1].limits.depth());
        assert!(pair[0].limits.nodes() < pair[1].limits.nodes());
        assert!(pair[0].limits.time() < pair[1].limits.time());
    }
}

#[test]
fn limits_are_kept_and_answers_are_legal() {
    keeps_limits::<QuantumControl>();
    keeps_limits::<Surakarta>();
    keeps_limits::<Quantum>();
    keeps_limits::<Kvantumsakk>();
}

/// For many positions and limits: nodes and depth stay within them, and the main line can be played.
fn keeps_limits<G: Searchable>() {
    let chance = Chance::new(3);
    let mut searcher = Searcher::default();
    let game = random_game::<G>(&G::Options::default(), &chance, 200);
    for record in game.iter().step_by(4) {
        for (depth, nodes) in [(1, 1), (12, 1), (12, 77), (3, 2_000), (1, 200_000)] {
            let bot = Bot { limits: Limits::new(depth, nodes, Duration::MAX), ..LEVELS[4].bot(9) };
            let line = think(&mut searcher, record, bot).expect("the game goes on");
            assert!(line.nodes <= nodes && line.depth <= depth, "{line:?}");
            assert_eq!(line.main_line.first(), Some(&line.best));
            plays(record, &line);
            again_the_same(record, bot, &line);
        }
    }
}

/// The whole main line is legal, and goes on until the game ends at most.
fn plays<G: Game>(record: &Record<G>, line: &Line<G::Move>) {
    let mut record = record.clone();
    for mv in &line.main_line {
        assert_eq!(record.outcome(), None, "{line:?}");
        assert!(record.state().moves().contains(mv), "{line:?}");
        record.advance(*mv);
    }
}

/// Another searcher that has searched other things finds the same.
fn again_the_same<G: Searchable>(record: &Record<G>, bot: Bot, line: &Line<G::Move>) {
    let mut other = Searcher::default();
    think(&mut other, &Record::<G>::start(&G::Options::default()), LEVELS[0].bot(5));
    assert_eq!(think(&mut other, record, bot).as_ref(), Some(line));
}

#[test]
fn the_clock_ends_a_search() {
    let record = Record::<QuantumControl>::start(&Default::default());
    let (asked, stop) = (Cell::new(0), AtomicBool::new(false));
    // A millisecond passes between two looks at the clock.
    let elapsed = || Duration::from_millis(asked.replace(asked.get() + 1));
    let bot = Bot { limits: Limits::new(12, 200_000, Duration::from_millis(20)), ..LEVELS[4].bot(1) };
    let control = Control { stop: &stop, elapsed: &elapsed };
    let line = Searcher::default().search(&record, bot, control, &mut |_| ()).expect("the game goes on");
    assert_eq!(line.stop, Some(StopReason::Time));
    assert!(line.elapsed <= bot.limits.time() && line.nodes < 20 * 1024, "{line:?}");
}

#[test]
fn a_stop_is_heard_at_once_and_answered_all_the_same() {
    let record = Record::<QuantumControl>::start(&Default::default());
    let stop = AtomicBool::new(true);
    let control = Control { stop: &stop, elapsed: &at_leisure };
    let line = Searcher::default().search(&record, LEVELS[4].bot(1), control, &mut |_| ());
    let line = line.expect("the game goes on");
    assert_eq!((line.stop, line.nodes, line.depth), (Some(StopReason::Stopped), 0, 0));
    plays(&record, &line);
}

#[test]
fn a_stop_from_another_thread_frees_the_search() {
    let record = Record::<QuantumControl>::start(&Default::default());
    let stop = AtomicBool::new(false);
    let stopped = std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let control = Control { stop: &stop, elapsed: &at_leisure };
            let line = Searcher::default().search(&record, LEVELS[4].bot(1), control, &mut |_| ());
            (line.and_then(|line| line.stop), Instant::now())
        });
        stop.store(true, Ordering::Relaxed);
        let asked = Instant::now();
        let (reason, ended) = search.join().expect("the search does not panic");
        (reason, ended.saturating_duration_since(asked))
    });
    assert_eq!(stopped.0, Some(StopReason::Stopped));
    assert!(stopped.1 < Duration::from_millis(50), "{stopped:?}");
}

#[test]
fn progress_is_told_depth_by_depth() {
    let record = Record::<QuantumControl>::start(&Default::default());
    let stop = AtomicBool::new(false);
    let control = Control { stop: &stop, elapsed: &at_leisure };
    let mut depths = Vec::new();
    let mut tell = |line: &Line<_>| {
        assert_eq!(line.stop, None);
        depths.push(line.depth);
    };
    let line = Searcher::default().search(&record, LEVELS[3].bot(1), control, &mut tell);
    assert_eq!(line.map(|line| line.depth), depths.last().copied());
    assert_eq!(depths, (1..=depths.len() as u32).collect::<Vec<u32>>());
}

#[test]
fn a_forced_pass_is_passed_at_once() {
    // White's only stone has no friends; Black can capture it.
    let text = "..-../....../-..-..-/..-..-../........./..-..-../-..-..-/.....w/..-bb w c 0 b";
    let record = Record::<QuantumControl>::from_position(text, &Default::default());
    let Ok(record) = record else { panic!("{record:?}") };
    let line = think(&mut Searcher::default(), &record, LEVELS[4].bot(1)).expect("the game goes on");
    assert_eq!((line.stop, line.nodes), (Some(StopReason::OnlyMove), 0));
    assert_eq!(record.state().describe(line.best).text, "pass");
}
