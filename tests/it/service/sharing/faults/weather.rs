use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, sleep};

use super::{chance::Chance, town::Town};

/// What goes wrong in a town until a time, by chance. How often each thing did.
pub(super) struct Weather {
    pub(super) town: Arc<Town>,
    pub(super) until: Instant,
}

/// How often something went wrong.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Damage {
    pub(super) servers_killed: usize,
    pub(super) servers_stopped: usize,
    pub(super) wires_cut: usize,
    pub(super) wires_silent: usize,
    pub(super) redis_killed: usize,
    pub(super) redis_hung: usize,
    pub(super) scripts_flushed: usize,
    pub(super) clients_killed: usize,
    pub(super) notifications_off: usize,
}

impl Weather {
    /// All of it at once.
    pub(super) async fn rage(&self, chance: &mut Chance) -> Damage {
        let (mut one, mut two, mut three) = (chance.split(), chance.split(), chance.split());
        let (servers, redis, wires) =
            tokio::join!(self.servers(&mut one), self.redis(&mut two), self.wires(&mut three));
        Damage {
            servers_killed: servers.servers_killed,
            servers_stopped: servers.servers_stopped,
            wires_cut: wires.wires_cut,
            wires_silent: wires.wires_silent,
            ..redis
        }
    }

    /// Waits for the next thing to go wrong; `false` if it is time for fair weather.
    async fn calm(&self, time: Duration) -> bool {
        sleep(time).await;
        Instant::now() < self.until
    }

    async fn servers(&self, chance: &mut Chance) -> Damage {
        let mut damage = Damage::default();
        while self.calm(chance.millis(100..1_200)).await {
            let server = chance.of(0..self.town.servers());
            if chance.one_in(4) {
                self.town.stop(server).await;
                damage.servers_stopped += 1;
            } else {
                self.town.kill(server).await;
                damage.servers_killed += 1;
            }
            sleep(chance.millis(0..400)).await;
            self.town.start(server).await;
        }
        damage
    }

    async fn redis(&self, chance: &mut Chance) -> Damage {
        let mut damage = Damage::default();
        while self.calm(chance.millis(50..1_000)).await {
            match chance.of(0..10) {
                0..3 => {
                    let down = chance.millis(0..500);
                    self.town
                        .redis(move |redis| {
                            redis.kill();
                            std::thread::sleep(down);
                            redis.run();
                        })
                        .await;
                    damage.redis_killed += 1;
                }
                3 => {
                    self.town.redis(|redis| redis.signal("STOP")).await;
                    sleep(chance.millis(0..1_500)).await;
                    self.town.redis(|redis| redis.signal("CONT")).await;
                    damage.redis_hung += 1;
                }
                4..6 => {
                    self.town.redis(|redis| redis.ask(&["SCRIPT", "FLUSH"])).await;
                    damage.scripts_flushed += 1;
                }
                6..8 => {
                    let kind = if chance.one_in(2) { "normal" } else { "pubsub" };
                    self.town
                        .redis(move |redis| {
                            redis.ask::<u32>(&["CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes"]);
                        })
                        .await;
                    damage.clients_killed += 1;
                }
                _ => {
                    // Hardly has anybody begun to listen when the connection is killed.
                    let end = Instant::now() + chance.millis(0..2_000);
                    self.town
                        .redis(move |redis| {
                            while Instant::now() < end {
                                redis.ask::<u32>(&["CLIENT", "KILL", "TYPE", "pubsub"]);
                                std::thread::sleep(Duration::from_millis(20));
                            }
                        })
                        .await;
                    damage.notifications_off += 1;
                }
            }
        }
        damage
    }

    async fn wires(&self, chance: &mut Chance) -> Damage {
        let mut damage = Damage::default();
        self.town.set_frail(true);
        while self.calm(chance.millis(10..400)).await {
            let wire = self.town.wire(chance.of(0..2 * self.town.servers()));
            if chance.one_in(4) {
                wire.swallow_replies();
                sleep(chance.millis(0..700)).await;
                damage.wires_silent += 1;
            }
            wire.cut();
            damage.wires_cut += 1;
        }
        self.town.set_frail(false);
        damage
    }
}
