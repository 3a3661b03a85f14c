use std::{error::Error, time::Duration};

use anyhow::anyhow;
use tokio::time::sleep;
use tonic::{
    Code, Response, Status,
    transport::{Channel, Endpoint},
};
use tonic_types::StatusExt;

use crate::api::proto::game_service_client::GameServiceClient;

/// A caller of the service over one connection.
pub(super) type Client = GameServiceClient<Channel>;

/// Where a server listens if it was not told otherwise.
pub(super) const USUAL_SERVER: &str = "http://127.0.0.1:50051";

/// The largest answer that is taken: a long history fits.
const LARGEST_ANSWER: usize = 16 << 20;

/// How often a call is sent again, and how long to wait before if the server names no time.
const ATTEMPTS: u32 = 8;
const PAUSE: Duration = Duration::from_millis(500);

/// Connects to a server.
///
/// # Errors
/// The address cannot be read, or nobody answers there.
pub(super) async fn connect(address: &str) -> anyhow::Result<Client> {
    let address = with_scheme(address);
    let endpoint = Endpoint::from_shared(address.clone())
        .map_err(|_| anyhow!("{address:?} is no address; expected one such as {USUAL_SERVER}"))?;
    let endpoint = endpoint.connect_timeout(Duration::from_secs(5)).tcp_nodelay(true);
    let channel = endpoint
        .connect()
        .await
        .map_err(|error| anyhow!("no server answers at {address}: {}", root(&error)))?;
    Ok(GameServiceClient::new(channel).max_decoding_message_size(LARGEST_ANSWER))
}

/// An address as a URL; where it names no scheme, `http`.
pub(super) fn with_scheme(address: &str) -> String {
    if address.contains("://") { address.to_owned() } else { format!("http://{address}") }
}

/// A fresh request id.
pub(super) fn new_request_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// Makes a call, and makes it again where the service says that this helps. The call has one request
/// id, so that nothing happens twice.
pub(super) async fn persist<T, F>(mut call: impl FnMut() -> F) -> Result<T, Status>
where
    F: Future<Output = Result<Response<T>, Status>>,
{
    let mut attempt = 1;
    loop {
        match call().await {
            Ok(response) => return Ok(response.into_inner()),
            Err(status) if attempt < ATTEMPTS && helps_again(&status) => sleep(pause(&status)).await,
            Err(status) => return Err(status),
        }
        attempt += 1;
    }
}

/// Whether the same call may well go through later.
pub(super) fn helps_again(status: &Status) -> bool {
    let named = status.get_details_retry_info().is_some();
    status.code() == Code::Unavailable || named || is_broken_connection(status)
}

/// How long to wait before calling again.
pub(super) fn pause(status: &Status) -> Duration {
    status.get_details_retry_info().and_then(|info| info.retry_delay).unwrap_or(PAUSE)
}

/// Whether the connection failed, rather than the server having answered.
fn is_broken_connection(status: &Status) -> bool {
    status.source().is_some()
}

/// What a person is told of a call that failed: the server's own sentence, if it said one.
pub(super) fn sentence(status: &Status) -> String {
    match status.source() {
        Some(source) => format!("the connection to the server failed: {}", root(source)),
        None if status.message().is_empty() => status.code().description().to_owned(),
        None => status.message().to_owned(),
    }
}

/// A failed call as the error of the whole program.
pub(super) fn failure(status: Status) -> anyhow::Error {
    anyhow!(sentence(&status))
}

/// The innermost cause.
fn root(error: &dyn Error) -> String {
    let mut root = error;
    while let Some(source) = root.source() {
        root = source;
    }
    root.to_string()
}
