//! The house itself: the site setting and the levels of its members.

use domain::site::{Level, SiteSetting};

use super::{Commands, Kept, kept};
use crate::console::records::declared::site;
use crate::console::records::describe::Description;

impl Kept for SiteSetting {
    kept!(
        "site-setting",
        "/api/console/setting",
        "setting",
        "settings"
    );
    const DESCRIPTION: Description = site::SETTING;

    fn new_id() -> String {
        "main".to_owned()
    }
}

impl Kept for Level {
    kept!("level", "/api/console/levels", "level", "levels");
    const DESCRIPTION: Description = site::LEVEL;
    const CODES: Option<&'static str> = Some("level-code");

    fn code(&self) -> Option<String> {
        Some(self.code.clone())
    }
}
