use std::{fmt, sync::Arc};

use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion};

/// What the URL of a store says: who answers for the games, and how one gets in.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) route: Route,
    /// User, password, database and TLS, for every server that keeps games; its address is one of
    /// many.
    access: ConnectionInfo,
}

/// How the servers that keep games are found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Route {
    /// One server keeps all.
    Single(Address),
    /// The master that these sentinels name keeps all.
    Sentinel { master: String, sentinels: Vec<Address> },
    /// A cluster, of which these are some servers.
    Cluster(Vec<Address>),
}

/// Where a server listens.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Address {
    pub(super) host: Arc<str>,
    pub(super) port: u16,
}

/// Why a text names no store.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UrlError {
    #[error(
        "expected redis://, rediss://, redis-cluster://, rediss-cluster://, redis-sentinel:// or rediss-sentinel://"
    )]
    Scheme,
    #[error("expected a host, or host:port, between commas")]
    Host,
    #[error("a redis-sentinel URL names the master before its sentinels: redis-sentinel://master@host,host")]
    Master,
    #[error("a cluster has no databases: leave out the path")]
    Database,
    #[error("several hosts need redis-cluster:// or redis-sentinel://")]
    ManyHosts,
    /// User, password or database; the text is not repeated, since it may hold a password.
    #[error("expected [user[:password]@]hosts[/database], with odd characters written as %XX")]
    Form,
}

const REDIS_PORT: u16 = 6379;
const SENTINEL_PORT: u16 = 26379;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Single,
    Sentinel,
    Cluster,
}

impl Target {
    /// Reads a URL: `redis://[user:password@]host[:port][/database]`, `redis-cluster://` with hosts
    /// between commas, `redis-sentinel://[user:password@]master@` with those of the sentinels; each
    /// with `rediss` for TLS.
    pub(super) fn read(url: &str) -> Result<Target, UrlError> {
        let (scheme, rest) = url.split_once("://").ok_or(UrlError::Scheme)?;
        let (plain, kind) = read_scheme(scheme)?;
        let (rest, database) = rest.split_once('/').unwrap_or((rest, ""));
        let (before, hosts) = rest.rsplit_once('@').unwrap_or(("", rest));
        let (user, master) = match kind {
            Kind::Sentinel => before.rsplit_once('@').unwrap_or(("", before)),
            Kind::Single | Kind::Cluster => (before, ""),
        };
        let port = if kind == Kind::Sentinel { SENTINEL_PORT } else { REDIS_PORT };
        let hosts = hosts.split(',').map(|host| Address::read(host, port)).collect::<Result<Vec<_>, _>>()?;
        let route = match (kind, hosts.as_slice()) {
            (Kind::Single, [host]) => Route::Single(host.clone()),
            (Kind::Single, _) => return Err(UrlError::ManyHosts),
            (Kind::Sentinel, _) if master.is_empty() => return Err(UrlError::Master),
            (Kind::Sentinel, _) => Route::Sentinel { master: master.to_owned(), sentinels: hosts },
            (Kind::Cluster, _) if !matches!(database, "" | "0") => return Err(UrlError::Database),
            (Kind::Cluster, _) => Route::Cluster(hosts),
        };
        let at = if user.is_empty() { "" } else { "@" };
        let access = format!("{plain}://{user}{at}localhost/{database}");
        let access = access.as_str().into_connection_info().map_err(|_| UrlError::Form)?;
        Ok(Target { route, access })
    }

    /// How to connect to a server that keeps games.
    pub(super) fn server(&self, address: &Address) -> ConnectionInfo {
        // The library's name is not told: older servers call that an error, and users need a right for it.
        let settings = self.access.redis_settings().clone().set_skip_set_lib_name();
        self.at(address).set_redis_settings(settings.set_protocol(ProtocolVersion::RESP3))
    }

    /// How to connect to a sentinel: it asks for no password, and has no databases.
    pub(super) fn sentinel(&self, address: &Address) -> ConnectionInfo {
        self.at(address).set_redis_settings(redis::RedisConnectionInfo::default())
    }

    pub(super) fn database(&self) -> i64 {
        self.access.redis_settings().db()
    }

    fn at(&self, address: &Address) -> ConnectionInfo {
        let (host, port) = (address.host.to_string(), address.port);
        let address = match self.access.addr() {
            ConnectionAddr::TcpTls { .. } => {
                ConnectionAddr::TcpTls { host, port, insecure: false, tls_params: None }
            }
            _ => ConnectionAddr::Tcp(host, port),
        };
        self.access.clone().set_addr(address)
    }
}

