//! The site setting, membership levels and public holidays.

use super::UNITS;
use crate::console::records::schema::{Action, Field, Filter, ResourceSchema};

/// The site setting: one record, which is only ever changed.
pub const SETTING: ResourceSchema = ResourceSchema {
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
        Field::text("company.name", "회사명"),
        Field::text("company.ceoName", "대표자명"),
        Field::text("company.registration", "사업자등록번호"),
        Field::text("company.licenseCode", "통신판매업 신고번호"),
        Field::text("company.address", "주소"),
        Field::text("company.tel", "전화번호"),
        Field::text("company.email", "이메일"),
        Field::text("company.bankAccount", "교환 배송비 입금 계좌"),
    ])
};

/// A membership level.
pub const LEVEL: ResourceSchema = ResourceSchema {
    search: &["name", "code"],
    sorts: &[
        "index",
        "name",
        "code",
        "pointsPercent",
        "createdAt",
        "updatedAt",
    ],
    default_sort: "index",
    filters: &[
        Filter::boolean("isActive"),
        Filter::boolean("isWelcome"),
        Filter::range("pointsPercent"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("code", "등급 코드").required(),
        Field::text("name", "등급명").required(),
        Field::integer("index", "순서").required(),
        Field::boolean("isActive", "사용").required(),
        Field::boolean("isWelcome", "신규 회원 등급"),
        Field::one_of("discount.unit", "할인 방식", UNITS),
        Field::worth("discount.value", "할인 값", "discount.unit"),
        Field::amount("discount.limit", "최대 할인 금액"),
        Field::percent("pointsPercent", "적립률"),
    ])
};

/// A public holiday, the last day first.
pub const HOLIDAY: ResourceSchema = ResourceSchema {
    sorts: &["date", "name", "createdAt", "updatedAt"],
    default_sort: "-date",
    filters: &[Filter::period("date"), Filter::period("createdAt")],
    ..ResourceSchema::of(&[
        Field::date("date", "날짜").required(),
        Field::text("name", "공휴일 이름").required(),
    ])
};
