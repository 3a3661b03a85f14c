use tempfile::TempDir;

use super::process::Process;

/// All that is measured, each in a process of its own, in a directory that goes with them.
pub(crate) struct Servers {
    pub(crate) floor: Process,
    pub(crate) embedded: Process,
    pub(crate) redis_backed: Process,
    pub(crate) redis: Process,
    dir: TempDir,
}

impl Servers {
    pub(crate) fn start(fsync: &str) -> anyhow::Result<Servers> {
        let dir = tempfile::tempdir()?;
        let redis = Process::redis(dir.path(), fsync)?;
        let url = redis.redis_url();
        let data = dir.path().join("games").display().to_string();
        Ok(Servers {
            floor: Process::floor(dir.path(), &url)?,
            embedded: Process::boardkeeper(dir.path(), ["--data-dir", &data])?,
            redis_backed: Process::boardkeeper(dir.path(), ["--store", &url])?,
            redis,
            dir,
        })
    }

    /// One more server on the same Redis.
    pub(crate) fn another(&self) -> anyhow::Result<Process> {
        Process::boardkeeper(self.dir.path(), ["--store", &self.redis.redis_url()])
    }
}
