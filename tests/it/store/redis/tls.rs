//! TLS, with certificates made for the test.

use std::{fs, path::Path, process::Command};

use boardkeeper::store::RedisOpenError;

use super::{RedisServer, try_open};
use crate::store::games::{begin, key};

/// Makes an authority, and a certificate for this machine that it has signed.
fn certify(dir: &Path) {
    let openssl = |arguments: &str| {
        let made = Command::new("openssl").args(arguments.split(' ')).current_dir(dir).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -days 2 -subj /CN=test-authority"));
    openssl(&format!("req {key} -keyout redis.key -out redis.csr -subj /CN=localhost"));
    fs::write(dir.join("names"), "subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n")
        .unwrap();
    openssl(
        "x509 -req -in redis.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -out redis.pem -extfile names",
    );
}

#[tokio::test]
async fn only_a_certificate_that_is_trusted_will_do() {
    let tls_port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let port = tls_port.to_string();
    let settings = [
        ("tls-port", port.as_str()),
        ("tls-cert-file", "redis.pem"),
        ("tls-key-file", "redis.key"),
        ("tls-ca-cert-file", "ca.pem"),
        ("tls-auth-clients", "no"),
    ];
    let server = RedisServer::prepare(&settings, "", certify);
    let url = format!("rediss://127.0.0.1:{tls_port}");
    let authority = fs::read(server.dir().join("ca.pem")).unwrap();
    let store = try_open(&url, |settings| settings.authorities = Some(authority)).await.unwrap();
    begin(&store, &key("tls", "game")).await;
    assert_eq!(server.ask::<u64>(&["EXISTS", "bk1:{tls/game}:log"]), 1);

    let short = std::time::Duration::from_millis(300);
    let stranger = try_open(&url, |settings| settings.longest_call = short).await;
    assert!(matches!(stranger.err(), Some(RedisOpenError::Silent(..))));
    let plain = url.replace("rediss://", "redis://");
    let plain = try_open(&plain, |settings| settings.longest_call = short).await;
    assert!(matches!(plain.err(), Some(RedisOpenError::Silent(..))));
}
