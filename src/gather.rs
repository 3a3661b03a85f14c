//! Connections on which small writes go out together.

use std::{
    io, mem,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, Waker},
};

use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    task::{JoinHandle, yield_now},
};

/// A connection that gathers what is written to it.
///
/// HTTP/2 writes every answer by itself, and a write costs more than most of a call. Here it only puts
/// bytes aside; a task of the connection's own sends them, once all others that are ready to run have
/// had their turn. So a busy connection sends many answers at once, and an idle one waits for nothing.
pub struct Gathered {
    reading: OwnedReadHalf,
    outbox: Arc<Outbox>,
    sender: JoinHandle<()>,
}

/// The most bytes that wait before writers do, and as many more may be on their way.
const ROOM: usize = 64 << 10;

/// An empty buffer larger than this is given back.
const KEPT: usize = 16 << 10;

#[derive(Default)]
struct Outbox(Mutex<Mail>);

#[derive(Default)]
struct Mail {
    bytes: Vec<u8>,
    /// Nothing more will be written.
    closing: bool,
    /// How the sender has ended, if it has.
    end: Option<Result<(), io::ErrorKind>>,
    /// The sender, if it waits for bytes.
    sender: Option<Waker>,
    /// The writer, if it waits for room or for the end.
    writer: Option<Waker>,
}

impl Gathered {
    /// Gathers what is written to `stream`, in the runtime of the caller.
    pub fn new(stream: TcpStream) -> Gathered {
        let (reading, writing) = stream.into_split();
        let outbox = Arc::new(Outbox::default());
        let sender = tokio::spawn(send_on(writing, outbox.clone()));
        Gathered { reading, outbox, sender }
    }

    pub fn stream(&self) -> &TcpStream {
        self.reading.as_ref()
    }
}

impl Drop for Gathered {
    fn drop(&mut self) {
        // Who wants the rest to arrive shuts down first.
        self.sender.abort();
    }
}

async fn send_on(mut stream: OwnedWriteHalf, outbox: Arc<Outbox>) {
    let sent = send_all(&mut stream, &outbox).await;
    outbox.end(sent.map_err(|error| error.kind()));
}

async fn send_all(stream: &mut OwnedWriteHalf, outbox: &Outbox) -> io::Result<()> {
    let mut bytes = Vec::new();
    while outbox.filled().await {
        yield_now().await;
        outbox.empty(&mut bytes);
        stream.write_all(&bytes).await?;
        bytes.clear();
        bytes.shrink_to(KEPT);
    }
    stream.shutdown().await
}

impl Outbox {
    /// Waits for bytes to send; false if there will be none.
    async fn filled(&self) -> bool {
        std::future::poll_fn(|cx| {
            let mut mail = self.mail();
            if !mail.bytes.is_empty() || mail.closing {
                return Poll::Ready(!mail.bytes.is_empty());
            }
            mail.sender = Some(cx.waker().clone());
            Poll::Pending
        })
        .await
    }

    /// Takes all bytes, for an empty buffer.
    fn empty(&self, into: &mut Vec<u8>) {
        let mut mail = self.mail();
        mem::swap(&mut mail.bytes, into);
        wake(&mut mail.writer);
    }

    fn end(&self, end: Result<(), io::ErrorKind>) {
        let mut mail = self.mail();
        mail.end = Some(end);
        wake(&mut mail.writer);
    }

    fn mail(&self) -> MutexGuard<'_, Mail> {
        // A panic elsewhere leaves the mail whole: bytes are added in one step.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(waker: &mut Option<Waker>) {
    if let Some(waker) = waker.take() {
        waker.wake();
    }
}

impl Mail {
    fn put(&mut self, parts: &[io::IoSlice<'_>], cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if let Some(end) = self.end {
            return Poll::Ready(Err(end.err().unwrap_or(io::ErrorKind::BrokenPipe).into()));
        }
        if ROOM <= self.bytes.len() {
            self.writer = Some(cx.waker().clone());
            return Poll::Pending;
        }
        let before = self.bytes.len();
        parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        wake(&mut self.sender);
        Poll::Ready(Ok(self.bytes.len() - before))
    }
}

impl AsyncRead for Gathered {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.reading).poll_read(cx, into)
    }
}

impl AsyncWrite for Gathered {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[io::IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.outbox.mail().put(parts, cx)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// What has been put aside is on its way.
    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.outbox.mail().end {
            Some(Err(kind)) => Poll::Ready(Err(kind.into())),
            _ => Poll::Ready(Ok(())),
        }
    }

    /// Waits until everything has been sent.
    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut mail = self.outbox.mail();
        if let Some(end) = mail.end {
            return Poll::Ready(end.map_err(io::Error::from));
        }
        mail.closing = true;
        wake(&mut mail.sender);
        mail.writer = Some(cx.waker().clone());
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use tokio::{io::AsyncReadExt, net::TcpListener};

    use super::*;

    /// The two ends of a connection.
    async fn ends() -> (Gathered, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (here, _) = listener.accept().await.unwrap();
        (Gathered::new(here), there)
    }

    #[tokio::test]
    async fn small_writes_arrive_together() {
        let (mut here, mut there) = ends().await;
        for part in [b"one ", b"two ", b"tri "] {
            here.write_all(part).await.unwrap();
        }
        let mut bytes = [0; 100];
        let count = there.read(&mut bytes).await.unwrap();
        assert_eq!(bytes[..count], *b"one two tri ");
        there.write_all(b"and back").await.unwrap();
        let count = here.read(&mut bytes).await.unwrap();
        assert_eq!(bytes[..count], *b"and back");
    }

    #[tokio::test]
    async fn all_bytes_arrive_in_order_and_then_the_end() {
        let (mut here, mut there) = ends().await;
        let sent: Vec<u8> = (0..5_000_000_u32).map(|number| (number % 251) as u8).collect();
        let expected = sent.clone();
        let sending = tokio::spawn(async move {
            for part in sent.chunks(777) {
                here.write_all(part).await.unwrap();
            }
            here.shutdown().await.unwrap();
        });
        let mut received = Vec::new();
        there.read_to_end(&mut received).await.unwrap();
        assert!(received == expected);
        sending.await.unwrap();
    }

    #[tokio::test]
    async fn writers_wait_for_a_reader() {
        let (mut here, _there) = ends().await;
        let endless = async {
            loop {
                here.write_all(&[0; 10_000]).await.unwrap();
            }
        };
        let waited = tokio::time::timeout(std::time::Duration::from_millis(300), endless).await;
        assert!(waited.is_err(), "it never ends");
        assert!(here.outbox.mail().bytes.len() < ROOM + 10_000);
    }

    #[tokio::test]
    async fn who_writes_to_nobody_is_told() {
        let (mut here, there) = ends().await;
        drop(there);
        let writing = async {
            while here.write_all(b"hello?").await.is_ok() {
                yield_now().await;
            }
        };
        tokio::time::timeout(std::time::Duration::from_secs(10), writing).await.unwrap();
        assert!(here.flush().await.is_err());
        assert!(here.shutdown().await.is_err());
    }

    #[tokio::test]
    async fn what_is_dropped_is_cut() {
        let (here, mut there) = ends().await;
        drop(here);
        let mut bytes = Vec::new();
        assert_eq!(there.read_to_end(&mut bytes).await.unwrap(), 0);
    }
}
