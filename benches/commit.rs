//! How many moves a second the embedded store makes durable, for 1, 16 and 128 callers, each of which
//! waits for its answer before it goes on; and what a read costs beside that.
//!
//! `cargo bench --bench commit -- [SECONDS] [DIRECTORY]`; the directory decides which disk is measured.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use boardkeeper::{
    game::{Digest, Entry, GameKey, Millis, RequestId},
    store::{Bell, Birth, Card, Commit, Committed, Embedded, Head, Store},
};

/// How many games are played at once.
const GAMES: usize = 2_000;

/// About what a move takes as it is stored.
const ENTRY_BYTES: usize = 200;

struct Silent;

impl Bell for Silent {
    fn ring(&self, _: &GameKey) {}
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    // Cargo adds `--bench` to what the caller gives.
    let mut given = env::args().skip(1).filter(|text| text != "--bench");
    let seconds = given.next().map_or(Ok(3), |text| text.parse())?;
    let parent = given.next().map_or_else(env::temp_dir, PathBuf::from);
    println!(
        "{:>8} {:>10} {:>9} {:>9}   {:>9} {:>9}",
        "callers", "commits/s", "p50", "p99", "read p50", "p99"
    );
    for callers in [1, 16, 128] {
        let dir = tempfile::tempdir_in(&parent)?;
        measure(dir.path(), callers, Duration::from_secs(seconds)).await?;
    }
    Ok(())
}

async fn measure(dir: &Path, callers: usize, time: Duration) -> anyhow::Result<()> {
    let store: Arc<dyn Store> = Arc::new(Embedded::open(dir, Arc::new(Silent))?);
    let mut hands = vec![Vec::new(); callers];
    for game in 0..GAMES {
        hands[game % callers].push(begin(&*store, &format!("game-{game}")).await?);
    }
    let begun = Instant::now();
    let calling: Vec<_> =
        hands.into_iter().map(|games| tokio::spawn(play(store.clone(), games, begun + time))).collect();
    let (mut commits, mut reads) = (Vec::new(), Vec::new());
    for caller in calling {
        let (mine, read) = caller.await??;
        commits.extend(mine);
        reads.extend(read);
    }
    let rate = commits.len() as f64 / begun.elapsed().as_secs_f64();
    let [c50, c99] = percentiles(commits);
    let [r50, r99] = percentiles(reads);
    println!("{callers:>8} {rate:>10.0} {c50:>9.0?} {c99:>9.0?}   {r50:>9.0?} {r99:>9.0?}");
    Ok(())
}

/// Goes round a caller's games until the end, a move in each, and returns how long every commit
/// and every read took.
async fn play(
    store: Arc<dyn Store>,
    mut games: Vec<(GameKey, Head)>,
    end: Instant,
) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut commits, mut reads) = (Vec::new(), Vec::new());
    for number in (0..games.len()).cycle() {
        if end < Instant::now() {
            break;
        }
        let (key, head) = &mut games[number];
        let commit = next(key, *head);
        *head = Head { version: head.version + 1, digest: commit.entry.digest };
        let asked = Instant::now();
        anyhow::ensure!(store.commit(commit).await? == Committed::Done, "somebody else writes");
        commits.push(asked.elapsed());
        let asked = Instant::now();
        store.read(key, head.version, 0).await?;
        reads.push(asked.elapsed());
    }
    Ok((commits, reads))
}

async fn begin(store: &dyn Store, name: &str) -> anyhow::Result<(GameKey, Head)> {
    let key = GameKey { tenant: "portal".parse()?, id: name.parse()? };
    let digest = Digest::origin(&key).then(&[0; ENTRY_BYTES]);
    let card = Card {
        game_type: "quantum-control".into(),
        black_player: "ada".into(),
        white_player: "bob".into(),
        labels: [("event".into(), "cup".into())].into(),
        created: Millis(0),
        finished: false,
    };
    let entries = vec![Entry { digest, bytes: vec![0; ENTRY_BYTES] }];
    store.create(Birth { key: key.clone(), request: fresh(), entries, card }).await?;
    Ok((key, Head { version: 1, digest }))
}

fn next(key: &GameKey, parent: Head) -> Commit {
    let bytes = vec![parent.version as u8; ENTRY_BYTES];
    let entry = Entry { digest: parent.digest.then(&bytes), bytes };
    Commit { key: key.clone(), request: fresh(), parent, entry, finished: None }
}

fn fresh() -> RequestId {
    RequestId(uuid::Uuid::now_v7().into_bytes())
}

/// The median and the 99th percentile.
fn percentiles(mut times: Vec<Duration>) -> [Duration; 2] {
    times.sort();
    [50, 99].map(|percent| times.get(times.len() * percent / 100).copied().unwrap_or_default())
}
