use std::{collections::BTreeMap, fmt};

use super::{
    super::player::Player,
    played::{Effort, Played},
};

/// What the games of a match add up to.
#[derive(Default)]
pub(super) struct Tally {
    results: Results,
    /// By the rules' reasons for the ends.
    reasons: BTreeMap<&'static str, Results>,
    effort: [Effort; 2],
}

/// How games ended, seen from `a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Results {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl Results {
    fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points a game, a draw being half a point.
    fn share(self) -> f64 {
        (self.wins as f64 + 0.5 * self.draws as f64) / self.games() as f64
    }

    /// Where the true share lies with 95 % confidence: Wilson's score interval (Wilson, JASA 22,
    /// 1927). It takes games as won or lost, and so is a little wide where many are drawn.
    fn interval(self) -> [f64; 2] {
        const Z: f64 = 1.959_964;
        let (games, share) = (self.games() as f64, self.share());
        let centre = share + Z * Z / (2.0 * games);
        let reach = Z * (share * (1.0 - share) / games + Z * Z / (4.0 * games * games)).sqrt();
        [centre - reach, centre + reach].map(|bound| (bound / (1.0 + Z * Z / games)).clamp(0.0, 1.0))
    }

    fn reversed(self) -> Results {
        Results { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    fn note(&mut self, won: Option<bool>) {
        match won {
            Some(true) => self.wins += 1,
            None => self.draws += 1,
            Some(false) => self.losses += 1,
        }
    }
}

impl Tally {
    pub(super) fn add(&mut self, game: Played) {
        let won = game.outcome.winner.map(|winner| winner == game.side_of_a);
        self.results.note(won);
        self.reasons.entry(game.outcome.reason).or_default().note(won);
        for (sum, effort) in self.effort.iter_mut().zip(&game.effort) {
            sum.add(effort);
        }
    }

    pub(super) fn games(&self) -> u64 {
        self.results.games()
    }

    /// The results so far in a few words.
    pub(super) fn in_short(&self) -> String {
        let Results { wins, draws, losses } = self.results;
        format!("{wins} won, {draws} drawn, {losses} lost, {:.1} %", 100.0 * self.results.share())
    }

    /// The tables of a match that has been played.
    pub(super) fn report(&self, players: [Player; 2]) -> impl fmt::Display {
        Report { tally: self, names: players.map(|player| player.to_string()) }
    }
}

struct Report<'a> {
    tally: &'a Tally,
    names: [String; 2],
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.points(f)?;
        self.efforts(f)?;
        self.ends(f)?;
        self.times(f)
    }
}

impl Report<'_> {
    fn points(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<16} {:>6} {:>6} {:>6} {:>8}   95 %", "", "won", "drawn", "lost", "points")?;
        let results = [self.tally.results, self.tally.results.reversed()];
        for (name, results) in self.names.iter().zip(results) {
            let Results { wins, draws, losses } = results;
            let [low, high] = results.interval().map(|bound| 100.0 * bound);
            let points = 100.0 * results.share();
            write!(f, "{name:<16} {wins:>6} {draws:>6} {losses:>6} {points:>6.1} %")?;
            writeln!(f, "   {low:.1} to {high:.1} %")?;
        }
        Ok(())
    }

    fn efforts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<16} {:>8} {:>12} {:>8}", "", "searches", "mean nodes", "depth")?;
        for (name, effort) in self.names.iter().zip(&self.tally.effort) {
            let (nodes, depth) = (effort.mean(effort.nodes), effort.mean(effort.depth));
            writeln!(f, "{name:<16} {:>8} {nodes:>12.0} {depth:>8.2}", effort.searches)?;
        }
        Ok(())
    }

    fn ends(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let heading = format!("{} by the end", self.names[0]);
        writeln!(f, "\n{heading:<29} {:>6} {:>6} {:>6} {:>6}", "won", "drawn", "lost", "games")?;
        for (reason, results) in &self.tally.reasons {
            let Results { wins, draws, losses } = results;
            writeln!(f, "{reason:<29} {wins:>6} {draws:>6} {losses:>6} {:>6}", results.games())?;
        }
        Ok(())
    }

    /// The only part that differs between runs.
    fn times(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "\n{:<16} {:>10} {:>11} {:>14}", "", "mean time", "longest", "ended by time")?;
        for (name, effort) in self.names.iter().zip(&self.tally.effort) {
            let mean = effort.mean(effort.time.as_micros() as u64) / 1e3;
            let longest = effort.longest.as_micros() as f64 / 1e3;
            writeln!(f, "{name:<16} {mean:>7.1} ms {longest:>8.1} ms {:>14}", effort.timed_out)?;
        }
        if self.tally.effort.iter().any(|effort| 0 < effort.timed_out) {
            writeln!(f, "time ended some searches, so that another run may play other games")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_wilsons() {
        // Checked against the usual tables: 65 of 100, and all of 200.
        let results = Results { wins: 60, draws: 10, losses: 30 };
        let [low, high] = results.interval();
        assert!((0.552..0.553).contains(&low) && (0.736..0.737).contains(&high), "{low} {high}");
        let [low, high] = Results { wins: 200, ..Results::default() }.interval();
        assert!((0.981..0.982).contains(&low) && 0.999 < high, "{low} {high}");
        assert!((results.reversed().share() + results.share() - 1.0).abs() < 1e-9);
    }
}
