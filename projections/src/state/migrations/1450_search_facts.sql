-- What people look for. A term is counted once a visitor and day; who the visitor was cannot be told, and once the day's
-- salt is gone, not even whether two days had the same one.
CREATE TABLE term_facts
(
    kind    text        NOT NULL CHECK (kind IN ('SEARCH', 'TAG')),
    day     date        NOT NULL, -- in Seoul
    term    text        NOT NULL CHECK (length(term) BETWEEN 1 AND 50),
    visitor bytea       NOT NULL, -- hash of address and browser with the day's salt
    at      timestamptz NOT NULL,
    PRIMARY KEY (kind, day, term, visitor)
);
COMMENT ON TABLE term_facts IS 'search terms and tags, once a visitor and day; kept 400 days';

CREATE TABLE visitor_salts
(
    day  date PRIMARY KEY, -- in Seoul
    salt bytea NOT NULL
);
COMMENT ON TABLE visitor_salts IS 'what a day''s visitors are hashed with; forgotten when the day is over';

-- Search indexes that are to be built anew by the process that has them open.
CREATE TABLE search_rebuilds
(
    id       uuid PRIMARY KEY,
    target   text        NOT NULL, -- which index
    asked_at timestamptz NOT NULL,
    begun_at timestamptz,
    ended_at timestamptz,
    done     bigint      NOT NULL DEFAULT 0, -- documents
    total    bigint      NOT NULL DEFAULT 0,
    error    text                  -- why it was given up
);
COMMENT ON TABLE search_rebuilds IS 'search indexes asked to be built anew, and how far that is';
