use std::{collections::BTreeMap, sync::Arc};

use boardkeeper::{
    game::{Digest, Entry, GameId, GameKey, Millis, Tenant, Version},
    store::{Card, Committed, Created, Filter, Head, Log, Place, Store},
};

use super::games::{
    after, begin, birth, card, commit, entries, entry, go_on, id, key, labels, request, tenant,
};

/// What every store promises. The store must be new.
pub(super) async fn holds(store: Arc<dyn Store>) {
    store.ready().await.unwrap();
    a_game_begins_once(&*store).await;
    an_import_begins_whole(&*store).await;
    a_log_grows_at_its_end(&*store).await;
    a_request_changes_once(&*store).await;
    a_refused_request_leaves_nothing(&*store).await;
    a_log_is_read_in_parts(&*store).await;
    large_entries_are_kept(&*store).await;
    of_many_at_once_one_wins(&store).await;
    names_do_not_run_into_each_other(&*store).await;
    tenants_see_their_own(&*store).await;
    lists_are_newest_first(&*store).await;
    lists_go_on_in_pages(&*store).await;
    filters_choose(&*store).await;
    properties_do_not_pass_for_others(&*store).await;
    a_finished_game_moves_lists(&*store).await;
    a_rare_game_is_found_among_many(&store).await;
}

async fn a_game_begins_once(store: &dyn Store) {
    let key = key("begin", "game");
    assert_eq!(store.read(&key, 0, 10).await.unwrap(), None);
    let head = begin(store, &key).await;
    let first = entries(&key, 1).remove(0);
    assert_eq!(store.read(&key, 0, 10).await.unwrap(), Some(Log { head, entries: vec![first.clone()] }));
    assert_eq!(store.find(&key, request(0)).await.unwrap(), Some(1));

    let mut other = birth(&key);
    other.request = request(1);
    other.entries = vec![entry(Digest::origin(&key), b"other"), entry(Digest::origin(&key), b"more")];
    assert_eq!(store.create(other).await.unwrap(), Created::Exists(first.clone()));
    assert_eq!(store.create(birth(&key)).await.unwrap(), Created::Exists(first));
    assert_eq!(store.read(&key, 1, 10).await.unwrap(), Some(Log { head, entries: vec![] }));
    assert_eq!(store.find(&key, request(1)).await.unwrap(), None);
}

async fn an_import_begins_whole(store: &dyn Store) {
    let key = key("import", "game");
    let mut import = birth(&key);
    import.entries = entries(&key, 40);
    let head = Head { version: 40, digest: import.entries[39].digest };
    assert_eq!(store.create(import).await.unwrap(), Created::Done);
    let log = store.read(&key, 0, 100).await.unwrap().unwrap();
    assert_eq!(log, Log { head, entries: entries(&key, 40) });
    assert_eq!(store.find(&key, request(0)).await.unwrap(), Some(1));
    go_on(store, &key, head, 1).await;
}

async fn a_log_grows_at_its_end(store: &dyn Store) {
    let key = key("grow", "game");
    let lost = Head { version: 1, digest: Digest([7; 32]) };
    assert_eq!(store.commit(commit(&key, lost, request(1))).await.unwrap(), Committed::Missing);

    let first = begin(store, &key).await;
    let head = go_on(store, &key, first, 3).await;
    let elsewhere = [
        first,
        Head { version: head.version + 1, ..head },
        Head { version: head.version - 1, ..head },
        Head { digest: Digest([7; 32]), ..head },
        Head { version: 0, digest: Digest::origin(&key) },
    ];
    for parent in elsewhere {
        let answer = store.commit(commit(&key, parent, request(9))).await.unwrap();
        assert_eq!(answer, Committed::Stale(head));
    }
    assert_eq!(store.read(&key, 0, 10).await.unwrap(), Some(Log { head, entries: entries(&key, 4) }));
}

