//! The site setting: a single record that can only be changed.

use domain::site::SiteSetting;
use event_store::StreamAppend;
use futures::FutureExt;
use serde_json::Value;

use super::super::schema::{Action, Field, ResourceSchema};
use super::super::{AdminResource, ConsoleRecord, RecordWrite, admin_resource};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::json::typed;

impl ConsoleRecord for SiteSetting {
    const RESOURCE: AdminResource = AdminResource {
        new_id: || "main".to_owned(),
        side_effects: |app, write| paid_in(app, write).boxed(),
        schema: ResourceSchema {
            actions: &[Action::Update, Action::Restore],
            ..ResourceSchema::of(&[
                Field::text("name", "사이트명").required(),
                Field::text("currency.code", "통화 코드").letters(3),
                Field::integer("currency.exponent", "소수 자릿수")
                    .least(0)
                    .most(2),
                Field::amount("currency.step", "반올림 단위").least(1),
                Field::integer("unpaidDeadlineMinutes", "입금 기한(분)")
                    .required()
                    .least(1),
                Field::integer("autoConfirmDays", "자동 구매확정(일)")
                    .required()
                    .least(1)
                    .most(30),
                Field::integer("autoDeliverDays", "자동 배송완료(일)")
                    .least(1)
                    .most(60),
                Field::boolean("rechargesFares", "부분 취소 시 배송비 차액 청구"),
                Field::amount("reviewPoints.text", "글 후기 적립금"),
                Field::amount("reviewPoints.photo", "사진 후기 적립금"),
                Field::integer("points.lifeDays", "적립금 유효기간(일)")
                    .least(1)
                    .most(3_650),
                Field::amount("points.least", "적립금 최소 사용액"),
                Field::amount("points.unit", "적립금 사용 단위"),
                Field::integer("points.share", "적립금 최대 사용 비율(%)")
                    .least(0)
                    .most(100),
                Field::amount("points.leastOrder", "적립금을 쓸 수 있는 최소 주문액"),
                Field::text("company.name", "회사명"),
                Field::text("company.ceoName", "대표자명"),
                Field::text("company.registration", "사업자등록번호"),
                Field::text("company.licenseCode", "통신판매업 신고번호"),
                Field::text("company.address", "주소"),
                Field::text("company.tel", "전화번호"),
                Field::text("company.email", "이메일"),
                Field::text("company.bankAccount", "교환 배송비 입금 계좌"),
            ])
        },
        ..admin_resource!(SiteSetting: "site-setting" at "/api/console/setting", "setting", "settings")
    };
}

/// Rejects a currency that differs from the one of payments: both settings have to be changed.
async fn paid_in(app: &App, write: RecordWrite<'_>) -> AppResult<Vec<StreamAppend>> {
    let setting: SiteSetting = typed(Value::Object(write.after.clone()))?;
    let (paid, shown) = (app.settings.currency, &setting.currency);
    if paid.code() == shown.code && paid.exponent() == shown.exponent {
        return Ok(Vec::new());
    }
    Err(AppError::invalid_field(
        "currency.code",
        "not_paid_in",
        "결제 서비스의 통화와 다릅니다. 서버 설정의 [currency]를 먼저 바꿔 주세요.",
    ))
}
