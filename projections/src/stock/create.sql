-- What each pile of goods holds. available = counted - taken + given_back;
-- sells = taken - given_back - written_off.
CREATE TABLE p_stock_v2
(
    id          uuid PRIMARY KEY,
    product     uuid,            -- set by the first count
    counted     bigint NOT NULL, -- sum of the corrections counts made
    taken       bigint NOT NULL,
    given_back  bigint NOT NULL,
    written_off bigint NOT NULL, -- came back and cannot be sold again
    available   bigint NOT NULL,
    sells       bigint NOT NULL,
    version     bigint NOT NULL,
    position    bigint NOT NULL
);
CREATE INDEX p_stock_v2_product ON p_stock_v2 (product);
COMMENT ON TABLE p_stock_v2 IS 'pieces on hand and sold, one row a stock ledger (an option, or a product without options)';