async fn a_request_changes_once(store: &dyn Store) {
    let key = key("repeat", "game");
    let head = begin(store, &key).await;
    let head = go_on(store, &key, head, 3).await;
    // Whatever else is asked with it, and wherever the log ends by now.
    for (number, version) in [(0, 1), (1, 2), (2, 3), (3, 4)] {
        let again = commit(&key, head, request(number));
        assert_eq!(store.commit(again).await.unwrap(), Committed::Repeated(version));
        let stale = commit(&key, Head { version: 77, ..head }, request(number));
        assert_eq!(store.commit(stale).await.unwrap(), Committed::Repeated(version));
        assert_eq!(store.find(&key, request(number)).await.unwrap(), Some(version));
    }
    assert_eq!(store.read(&key, 4, 10).await.unwrap(), Some(Log { head, entries: vec![] }));

    // Request ids are a game's own.
    let other = self::key("repeat", "other");
    assert_eq!(store.find(&other, request(1)).await.unwrap(), None);
    let head = begin(store, &other).await;
    go_on(store, &other, head, 3).await;
}

async fn a_refused_request_leaves_nothing(store: &dyn Store) {
    let key = key("refuse", "game");
    let head = begin(store, &key).await;
    let mut stale = commit(&key, Head { version: 5, ..head }, request(1));
    stale.finished = Some(Card { finished: true, ..card() });
    assert_eq!(store.commit(stale).await.unwrap(), Committed::Stale(head));
    assert_eq!(store.find(&key, request(1)).await.unwrap(), None);
    let finished = Filter { finished: Some(true), ..Filter::default() };
    assert_eq!(listed(store, &key.tenant, &finished, 10).await, [] as [GameId; 0]);
    // So it may be made again.
    go_on(store, &key, head, 1).await;
}

async fn a_log_is_read_in_parts(store: &dyn Store) {
    let key = key("read", "game");
    let head = begin(store, &key).await;
    let head = go_on(store, &key, head, 19).await;
    let whole = entries(&key, 20);
    for (after, limit, expected) in [
        (0, 20, &whole[..]),
        (0, 1, &whole[..1]),
        (5, 5, &whole[5..10]),
        (15, 100, &whole[15..]),
        (0, usize::MAX, &whole[..]),
        (3, 0, &[]),
        (20, 10, &[]),
        (21, 10, &[]),
        (Version::MAX, 10, &[]),
    ] {
        let log = store.read(&key, after, limit).await.unwrap().unwrap();
        assert_eq!(log, Log { head, entries: expected.to_vec() }, "after {after}, at most {limit}");
    }
}

async fn large_entries_are_kept(store: &dyn Store) {
    let key = key("large", "game");
    let head = begin(store, &key).await;
    let bytes: Vec<u8> = (0..300_000u32).map(|at| at.to_be_bytes()[3] ^ at.to_be_bytes()[2]).collect();
    let mut large = commit(&key, head, request(1));
    large.entry = entry(head.digest, &bytes);
    assert_eq!(store.commit(large.clone()).await.unwrap(), Committed::Done);
    let log = store.read(&key, 1, 1).await.unwrap().unwrap();
    assert_eq!(log, Log { head: after(&large), entries: vec![large.entry] });

    let empty = commit(&key, log.head, request(2));
    let empty = boardkeeper::store::Commit { entry: entry(log.head.digest, b""), ..empty };
    assert_eq!(store.commit(empty.clone()).await.unwrap(), Committed::Done);
    let log = store.read(&key, 2, 1).await.unwrap().unwrap();
    assert_eq!(log.entries, [empty.entry]);
}

