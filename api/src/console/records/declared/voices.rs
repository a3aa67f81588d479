//! What members say about goods.

use crate::console::records::schema::{
    Action, Choice, Field, FieldType, Filter, ResourceSchema, choice,
};

const ANSWERS: &[Choice] = &[
    choice("ANSWER_AWAITING", "답변 대기"),
    choice("ANSWER_COMPLETE", "답변 완료"),
];

/// What the back office does with what members wrote.
const MODERATED: &[Action] = &[
    Action::Update,
    Action::Delete,
    Action::Restore,
    Action::Export,
    Action::Bulk,
];

/// A review.
pub const REVIEW: ResourceSchema = ResourceSchema {
    search: &["name", "subject", "content", "_purchase"],
    sorts: &["createdAt", "updatedAt", "star"],
    filters: &[
        Filter::range("star"),
        Filter::boolean("isBest"),
        Filter::boolean("shows"),
        Filter::reference("_product", "product"),
        Filter::period("createdAt"),
    ],
    actions: MODERATED,
    grows: true,
    ..ResourceSchema::of(&[
        Field::text("name", "상품명").read_only(),
        Field::reference("_product", "상품", "product").read_only(),
        Field::text("optionName", "옵션").read_only(),
        Field::text("_purchase", "구매번호").read_only(),
        Field::text("nickname", "작성자").read_only(),
        Field::integer("star", "별점")
            .read_only()
            .required()
            .least(1)
            .most(5),
        Field::text("subject", "한 줄 평").read_only(),
        Field::longtext("content", "내용")
            .read_only()
            .letters(2_000),
        Field::of("images", "사진", FieldType::Images).read_only(),
        Field::longtext("reply", "답변").letters(2_000),
        Field::boolean("isBest", "베스트 후기"),
        Field::boolean("shows", "노출"),
    ])
};

/// An inquiry. Its question is sealed, so a search cannot look into it.
pub const INQUIRE: ResourceSchema = ResourceSchema {
    search: &["name", "reply"],
    sorts: &["createdAt", "updatedAt"],
    filters: &[
        Filter::one_of("state", ANSWERS),
        Filter::boolean("secret"),
        Filter::reference("_product", "product"),
        Filter::period("createdAt"),
    ],
    actions: MODERATED,
    grows: true,
    ..ResourceSchema::of(&[
        Field::text("name", "상품명").read_only(),
        Field::reference("_product", "상품", "product").read_only(),
        Field::text("nickname", "작성자").read_only(),
        Field::text("subject", "제목").read_only(),
        Field::longtext("content", "문의 내용")
            .read_only()
            .letters(2_000),
        Field::boolean("secret", "비밀글").read_only(),
        Field::one_of("state", "답변 상태", ANSWERS).read_only(),
        Field::longtext("reply", "답변").letters(2_000),
    ])
};
