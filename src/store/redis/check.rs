use redis::{RedisError, Value, cmd};
use tokio::time::Instant;
use tracing::{info, warn};

use super::{address::Route, ask::Question, fault::unavailable, key, links::Links, script::CHECK};
use crate::store::StoreError;

/// Why a server that answers must not keep games.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfit {
    #[error("its version is {0}, and 7.0 is the oldest that will do")]
    TooOld(String),
    #[error(
        "its maxmemory-policy is {0}: when memory runs short it would throw games away; set \
         maxmemory-policy to noeviction"
    )]
    Evicts(String),
    #[error(
        "it is a replica, which takes no changes; name its master, or its sentinels with redis-sentinel://"
    )]
    Replica,
    #[error("it is part of a cluster; begin the URL with redis-cluster://")]
    InCluster,
    #[error("it is no part of a cluster; begin the URL with redis://")]
    NoCluster,
    #[error("the cluster is not whole: {0}")]
    NotWhole(String),
    #[error("its user may not run {0}; deploy/redis.acl lists what is needed")]
    Forbidden(String),
}

/// What keeps a store from being opened: a server is unfit, or does not answer.
pub(super) enum Objection {
    Unfit(String, Unfit),
    Silent(StoreError),
}

/// Looks at every server that keeps games, and warns of what is allowed but not wise.
pub(super) async fn check(links: &Links, replicas: u32) -> Result<(), Objection> {
    let in_cluster = matches!(links.target().route, Route::Cluster(_));
    find(links, in_cluster).await?;
    for (server, info) in ask(links, &cmd("INFO"), "INFO").await? {
        let info = Info(text(&info));
        judge(&info, in_cluster, &server)?;
        count_replicas(&info, replicas, &server);
    }
    if in_cluster {
        let mut question = cmd("CLUSTER");
        question.arg("INFO");
        for (server, info) in ask(links, &question, "CLUSTER INFO").await? {
            whole(&Info(text(&info))).map_err(|unfit| Objection::Unfit(server, unfit))?;
        }
    }
    permissions(links, in_cluster, 0 < replicas).await?;
    flushing(links).await;
    Ok(())
}

/// Finds the servers that keep games.
async fn find(links: &Links, in_cluster: bool) -> Result<(), Objection> {
    let unfit = |unfit| Err(Objection::Unfit(links.target().to_string(), unfit));
    match links.survey(Instant::now(), None).await {
        Ok(()) => Ok(()),
        Err(error) if error.code() == Some("NOPERM") => unfit(Unfit::Forbidden("CLUSTER SLOTS".into())),
        // What a server says that knows no clusters.
        Err(error) if in_cluster && error.code() == Some("ERR") => unfit(Unfit::NoCluster),
        Err(error) => Err(Objection::Silent(unavailable(error))),
    }
}

/// Asks every server, where a refusal for want of rights names what was asked.
async fn ask(links: &Links, question: &impl Question, name: &str) -> Result<Vec<(String, Value)>, Objection> {
    match links.ask_everywhere(question).await {
        Ok(answers) => {
            Ok(answers.into_iter().map(|(address, answer)| (format!("Redis at {address}"), answer)).collect())
        }
        Err(error) if is_forbidden(&error) => {
            Err(Objection::Unfit(links.target().to_string(), Unfit::Forbidden(name.into())))
        }
        Err(error) => Err(Objection::Silent(error)),
    }
}

fn judge(info: &Info, in_cluster: bool, server: &str) -> Result<(), Objection> {
    let unfit = |unfit| Err(Objection::Unfit(server.into(), unfit));
    let version = info.get("redis_version").unwrap_or("unknown");
    if major(version) < 7 {
        return unfit(Unfit::TooOld(version.into()));
    }
    // Valkey calls it otherwise.
    match (info.get("redis_mode").or(info.get("server_mode")), in_cluster) {
        (Some("cluster"), false) => return unfit(Unfit::InCluster),
        (Some("standalone"), true) => return unfit(Unfit::NoCluster),
        _ => (),
    }
    if info.get("role") == Some("slave") && !in_cluster {
        return unfit(Unfit::Replica);
    }
    if let Some(policy) = info.get("maxmemory_policy").filter(|policy| *policy != "noeviction") {
        return unfit(Unfit::Evicts(policy.into()));
    }
    // While it loads its file, Redis says that it has none.
    if info.get("aof_enabled") == Some("0") && info.get("loading") != Some("1") {
        warn!(
            server,
            "Redis keeps no append-only file: whatever was acknowledged since its last snapshot is lost \
             when it stops; set appendonly to yes"
        );
    }
    Ok(())
}

/// Warns if changes would wait for replicas that are not there.
fn count_replicas(info: &Info, wanted: u32, server: &str) {
    let have = info.get("connected_slaves").and_then(|count| count.parse().ok()).unwrap_or(0);
    if have < wanted {
        warn!(
            server,
            "it has {have} replicas, and --ack replicated={wanted} waits for {wanted}: until they are there no \
             change is acknowledged"
        );
    }
}

fn major(version: &str) -> u32 {
    version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
}

fn whole(info: &Info) -> Result<(), Unfit> {
    let state = info.get("cluster_state").unwrap_or("unknown");
    let slots = info.get("cluster_slots_ok").unwrap_or("0");
    if (state, slots) == ("ok", "16384") {
        Ok(())
    } else {
        Err(Unfit::NotWhole(format!("its state is {state}, {slots} of 16384 slots are kept")))
    }
}

