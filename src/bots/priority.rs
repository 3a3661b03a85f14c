/// How nice searches are: as nice as can be. They get what the service leaves of the processors, and
/// a small share where it leaves nothing, so that they keep their time limits.
#[cfg(target_os = "linux")]
const NICE: i32 = 19;

/// Puts the calling thread behind all others.
#[cfg(target_os = "linux")]
pub(super) fn lower() {
    // On Linux every thread has a priority of its own, and anybody may lower it.
    if let Err(error) = rustix::process::nice(NICE) {
        tracing::warn!(%error, "searches run at the priority of the service");
    }
}

/// Elsewhere priorities are the whole process's: searches run at that of the service.
#[cfg(not(target_os = "linux"))]
pub(super) fn lower() {}
