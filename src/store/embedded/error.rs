use std::{io, path::PathBuf, sync::Arc};

use super::tables::FORMAT;
use crate::store::StoreError;

/// Why the store in a directory cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{} is in use by another boardkeeper; stop it, or give this one its own --data-dir", .0.display())]
    InUse(PathBuf),
    #[error(
        "{} was written by a newer boardkeeper (its format is {found}, this one knows up to {FORMAT}); \
         run that release, or a newer one",
        .dir.display()
    )]
    Newer { dir: PathBuf, found: u32 },
    #[error("{} cannot be used: its files can be neither made nor locked", .0.display())]
    Directory(PathBuf, #[source] io::Error),
    #[error("the games in {} cannot be opened", .0.display())]
    Engine(PathBuf, #[source] fjall::Error),
    #[error("{} does not say what format it has; it is damaged, or no boardkeeper's", .0.display())]
    Formless(PathBuf),
    #[error("the store's writer cannot be started")]
    Thread(#[source] io::Error),
}

/// What a caller is told of a failure of the engine.
pub(super) fn unavailable(what: &str, error: fjall::Error) -> StoreError {
    StoreError::Unavailable(what.into(), Some(Arc::new(error)))
}

/// What a caller is told of a failed read.
pub(super) fn unreadable(error: fjall::Error) -> StoreError {
    unavailable("its files cannot be read", error)
}
