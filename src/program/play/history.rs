use tonic::Status;

use super::opponent::report;
use crate::{
    api::proto::{Event, ListGameEventsRequest, event::Kind},
    program::{
        client::Client,
        draw::{move_sentence, outcome_sentence, side_name},
    },
};

/// All that has happened in a game, a line each.
///
/// # Errors
/// The server refuses.
pub(super) async fn history(client: &mut Client, game_id: &str) -> Result<String, Status> {
    let mut request = ListGameEventsRequest { game_id: game_id.to_owned(), ..Default::default() };
    let mut lines = String::new();
    let mut ply = 0;
    loop {
        let page = client.list_game_events(request.clone()).await?.into_inner();
        for event in &page.events {
            lines += &line(event, &mut ply);
        }
        if page.next_page_token.is_empty() {
            return Ok(lines);
        }
        request.page_token = page.next_page_token;
    }
}

fn line(event: &Event, ply: &mut u32) -> String {
    let what = match &event.kind {
        Some(Kind::Created(created)) => format!("     from {}", created.initial_position),
        Some(Kind::MovePlayed(played)) => {
            *ply += 1;
            let sentence = played.r#move.as_ref().map(move_sentence).unwrap_or_default();
            let bot = played.bot.as_ref().map(|bot| format!(" ({})", report(bot))).unwrap_or_default();
            format!("{ply:>3}. {sentence}{bot}")
        }
        Some(Kind::Resigned(resigned)) => format!("     {} resigns", side_name(resigned.side())),
        Some(Kind::GameEnded(_)) => "     the game was ended from outside".to_owned(),
        None => String::new(),
    };
    let outcome = event.outcome.as_ref().map(|outcome| format!("; {}", outcome_sentence(outcome)));
    what + &outcome.unwrap_or_default() + "\n"
}
