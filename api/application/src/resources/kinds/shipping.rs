//! Shipping groups.

use domain::shipping::ShippingGroup;
use futures::FutureExt;
use futures::future::ready;

use super::super::element_ids::{assign_ids, keep_ids};
use super::super::schema::{Field, FieldChoice, FieldType, Filter, ResourceSchema, choice};
use super::super::{AdminResource, ConsoleRecord, admin_resource};

pub(in crate::resources) const METHODS: &[FieldChoice] = &[
    choice("GENERAL", "택배"),
    choice("EXPRESS", "퀵서비스"),
    choice("PICK_UP", "방문 수령"),
    choice("COMPANY", "업체 직접배송"),
];

const BUNDLES: &[FieldChoice] = &[choice("piece", "개별 배송"), choice("bundle", "묶음 배송")];

pub(in crate::resources) const CHARGES: &[FieldChoice] = &[
    choice("fixed", "고정"),
    choice("pay-on-delivery", "착불"),
    choice("price-range", "금액 구간별"),
    choice("travel-range", "거리 구간별"),
];

const AREAS: &[FieldChoice] = &[
    choice("none", "내륙"),
    choice("island", "도서산간"),
    choice("jeju", "제주"),
];

const TARGETS: &[FieldChoice] = &[
    choice("ALL", "모든 상품"),
    choice("PRODUCTS", "상품"),
    choice("CATEGORIES", "카테고리"),
    choice("BRANDS", "브랜드"),
];

const PRICE_STEP: &[Field] = &[
    Field::amount("price", "상품 금액(이상)").required(),
    Field::amount("amount", "배송비").required(),
];

const TRAVEL_STEP: &[Field] = &[
    Field::integer("distance", "거리(km, 이상)")
        .required()
        .least(0),
    Field::amount("amount", "배송비").required(),
];

const METHOD: &[Field] = &[
    Field::text("_id", "배송 수단 번호").read_only(),
    Field::one_of("method", "배송 수단", METHODS).required(),
    Field::text("name", "이름").required(),
    Field::text("desc", "안내").letters(1_000),
];

const REGION: &[Field] = &[
    Field::text("_id", "지역 번호").read_only(),
    Field::text("name", "지역명").required(),
    Field::text("starts", "시작 우편번호").required().letters(5),
    Field::text("ends", "끝 우편번호").required().letters(5),
];

/// The lists whose rows have ids.
const PARTS: [&str; 3] = ["options", "methods", "regions"];

const OPTION: &[Field] = &[
    Field::text("_id", "배송 방법 번호").read_only(),
    Field::text("name", "배송 방법").required(),
    Field::one_of("method", "배송 수단", METHODS),
    Field::text("region", "배송 지역"),
    Field::tags("areas__available", "배송 가능 권역").named(AREAS),
    Field::one_of("bundleType", "묶음 배송", BUNDLES),
    Field::one_of("chargeType", "배송비 방식", CHARGES),
    Field::amount("fixedAmount", "고정 배송비"),
    Field::list("pricesRange", "금액 구간", PRICE_STEP),
    Field::list("travelRange", "거리 구간", TRAVEL_STEP),
    Field::boolean("island.isActive", "도서산간 추가 배송비"),
    Field::amount("island.amount__base", "도서산간 추가 금액"),
    Field::amount("island.amount__jeju", "제주 추가 금액"),
    Field::boolean("service.isActive", "부가 서비스"),
    Field::amount("service.amount", "부가 서비스 금액"),
    Field::amount("returnAmount", "반품 배송비"),
];

impl ConsoleRecord for ShippingGroup {
    const RESOURCE: AdminResource = AdminResource {
        for_sellers: true,
        seal_input: |_, before, fields| {
            PARTS.iter().for_each(|list| keep_ids(list, before, fields));
            ready(Ok(())).boxed()
        },
        normalize: |_, _, fields| {
            PARTS.iter().for_each(|list| assign_ids(list, fields));
            Ok(Vec::new())
        },
        schema: ResourceSchema {
            filters: &[
                Filter::reference("_seller", "seller"),
                Filter::boolean("isActive"),
                Filter::boolean("isDefault"),
                Filter::period("createdAt"),
            ],
            ..ResourceSchema::of(&[
                Field::text("name", "배송 그룹명").required(),
                Field::reference("_seller", "판매자", "seller").required(),
                Field::boolean("isDefault", "기본 그룹"),
                Field::boolean("isActive", "사용").required(),
                Field::datetime("startsAt", "적용 시작"),
                Field::datetime("endsAt", "적용 종료"),
                Field::one_of("targetType", "적용 대상", TARGETS),
                Field::references("products", "적용 상품", "product").own(),
                Field::references("categories", "적용 카테고리", "category"),
                Field::references("brands", "적용 브랜드", "brand"),
                Field::list("options", "배송 방법", OPTION).required(),
                Field::list("methods", "배송 수단 안내", METHOD),
                Field::list("regions", "배송 지역", REGION),
                Field::text("warehouse.name", "창고명"),
                Field::text("warehouse.code", "창고 코드"),
                Field::text("warehouse.postcode", "창고 우편번호").letters(5),
                Field::text("warehouse.address1", "창고 주소"),
                Field::text("warehouse.address2", "창고 상세 주소"),
                Field::of("warehouse.geolocation", "창고 위치", FieldType::Point),
            ])
        },
        ..admin_resource!(ShippingGroup: "shipping" at "/api/console/shop/shippings", "shipping", "shippings")
    };
}
