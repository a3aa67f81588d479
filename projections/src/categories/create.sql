-- The category tree, one row a category.
CREATE TABLE p_categories_v1
(
    id       uuid PRIMARY KEY,
    code     text COLLATE "C" NOT NULL,
    name     text    NOT NULL,
    parent   uuid,
    depth    integer NOT NULL, -- 1 for a root
    index    integer NOT NULL, -- place among its siblings, lowest first
    facts    jsonb   NOT NULL, -- name, picture, brands, shows
    path     text[]  NOT NULL, -- codes from the root down to itself
    version  bigint  NOT NULL, -- of the tree
    position bigint  NOT NULL
);
CREATE INDEX p_categories_v1_code ON p_categories_v1 (code);
CREATE INDEX p_categories_v1_path ON p_categories_v1 USING gin (path);
COMMENT ON TABLE p_categories_v1 IS 'the category tree with each category''s path from the root';
