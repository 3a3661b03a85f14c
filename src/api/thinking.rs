use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::sync::OwnedSemaphorePermit;
use tokio_stream::Stream;
use tokio_util::task::AbortOnDropHandle;
use tonic::Status;

use super::{Reason, Refusal, moves::Changed, proto, tell};
use crate::bots::Thoughts;

/// A bot's move as a stream: its thinking as it comes, then the move.
///
/// A reader who takes frames slowly gets the newest thought when it takes one, and holds up neither
/// the search nor the move. Dropping the stream gives the call up.
pub struct BotFrames {
    thoughts: Option<Thoughts>,
    end: End,
    /// Given back when the transport lets go of the stream.
    _permit: OwnedSemaphorePermit,
}

/// How the stream ends.
enum End {
    Known(Box<Changed>),
    Awaited(AbortOnDropHandle<Result<Changed, Refusal>>),
    Told,
}

impl BotFrames {
    /// A stream of a move that has been made already.
    pub(super) fn answered(changed: Changed, permit: OwnedSemaphorePermit) -> BotFrames {
        BotFrames { thoughts: None, end: End::Known(Box::new(changed)), _permit: permit }
    }

    /// A stream of a call that goes on.
    pub(super) fn going_on(
        thoughts: Option<Thoughts>,
        call: AbortOnDropHandle<Result<Changed, Refusal>>,
        permit: OwnedSemaphorePermit,
    ) -> BotFrames {
        BotFrames { thoughts, end: End::Awaited(call), _permit: permit }
    }

    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Changed, Refusal>>> {
        let end = match std::mem::replace(&mut self.end, End::Told) {
            End::Told => None,
            End::Known(changed) => Some(Ok(*changed)),
            End::Awaited(mut call) => match Pin::new(&mut call).poll(cx) {
                Poll::Ready(Ok(end)) => Some(end),
                Poll::Ready(Err(_)) => {
                    Some(Err(Refusal::new(Reason::Internal, "the server failed on this call")))
                }
                Poll::Pending => {
                    self.end = End::Awaited(call);
                    return Poll::Pending;
                }
            },
        };
        Poll::Ready(end)
    }
}

impl Stream for BotFrames {
    type Item = Result<proto::StreamBotMoveResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        use proto::stream_bot_move_response::Frame;
        let this = &mut *self;
        if let Poll::Ready(end) = this.poll_end(cx) {
            this.thoughts = None;
            return Poll::Ready(end.map(|end| Ok(frame(Frame::Moved(moved(end?))))));
        }
        let Some(thoughts) = &mut this.thoughts else { return Poll::Pending };
        match Pin::new(thoughts).poll_next(cx) {
            Poll::Ready(Some(thinking)) => Poll::Ready(Some(Ok(frame(tell::thinking(thinking))))),
            Poll::Ready(None) => {
                this.thoughts = None;
                Poll::Pending
            }
            Poll::Pending => Poll::Pending,
        }
    }
}

fn frame(frame: proto::stream_bot_move_response::Frame) -> proto::StreamBotMoveResponse {
    proto::StreamBotMoveResponse { frame: Some(frame) }
}

fn moved(changed: Changed) -> proto::BotMoved {
    let Changed { game, event, replayed } = changed;
    proto::BotMoved { game: Some(game), event: Some(event), replayed }
}
