use std::{collections::HashMap, time::Duration};

use redis::{Cmd, Pipeline, RedisError, RedisResult, Value, cmd};
use tokio::time::{Instant, sleep, timeout_at};

use super::{
    address::Address,
    fault::{Remedy, unavailable},
    links::Links,
    node::Lane,
    slot::Slot,
};
use crate::store::{StoreError, patience};

/// Something to ask a server.
pub(super) trait Question {
    /// As a server understands it that has been asked before.
    fn short(&self) -> Cmd;
    /// As every server understands it.
    fn long(&self) -> Cmd;
}

impl Question for Cmd {
    fn short(&self) -> Cmd {
        self.clone()
    }

    fn long(&self) -> Cmd {
        self.clone()
    }
}

/// Asking: of the right server, and again where the first answer is no answer.
impl Links {
    /// Asks the server that keeps a slot.
    pub(super) async fn ask(&self, slot: Slot, question: &impl Question) -> Result<Value, StoreError> {
        let answers = self.ask_and(slot, question, Lane::Shared, None).await?;
        Ok(first(answers))
    }

    /// Asks the server that keeps a slot, and how many replicas have what it wrote by then, for which
    /// half the time is waited that an answer may take.
    pub(super) async fn ask_replicated(
        &self,
        slot: Slot,
        question: &impl Question,
        replicas: u32,
    ) -> Result<(Value, u32), StoreError> {
        let mut wait = cmd("WAIT");
        wait.arg(replicas).arg((self.patience().answer / 2).as_millis() as u64);
        let mut answers = self.ask_and(slot, question, Lane::waiting(slot), Some(&wait)).await?;
        let have = answers.pop().and_then(|have| redis::from_redis_value(have).ok()).unwrap_or(0);
        Ok((first(answers), have))
    }

    /// Asks until there is an answer, with a command behind the question if one is given.
    async fn ask_and(
        &self,
        slot: Slot,
        question: &impl Question,
        lane: Lane,
        behind: Option<&Cmd>,
    ) -> Result<Vec<Value>, StoreError> {
        let mut attempts = Attempts::new(self.patience().call);
        loop {
            let asking = async {
                let address = self.owner(slot).await?;
                self.ask_at(&address, question, lane, behind, attempts.deadline).await
            };
            match asking.await {
                Ok(answers) => return Ok(answers),
                Err(error) => self.mend(&mut attempts, error).await?,
            }
        }
    }

    /// Asks one of the servers that keep games, once.
    pub(super) async fn ask_server(&self, server: &Address, question: &Cmd) -> Result<Value, StoreError> {
        let deadline = Instant::now() + self.patience().call;
        let answers = self.ask_at(server, question, Lane::Shared, None, deadline).await;
        answers.map(first).map_err(unavailable)
    }

    /// Asks every server that keeps games.
    pub(super) async fn ask_everywhere(
        &self,
        question: &impl Question,
    ) -> Result<Vec<(Address, Value)>, StoreError> {
        let mut attempts = Attempts::new(self.patience().call);
        loop {
            match self.ask_each(question, attempts.deadline).await {
                Ok(answers) => return Ok(answers),
                Err(error) => self.mend(&mut attempts, error).await?,
            }
        }
    }

    async fn ask_each(
        &self,
        question: &impl Question,
        deadline: Instant,
    ) -> RedisResult<Vec<(Address, Value)>> {
        let mut answers = Vec::new();
        for address in self.masters().await? {
            let answer = self.ask_at(&address, question, Lane::Shared, None, deadline).await?;
            answers.push((address, first(answer)));
        }
        Ok(answers)
    }

    /// Asks many things at once, each of the server that keeps its slot; the answers in their order.
    pub(super) async fn ask_all(&self, questions: &[(Slot, Cmd)]) -> Result<Vec<Value>, StoreError> {
        let mut attempts = Attempts::new(self.patience().call);
        let mut answers = vec![None; questions.len()];
        while let Some(error) = self.ask_owners(questions, &mut answers, attempts.deadline).await {
            self.mend(&mut attempts, error).await?;
        }
        Ok(answers.into_iter().flatten().collect())
    }

    /// Asks what has no answer yet; an error, if something is without one after that.
    async fn ask_owners(
        &self,
        questions: &[(Slot, Cmd)],
        answers: &mut [Option<Value>],
        deadline: Instant,
    ) -> Option<RedisError> {
        let mut failed = None;
        let mut by_owner: HashMap<Address, Vec<usize>> = HashMap::new();
        for (place, (slot, _)) in questions.iter().enumerate().filter(|(place, _)| answers[*place].is_none())
        {
            match self.owner(*slot).await {
                Ok(owner) => by_owner.entry(owner).or_default().push(place),
                Err(error) => return Some(error),
            }
        }
        for (owner, places) in by_owner {
            let commands = in_a_row(places.iter().map(|place| questions[*place].1.clone()));
            let found = match self.ask_line(&owner, Lane::Shared, deadline, &commands).await {
                Ok(found) => found,
                Err(error) => {
                    failed = Some(error);
                    continue;
                }
            };
            for (place, answer) in places.into_iter().zip(found) {
                match self.redirected(&questions[place].1, answer, deadline).await {
                    Ok(answer) => answers[place] = Some(answer),
                    Err(error) => failed = Some(error),
                }
            }
        }
        failed
    }