/// Asks the servers themselves what the user may do; the commands inside scripts are the user's too.
async fn permissions(links: &Links, in_cluster: bool, replicated: bool) -> Result<(), Objection> {
    let commands = needed(&key::bell(links.target().database()), in_cluster, replicated);
    let commands: Vec<&[u8]> = commands.iter().map(String::as_bytes).collect();
    for (server, denied) in ask(links, &CHECK.on(&[], &commands), "EVALSHA and EVAL").await? {
        let denied: Vec<String> = redis::from_redis_value_ref(&denied).unwrap_or_default();
        if !denied.is_empty() {
            return Err(Objection::Unfit(server, Unfit::Forbidden(denied.join(", "))));
        }
    }
    Ok(())
}

/// Every command that is used, on a key or channel such as it is used on.
fn needed(channel: &str, in_cluster: bool, replicated: bool) -> Vec<String> {
    let on_keys = [
        ("LINDEX", "0"),
        ("LLEN", ""),
        ("LRANGE", "0 1"),
        ("RPUSH", "x"),
        ("HLEN", ""),
        ("HGET", "x"),
        ("HSET", "x x"),
        ("GET", ""),
        ("SET", "x"),
        ("PEXPIRE", "1"),
        ("ZADD", "0 x"),
        ("ZREM", "x"),
        ("ZRANGE", "- + BYLEX"),
        ("ZSCAN", "0"),
    ];
    let keyed = on_keys.iter().map(|(name, rest)| format!("{name} {}x {rest}", key::PREFIX));
    let heard = ["PUBLISH", "SUBSCRIBE"].map(|name| format!("{name} {channel}"));
    let mut commands: Vec<String> = keyed.chain(heard).collect();
    commands.extend(["EVALSHA x 0", "EVAL x 0", "PING", "SCAN 0"].map(Into::into));
    if in_cluster {
        commands.extend(["CLUSTER SLOTS", "ASKING"].map(Into::into));
    }
    if replicated {
        commands.extend(["WAIT 1 1".into(), format!("LSET {}x 0 x", key::PREFIX)]);
    }
    commands
}

/// Warns if what is acknowledged may be in memory only.
async fn flushing(links: &Links) {
    let mut question = cmd("CONFIG");
    question.arg("GET").arg("appendfsync");
    let Ok(answers) = links.ask_everywhere(&question).await else {
        return info!(
            "whether Redis flushes each change to its disk is not known, since its user may not ask: unless \
             appendfsync is always, the last second of what was acknowledged is lost when it stops"
        );
    };
    for (server, answer) in answers {
        let setting: Vec<String> = redis::from_redis_value_ref(&answer).unwrap_or_default();
        match setting.get(1).map(String::as_str) {
            Some("everysec") => warn!(
                %server,
                "appendfsync is everysec: the last second of what was acknowledged, or a little more, is lost \
                 when Redis stops; with always nothing is"
            ),
            Some("no") => warn!(
                %server,
                "appendfsync is no: what was acknowledged is lost when the machine stops, back to whenever \
                 its system last wrote to the disk"
            ),
            _ => (),
        }
    }
}

fn is_forbidden(error: &StoreError) -> bool {
    let StoreError::Unavailable(_, Some(cause)) = error else { return false };
    cause.downcast_ref::<RedisError>().is_some_and(|cause| cause.code() == Some("NOPERM"))
}

/// An answer to INFO: lines of a name and a value.
struct Info(String);

impl Info {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))
    }
}

fn text(answer: &Value) -> String {
    redis::from_redis_value_ref(answer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfitness(info: &str, in_cluster: bool) -> Option<Unfit> {
        let usual = "redis_version:7.0.15\r\nredis_mode:standalone\r\nrole:master\r\n\
                     maxmemory_policy:noeviction\r\naof_enabled:1\r\n";
        match judge(&Info(format!("{info}\r\n{usual}")), in_cluster, "here") {
            Ok(()) => None,
            Err(Objection::Unfit(_, unfit)) => Some(unfit),
            Err(Objection::Silent(error)) => panic!("{error}"),
        }
    }

    #[test]
    fn servers_are_judged_by_what_they_say() {
        assert_eq!(unfitness("", false), None);
        assert_eq!(unfitness("redis_version:6.2.14", false), Some(Unfit::TooOld("6.2.14".into())));
        assert_eq!(unfitness("redis_version:255.255.255", false), None);
        assert_eq!(unfitness("redis_version:7.2.4\r\nvalkey_version:8.1.1", false), None);
        assert_eq!(unfitness("redis_mode:cluster", false), Some(Unfit::InCluster));
        assert_eq!(unfitness("redis_mode:cluster", true), None);
        assert!(judge(&Info("redis_version:7.2.4\r\nserver_mode:cluster".into()), false, "here").is_err());
        assert_eq!(unfitness("", true), Some(Unfit::NoCluster));
        assert_eq!(unfitness("role:slave", false), Some(Unfit::Replica));
        assert_eq!(
            unfitness("maxmemory_policy:allkeys-lfu", false),
            Some(Unfit::Evicts("allkeys-lfu".into()))
        );
        assert_eq!(unfitness("aof_enabled:0", false), None, "a warning, no refusal");
    }

    #[test]
    fn every_command_of_the_scripts_is_asked_about() {
        let scripts = [
            include_str!("scripts/create.lua"),
            include_str!("scripts/commit.lua"),
            include_str!("scripts/find.lua"),
            include_str!("scripts/read.lua"),
        ]
        .concat();
        let used: Vec<&str> = scripts
            .split("call('")
            .skip(1)
            .filter_map(|rest| rest.split_once('\''))
            .map(|(command, _)| command)
            .collect();
        assert!(10 < used.len());
        let needed = needed("c", true, true);
        for command in used {
            assert!(needed.iter().any(|line| line.starts_with(&format!("{command} "))), "{command}");
        }
    }
}
