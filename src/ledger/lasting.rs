use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::runtime::Handle;

/// Work that runs to its end even where nobody waits for it any more: what is in the store is put at
/// hand and told.
///
/// Who waits does the work, which saves a task a call. If it is dropped, the rest becomes a task.
pub(super) struct Lasting<F>(Option<Pin<Box<F>>>)
where
    F: Future<Output: Send + 'static> + Send + 'static;

impl<F: Future<Output: Send + 'static> + Send + 'static> Lasting<F> {
    pub(super) fn new(work: F) -> Lasting<F> {
        Lasting(Some(Box::pin(work)))
    }
}

impl<F: Future<Output: Send + 'static> + Send + 'static> Future for Lasting<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<F::Output> {
        // Work that panics is not put back, and so not run again.
        let Some(mut work) = self.0.take() else { return Poll::Pending };
        let polled = work.as_mut().poll(cx);
        if polled.is_pending() {
            self.0 = Some(work);
        }
        polled
    }
}

impl<F: Future<Output: Send + 'static> + Send + 'static> Drop for Lasting<F> {
    fn drop(&mut self) {
        // Without a runtime there is nothing left that the end of the work could be told to.
        if let (Some(work), Ok(runtime)) = (self.0.take(), Handle::try_current()) {
            runtime.spawn(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_that_is_dropped_goes_on() {
        let (go, gone) = oneshot::channel::<()>();
        let (done, end) = oneshot::channel();
        let mut work = Lasting::new(async move {
            gone.await.unwrap();
            done.send("the end").unwrap();
        });
        assert!(futures_util::poll!(&mut work).is_pending());
        drop(work);
        go.send(()).unwrap();
        assert_eq!(end.await, Ok("the end"));
    }

    #[tokio::test]
    async fn work_that_has_not_begun_is_done_as_well() {
        let (done, end) = oneshot::channel();
        drop(Lasting::new(async move { done.send(1).unwrap() }));
        assert_eq!(end.await, Ok(1));
    }

    #[tokio::test]
    async fn who_waits_has_the_outcome() {
        assert_eq!(Lasting::new(async { tokio::task::yield_now().await }).await, ());
        assert_eq!(Lasting::new(async { 7 }).await, 7);
    }
}