async fn of_many_at_once_one_wins(store: &Arc<dyn Store>) {
    let key = key("race", "game");
    let births = (0..16).map(|number| {
        let birth = boardkeeper::store::Birth { request: request(number), ..birth(&key) };
        let store = store.clone();
        tokio::spawn(async move { store.create(birth).await.unwrap() })
    });
    let created = all(births.collect()).await;
    assert_eq!(created.iter().filter(|created| **created == Created::Done).count(), 1);

    let mut head = store.read(&key, 0, 0).await.unwrap().unwrap().head;
    for round in 1..=10 {
        let commits = (0..16).map(|number| {
            let mut commit = commit(&key, head, request(round * 100 + number));
            commit.entry = entry(head.digest, &[number as u8]);
            let store = store.clone();
            tokio::spawn(async move { store.commit(commit).await.unwrap() })
        });
        let answers = all(commits.collect()).await;
        let log = store.read(&key, head.version, 10).await.unwrap().unwrap();
        assert_eq!(log.entries.len(), 1);
        assert_eq!(answers.iter().filter(|answer| **answer == Committed::Done).count(), 1);
        assert_eq!(answers.iter().filter(|answer| **answer == Committed::Stale(log.head)).count(), 15);
        head = log.head;
    }

    let again = commit(&key, head, request(5_000));
    let commits = (0..16).map(|_| {
        let (store, commit) = (store.clone(), again.clone());
        tokio::spawn(async move { store.commit(commit).await.unwrap() })
    });
    let answers = all(commits.collect()).await;
    let repeated = Committed::Repeated(head.version + 1);
    assert_eq!(answers.iter().filter(|answer| **answer == Committed::Done).count(), 1);
    assert_eq!(answers.iter().filter(|answer| **answer == repeated).count(), 15);
}

async fn names_do_not_run_into_each_other(store: &dyn Store) {
    let keys = [
        key("near", "a"),
        key("near", "a-"),
        key("near", "a0"),
        key("near", "aa"),
        key("near", "A"),
        key("near-", "a"),
        key("near-a", "a"),
        key("neara", "a"),
    ];
    let mut heads = Vec::new();
    for (length, key) in (0..).zip(&keys) {
        let head = begin(store, key).await;
        heads.push(go_on(store, key, head, length).await);
    }
    for (key, head) in keys.iter().zip(heads) {
        let log = store.read(key, 0, 100).await.unwrap();
        assert_eq!(log, Some(Log { head, entries: entries(key, head.version) }), "{key}");
    }
    let all = listed(store, &tenant("near"), &Filter::default(), 100).await;
    assert_eq!(all, ["A", "a", "a-", "a0", "aa"].map(id));
}

async fn tenants_see_their_own(store: &dyn Store) {
    let (mine, theirs) = (key("mine", "game"), key("theirs", "game"));
    let head = begin(store, &mine).await;
    assert_eq!(store.read(&theirs, 0, 10).await.unwrap(), None);
    assert_eq!(store.find(&theirs, request(0)).await.unwrap(), None);
    assert_eq!(store.commit(commit(&theirs, head, request(1))).await.unwrap(), Committed::Missing);
    assert_eq!(listed(store, &theirs.tenant, &Filter::default(), 10).await, [] as [GameId; 0]);

    let other = begin(store, &theirs).await;
    assert_ne!(head.digest, other.digest);
    go_on(store, &theirs, other, 2).await;
    assert_eq!(store.read(&mine, 0, 10).await.unwrap().unwrap().head, head);
    assert_eq!(listed(store, &mine.tenant, &Filter::default(), 10).await, [mine.id]);
}

async fn lists_are_newest_first(store: &dyn Store) {
    for (name, created) in [("b", 20), ("old", 10), ("a", 20), ("new", 30), ("epoch", 0), ("far", u64::MAX)] {
        begin_with(store, "order", name, Card { created: Millis(created), ..card() }).await;
    }
    let all = listed(store, &tenant("order"), &Filter::default(), 10).await;
    assert_eq!(all, ["far", "new", "a", "b", "old", "epoch"].map(id));
}

