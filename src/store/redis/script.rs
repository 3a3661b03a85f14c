use std::sync::LazyLock;

use redis::Cmd;

use super::ask::Question;

/// A script that Redis runs as one step.
pub(super) struct Script {
    source: &'static str,
    /// The name under which Redis remembers it.
    hash: String,
}

/// A script with what it is to work on. All its keys are of one slot.
pub(super) struct Call<'a> {
    script: &'a Script,
    keys: &'a [&'a [u8]],
    arguments: &'a [&'a [u8]],
}

pub(super) static CREATE: LazyLock<Script> =
    LazyLock::new(|| Script::new(include_str!("scripts/create.lua")));
pub(super) static COMMIT: LazyLock<Script> =
    LazyLock::new(|| Script::new(include_str!("scripts/commit.lua")));
pub(super) static CHECK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/check.lua")));
pub(super) static FIND: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/find.lua")));
pub(super) static READ: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/read.lua")));

impl Script {
    fn new(source: &'static str) -> Script {
        let hash = redis::Script::new(source).get_hash().to_owned();
        Script { source, hash }
    }

    pub(super) fn on<'a>(&'a self, keys: &'a [&'a [u8]], arguments: &'a [&'a [u8]]) -> Call<'a> {
        Call { script: self, keys, arguments }
    }
}

impl Question for Call<'_> {
    fn short(&self) -> Cmd {
        self.command("EVALSHA", &self.script.hash)
    }

    /// The server then remembers the script.
    fn long(&self) -> Cmd {
        self.command("EVAL", self.script.source)
    }
}

/// Of what a command holds besides keys and arguments: name, script, and the number of keys.
const ROOM: usize = 3;

impl Call<'_> {
    fn command(&self, name: &str, script: &str) -> Cmd {
        let parts = self.keys.iter().chain(self.arguments);
        let bytes: usize = parts.clone().map(|part| part.len()).sum();
        let mut command = Cmd::with_capacity(
            ROOM + self.keys.len() + self.arguments.len(),
            name.len() + script.len() + bytes + ROOM,
        );
        command.arg(name).arg(script).arg(self.keys.len());
        for part in parts {
            command.arg(*part);
        }
        command
    }
}
