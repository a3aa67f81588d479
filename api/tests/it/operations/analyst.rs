//! The views of analysts, and no access to anything else (docs/analyst.md).

use sqlx::{Connection, Executor};

use crate::support::TestApp;

#[tokio::test]
async fn an_analyst_reads_the_views_and_nothing_else() {
    let shop = TestApp::seeded().await;
    // Creating them again works too.
    for _ in 0..2 {
        projections::reporting_views::make(shop.app.pool())
            .await
            .unwrap();
    }
    let mut analyst = sqlx::PgConnection::connect(&shop.database).await.unwrap();
    let role = format!("SET ROLE {}", projections::reporting_views::ROLE);
    analyst.execute(role.as_str()).await.unwrap();
    // The example queries of the page for analysts.
    let page = include_str!("../../../../docs/analyst.md");
    let questions: Vec<&str> = page
        .split("```sql")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert_eq!(questions.len(), 3);
    for question in questions {
        let rows = analyst.fetch_all(question).await.unwrap();
        assert!(!rows.is_empty(), "{question}");
    }
    for forbidden in [
        "SELECT payload FROM events",
        "SELECT profile FROM members",
        "SELECT * FROM keys.data_key",
        "SELECT * FROM credentials",
        "SELECT claim_reason FROM orders_purchases",
        "DELETE FROM log_blocks",
        "UPDATE analyst.orders SET payable = 0",
        "INSERT INTO analyst.orders DEFAULT VALUES",
        "CREATE TABLE analyst.mine (n int)",
    ] {
        let refused = analyst.execute(forbidden).await.unwrap_err();
        let code = refused
            .as_database_error()
            .and_then(|error| error.code().map(|code| code.into_owned()));
        assert!(
            matches!(code.as_deref(), Some("42501" | "55000")),
            "{forbidden}: {refused}"
        );
    }
}
