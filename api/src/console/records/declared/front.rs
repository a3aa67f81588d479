//! The front of the shop: banners, popups, terms, and goods laid out.

use super::{ENABLED, ENDED_AT, HAS_PERIOD, STARTED_AT, TARGETS};
use crate::console::records::schema::{Choice, Field, FieldType, Filter, ResourceSchema, choice};

const DEVICES: &[Choice] = &[choice("PC", "PC"), choice("MOBILE", "모바일")];

/// Where the shop shows banners.
const BANNER_PLACES: &[Choice] = &[
    choice("MAIN_1", "메인 1"),
    choice("MAIN_2", "메인 2"),
    choice("RECIPE", "레시피"),
];

const SLIDE: &[Field] = &[
    Field::text("_id", "슬라이드 번호").read_only(),
    Field::image("image", "이미지").required(),
    Field::of("url", "연결 주소", FieldType::Url),
    Field::boolean("isOuterLink", "외부 링크"),
    Field::one_of("target", "열리는 곳", TARGETS),
    Field::text("meta.title", "제목"),
    Field::text("meta.description", "설명").letters(1_000),
    Field::text("meta.tag", "태그"),
];

const SHOWN: &[Filter] = &[
    Filter::boolean("display.enabled"),
    Filter::period("display.startedAt"),
    Filter::period("display.endedAt"),
    Filter::period("createdAt"),
];

/// A banner.
pub const BANNER: ResourceSchema = ResourceSchema {
    search: &["name", "code"],
    sorts: &["createdAt", "updatedAt", "name", "code"],
    filters: &[
        Filter::one_of("device", DEVICES),
        Filter::boolean("display.enabled"),
        Filter::period("display.startedAt"),
        Filter::period("display.endedAt"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("code", "배너 위치")
            .required()
            .letters(50)
            .named(BANNER_PLACES),
        Field::text("name", "배너명").required(),
        Field::one_of("device", "기기", DEVICES),
        Field::of("url", "연결 주소", FieldType::Url),
        ENABLED,
        HAS_PERIOD,
        STARTED_AT,
        ENDED_AT,
        Field::list("slides", "슬라이드", SLIDE),
    ])
};

/// A band banner.
pub const BAND_BANNER: ResourceSchema = ResourceSchema {
    search: &["name", "code", "content"],
    filters: SHOWN,
    ..ResourceSchema::of(&[
        Field::text("code", "띠배너 위치").required().letters(50),
        Field::text("name", "띠배너명").required(),
        Field::longtext("content", "내용").required(),
        Field::of("url", "연결 주소", FieldType::Url),
        Field::of("color", "배경색", FieldType::Color),
        ENABLED,
        HAS_PERIOD,
        STARTED_AT,
        ENDED_AT,
    ])
};

/// An advertisement.
pub const BANNER_ADVERTISEMENT: ResourceSchema = ResourceSchema {
    sorts: &["index", "name", "createdAt", "updatedAt"],
    default_sort: "-index",
    filters: SHOWN,
    ..ResourceSchema::of(&[
        Field::text("name", "광고명").required(),
        Field::image("image", "이미지").required(),
        Field::of("url", "연결 주소", FieldType::Url),
        Field::one_of("target", "열리는 곳", TARGETS),
        Field::integer("index", "노출 순서"),
        ENABLED,
        HAS_PERIOD,
        STARTED_AT,
        ENDED_AT,
    ])
};

/// A popup.
pub const POPUP: ResourceSchema = ResourceSchema {
    filters: SHOWN,
    ..ResourceSchema::of(&[
        Field::text("name", "팝업명").required(),
        Field::html("content", "내용"),
        Field::image("image", "이미지"),
        Field::of("url", "연결 주소", FieldType::Url),
        Field::integer("left", "왼쪽 위치(px)").least(0).most(4_000),
        Field::integer("top", "위쪽 위치(px)").least(0).most(4_000),
        Field::integer("width", "너비(px)")
            .required()
            .least(1)
            .most(4_000),
        Field::integer("height", "높이(px)")
            .required()
            .least(1)
            .most(4_000),
        ENABLED,
        HAS_PERIOD,
        STARTED_AT,
        ENDED_AT,
    ])
};

