-- Views of the console's lists people saved under a name.
CREATE TABLE saved_views
(
    id         uuid PRIMARY KEY,
    owner      uuid        NOT NULL,
    page       text        NOT NULL,
    name       text        NOT NULL,
    query      text        NOT NULL,
    columns    text[]      NOT NULL,
    shared     boolean     NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE INDEX saved_views_page ON saved_views (page, owner);