    /// An answer, or that of another server if it says that the question is to go there.
    async fn redirected(&self, question: &Cmd, answer: Value, deadline: Instant) -> RedisResult<Value> {
        let Value::ServerError(error) = answer else { return Ok(answer) };
        let error = error.into();
        match Remedy::of(&error) {
            Remedy::AskThere(other) => {
                self.ask_there(&other, question, Lane::Shared, None, deadline).await.map(first)
            }
            _ => Err(error),
        }
    }

    /// Asks a certain server, and does what leads to an answer from it or from one that it names.
    async fn ask_at(
        &self,
        address: &Address,
        question: &impl Question,
        lane: Lane,
        behind: Option<&Cmd>,
        deadline: Instant,
    ) -> RedisResult<Vec<Value>> {
        let commands = in_a_row([question.short()].into_iter().chain(behind.cloned()));
        let error = match self.ask_line(address, lane, deadline, &commands).await.and_then(strictly) {
            Ok(answers) => return Ok(answers),
            Err(error) => error,
        };
        match Remedy::of(&error) {
            Remedy::TeachScript => {
                let commands = in_a_row([question.long()].into_iter().chain(behind.cloned()));
                self.ask_line(address, lane, deadline, &commands).await.and_then(strictly)
            }
            Remedy::AskThere(other) => self.ask_there(&other, question, lane, behind, deadline).await,
            _ => Err(error),
        }
    }

    /// Asks a server to which a slot is moving.
    async fn ask_there(
        &self,
        address: &Address,
        question: &impl Question,
        lane: Lane,
        behind: Option<&Cmd>,
        deadline: Instant,
    ) -> RedisResult<Vec<Value>> {
        let commands = [cmd("ASKING"), question.long()].into_iter().chain(behind.cloned());
        let answers = self.ask_line(address, lane, deadline, &in_a_row(commands)).await?;
        strictly(answers.into_iter().skip(1).collect())
    }

    /// Asks on a connection to a server, which is given up if it fails.
    async fn ask_line(
        &self,
        address: &Address,
        lane: Lane,
        deadline: Instant,
        commands: &Pipeline,
    ) -> RedisResult<Vec<Value>> {
        let node = self.node(address)?;
        let mut line = within(deadline, node.line(lane)).await?;
        let began = Instant::now();
        let answers = within(deadline.min(began + self.patience().answer), line.ask(commands)).await;
        // A caller in haste does not make others connect anew.
        if answers.as_ref().is_err_and(|error| !error.is_timeout() || SILENCE <= began.elapsed()) {
            node.give_up(lane, &line).await;
        }
        answers
    }

    /// Does what there is to do after a failure, so that asking again makes sense.
    ///
    /// # Errors
    /// It makes none, or there is no time left.
    async fn mend(&self, attempts: &mut Attempts, error: RedisError) -> Result<(), StoreError> {
        let remedy = Remedy::of(&error);
        if matches!(remedy, Remedy::None) {
            return Err(unavailable(error));
        }
        let failed = Instant::now();
        attempts.pause(error).await?;
        let hint = match remedy {
            Remedy::FindOwner(hint) => hint,
            Remedy::Reconnect => None,
            Remedy::TeachScript | Remedy::AskThere(_) | Remedy::Wait | Remedy::None => return Ok(()),
        };
        // If nobody can tell, those who were known are asked again.
        drop(within(attempts.deadline, self.survey(failed, hint.as_ref())).await);
        Ok(())
    }
}

/// The attempts of one call.
struct Attempts {
    deadline: Instant,
    pause: Duration,
}

/// How long a connection is silent before it is doubted.
const SILENCE: Duration = Duration::from_millis(100);

/// Between the first two attempts; doubled after each, up to ten times of it.
const PAUSE: Duration = Duration::from_millis(20);

impl Attempts {
    /// Attempts for so long, or for less if the caller is in haste.
    fn new(time: Duration) -> Attempts {
        let time = patience().map_or(time, |patience| patience.min(time));
        Attempts { deadline: Instant::now() + time, pause: PAUSE }
    }

    /// Waits before the next attempt, if there is time for one.
    async fn pause(&mut self, error: RedisError) -> Result<(), StoreError> {
        if self.deadline <= Instant::now() + self.pause {
            return Err(unavailable(error));
        }
        sleep(self.pause).await;
        self.pause = (2 * self.pause).min(10 * PAUSE);
        Ok(())
    }
}

/// No longer than until the deadline.
pub(super) async fn within<T>(
    deadline: Instant,
    asking: impl Future<Output = RedisResult<T>>,
) -> RedisResult<T> {
    timeout_at(deadline, asking)
        .await
        .unwrap_or_else(|_| Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()))
}

fn in_a_row(commands: impl IntoIterator<Item = Cmd>) -> Pipeline {
    let mut row = Pipeline::new();
    for command in commands {
        row.add_command(command);
    }
    row
}

/// An error among the answers is the error of all.
fn strictly(answers: Vec<Value>) -> RedisResult<Vec<Value>> {
    let checked = answers.into_iter().map(|answer| match answer {
        Value::ServerError(error) => Err(error.into()),
        answer => Ok(answer),
    });
    checked.collect()
}

fn first(answers: Vec<Value>) -> Value {
    answers.into_iter().next().unwrap_or(Value::Nil)
}
