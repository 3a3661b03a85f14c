use redis::{Cmd, RedisResult, Value, cmd};
use tokio::time::timeout;

use super::{
    address::{Address, Route},
    links::{Links, unowned},
    slot::Owners,
};

impl Links {
    /// Asks who keeps what: `hint` first, if one was given.
    pub(super) async fn ask_for_owners(&self, hint: Option<&Address>) -> RedisResult<Owners> {
        match &self.target().route {
            Route::Single(address) => Ok(Owners::one(address.clone())),
            Route::Sentinel { master, sentinels } => self.ask_sentinels(master, sentinels).await,
            Route::Cluster(seeds) => self.ask_cluster(hint, seeds).await,
        }
    }

    async fn ask_sentinels(&self, master: &str, sentinels: &[Address]) -> RedisResult<Owners> {
        let mut question = cmd("SENTINEL");
        question.arg("GET-MASTER-ADDR-BY-NAME").arg(master);
        let mut last = unowned("no sentinel answered");
        for sentinel in sentinels {
            let info = self.target().sentinel(sentinel);
            match self.ask_once(info, &question).await.map(|answer| read_address(&answer)) {
                Ok(Some(address)) => return Ok(Owners::one(address)),
                Ok(None) => last = unowned("a sentinel knows no master of this name"),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    async fn ask_cluster(&self, hint: Option<&Address>, seeds: &[Address]) -> RedisResult<Owners> {
        let mut question = cmd("CLUSTER");
        question.arg("SLOTS");
        let known = self.owners();
        let candidates = hint.into_iter().chain(known.all()).chain(seeds);
        let mut last = unowned("no server of the cluster answered");
        for address in candidates {
            let info = self.target().server(address);
            match self.ask_once(info, &question).await.map(|answer| read_slots(&answer, address)) {
                Ok(Some(owners)) => return Ok(owners),
                Ok(None) => last = unowned("a server of the cluster keeps nothing and knows nobody who does"),
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    /// On a connection for this alone: the one in use may be what is wrong.
    async fn ask_once(&self, info: redis::ConnectionInfo, question: &Cmd) -> RedisResult<Value> {
        let client = self.client(info)?;
        // A server that hangs leaves time to ask the next.
        let patience = self.patience().answer / 3;
        let config = redis::AsyncConnectionConfig::new()
            .set_connection_timeout(Some(patience))
            .set_response_timeout(Some(patience));
        let asking = async {
            let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
            question.query_async(&mut connection).await
        };
        match timeout(patience, asking).await {
            Ok(answer) => answer,
            Err(_) => Err(std::io::Error::from(std::io::ErrorKind::TimedOut).into()),
        }
    }
}

/// Reads a host and a port, as sentinels give them.
fn read_address(answer: &Value) -> Option<Address> {
    let (host, port): (String, u16) = redis::from_redis_value_ref(answer).ok()?;
    Some(Address { host: host.into(), port })
}

/// Reads the answer to CLUSTER SLOTS: ranges, each with its first and last slot, its master, its
/// replicas. A server that gives no host means the one that was asked.
fn read_slots(answer: &Value, asked: &Address) -> Option<Owners> {
    let Value::Array(ranges) = answer else { return None };
    let owners = ranges.iter().map(|range| read_range(range, asked)).collect::<Option<Vec<_>>>()?;
    (!owners.is_empty()).then(|| Owners::of(owners))
}

fn read_range(range: &Value, asked: &Address) -> Option<(u16, Address)> {
    let Value::Array(parts) = range else { return None };
    let [_, Value::Int(last), Value::Array(master), ..] = parts.as_slice() else { return None };
    let [host, Value::Int(port), ..] = master.as_slice() else { return None };
    let host: Option<String> = redis::from_redis_value_ref(host).ok()?;
    let host = host.filter(|host| !host.is_empty()).map_or_else(|| asked.host.clone(), Into::into);
    Some((u16::try_from(*last).ok()?, Address { host, port: u16::try_from(*port).ok()? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_clusters_are_read() {
        let text = |text: &str| Value::BulkString(text.into());
        let master =
            |host, port| Value::Array(vec![host, Value::Int(port), text("id"), Value::Array(vec![])]);
        let range = |first, last, master| Value::Array(vec![Value::Int(first), Value::Int(last), master]);
        let asked = Address { host: "asked".into(), port: 1 };
        let answer = Value::Array(vec![
            range(0, 9_000, master(text("a"), 7_000)),
            range(9_001, 16_383, master(Value::Nil, 7_001)),
        ]);
        let owners = read_slots(&answer, &asked).unwrap();
        let expected = [
            (9_000, Address { host: "a".into(), port: 7_000 }),
            (16_383, Address { host: "asked".into(), port: 7_001 }),
        ];
        assert_eq!(owners, Owners::of(expected));
        assert_eq!(read_slots(&Value::Array(vec![]), &asked), None);
        assert_eq!(read_slots(&Value::Okay, &asked), None);
    }
}
