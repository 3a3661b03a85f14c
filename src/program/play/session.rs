use std::io::{self, Write};

use anyhow::Context;
use tonic::{Code, Status};

use super::{
    hand::Hand,
    history::history,
    input::Lines,
    listing,
    meant::meant,
    opponent::{Opponent, report},
    refused::Refused,
    wish::{HELP, Wish},
};
use crate::{
    api::proto::{
        Game, GetGameRequest, ListLegalMovesRequest, Move, ResignRequest, Side, SubmitMoveRequest,
        event::Kind, submit_move_request::Move as Wanted,
    },
    program::{
        client::{Client, failure, new_request_id, persist, sentence},
        draw::{ALERT, FAINT, Marks, Medium, move_sentence, outcome_sentence, side_name},
        table::Table,
    },
};

/// One person's game against a bot, from the first prompt to the result.
pub(super) struct Session {
    client: Client,
    table: Table,
    /// As the server last showed it.
    game: Game,
    side: Side,
    opponent: Opponent,
    medium: Medium,
    hand: Hand,
    /// The moves of the list that was shown last.
    listed: Vec<String>,
}

/// The most ways on that are listed without being asked for.
const MOST_WAYS: usize = 24;

/// Whether the player stays.
#[derive(PartialEq, Eq)]
enum Next {
    Stay,
    Leave,
}

impl Session {
    pub(super) fn new(
        client: Client,
        table: Table,
        game: Game,
        side: Side,
        opponent: Opponent,
        medium: Medium,
    ) -> Session {
        Session { client, table, game, side, opponent, medium, hand: Hand::empty(), listed: Vec::new() }
    }

    /// Plays until the game is over or the player leaves.
    ///
    /// # Errors
    /// The bot cannot move, or the terminal is closed.
    pub(super) async fn run(mut self, mut lines: Lines) -> anyhow::Result<()> {
        self.say(&self.table.show(&self.game, self.medium))?;
        self.note(&format!("you are {}; type `help` for what you can type", side_name(self.side)))?;
        while self.game.outcome.is_none() {
            if self.game.side_to_move() != self.side {
                self.answer().await?;
                continue;
            }
            self.prompt()?;
            let Some(line) = lines.next().await? else { return self.leave() };
            let wish = Wish::read(&line, &self.table.board);
            match self.fulfil(wish).await {
                Ok(Next::Stay) => (),
                Ok(Next::Leave) => return self.leave(),
                Err(refused) => self.refuse(refused).await?,
            }
        }
        Ok(self.note("good game")?)
    }

    async fn fulfil(&mut self, wish: Wish) -> Result<Next, Refused> {
        match wish {
            Wish::Nothing => (),
            Wish::Points(points) => self.select(&points).await?,
            Wish::Move(text) => self.put_up(&text).await?,
            Wish::Pick(number) => self.pick(number).await?,
            Wish::Send => self.send().await?,
            Wish::Cancel => {
                self.hand = Hand::empty();
                self.draw()?;
            }
            Wish::Resign => {
                self.hand = Hand::Resignation;
                self.note("you are about to resign: `send` or `cancel`")?;
            }
            Wish::History => {
                let history = history(&mut self.client, &self.game.id).await?;
                self.say(&history)?;
            }
            Wish::Moves(points) => self.list(points).await?,
            Wish::Board => self.draw()?,
            Wish::Help => self.say(HELP)?,
            Wish::Quit => return Ok(Next::Leave),
        }
        Ok(Next::Stay)
    }

    /// Selects points: a whole move is put up, part of one shows how it can go on.
    async fn select(&mut self, points: &[String]) -> Result<(), Refused> {
        let points = self.hand.toggled(points);
        if points.is_empty() {
            self.hand = Hand::empty();
            return Ok(self.draw()?);
        }
        let moves = self.legal_moves(&points).await?;
        let whole = moves.iter().all(|mv| mv.points.len() == points.len());
        match moves.as_slice() {
            [] => Err(self.explain(&points).await),
            [only] if whole => {
                self.put_up(&only.text).await?;
                Ok(self.show_other_routes(&only.other_texts)?)
            }
            _ => {
                self.hand = Hand::Selecting { points, moves: moves.clone() };
                self.draw()?;
                Ok(self.show_ways_on(&moves, whole)?)
            }
        }
    }

