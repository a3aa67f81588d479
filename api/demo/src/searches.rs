//! Searches of the last three days, for words with matches.

use serde_json::json;
use time::Duration;

use crate::client::ApiClient;

/// Words and tags, each with the number of visitors who searched for it two days ago, yesterday and today.
const WORDS: [(&str, [u8; 3]); 10] = [
    ("전동킥보드", [6, 9, 5]),
    ("착즙주스", [7, 8, 6]),
    ("로드 자전거", [5, 7, 4]),
    ("미니벨로", [2, 6, 3]),
    ("전기자전거", [4, 5, 4]),
    ("제주감귤", [1, 4, 3]),
    ("어린이 자전거", [3, 3, 2]),
    ("클래식 스쿠터", [3, 2, 2]),
    ("골라 담기", [0, 2, 2]),
    ("북한산", [2, 1, 1]),
];
const TAGS: [(&str, [u8; 3]); 6] = [
    ("출퇴근", [3, 4, 3]),
    ("착즙주스", [2, 3, 2]),
    ("로드", [2, 3, 1]),
    ("킥보드", [1, 2, 2]),
    ("어린이", [1, 2, 1]),
    ("세트", [0, 1, 1]),
];

/// Searches for them, every visitor with a different browser.
pub(crate) async fn search(client: &mut ApiClient) -> anyhow::Result<()> {
    for (day, ago) in [Duration::DAY * 2, Duration::DAY, Duration::ZERO]
        .into_iter()
        .enumerate()
    {
        client.go_back(ago);
        let words = WORDS.iter().map(|row| ("SEARCH", row));
        let tags = TAGS.iter().map(|row| ("TAG", row));
        for (kind, (word, visitors)) in words.chain(tags) {
            for visitor in 0..visitors.get(day).copied().unwrap_or_default() {
                let form = json!({ "type": kind, "value": word });
                let browser = format!("demo/{visitor}");
                client
                    .post_as_visitor(&browser, "/api/v1/shop/logs", &form)
                    .await?;
            }
        }
    }
    Ok(())
}
