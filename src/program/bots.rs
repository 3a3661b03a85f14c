use anyhow::Context;

use super::client::{Client, failure};
use crate::api::proto::{Bot, ListBotsRequest};

/// The bot of this level.
///
/// # Errors
/// The call fails, or the server has no such bot.
pub(super) async fn bot(client: &mut Client, level: u32) -> anyhow::Result<Bot> {
    let bots = client.list_bots(ListBotsRequest {}).await.map_err(failure)?.into_inner().bots;
    let bot = bots.into_iter().find(|bot| bot.level == level);
    bot.with_context(|| format!("the server has no bot of level {level}"))
}