    /// Shows what a move would do; it is played when it is sent.
    async fn put_up(&mut self, text: &str) -> Result<(), Refused> {
        let answer = self.client.submit_move(self.submission(text, true)).await?.into_inner();
        let mv = answer.event.and_then(|event| match event.kind {
            Some(Kind::MovePlayed(played)) => played.r#move,
            _ => None,
        });
        let (Some(mv), Some(after)) = (mv, answer.game) else { return Err(Refused::odd()) };
        self.hand = Hand::Move { mv: Box::new(mv), after: Box::new(after) };
        Ok(self.draw()?)
    }

    async fn pick(&mut self, number: usize) -> Result<(), Refused> {
        let listed = number.checked_sub(1).and_then(|i| self.listed.get(i)).cloned();
        match listed {
            Some(text) => self.put_up(&text).await,
            None => Err(Refused::own(format!("there is no move {number} in a list; `moves` shows one"))),
        }
    }

    async fn send(&mut self) -> Result<(), Refused> {
        let game = match &self.hand {
            Hand::Selecting { .. } => {
                return Err(Refused::own("there is nothing to send: select points or type a move first"));
            }
            Hand::Move { mv, .. } => {
                let request = self.submission(&mv.text, false);
                let call = || {
                    let (mut client, request) = (self.client.clone(), request.clone());
                    async move { client.submit_move(request).await }
                };
                persist(call).await?.game
            }
            Hand::Resignation => {
                let request = ResignRequest {
                    game_id: self.game.id.clone(),
                    expected_version: self.game.version,
                    request_id: new_request_id(),
                    side: self.side.into(),
                    expected_digest: self.game.digest.clone(),
                };
                let call = || {
                    let (mut client, request) = (self.client.clone(), request.clone());
                    async move { client.resign(request).await }
                };
                persist(call).await?.game
            }
        };
        Ok(self.turn_to(game.ok_or_else(Refused::odd)?)?)
    }

    /// Lets the bot move.
    async fn answer(&mut self) -> anyhow::Result<()> {
        self.note(&format!("{} is thinking", self.opponent.bot.name))?;
        let answer = self.opponent.answer(&self.client, &self.game).await.map_err(failure)?;
        self.turn_to(answer.game.context("the bot's answer shows no game")?)?;
        if let Some(Kind::MovePlayed(played)) = answer.event.and_then(|event| event.kind)
            && let Some(bot) = played.bot
        {
            self.note(&format!("{}: {}", self.opponent.bot.name, report(&bot)))?;
        }
        Ok(())
    }

    fn turn_to(&mut self, game: Game) -> io::Result<()> {
        self.game = game;
        self.hand = Hand::empty();
        self.listed.clear();
        self.draw()
    }

    async fn list(&mut self, points: Vec<String>) -> Result<(), Refused> {
        let points = if points.is_empty() { self.hand.selected().to_vec() } else { points };
        let moves = self.legal_moves(&points).await?;
        if moves.is_empty() {
            return Err(self.explain(&points).await);
        }
        Ok(self.show_list(&moves, &format!("{} legal moves:", moves.len()))?)
    }

    /// Tells how a selection can go on: by the marks alone where there are many ways.
    fn show_ways_on(&mut self, moves: &[Move], whole: bool) -> io::Result<()> {
        if whole {
            self.show_list(moves, "several moves do that; choose one by its number:")
        } else if moves.len() <= MOST_WAYS {
            self.show_list(moves, "go on with a marked point, or choose a move by its number:")
        } else {
            self.note(&format!("{} moves go on from here: name a marked point, or type `moves`", moves.len()))
        }
    }

    fn show_other_routes(&mut self, texts: &[String]) -> io::Result<()> {
        if texts.is_empty() {
            return Ok(());
        }
        self.show_texts(texts.to_vec(), "or choose another route by its number:")
    }

