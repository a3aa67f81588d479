//! The house itself: the site setting and the levels of its members.

use domain::site::{Level, SiteSetting};

use super::{Commands, Kept, kept};

impl Kept for SiteSetting {
    kept!(
        "site-setting",
        "/api/console/setting",
        "setting",
        "settings"
    );

    fn new_id() -> String {
        "main".to_owned()
    }
}

impl Kept for Level {
    kept!("level", "/api/console/levels", "level", "levels");
    const CODES: Option<&'static str> = Some("level-code");

    fn code(&self) -> Option<String> {
        Some(self.code.clone())
    }
}
