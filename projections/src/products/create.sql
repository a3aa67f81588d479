-- Products and their options. Stock and sells are the stock ledger's and are joined when read.
CREATE TABLE p_products_v2
(
    id          uuid PRIMARY KEY,
    code        text        NOT NULL,
    name        text        NOT NULL,
    kind        text        NOT NULL,
    seller      uuid        NOT NULL,
    price       bigint      NOT NULL, -- hundredths
    sale_price  bigint      NOT NULL, -- price less the product's own discount
    brand       text,
    categories  text[]      NOT NULL, -- as the product names them; ancestors follow from the tree
    has_options boolean     NOT NULL,
    shipping    uuid,
    shows       boolean     NOT NULL,
    removed     boolean     NOT NULL,
    index       integer     NOT NULL,
    pieces      text[]      NOT NULL, -- one- and two-letter pieces of name and code, for searching inside them
    data        jsonb       NOT NULL, -- the whole record
    version     bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    position    bigint      NOT NULL
);
CREATE INDEX p_products_v2_code ON p_products_v2 (code);
CREATE INDEX p_products_v2_seller ON p_products_v2 (seller);
CREATE INDEX p_products_v2_categories ON p_products_v2 USING gin (categories);
CREATE INDEX p_products_v2_pieces ON p_products_v2 USING gin (pieces);
CREATE INDEX p_products_v2_latest ON p_products_v2 (created_at DESC, id) WHERE shows AND NOT removed;
CREATE INDEX p_products_v2_price ON p_products_v2 (sale_price, id) WHERE shows AND NOT removed;
CREATE INDEX p_products_v2_name ON p_products_v2 (name COLLATE "C", id) WHERE shows AND NOT removed;

CREATE TABLE p_products_v2_options
(
    product uuid    NOT NULL,
    id      uuid    NOT NULL,
    line    integer NOT NULL, -- place in the product's list
    hexa    text,
    name    text    NOT NULL,
    value   text    NOT NULL,
    price   bigint  NOT NULL, -- added to the product's price, hundredths
    enabled boolean NOT NULL,
    PRIMARY KEY (product, id)
);

CREATE TABLE p_products_v2_counts
(
    kind text PRIMARY KEY,
    live bigint NOT NULL -- products that are not removed
);
COMMENT ON TABLE p_products_v2 IS 'products; prices in hundredths';
COMMENT ON TABLE p_products_v2_options IS 'the ways to buy a product';
COMMENT ON TABLE p_products_v2_counts IS 'how many products there are';