    fn show_list(&mut self, moves: &[Move], title: &str) -> io::Result<()> {
        self.show_texts(listing::texts(moves), title)
    }

    fn show_texts(&mut self, texts: Vec<String>, title: &str) -> io::Result<()> {
        self.listed = texts;
        self.note(title)?;
        self.say(&listing::numbered(&self.listed))
    }

    async fn legal_moves(&mut self, selected: &[String]) -> Result<Vec<Move>, Status> {
        let request = ListLegalMovesRequest {
            game_id: self.game.id.clone(),
            version: self.game.version,
            selected: selected.to_vec(),
        };
        Ok(self.client.list_legal_moves(request).await?.into_inner().moves)
    }

    /// Why no move goes on from these points: the rule that the likeliest one breaks.
    async fn explain(&mut self, points: &[String]) -> Refused {
        let legal = self.legal_moves(&[]).await.unwrap_or_default();
        for text in meant(points, &self.game.cells, legal.first()) {
            match self.client.submit_move(self.submission(&text, true)).await {
                Err(status) if status.code() == Code::FailedPrecondition => return Refused::Server(status),
                _ => (),
            }
        }
        Refused::own(format!("no legal move goes on from {}", points.join(" ")))
    }

    fn submission(&self, text: &str, validate_only: bool) -> SubmitMoveRequest {
        SubmitMoveRequest {
            game_id: self.game.id.clone(),
            expected_version: self.game.version,
            request_id: new_request_id(),
            side: self.side.into(),
            validate_only,
            expected_digest: self.game.digest.clone(),
            r#move: Some(Wanted::Text(text.to_owned())),
        }
    }

    /// Draws the board with what is in hand.
    fn draw(&self) -> io::Result<()> {
        let Hand::Move { mv, after } = &self.hand else { return self.draw_selection() };
        let marks = Marks { pending: mv.points.clone(), ..Marks::default() };
        self.say(&self.table.draw(after, &marks, self.medium))?;
        self.note(&format!("not yet played: {}", move_sentence(mv)))?;
        if let Some(outcome) = &after.outcome {
            self.note(&format!("it ends the game: {}", outcome_sentence(outcome)))?;
        }
        self.note("`send` or `cancel`")
    }

    fn draw_selection(&self) -> io::Result<()> {
        let selected = self.hand.selected();
        if selected.is_empty() {
            return self.say(&self.table.show(&self.game, self.medium));
        }
        let (selected, targets) = (selected.to_vec(), self.hand.targets());
        let marks = Marks { selected, targets, ..Marks::default() };
        self.say(&self.table.draw(&self.game, &marks, self.medium))
    }

    /// Tells why something was refused. If the game has moved on meanwhile, it is shown again.
    async fn refuse(&mut self, refused: Refused) -> anyhow::Result<()> {
        let (why, code) = match refused {
            Refused::Server(status) => (sentence(&status), Some(status.code())),
            Refused::Own(why) => (why, None),
            Refused::Terminal(error) => return Err(error.into()),
        };
        self.say(&format!("{}\n", self.medium.ink(&why, ALERT)))?;
        if code == Some(Code::Aborted) {
            let request = GetGameRequest { game_id: self.game.id.clone(), version: 0 };
            let now = self.client.get_game(request).await.map_err(failure)?.into_inner().game;
            self.turn_to(now.context("the server showed no game")?)?;
        }
        Ok(())
    }

    fn leave(&self) -> anyhow::Result<()> {
        Ok(self.note(&format!("left game {} at version {}", self.game.id, self.game.version))?)
    }

    fn prompt(&self) -> io::Result<()> {
        let prompt = format!("{}{}> ", side_name(self.side), self.hand.prompt());
        write!(io::stdout(), "{}", self.medium.bold(&prompt))?;
        io::stdout().flush()
    }

    fn say(&self, text: &str) -> io::Result<()> {
        write!(io::stdout(), "{text}")
    }

    fn note(&self, text: &str) -> io::Result<()> {
        writeln!(io::stdout(), "{}", self.medium.ink(text, FAINT))
    }
}
