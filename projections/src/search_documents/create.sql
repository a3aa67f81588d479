-- What the search engine is told about each product, and since when.
CREATE TABLE p_search_documents_v1
(
    product  uuid PRIMARY KEY,
    data     jsonb,            -- the product record; null while only its stock is known
    removed  boolean NOT NULL,
    created_at timestamptz,
    stock    jsonb   NOT NULL, -- available pieces by ledger
    sells    jsonb   NOT NULL, -- sold pieces by ledger
    document jsonb,            -- null: not to be found
    position bigint  NOT NULL  -- of the event that last changed the document
);
CREATE INDEX p_search_documents_v1_position ON p_search_documents_v1 (position, product);

-- The tree as it was when the documents were made.
CREATE TABLE p_search_documents_v1_tree
(
    id    text PRIMARY KEY,
    tree  jsonb NOT NULL
);
COMMENT ON TABLE p_search_documents_v1 IS 'documents for the search engine and the position that last changed each';
