//! Three hundred products derived from sixty: each has four variants, some of them by other sellers. A variant uses the picture of its base
//! product, and so its colours.

use serde_json::{Value, json};

use super::{Product, Seller};

/// Sellers of the large demonstration only: key (also the sign-in name), shop, company, chief executive.
const SELLERS: [(&str, &str, &str, &str); 6] = [
    ("bukakbike", "북악바이크", "주식회사 북악바이크", "한서준"),
    ("gangbyeon", "강변자전거", "강변자전거", "윤하늘"),
    ("wheelmate", "휠메이트", "주식회사 휠메이트", "서지안"),
    ("busanmoto", "부산모토", "부산모토", "장태윤"),
    ("kidsgo", "키즈고", "키즈고", "문가람"),
    ("gamgyul", "감귤농원", "농업회사법인 감귤농원", "오도현"),
];

/// A variant of a product.
struct Variant {
    /// Suffix of its code.
    code: &'static str,
    /// Suffix of its name.
    name: &'static str,
    /// Price in percent of the base product's.
    price: i64,
    /// Its seller; none for the seller of the base product.
    seller: Option<&'static str>,
    /// A sentence added to the product's description.
    desc: &'static str,
    /// Contents of the box, or notes, point by point.
    points: [&'static str; 3],
    /// Its options: criterion, and choices with their surcharge; none for those of the base product.
    choices: &'static [(&'static str, &'static str, i64)],
    /// A search tag.
    tag: &'static str,
}

const BICYCLE: [Variant; 4] = [
    Variant {
        code: "SET",
        name: "완조립 세트",
        price: 112,
        seller: Some("bukakbike"),
        desc: "정비사가 조립과 변속 조정을 마쳐 상자에서 꺼내 바로 탑니다",
        points: [
            "헬멧, 4관절 자물쇠, 전조등과 후미등을 함께 드립니다",
            "받은 날부터 한 달 안에 첫 정비를 무료로 해 드립니다",
            "안장 높이는 주문 메모에 적어 주신 키에 맞춰 보냅니다",
        ],
        choices: &[],
        tag: "세트",
    },
    Variant {
        code: "RE",
        name: "리퍼브",
        price: 76,
        seller: Some("gangbyeon"),
        desc: "매장에 전시했던 자전거를 분해 점검한 뒤 다시 조립했습니다",
        points: [
            "프레임에 손톱만 한 생활 흠집이 있을 수 있습니다",
            "체인과 브레이크 패드는 새 부품으로 갈았습니다",
            "구동계는 1년, 프레임은 2년 보증합니다",
        ],
        choices: &[("등급", "S급", 1_000), ("등급", "A급", 0)],
        tag: "리퍼브",
    },
    Variant {
        code: "25",
        name: "2025년형",
        price: 88,
        seller: None,
        desc: "지난해 모델을 재고가 있을 때까지 낮은 값에 드립니다",
        points: [
            "올해 모델과 프레임이 같고 데칼만 다릅니다",
            "박스를 열지 않은 새 상품입니다",
            "재고가 떨어지면 다시 들어오지 않습니다",
        ],
        choices: &[],
        tag: "이월",
    },
    Variant {
        code: "PRO",
        name: "튜닝 에디션",
        price: 134,
        seller: None,
        desc: "휠과 타이어, 핸들바를 한 단계 올려 가볍게 만들었습니다",
        points: [
            "튜브리스 휠셋으로 바꾸어 300g을 덜어 냈습니다",
            "그립과 안장은 장거리용으로 바꿨습니다",
            "원래 부품은 따로 포장해 함께 보냅니다",
        ],
        choices: &[],
        tag: "튜닝",
    },
];

const KICKBOARD: [Variant; 4] = [
    Variant {
        code: "SAFE",
        name: "안전 세트",
        price: 113,
        seller: Some("wheelmate"),
        desc: "처음 타는 분을 위해 보호 장비를 함께 담았습니다",
        points: [
            "KC 인증 헬멧과 무릎·팔꿈치 보호대를 드립니다",
            "출발 전 점검표를 카드로 넣었습니다",
            "보호 장비는 크기가 맞지 않으면 한 번 바꿔 드립니다",
        ],
        choices: &[("헬멧", "M (54~58cm)", 0), ("헬멧", "L (58~61cm)", 0)],
        tag: "안전",
    },
    Variant {
        code: "RE",
        name: "리퍼브",
        price: 72,
        seller: Some("wheelmate"),
        desc: "시승에 쓴 제품을 점검하고 소모품을 새로 갈았습니다",
        points: [
            "발판에 밟은 자국이 있을 수 있습니다",
            "바퀴와 손잡이는 새것입니다",
            "6개월 보증합니다",
        ],
        choices: &[],
        tag: "리퍼브",
    },
    Variant {
        code: "BAG",
        name: "수납 패키지",
        price: 108,
        seller: Some("kidsgo"),
        desc: "어깨에 메는 가방과 걸이 고리를 더해 들고 다니기 좋습니다",
        points: [
            "접어서 넣는 방수 가방이 들어 있습니다",
            "벽에 걸 수 있는 고리를 드립니다",
            "지하철에서 바퀴가 닿지 않게 덮개가 있습니다",
        ],
        choices: &[],
        tag: "가방",
    },
    Variant {
        code: "25",
        name: "2025년형",
        price: 86,
        seller: None,
        desc: "지난해 모델을 재고가 있을 때까지 낮은 값에 드립니다",
        points: [
            "박스를 열지 않은 새 상품입니다",
            "소모품은 올해 모델과 함께 씁니다",
            "재고가 떨어지면 다시 들어오지 않습니다",
        ],
        choices: &[],
        tag: "이월",
    },
];

const SCOOTER: [Variant; 4] = [
    Variant {
        code: "BOX",
        name: "배달 박스 세트",
        price: 109,
        seller: Some("busanmoto"),
        desc: "45리터 보온 박스와 휴대전화 거치대를 달아 보냅니다",
        points: [
            "박스는 열쇠 하나로 시동과 함께 잠깁니다",
            "거치대는 진동을 줄여 카메라를 지킵니다",
            "번호판 등록 서류를 함께 보냅니다",
        ],
        choices: &[("박스", "45리터", 0), ("박스", "62리터", 3_000)],
        tag: "배달",
    },
    Variant {
        code: "RE",
        name: "리퍼브",
        price: 79,
        seller: Some("busanmoto"),
        desc: "전시 차량을 100가지 점검한 뒤 보냅니다",
        points: [
            "주행 거리는 50km를 넘지 않습니다",
            "오일과 브레이크액을 새로 넣었습니다",
            "엔진과 모터를 1년 보증합니다",
        ],
        choices: &[],
        tag: "리퍼브",
    },
    Variant {
        code: "SEAT",
        name: "커스텀 시트",
        price: 106,
        seller: None,
        desc: "공방에서 손으로 박은 시트로 바꾸어 보냅니다",
        points: [
            "키가 작은 분을 위해 3cm 낮춘 시트도 있습니다",
            "비에 젖지 않는 소재입니다",
            "실 색을 바꾸고 싶으면 주문 메모에 적어 주세요",
        ],
        choices: &[
            ("시트", "갈색", 0),
            ("시트", "검정", 0),
            ("시트", "갈색 낮은 시트", 1_500),
        ],
        tag: "커스텀",
    },
    Variant {
        code: "25",
        name: "2025년형",
        price: 90,
        seller: None,
        desc: "지난해 모델을 재고가 있을 때까지 낮은 값에 드립니다",
        points: [
            "올해 모델과 차대가 같습니다",
            "등록하지 않은 새 차량입니다",
            "재고가 떨어지면 다시 들어오지 않습니다",
        ],
        choices: &[],
        tag: "이월",
    },
];

const JUICE: [Variant; 4] = [
    Variant {
        code: "6",
        name: "6병 묶음",
        price: 560,
        seller: None,
        desc: "하루 한 병, 엿새를 위한 묶음입니다",
        points: [
            "250ml 여섯 병을 얼음팩과 함께 보냅니다",
            "받은 날부터 열흘 안에 드세요",
            "병은 씻어서 분리해 내놓으시면 됩니다",
        ],
        choices: &[],
        tag: "묶음",
    },
    Variant {
        code: "GIFT",
        name: "선물 상자 12병",
        price: 1_140,
        seller: Some("gamgyul"),
        desc: "손잡이가 달린 상자에 담아 마음을 전합니다",
        points: [
            "250ml 열두 병과 손글씨 카드를 담습니다",
            "받는 날을 주문 메모에 적어 주세요",
            "보자기 포장을 고를 수 있습니다",
        ],
        choices: &[("포장", "상자", 0), ("포장", "상자와 보자기", 400)],
        tag: "선물",
    },
    Variant {
        code: "1L",
        name: "대용량 1L",
        price: 360,
        seller: Some("gamgyul"),
        desc: "온 식구가 나누어 마시는 큰 병입니다",
        points: [
            "열면 사흘 안에 드세요",
            "가라앉은 것은 과육이니 흔들어 드세요",
            "유리병이라 냉장고 냄새가 배지 않습니다",
        ],
        choices: &[],
        tag: "대용량",
    },
    Variant {
        code: "ICE",
        name: "냉동 파우치 10개입",
        price: 860,
        seller: Some("gamgyul"),
        desc: "짠 즉시 얼려 여섯 달 동안 두고 드십니다",
        points: [
            "120ml 파우치 열 개가 들어 있습니다",
            "얼린 채로 갈면 스무디가 됩니다",
            "드라이아이스로 포장해 보냅니다",
        ],
        choices: &[],
        tag: "냉동",
    },
];

/// The sellers of the large demonstration only.
pub(super) fn sellers() -> impl Iterator<Item = Seller> {
    SELLERS
        .into_iter()
        .map(|(key, nickname, company_name, ceo_name)| Seller {
            key: key.to_owned(),
            username: key.to_owned(),
            nickname: nickname.to_owned(),
            company_name: company_name.to_owned(),
            ceo_name: ceo_name.to_owned(),
        })
}

/// The variants of this product.
pub(super) fn of(product: &Product) -> Vec<Product> {
    let variants = match product.category.split('-').next() {
        Some("bicycle") => &BICYCLE,
        Some("kickboard") => &KICKBOARD,
        Some("scooter") => &SCOOTER,
        _ => &JUICE,
    };
    variants
        .iter()
        .map(|variant| variant.applied(product))
        .collect()
}

impl Variant {
    fn applied(&self, product: &Product) -> Product {
        let points: String = self
            .points
            .iter()
            .map(|point| format!("<li>{point}</li>"))
            .collect();
        Product {
            code: format!("{}-{}", product.code, self.code),
            name: format!("{} {}", product.name, self.name),
            seller: self.seller.unwrap_or(&product.seller).to_owned(),
            // Whole dollars above ten, so that prices look realistic.
            price: match product.price * self.price / 100 {
                price if price > 1_000 => price / 100 * 100,
                price => price,
            },
            desc: format!("{}. {}", product.desc, self.desc),
            options: self.options(product),
            discount: Value::Null,
            hashtags: [product.hashtags.clone(), vec![self.tag.to_owned()]].concat(),
            flags: Vec::new(),
            pictured_as: Some(product.code.clone()),
            story: format!("<h3>알아 두세요</h3><ul>{points}</ul>"),
            ..product.clone()
        }
    }

    fn options(&self, product: &Product) -> Vec<Value> {
        if self.choices.is_empty() {
            return product.options.clone();
        }
        self.choices
            .iter()
            .map(|(name, value, more)| json!({ "name": name, "value": value, "price": more, "stock": 12 }))
            .collect()
    }
}
