//! Descriptions of pages that show no record.

/// Descriptions of pages without a record.
pub(super) const WORDS: [(&str, &str); 14] = [
    (
        "/shop/products",
        "장부의 모든 상품을 카테고리, 브랜드, 가격으로 찾아보세요.",
    ),
    (
        "/shop/best",
        "지금 가장 인기 있는 상품을 카테고리별로 모았습니다.",
    ),
    ("/shop/brands", "장부에서 만나는 브랜드를 가나다순으로."),
    ("/shop/brands/view", "브랜드별 상품을 한눈에 확인하세요."),
    (
        "/shop/showrooms",
        "함께 쓰기 좋은 상품을 쇼룸에서 만나세요.",
    ),
    (
        "/sub/event/ongoing",
        "지금 참여할 수 있는 이벤트를 확인하세요.",
    ),
    ("/sub/event/ended", "장부의 지난 이벤트입니다."),
    (
        "/sub/event/exhibition",
        "하나의 주제로 모은 상품을 기획전에서 만나세요.",
    ),
    ("/sub/event/tag", "태그로 모은 상품을 만나세요."),
    (
        "/sub/event/coupon",
        "지금 내려받을 수 있는 쿠폰을 확인하세요.",
    ),
    (
        "/about/contact",
        "제휴, 입점, 대량 구매에 대해 장부에 문의하세요.",
    ),
    (
        "/form/inquiry-partner",
        "장부에서 함께 팔 상품과 제휴를 제안하세요.",
    ),
    ("/search", "상품, 브랜드, 미니샵을 검색하세요."),
    (
        "/sub/store",
        "자전거, 킥보드, 스쿠터를 직접 보고 타 볼 수 있는 매장을 찾으세요.",
    ),
];