async fn lists_go_on_in_pages(store: &dyn Store) {
    let names: Vec<GameId> = (10..43).map(|number| id(&format!("game-{number}"))).collect();
    for (number, name) in (0..).zip(&names) {
        // Three of each time, so that pages also end among games of one time.
        let created = Millis(1_000 - number / 3);
        begin_with(store, "pages", name.as_str(), Card { created, ..card() }).await;
    }
    let tenant = tenant("pages");
    for limit in [1, 2, 3, 5, 32, 33, 34, 1_000] {
        assert_eq!(listed(store, &tenant, &Filter::default(), limit).await, names, "{limit} a page");
    }
    let page = store.list(&tenant, &Filter::default(), None, 33).await.unwrap();
    assert_eq!((page.games.len(), page.next), (33, None));

    // A place stays one when its game is not in the list, or is no game.
    let gap = Place { created: Millis(1_000 - 4), id: id("game-220") };
    let page = store.list(&tenant, &Filter::default(), Some(&gap), 2).await.unwrap();
    assert_eq!(page.games.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), names[13..15]);
}

async fn filters_choose(store: &dyn Store) {
    let cards = [
        ("qc", Card { ..card() }),
        ("surakarta", Card { game_type: "surakarta".into(), white_player: "cyd".into(), ..card() }),
        ("swapped", Card { black_player: "bob".into(), white_player: "ada".into(), ..card() }),
        ("alone", Card { white_player: "ada".into(), ..card() }),
        ("over", Card { finished: true, ..card() }),
        ("cup", Card { labels: labels(&[("event", "cup"), ("round", "2")]), ..card() }),
        ("cup-3", Card { labels: labels(&[("event", "cup"), ("round", "3")]), finished: true, ..card() }),
    ];
    for (name, card) in &cards {
        begin_with(store, "filter", name, card.clone()).await;
    }
    let types = [None, Some("quantum-control"), Some("surakarta"), Some("none")];
    let players = [None, Some("ada"), Some("bob"), Some("cyd"), Some("")];
    let label_sets: [&[(&str, &str)]; 5] =
        [&[], &[("event", "cup")], &[("round", "3"), ("event", "cup")], &[("event", "")], &[("x", "y")]];
    for (game_type, player) in types.iter().flat_map(|&t| players.iter().map(move |&p| (t, p))) {
        for (finished, wanted) in
            [None, Some(false), Some(true)].iter().flat_map(|f| label_sets.map(|l| (*f, l)))
        {
            let filter = Filter {
                finished,
                player: player.map(Into::into),
                labels: labels(wanted),
                game_type: game_type.map(Into::into),
            };
            // All are of one time: the order is that of the ids.
            let fitting: BTreeMap<GameId, &Card> = cards
                .iter()
                .filter(|(_, card)| filter.fits(card))
                .map(|(name, card)| (id(name), card))
                .collect();
            let found = listed(store, &tenant("filter"), &filter, 2).await;
            assert_eq!(found, fitting.into_keys().collect::<Vec<_>>(), "{filter:?}");
        }
    }
    let page = store.list(&tenant("filter"), &Filter::default(), None, 10).await.unwrap();
    for (name, card) in &cards {
        assert!(page.games.contains(&(id(name), card.clone())), "{name} is listed with its card");
    }
}

async fn properties_do_not_pass_for_others(store: &dyn Store) {
    let long = "x".repeat(5_000);
    let cards = [
        ("ab-c", Card { labels: labels(&[("ab", "c")]), ..card() }),
        ("a-bc", Card { labels: labels(&[("a", "bc")]), ..card() }),
        ("a-0-b", Card { labels: labels(&[("a", "\0b")]), ..card() }),
        ("none", Card { labels: labels(&[("", "")]), ..card() }),
        ("player", Card { black_player: "surakarta".into(), ..card() }),
        ("long", Card { labels: labels(&[("a", &long)]), white_player: long.clone(), ..card() }),
    ];
    for (name, card) in &cards {
        begin_with(store, "pass", name, card.clone()).await;
    }
    let by_label = |name: &str, value: &str| Filter { labels: labels(&[(name, value)]), ..Filter::default() };
    let by_player = |name: &str| Filter { player: Some(name.into()), ..Filter::default() };
    let by_type = |name: &str| Filter { game_type: Some(name.into()), ..Filter::default() };
    let cases = [
        (by_label("ab", "c"), vec!["ab-c"]),
        (by_label("a", "bc"), vec!["a-bc"]),
        (by_label("a", "\0b"), vec!["a-0-b"]),
        (by_label("a\0", "b"), vec![]),
        (by_label("", ""), vec!["none"]),
        (by_label("a", &long), vec!["long"]),
        (by_player(&long), vec!["long"]),
        (by_player("surakarta"), vec!["player"]),
        (by_type("surakarta"), vec![]),
    ];
    for (filter, expected) in cases {
        let expected: Vec<GameId> = expected.into_iter().map(id).collect();
        assert_eq!(listed(store, &tenant("pass"), &filter, 10).await, expected, "{filter:?}");
    }
}

