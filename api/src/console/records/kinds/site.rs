//! The house itself: the site setting and the levels of its members.

use domain::event::Context;
use domain::site::{Level, SiteSetting};
use event_store::StreamAppend;

use super::{Kept, kept};
use crate::app::AppState;
use crate::console::records::declared::site;
use crate::console::records::describe::Description;
use crate::console::records::draft::Count;
use crate::http::{ApiError, ApiResult};

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

    /// The shop is paid in the currency its prices are in, so both have to be told of another one.
    async fn beside(
        &self,
        app: &AppState,
        _id: &str,
        _counts: &[Count],
        _context: &Context,
    ) -> ApiResult<Vec<StreamAppend>> {
        let (paid, shown) = (app.settings.currency, &self.currency);
        if paid.code() == shown.code && paid.exponent() == shown.exponent {
            return Ok(Vec::new());
        }
        Err(ApiError::invalid_field(
            "currency.code",
            "not_paid_in",
            "결제 서비스의 통화와 다릅니다. 서버 설정의 [currency]를 먼저 바꿔 주세요.",
        ))
    }
}

impl Kept for Level {
    kept!("level", "/api/console/levels", "level", "levels");
    const DESCRIPTION: Description = site::LEVEL;
    const CODES: Option<&'static str> = Some("level-code");
    const NAMED_BY_CODE: bool = true;

    fn code(&self) -> Option<String> {
        Some(self.code.clone())
    }
}