/// An edition of terms.
pub const TERMS: ResourceSchema = ResourceSchema {
    search: &["name", "code"],
    sorts: &[
        "code",
        "name",
        "edition",
        "startsAt",
        "createdAt",
        "updatedAt",
    ],
    filters: &[
        Filter::boolean("required"),
        Filter::range("edition"),
        Filter::period("startsAt"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("code", "약관 코드").required().letters(50),
        Field::text("name", "약관명").required(),
        Field::html("content", "내용").required(),
        Field::boolean("required", "필수 동의"),
        Field::integer("edition", "차수").required().least(1),
        Field::datetime("startsAt", "시행일").required(),
    ])
};

/// Where the shop lays goods out.
const PLACES: &[Choice] = &[
    choice("MAIN_FEATURED", "메인 추천"),
    choice("NEW_ARRIVAL", "신상품"),
    choice("BEST_SELLER", "베스트셀러"),
    choice("POPULAR", "인기 상품"),
    choice("BEST_REVIEW", "후기 좋은 상품"),
    choice("RECOMMENDATION", "추천 상품"),
    choice("MERIT", "장점"),
];

const ITEM: &[Field] = &[
    Field::text("title", "제목").required().letters(1_000),
    Field::longtext("content", "내용"),
    Field::image("image", "이미지"),
];

/// Products laid out at one place.
pub const DISPLAY: ResourceSchema = ResourceSchema {
    sorts: &["index", "name", "code", "createdAt", "updatedAt"],
    default_sort: "-index",
    filters: &[
        Filter::one_of("code", PLACES),
        Filter::boolean("shows"),
        Filter::reference("_products", "product"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::one_of("code", "진열 위치", PLACES).required(),
        Field::text("name", "진열명").required(),
        Field::references("_products", "상품", "product"),
        Field::list("items", "항목", ITEM),
        Field::boolean("shows", "노출"),
        Field::integer("index", "노출 순서"),
    ])
};

/// Goods that go together.
pub const SHOWROOM: ResourceSchema = ResourceSchema {
    search: &["name", "code"],
    sorts: &["index", "name", "code", "createdAt", "updatedAt"],
    default_sort: "-index",
    filters: &[
        Filter::boolean("shows"),
        Filter::reference("_products", "product"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("code", "쇼룸 코드").required().letters(50),
        Field::text("name", "쇼룸명").required(),
        Field::longtext("desc", "설명"),
        Field::image("image", "이미지").required(),
        Field::references("_products", "상품", "product"),
        Field::boolean("shows", "노출"),
        Field::integer("index", "노출 순서"),
    ])
};

/// A store of a seller.
pub const STORE: ResourceSchema = ResourceSchema {
    search: &["name", "address1", "tel"],
    sorts: &["index", "name", "createdAt", "updatedAt"],
    default_sort: "-index",
    filters: &[
        Filter::boolean("shows"),
        Filter::boolean("isRecommended"),
        Filter::period("createdAt"),
    ],
    ..ResourceSchema::of(&[
        Field::text("name", "매장명").required(),
        Field::reference("_seller", "판매자", "seller").required(),
        Field::longtext("desc", "소개"),
        Field::text("address1", "주소").required(),
        Field::text("address2", "상세 주소"),
        Field::text("tel", "전화번호"),
        Field::of("geolocation", "위치", FieldType::Point),
        Field::image("thumb", "대표 이미지").required(),
        Field::image("banner", "미니샵 배너"),
        Field::tags("mini.tag", "태그"),
        Field::boolean("isRecommended", "추천 상점"),
        Field::boolean("shows", "노출"),
        Field::integer("index", "노출 순서"),
    ])
};
