//! The house itself: the site setting, the levels of its members and its holidays.

use domain::coupon::{Coupon, IssueEventType};
use domain::event::Context;
use domain::holiday::Holiday;
use domain::site::{Level, SiteSetting};
use event_store::StreamAppend;
use projections::members::{self, in_level};
use projections::records;

use super::{AdminResource, admin_resource};
use crate::app::AppState;
use crate::console::records::declared::site;
use crate::console::records::input::Count;
use crate::console::records::schema::ResourceSchema;
use crate::http::{AppError, AppResult};

impl AdminResource for SiteSetting {
    admin_resource!(
        "site-setting",
        "/api/console/setting",
        "setting",
        "settings"
    );
    const DESCRIPTION: ResourceSchema = site::SETTING;

    fn new_id() -> String {
        "main".to_owned()
    }

    /// The shop is paid in the currency its prices are in, so both have to be told of another one.
    async fn side_effects(
        &self,
        app: &AppState,
        _id: &str,
        _counts: &[Count],
        _context: &Context,
    ) -> AppResult<Vec<StreamAppend>> {
        let (paid, shown) = (app.settings.currency, &self.currency);
        if paid.code() == shown.code && paid.exponent() == shown.exponent {
            return Ok(Vec::new());
        }
        Err(AppError::invalid_field(
            "currency.code",
            "not_paid_in",
            "결제 서비스의 통화와 다릅니다. 서버 설정의 [currency]를 먼저 바꿔 주세요.",
        ))
    }
}

impl AdminResource for Level {
    admin_resource!("level", "/api/console/levels", "level", "levels");
    const DESCRIPTION: ResourceSchema = site::LEVEL;
    const NAMED_BY_CODE: bool = true;

    /// Members are in it, and coupons are issued for coming into it.
    async fn removal_blocker(&self, app: &AppState, _id: &str) -> AppResult<Option<String>> {
        app.wait_until_current(&[members::NAME, records::NAME])
            .await?;
        let members = in_level(app.pool(), &self.code).await?;
        if members > 0 {
            return Ok(Some(format!(
                "이 등급인 회원이 {members}명 있습니다. 회원의 등급을 바꾼 뒤 다시 시도해 주세요."
            )));
        }
        let coupons = records::all::<Coupon>(app.pool()).await?;
        let issued = coupons.into_iter().find(|found| {
            let event = found.data.issue.event.as_ref();
            event.is_some_and(|event| {
                event.kind == IssueEventType::LevelUp && event.code.as_deref() == Some(&self.code)
            })
        });
        Ok(issued.map(|found| {
            format!(
                "쿠폰 ‘{}’이(가) 이 등급이 되면 발급됩니다. 쿠폰의 발급 조건을 먼저 바꿔 주세요.",
                found.data.name
            )
        }))
    }
}

impl AdminResource for Holiday {
    admin_resource!(
        "holiday",
        "/api/console/shop/holidays",
        "holiday",
        "holidays"
    );
    const DESCRIPTION: ResourceSchema = site::HOLIDAY;
}