fn read_scheme(scheme: &str) -> Result<(&'static str, Kind), UrlError> {
    Ok(match scheme {
        "redis" => ("redis", Kind::Single),
        "rediss" => ("rediss", Kind::Single),
        "redis-sentinel" => ("redis", Kind::Sentinel),
        "rediss-sentinel" => ("rediss", Kind::Sentinel),
        "redis-cluster" => ("redis", Kind::Cluster),
        "rediss-cluster" => ("rediss", Kind::Cluster),
        _ => return Err(UrlError::Scheme),
    })
}

impl Address {
    /// Reads `host`, `host:port`, `[address]` or `[address]:port`.
    fn read(text: &str, usual_port: u16) -> Result<Address, UrlError> {
        let (host, port) = match text.strip_prefix('[') {
            Some(rest) => rest.split_once(']').ok_or(UrlError::Host)?,
            None => text.split_at(text.find(':').unwrap_or(text.len())),
        };
        let port = match port.strip_prefix(':') {
            Some(port) => port.parse().map_err(|_| UrlError::Host)?,
            None if port.is_empty() => usual_port,
            None => return Err(UrlError::Host),
        };
        if host.is_empty() { Err(UrlError::Host) } else { Ok(Address { host: host.into(), port }) }
    }

    /// Reads where a cluster sends a question: a host without brackets, a colon, a port. Without a
    /// host it is the one that was asked, which is not known here.
    pub(super) fn read_redirect(text: &str) -> Option<Address> {
        let (host, port) = text.rsplit_once(':')?;
        (!host.is_empty()).then_some(Address { host: host.into(), port: port.parse().ok()? })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

/// As in the URL, without user and password.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |addresses: &[Address]| addresses.iter().map(Address::to_string).collect::<Vec<_>>();
        match &self.route {
            Route::Single(address) => write!(f, "Redis at {address}, database {}", self.database()),
            Route::Sentinel { master, sentinels } => {
                write!(f, "Redis {master} of the sentinels {}", list(sentinels).join(", "))
            }
            Route::Cluster(seeds) => write!(f, "Redis Cluster at {}", list(seeds).join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(host: &str, port: u16) -> Address {
        Address { host: host.into(), port }
    }

    #[test]
    fn urls_name_servers() {
        let cases = [
            ("redis://localhost", Route::Single(address("localhost", 6379))),
            ("rediss://u:p@[::1]:7000/3", Route::Single(address("::1", 7000))),
            (
                "redis-cluster://a,b:1,c",
                Route::Cluster(vec![address("a", 6379), address("b", 1), address("c", 6379)]),
            ),
            (
                "redis-sentinel://games@a,b:7",
                Route::Sentinel {
                    master: "games".into(),
                    sentinels: vec![address("a", 26379), address("b", 7)],
                },
            ),
        ];
        for (url, route) in cases {
            assert_eq!(Target::read(url).unwrap().route, route, "{url}");
        }
    }

    #[test]
    fn user_password_and_database_are_for_servers_not_for_sentinels() {
        let target = Target::read("rediss-sentinel://ada:p%40ss@games@a,b/5").unwrap();
        let server = target.server(&address("x", 1));
        let settings = server.redis_settings();
        assert_eq!((settings.username(), settings.password(), settings.db()), (Some("ada"), Some("p@ss"), 5));
        assert!(
            matches!(server.addr(), ConnectionAddr::TcpTls { host, port: 1, insecure: false, .. } if host == "x")
        );
        let sentinel = target.sentinel(&address("a", 2));
        assert_eq!((sentinel.redis_settings().password(), sentinel.redis_settings().db()), (None, 0));
        assert_eq!(target.to_string(), "Redis games of the sentinels a:26379, b:26379");
    }

    #[test]
    fn redirections_name_servers() {
        assert_eq!(Address::read_redirect("10.0.0.7:7001"), Some(address("10.0.0.7", 7001)));
        assert_eq!(Address::read_redirect("fe80::1:7001"), Some(address("fe80::1", 7001)));
        assert_eq!(Address::read_redirect(":7001"), None);
        assert_eq!(Address::read_redirect("10.0.0.7"), None);
    }

    #[test]
    fn what_names_no_store_is_refused_in_plain_words() {
        let cases = [
            ("localhost:6379", UrlError::Scheme),
            ("http://localhost", UrlError::Scheme),
            ("redis://", UrlError::Host),
            ("redis://a:port", UrlError::Host),
            ("redis://[::1", UrlError::Host),
            ("redis://a,b", UrlError::ManyHosts),
            ("redis-cluster://a,,b", UrlError::Host),
            ("redis-cluster://a/1", UrlError::Database),
            ("redis-sentinel://a,b", UrlError::Master),
            ("redis://a/first", UrlError::Form),
        ];
        for (url, error) in cases {
            assert_eq!(Target::read(url).err(), Some(error), "{url}");
        }
    }
}
