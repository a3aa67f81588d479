use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

fn environment(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn complaint(file: &str, pairs: &[(&str, &str)]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jangbu.toml");
    fs::write(&path, file).unwrap();
    let error = Settings::read(Some(path), &environment(pairs)).unwrap_err();
    error
        .to_string()
        .replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn the_defaults_are_read_whole() {
    let settings = Settings::read(None, &[]).unwrap();
    assert_eq!(settings.server.address.to_string(), "127.0.0.1:4000");
    assert_eq!(settings.payment.base_url, "http://127.0.0.1:4100");
    assert_eq!(settings.payment.script_url, "http://127.0.0.1:4100/v1/js/");
    assert_eq!(settings.currency.code(), "USD");
    assert_eq!(settings.orders.auto_confirm_days, 8);
    assert!(settings.database.durable && settings.database.url.is_none());
}

#[test]
fn the_file_wins_over_the_defaults_and_the_environment_over_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jangbu.toml");
    fs::write(
        &path,
        "[orders]\nauto_confirm_days = 3\nunpaid_deadline_minutes = 5\n",
    )
    .unwrap();
    let pairs = [
        ("JANGBU_ORDERS_AUTO_CONFIRM_DAYS", "4"),
        ("JANGBU_DATABASE_DURABLE", "false"),
        ("DATABASE_URL", "postgres://a@b/c"),
        ("MEILISEARCH_URL", "http://search:7700/"),
        ("JANGBU_LOG_LEVEL", ""),
    ];
    let settings = Settings::read(Some(path), &environment(&pairs)).unwrap();
    assert_eq!(settings.orders.auto_confirm_days, 4);
    assert_eq!(settings.orders.unpaid_deadline, Duration::from_secs(300));
    assert!(!settings.database.durable);
    assert_eq!(settings.database.url.as_deref(), Some("postgres://a@b/c"));
    assert_eq!(
        settings.search.meilisearch_url.as_deref(),
        Some("http://search:7700")
    );
    assert_eq!(settings.log.level, "info");
}

#[test]
fn an_empty_variable_switches_off_what_may_be_empty() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("jangbu.toml");
    fs::write(&path, "[database]\nurl = \"postgres://a@b/c\"\n").unwrap();
    let pairs = [
        ("JANGBU_SERVER_METRICS_ADDRESS", ""),
        ("JANGBU_SERVER_ADDRESS", ""),
        ("DATABASE_URL", ""),
    ];
    let settings = Settings::read(Some(path), &environment(&pairs)).unwrap();
    assert_eq!(settings.server.metrics_address, None);
    assert_eq!(settings.server.address.to_string(), "127.0.0.1:4000");
    assert_eq!(settings.database.url.as_deref(), Some("postgres://a@b/c"));
}

#[test]
fn a_bad_setting_is_named_with_the_place_it_came_from() {
    assert_eq!(
        complaint("[server]\naddress = \"here\"", &[]),
        "jangbu.toml: `server.address` must be an address like 127.0.0.1:4000, not \"here\""
    );
    assert_eq!(
        complaint("[orders]\nauto_confirm_days = \"8\"", &[]),
        "jangbu.toml: `orders.auto_confirm_days` must be a whole number, not \"8\""
    );
    assert_eq!(
        complaint("[server]\nadress = \"127.0.0.1:1\"", &[]),
        "jangbu.toml: there is no setting `server.adress`; jangbu.default.toml lists them all"
    );
    assert_eq!(
        complaint("", &[("JANGBU_CURRENCY_EXPONENT", "9")]),
        "environment variable JANGBU_CURRENCY_EXPONENT: `currency.exponent` must be a whole number from 0 to 4"
    );
    assert_eq!(
        complaint("", &[("JANGBU_SERVER_ADRESS", "x")]),
        "environment variable JANGBU_SERVER_ADRESS: there is no setting `server.adress`; jangbu.default.toml lists them all"
    );
    assert!(complaint("[server\n", &[]).starts_with("jangbu.toml is not valid TOML"));
    assert!(
        complaint("", &[("JANGBU_SECRETS_MASTER_KEY", "short")]).contains("32 bytes in base64")
    );
    assert!(
        complaint(
            "",
            &[("JANGBU_PAYMENT_BASE_URL", "https://api.example.com")]
        )
        .contains("still the sandbox's")
    );
    assert!(complaint("", &[("JANGBU_CURRENCY_CODE", "won")]).contains("three capital letters"));
    let remote = "https://api.solapi.com";
    for (sender, url, expected) in [
        ("here", remote, "`sms.sender` must be a phone number"),
        (
            "02-1234-5678",
            remote,
            "`sms.api_key` is still the sandbox's",
        ),
    ] {
        let pairs = [("JANGBU_SMS_SENDER", sender), ("JANGBU_SMS_BASE_URL", url)];
        assert!(complaint("", &pairs).contains(expected), "{sender} {url}");
    }
    let plain = [
        ("JANGBU_SMS_SENDER", "02-1234-5678"),
        ("JANGBU_SMS_BASE_URL", "http://api.solapi.com"),
        ("JANGBU_SMS_API_KEY", "key"),
        ("JANGBU_SMS_API_SECRET", "secret"),
    ];
    assert!(complaint("", &plain).contains("`sms.base_url` must be https"));
}

#[test]
fn texts_are_off_without_a_sender() {
    let settings = Settings::read(None, &[]).unwrap();
    assert!(settings.sms.gateway.is_none());
    let pairs = environment(&[
        ("JANGBU_SMS_SENDER", "02-1234-5678"),
        ("JANGBU_SMS_REFUND_COMPLETED", "false"),
    ]);
    let sms = Settings::read(None, &pairs).unwrap().sms;
    assert_eq!(sms.templates.len(), 3);
    let text = format!("{sms:?}");
    assert!(!text.contains("not-real"), "{text}");
    assert_eq!(sms.gateway.unwrap().sender, "0212345678");
}

#[test]
fn every_other_tool_s_variable_is_left_alone() {
    let settings = Settings::read(
        None,
        &environment(&[("JANGBU_HOME", "x"), ("JANGBU_TEST_RUN", "1")]),
    );
    assert!(settings.is_ok());
}

#[test]
fn missing_keys_are_made_once_and_kept_private() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let pairs = environment(&[("JANGBU_DATA_FOLDER", data.to_str().unwrap())]);
    let settings = Settings::read(None, &pairs).unwrap();
    let made = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| settings.keys().unwrap()))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect::<Vec<_>>()
    });
    assert!(made.iter().all(|keys| Some(keys) == made.first()));
    let mode = fs::metadata(data.join("secrets.toml"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(
        fs::read_dir(&data).unwrap().count(),
        1,
        "no draft is left behind"
    );

    fs::write(data.join("secrets.toml"), "oops").unwrap();
    assert!(
        settings
            .keys()
            .unwrap_err()
            .to_string()
            .contains("restore it from a backup")
    );
}

#[test]
fn nothing_secret_is_printed() {
    let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
    let pairs = [
        ("JANGBU_SECRETS_MASTER_KEY", key),
        ("JANGBU_SECRETS_TOKEN_KEY", key),
    ];
    let settings = Settings::read(None, &environment(&pairs)).unwrap();
    let printed = format!("{settings:?} {:?}", settings.keys().unwrap());
    assert!(!printed.contains("sandbox-secret-key") && !printed.contains("[0, 1, 2"));
}
