//! Generated shoppers of the large demonstration: invented names at public addresses, deterministic.

use super::Person;
use crate::rng::SeededRng;

const FAMILY: [&str; 20] = [
    "김", "이", "박", "최", "정", "강", "조", "윤", "장", "임", "한", "오", "서", "신", "권", "황",
    "안", "송", "류", "홍",
];

const GIVEN: [&str; 40] = [
    "민서", "서윤", "도현", "하준", "지안", "은서", "시윤", "유찬", "채원", "건우", "다은", "현우",
    "소율", "준서", "예린", "우진", "수빈", "지훈", "나은", "태민", "가은", "승현", "연우", "하람",
    "규민", "세아", "동하", "라온", "보민", "재이", "아린", "정우", "해인", "성민", "윤아", "기훈",
    "단비", "찬영", "미소", "온유",
];

const MOOD: [&str; 20] = [
    "느긋한",
    "부지런한",
    "용감한",
    "수줍은",
    "명랑한",
    "졸린",
    "씩씩한",
    "다정한",
    "엉뚱한",
    "반짝이는",
    "배고픈",
    "조용한",
    "빠른",
    "싱그러운",
    "포근한",
    "새침한",
    "든든한",
    "상냥한",
    "신나는",
    "푸른",
];

const ANIMAL: [&str; 20] = [
    "고라니",
    "다람쥐",
    "두루미",
    "너구리",
    "수달",
    "참새",
    "고양이",
    "강아지",
    "토끼",
    "까치",
    "오소리",
    "청설모",
    "두더지",
    "부엉이",
    "담비",
    "사슴",
    "여우",
    "거북이",
    "고래",
    "나비",
];

/// Postcodes with the road addresses of town halls, which are not private addresses.
const PLACES: [(&str, &str); 25] = [
    ("04524", "서울특별시 중구 세종대로 110"),
    ("06090", "서울특별시 강남구 학동로 426"),
    ("07260", "서울특별시 영등포구 당산로 123"),
    ("05026", "서울특별시 광진구 자양로 117"),
    ("03384", "서울특별시 은평구 은평로 195"),
    ("01689", "서울특별시 노원구 노해로 437"),
    ("47545", "부산광역시 연제구 중앙대로 1001"),
    ("48095", "부산광역시 해운대구 중동2로 11"),
    ("41911", "대구광역시 중구 공평로 88"),
    ("21554", "인천광역시 남동구 정각로 29"),
    ("61945", "광주광역시 서구 내방로 111"),
    ("35242", "대전광역시 서구 둔산로 100"),
    ("44675", "울산광역시 남구 중앙로 201"),
    ("30151", "세종특별자치시 한누리대로 2130"),
    ("16490", "경기도 수원시 팔달구 효원로 241"),
    ("13437", "경기도 성남시 중원구 성남대로 997"),
    ("10460", "경기도 고양시 덕양구 고양시청로 10"),
    ("24266", "강원특별자치도 춘천시 시청길 11"),
    ("28542", "충청북도 청주시 상당구 상당로 155"),
    ("31156", "충청남도 천안시 서북구 번영로 156"),
    ("54994", "전북특별자치도 전주시 완산구 노송광장로 10"),
    ("59675", "전라남도 여수시 시청로 1"),
    ("37683", "경상북도 포항시 남구 시청로 1"),
    ("51439", "경상남도 창원시 의창구 중앙대로 151"),
    ("63208", "제주특별자치도 제주시 광양9길 10"),
];

/// `count` shoppers whose sign-in names continue after number `after`.
pub(super) fn generated_shoppers(after: usize, count: usize) -> Vec<Person> {
    let mut rng = SeededRng::new(20_261_121);
    (0..count)
        .map(|place| {
            let number = after + place + 1;
            let (postcode, address1) = rng.pick(&PLACES);
            // Every pair of mood and animal once.
            let mood = MOOD.get(place % MOOD.len()).copied().unwrap_or_default();
            let animal = ANIMAL
                .get((place / MOOD.len() + place) % ANIMAL.len())
                .copied()
                .unwrap_or_default();
            Person {
                username: format!("shopper{number:02}"),
                name: format!("{}{}", rng.pick(&FAMILY), rng.pick(&GIVEN)),
                nickname: format!("{mood}{animal}"),
                phone: format!("0102002{number:04}"),
                postcode: postcode.to_owned(),
                address1: address1.to_owned(),
                address2: format!(
                    "{}동 {}호",
                    101 + rng.below(12),
                    101 + 100 * rng.below(18) + rng.below(6)
                ),
                level: match rng.below(20) {
                    0 | 1 => "gold",
                    2..=6 => "silver",
                    _ => "welcome",
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn nicknames_and_phones_are_unique() {
        let shoppers = generated_shoppers(13, 187);
        let nicknames: BTreeSet<&str> = shoppers
            .iter()
            .map(|person| person.nickname.as_str())
            .collect();
        let phones: BTreeSet<&str> = shoppers
            .iter()
            .map(|person| person.phone.as_str())
            .collect();
        assert_eq!((nicknames.len(), phones.len()), (187, 187));
        assert_eq!(
            shoppers.first().map(|person| person.username.as_str()),
            Some("shopper14")
        );
    }
}
