-- What each pile of goods holds. available = counted - taken + given_back; sells = taken - given_back.
CREATE TABLE p_stock_v1
(
    id         uuid PRIMARY KEY,
    product    uuid,            -- set by the first count
    counted    bigint NOT NULL, -- sum of the corrections counts made
    taken      bigint NOT NULL,
    given_back bigint NOT NULL,
    available  bigint NOT NULL,
    sells      bigint NOT NULL,
    version    bigint NOT NULL,
    position   bigint NOT NULL
);
CREATE INDEX p_stock_v1_product ON p_stock_v1 (product);
COMMENT ON TABLE p_stock_v1 IS 'pieces on hand and sold, one row a stock ledger (an option, or a product without options)';