async fn a_finished_game_moves_lists(store: &dyn Store) {
    let key = key("finish", "game");
    let other = self::key("finish", "other");
    begin(store, &other).await;
    let head = begin(store, &key).await;
    let running = Filter { finished: Some(false), ..Filter::default() };
    let finished = Filter { finished: Some(true), ..Filter::default() };
    assert_eq!(listed(store, &key.tenant, &running, 10).await, [key.id.clone(), other.id.clone()]);

    let card = Card { finished: true, ..card() };
    let mut last = commit(&key, head, request(1));
    last.finished = Some(card.clone());
    assert_eq!(store.commit(last.clone()).await.unwrap(), Committed::Done);
    assert_eq!(store.commit(last).await.unwrap(), Committed::Repeated(2));
    assert_eq!(listed(store, &key.tenant, &running, 10).await, std::slice::from_ref(&other.id));
    let page = store.list(&key.tenant, &finished, None, 10).await.unwrap();
    assert_eq!(page.games, [(key.id.clone(), card)]);
    assert_eq!(listed(store, &key.tenant, &Filter::default(), 10).await, [key.id, other.id]);
}

async fn a_rare_game_is_found_among_many(store: &Arc<dyn Store>) {
    const GAMES: u64 = 4_500;
    let rare = |number: u64| number % 1_500 == 1_499;
    for hundred in 0..GAMES / 100 {
        let births = (hundred * 100..hundred * 100 + 100).map(|number| {
            let store = store.clone();
            let game_type = if rare(number) { "surakarta" } else { "quantum" };
            let card = Card { created: Millis(number), game_type: game_type.into(), ..card() };
            tokio::spawn(async move { begin_with(&*store, "many", &format!("game-{number}"), card).await })
        });
        all(births.collect()).await;
    }
    // The player's list holds all of the games, so most of it has to be gone through.
    let filter =
        Filter { player: Some("ada".into()), game_type: Some("surakarta".into()), ..Filter::default() };
    let found = listed(&**store, &tenant("many"), &filter, 10).await;
    assert_eq!(found, ["game-4499", "game-2999", "game-1499"].map(id));
}

/// Every game that fits, by going from page to page.
async fn listed(store: &dyn Store, tenant: &Tenant, filter: &Filter, limit: usize) -> Vec<GameId> {
    let mut games = Vec::new();
    let mut place = None;
    loop {
        let page = store.list(tenant, filter, place.as_ref(), limit).await.unwrap();
        assert!(page.games.len() <= limit);
        assert!(page.games.iter().all(|(_, card)| filter.fits(card)));
        games.extend(page.games.into_iter().map(|(id, _)| id));
        let Some(next) = page.next else { return games };
        assert_ne!(Some(&next), place.as_ref(), "a page that leads to itself");
        place = Some(next);
    }
}

async fn begin_with(store: &dyn Store, tenant: &str, game: &str, card: Card) {
    let key: GameKey = key(tenant, game);
    let entries: Vec<Entry> = entries(&key, 1);
    let birth = boardkeeper::store::Birth { key, request: request(0), entries, card };
    assert_eq!(store.create(birth).await.unwrap(), Created::Done);
}

async fn all<T>(tasks: Vec<tokio::task::JoinHandle<T>>) -> Vec<T> {
    let mut results = Vec::new();
    for task in tasks {
        results.push(task.await.unwrap());
    }
    results
}
