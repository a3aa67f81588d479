-- What SQL of other crates may ask of the log beside their own tables: none of it names the table `events`.

-- The position of a stream's newest event; null if it has none. Positions rise within a stream, so this is one look into the
-- primary key.
CREATE FUNCTION stream_position(stream_kind text, stream_id text) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT global_position FROM events WHERE aggregate_type = stream_kind AND aggregate_id = stream_id
            ORDER BY sequence DESC LIMIT 1);

-- When the event at a position was recorded; null if there is none.
CREATE FUNCTION position_recorded_at(at_position bigint) RETURNS timestamptz
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT recorded_at FROM events WHERE global_position = at_position);

CREATE VIEW event_outlines AS
SELECT global_position AS "position", aggregate_type AS stream_kind, aggregate_id AS stream_id, sequence AS version,
       event_type AS type, metadata ->> 'command' AS command, (metadata ->> 'actor')::json ->> 'kind' AS actor_kind,
       correlation_id, causation_id, occurred_at, recorded_at
FROM events;
COMMENT ON VIEW event_outlines IS 'the log without what the events say, for reporting';
