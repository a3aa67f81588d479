-- What the search engine is told about each product, and since when.
CREATE TABLE p_search_documents_v3
(
    product    uuid PRIMARY KEY,
    seller     uuid        NOT NULL,
    data       jsonb       NOT NULL, -- the product record
    removed    boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    ledgers    uuid[]      NOT NULL, -- stock ledgers it depends on
    document   jsonb,                -- null: gone
    position   bigint      NOT NULL  -- of the event that last changed the document
);
CREATE INDEX p_search_documents_v3_position ON p_search_documents_v3 (position, product);
CREATE INDEX p_search_documents_v3_ledgers ON p_search_documents_v3 USING gin (ledgers);
CREATE INDEX p_search_documents_v3_seller ON p_search_documents_v3 (seller);

CREATE TABLE p_search_documents_v3_stock
(
    id        uuid PRIMARY KEY,
    available bigint NOT NULL,
    sells     bigint NOT NULL
);

-- The category tree, one row once there is one.
CREATE TABLE p_search_documents_v3_tree
(
    id   text PRIMARY KEY,
    tree jsonb NOT NULL
);
COMMENT ON TABLE p_search_documents_v3 IS 'documents for the search engine and the position that last changed each';
COMMENT ON TABLE p_search_documents_v3_stock IS 'pieces available and sold, as the documents know it';
COMMENT ON TABLE p_search_documents_v3_tree IS 'the category tree, as the documents know it';
