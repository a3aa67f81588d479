-- What the search engine is told about each product, and since when.
CREATE TABLE p_search_documents_v5
(
    product    uuid PRIMARY KEY,
    seller     uuid        NOT NULL,
    data       jsonb       NOT NULL, -- the product record
    removed    boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    ledgers    uuid[]      NOT NULL, -- stock ledgers it depends on
    parts      uuid[]      NOT NULL, -- of a set: the products it is made of
    document   jsonb,                -- null: gone
    position   bigint      NOT NULL  -- of the event that last changed the document
);
CREATE INDEX p_search_documents_v5_position ON p_search_documents_v5 (position, product);
CREATE INDEX p_search_documents_v5_ledgers ON p_search_documents_v5 USING gin (ledgers);
CREATE INDEX p_search_documents_v5_parts ON p_search_documents_v5 USING gin (parts);
CREATE INDEX p_search_documents_v5_seller ON p_search_documents_v5 (seller);

CREATE TABLE p_search_documents_v5_stock
(
    id        uuid PRIMARY KEY,
    available bigint NOT NULL,
    sells     bigint NOT NULL
);

-- What reviews and shipping groups are about: a product, a seller.
CREATE TABLE p_search_documents_v5_ties
(
    id    uuid PRIMARY KEY,
    about uuid NOT NULL
);

-- The category tree, one row once there is one.
CREATE TABLE p_search_documents_v5_tree
(
    id   text PRIMARY KEY,
    tree jsonb NOT NULL
);
COMMENT ON TABLE p_search_documents_v5 IS 'documents for the search engine and the position that last changed each';
COMMENT ON TABLE p_search_documents_v5_stock IS 'pieces available and sold, as the documents know it';
COMMENT ON TABLE p_search_documents_v5_tree IS 'the category tree, as the documents know it';
COMMENT ON TABLE p_search_documents_v5_ties IS 'the product a review is about and the seller a shipping group is of';
