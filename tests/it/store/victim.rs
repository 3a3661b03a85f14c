use std::{
    collections::BTreeMap,
    env,
    io::{BufRead, BufReader, Lines, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use boardkeeper::{
    game::{GameKey, Version},
    store::{Filter, Store},
};

use super::{
    embedded::open,
    games::{entries, key, request},
};

/// Names the directory to the process that is to suffer.
const VICTIM: &str = "BOARDKEEPER_TEST_VICTIM";

/// The tenant whose games victims write.
const TENANT: &str = "victim";

/// The highest version of each game that a victim said is durable.
pub(super) type Told = BTreeMap<String, Version>;

/// A process of this program's own that writes to a store and tells on its standard output what is
/// durable.
pub(super) struct Victim {
    process: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The directory to write to, in a process that is a victim.
pub(super) fn orders() -> Option<PathBuf> {
    env::var_os(VICTIM).map(PathBuf::from)
}

pub(super) fn game(number: u64) -> GameKey {
    key(TENANT, &format!("game-{number}"))
}

/// Says, in a victim, that a game has reached a version.
pub(super) fn tell(key: &GameKey, version: Version) {
    say(&format!("told {} {version}.", key.id));
}

pub(super) fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).unwrap();
}

impl Victim {
    /// Starts a process that runs the test `name` of the module at `module`, which finds its orders.
    pub(super) fn start(module: &str, name: &str, dir: &Path) -> Victim {
        let (_, module) = module.split_once("::").unwrap();
        // What is too long for a file is to fail, not to kill; no other test minds.
        let mut process = Command::new("sh")
            .args(["-c", "trap '' XFSZ; exec \"$@\"", "sh"])
            .arg(env::current_exe().unwrap())
            .args(["--exact", &format!("{module}::{name}"), "--nocapture"])
            .env(VICTIM, dir)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        Victim { process, lines }
    }

    pub(super) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Reads on until a line begins like this.
    pub(super) fn await_line(&mut self, beginning: &str, told: &mut Told) {
        let found = self.lines.by_ref().map_while(Result::ok).find(|line| {
            note(line, told);
            line.starts_with(beginning)
        });
        assert!(found.is_some(), "the victim ended before it said {beginning:?}");
    }

    /// Kills it, and reads what it said until then.
    pub(super) fn kill(mut self, told: &mut Told) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.lines.map_while(Result::ok).for_each(|line| note(&line, told));
    }
}

fn note(line: &str, told: &mut Told) {
    let words = line.strip_prefix("told ").and_then(|rest| rest.split_once(' '));
    // A line that was cut short has no full stop.
    if let Some((game, version)) = words
        && let Some(version) = version.strip_suffix('.')
    {
        told.insert(game.into(), version.parse().unwrap());
    }
}

/// Every game is at least where it was told to be, and its log, requests and card fit together.
pub(super) async fn check(dir: &Path, games: u64, told: &Told) {
    let store = open(dir);
    let page = store.list(&game(0).tenant, &Filter::default(), None, usize::MAX).await.unwrap();
    for key in (0..games).map(game) {
        let told = told.get(key.id.as_str()).copied().unwrap_or(0);
        let log = store.read(&key, 0, usize::MAX).await.unwrap();
        let version = log.as_ref().map_or(0, |log| log.head.version);
        assert!(told <= version, "{key} is at {version}, and was at {told}");
        assert_eq!(log.map_or(vec![], |log| log.entries), entries(&key, version));
        for made in 1..=version {
            let request = request((made - 1).into());
            assert_eq!(store.find(&key, request).await.unwrap(), Some(made));
        }
        assert_eq!(store.find(&key, request(version.into())).await.unwrap(), None);
        assert_eq!(page.games.iter().any(|(id, _)| *id == key.id), version != 0, "{key} is listed wrongly");
    }
}
