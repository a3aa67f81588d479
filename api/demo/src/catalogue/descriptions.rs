//! Long descriptions of products, by category.

/// The long description of products of this category, HTML; empty for other categories.
pub(crate) const fn of(category: &str) -> &'static str {
    match category.as_bytes() {
        b"bicycle-road" => {
            "<h3>멀리 가는 자전거</h3><p>가벼운 프레임과 곧은 자세가 페달에 실은 힘을 그대로 길에 옮깁니다. 첫 100km도, 매주의 강변도 같은 자전거로 달릴 수 있습니다.</p>\
             <ul><li>내리막에서도 손이 편한 브레이크 레버</li><li>케이블을 프레임 안으로 넣어 씻기 쉽습니다</li><li>28mm 타이어까지 끼울 수 있습니다</li></ul>\
             <h3>받으신 뒤에</h3><p>앞바퀴와 페달만 끼우면 됩니다. 첫 달 무료 점검을 가까운 매장에서 받으세요.</p>"
        }
        b"bicycle-mtb" => {
            "<h3>산이 놀이터가 됩니다</h3><p>뿌리와 돌을 삼키는 서스펜션, 젖은 흙을 무는 타이어. 처음 가는 임도도 마음 놓고 내려올 수 있습니다.</p>\
             <ul><li>앞 포크는 잠가서 포장도로도 달립니다</li><li>유압 디스크 브레이크는 비가 와도 같은 힘으로 멈춥니다</li><li>물통과 공구를 달 자리가 있습니다</li></ul>\
             <h3>고르실 때</h3><p>키 165cm까지는 S, 175cm까지는 M, 그보다 크면 L을 권합니다.</p>"
        }
        b"bicycle-city" => {
            "<h3>출근길이 짧아집니다</h3><p>허리를 펴고 앉는 자세와 물받이, 체인 덮개. 정장을 입고도 탈 수 있는 매일의 자전거입니다.</p>\
             <ul><li>바구니에는 노트북 가방이 들어갑니다</li><li>발전등이라 건전지가 필요 없습니다</li><li>7단이면 서울의 언덕은 넉넉합니다</li></ul>\
             <h3>타시기 전에</h3><p>공기압은 한 달에 한 번, 브레이크는 석 달에 한 번 살펴 주세요.</p>"
        }
        b"bicycle-mini" => {
            "<h3>작지만 제대로</h3><p>작은 바퀴라 다루기 쉽고, 넘어져도 발이 땅에 닿습니다. 처음 배우는 아이에게도, 전철에 들고 타는 어른에게도 맞습니다.</p>\
             <ul><li>모서리를 둥글린 프레임과 손잡이</li><li>공구 없이 안장 높이를 바꿉니다</li><li>KC 안전 인증을 받았습니다</li></ul>\
             <h3>함께 준비하세요</h3><p>헬멧은 꼭 씌워 주세요. 무릎 보호대가 있으면 더 빨리 배웁니다.</p>"
        }
        b"kickboard-electric" => {
            "<h3>역에서 회사까지 7분</h3><p>접으면 책상 밑에 들어가고, 펴면 바로 달립니다. 하루 왕복은 한 번 충전으로 충분합니다.</p>\
             <ul><li>최고 속도 25km/h, 법이 정한 그대로</li><li>배터리를 빼서 방에서 충전합니다</li><li>앞뒤 브레이크와 밝은 전조등</li></ul>\
             <h3>알아 두세요</h3><p>원동기 면허가 있어야 하고 헬멧을 써야 합니다. 인도에서는 내려서 끌어 주세요.</p>"
        }
        b"kickboard-junior" => {
            "<h3>아이의 첫 바퀴</h3><p>몸을 기울이면 방향이 바뀌어 균형을 저절로 배웁니다. 손잡이는 키를 따라 네 단계로 자랍니다.</p>\
             <ul><li>밟으면 멈추는 뒤 브레이크</li><li>미끄럽지 않은 넓은 발판</li><li>20초면 접혀 트렁크에 들어갑니다</li></ul>\
             <h3>몇 살부터</h3><p>다섯 살, 키 100cm부터 권합니다. 50kg까지 탈 수 있습니다.</p>"
        }
        b"scooter-engine" => {
            "<h3>동네가 넓어집니다</h3><p>가볍게 당겨도 부드럽게 나가는 엔진. 시장도, 강 건너 친구 집도 한 번에 다녀옵니다.</p>\
             <ul><li>1리터로 45km</li><li>헬멧이 통째로 들어가는 안장 밑 수납</li><li>1년 또는 1만 km 보증</li></ul>\
             <h3>사시기 전에</h3><p>등록과 보험은 판매자가 도와 드립니다. 125cc까지는 2종 소형 면허가 필요 없습니다.</p>"
        }
        b"scooter-electric" => {
            "<h3>소리 없이 갑니다</h3><p>새벽 배달도 이웃을 깨우지 않습니다. 밤새 꽂아 두면 아침에는 가득 차 있습니다.</p>\
             <ul><li>한 번 충전에 80km</li><li>가정용 콘센트로 네 시간</li><li>오일도 필터도 갈 일이 없습니다</li></ul>\
             <h3>보조금</h3><p>사는 곳에 따라 보조금이 나옵니다. 서류는 판매자가 대신 내 드립니다.</p>"
        }
        b"juice-fruit" => {
            "<h3>과일만 넣었습니다</h3><p>그날 들어온 과일을 주문받은 밤에 짭니다. 물도 설탕도 넣지 않아 한 병에 한 철이 들어 있습니다.</p>\
             <ul><li>천천히 눌러 짜서 거품이 적습니다</li><li>250ml, 한 번에 마시기 좋은 양</li><li>받은 날부터 냉장 5일</li></ul>\
             <h3>맛있게 드시려면</h3><p>가라앉는 것은 과육입니다. 흔들어서 차게 드세요.</p>"
        }
        b"juice-vegetable" => {
            "<h3>여러 채소를 한 병에</h3><p>풋내를 잡으려고 사과를 조금 넣었을 뿐, 나머지는 모두 채소입니다. 아침을 거르는 날에 권합니다.</p>\
             <ul><li>계약 농가에서 온 채소만</li><li>250ml에 58kcal</li><li>받은 날부터 냉장 5일</li></ul>\
             <h3>맛있게 드시려면</h3><p>뚜껑을 연 뒤에는 그날 드세요. 얼려서 스무디로 갈아도 좋습니다.</p>"
        }
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_category_with_products_has_something_to_say_and_nothing_a_page_may_not_say() {
        for category in [
            "bicycle-road",
            "bicycle-mtb",
            "bicycle-city",
            "bicycle-mini",
            "kickboard-electric",
            "kickboard-junior",
            "scooter-engine",
            "scooter-electric",
            "juice-fruit",
            "juice-vegetable",
        ] {
            let text = super::of(category);
            assert!(text.starts_with("<h3>"), "{category}");
            assert_eq!(application::html::clean(text), text);
        }
    }
}
