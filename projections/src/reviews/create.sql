-- Reviews, and what they come to for each product.
CREATE TABLE p_reviews_v2
(
    id          uuid PRIMARY KEY,
    product     uuid        NOT NULL,
    seller      uuid        NOT NULL,
    author      uuid        NOT NULL,
    purchase_no text        NOT NULL,
    star        integer     NOT NULL, -- 1 to 5
    pictures    integer     NOT NULL, -- how many
    best        boolean     NOT NULL, -- staff picked it
    shows       boolean     NOT NULL,
    removed     boolean     NOT NULL,
    barred      boolean     NOT NULL, -- staff removed it: it may not be written again
    replied_at  timestamptz,          -- when the answer that stands was given
    data        jsonb       NOT NULL, -- the whole record
    version     bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    position    bigint      NOT NULL
);
CREATE INDEX p_reviews_v2_product ON p_reviews_v2 (product, created_at DESC, id) WHERE shows AND NOT removed;
CREATE INDEX p_reviews_v2_star ON p_reviews_v2 (product, star, created_at DESC, id) WHERE shows AND NOT removed;
CREATE INDEX p_reviews_v2_author ON p_reviews_v2 (author, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_reviews_v2_seller ON p_reviews_v2 (seller, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_reviews_v2_latest ON p_reviews_v2 (created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_reviews_v2_purchase ON p_reviews_v2 (purchase_no);

CREATE TABLE p_reviews_v2_products
(
    product  uuid PRIMARY KEY,
    count    bigint NOT NULL, -- reviews shoppers see
    pictured bigint NOT NULL, -- those with a picture
    star1    bigint NOT NULL,
    star2    bigint NOT NULL,
    star3    bigint NOT NULL,
    star4    bigint NOT NULL,
    star5    bigint NOT NULL
);
CREATE INDEX p_reviews_v2_products_count ON p_reviews_v2_products (count DESC, product);
CREATE TABLE p_reviews_v2_counts
(
    kind text PRIMARY KEY,
    live bigint NOT NULL -- reviews that are not removed
);
COMMENT ON TABLE p_reviews_v2 IS 'reviews of purchases; their id follows from the purchase';
COMMENT ON TABLE p_reviews_v2_products IS 'how many reviews shoppers see of a product, by stars';
COMMENT ON TABLE p_reviews_v2_counts IS 'how many reviews there are';
