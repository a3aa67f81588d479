-- One append, whole, in one round trip: locks, command id, expected heads, reservations, events, answer.
--
-- Everything is checked before anything is written, so a refusal leaves nothing behind and needs no rollback.
-- The advisory locks make that sound: whoever writes a stream, a reservation or a command holds its lock
-- exclusively, a condition on a stream holds it shared, and everybody takes them in the order of their keys.
-- Each statement of a plpgsql function has a snapshot of its own, so the heads are read after the locks were won.
-- The primary keys remain the last line of defence (a stock postgres-es takes no locks).
CREATE FUNCTION append_events(
    lock_keys bigint[], lock_shared boolean[], may_wait boolean,
    stream_kinds text[], stream_ids text[], expected_heads bigint[], -- -1: any head
    event_streams integer[], event_offsets integer[], event_types text[], event_versions text[],
    payloads text[], event_ids uuid[],
    event_metadata text, correlation uuid, causation uuid, occurred timestamptz,
    command_scope text, command_key text, command_hash bytea, command_result text, command_expires timestamptz,
    reserve_takes boolean[], reserve_scopes text[], reserve_hashes bytea[], reserve_owners text[],
    OUT status text,            -- written | busy | repeated | other_body | conflict | taken
    OUT subject integer,        -- conflict: which stream; taken: which reservation (counted from 1)
    OUT heads bigint[],         -- of the streams, before the append
    OUT first_position bigint, OUT last_position bigint, OUT result json
)
LANGUAGE plpgsql
-- planning anew for every array that comes takes longer than the whole append (measured: 0.33 ms against 0.18 ms)
SET plan_cache_mode = force_generic_plan AS
$$
DECLARE
    known_hash bytea;
    changed    integer;
BEGIN
    first_position := 0;
    last_position := 0;

    FOR i IN 1 .. cardinality(lock_keys) LOOP
        IF may_wait THEN
            IF lock_shared[i] THEN
                PERFORM pg_advisory_xact_lock_shared(lock_keys[i]);
            ELSE
                PERFORM pg_advisory_xact_lock(lock_keys[i]);
            END IF;
        ELSIF NOT (CASE WHEN lock_shared[i] THEN pg_try_advisory_xact_lock_shared(lock_keys[i])
                        ELSE pg_try_advisory_xact_lock(lock_keys[i]) END) THEN
            status := 'busy';
            RETURN;
        END IF;
    END LOOP;

    IF command_key IS NOT NULL THEN
        SELECT d.body_hash, d.first_position, d.last_position, d.result
        INTO known_hash, first_position, last_position, result
        FROM command_dedup d
        WHERE d.scope = command_scope AND d.key = command_key
          AND (d.expires_at IS NULL OR d.expires_at > clock_timestamp());
        IF FOUND THEN
            status := CASE WHEN known_hash = command_hash THEN 'repeated' ELSE 'other_body' END;
            RETURN;
        END IF;
        first_position := 0;
        last_position := 0;
    END IF;

    SELECT array_agg(s.head ORDER BY s.nr), min(s.nr) FILTER (WHERE s.expected >= 0 AND s.head <> s.expected)
    INTO heads, subject
    FROM (SELECT w.nr, w.expected,
                 coalesce((SELECT max(e.sequence) FROM events e
                           WHERE e.aggregate_type = w.kind AND e.aggregate_id = w.id), 0) AS head
          FROM unnest(stream_kinds, stream_ids, expected_heads) WITH ORDINALITY AS w(kind, id, expected, nr)) s;
    IF subject IS NOT NULL THEN
        status := 'conflict';
        RETURN;
    END IF;

    IF cardinality(reserve_takes) > 0 THEN
        SELECT min(w.nr) INTO subject
        FROM unnest(reserve_takes, reserve_scopes, reserve_hashes, reserve_owners)
             WITH ORDINALITY AS w(take, scope, hash, owner, nr)
        JOIN reservations r ON r.scope = w.scope AND r.key_hash = w.hash AND r.owner <> w.owner
        WHERE w.take
          AND NOT EXISTS (SELECT FROM unnest(reserve_takes, reserve_scopes, reserve_hashes, reserve_owners)
                                      AS f(take, scope, hash, owner)
                          WHERE NOT f.take AND f.scope = r.scope AND f.hash = r.key_hash AND f.owner = r.owner);
        IF subject IS NOT NULL THEN
            status := 'taken';
            RETURN;
        END IF;

        DELETE FROM reservations r
        USING unnest(reserve_takes, reserve_scopes, reserve_hashes, reserve_owners) AS w(take, scope, hash, owner)
        WHERE NOT w.take AND r.scope = w.scope AND r.key_hash = w.hash AND r.owner = w.owner;

        INSERT INTO reservations (scope, key_hash, owner)
        SELECT w.scope, w.hash, w.owner
        FROM unnest(reserve_takes, reserve_scopes, reserve_hashes, reserve_owners) AS w(take, scope, hash, owner)
        WHERE w.take
        ON CONFLICT (scope, key_hash) DO UPDATE SET owner = excluded.owner WHERE reservations.owner = excluded.owner;
        GET DIAGNOSTICS changed = ROW_COUNT;
        IF changed <> (SELECT count(*) FROM unnest(reserve_takes) AS w(take) WHERE w.take) THEN
            RAISE unique_violation USING CONSTRAINT = 'reservations_pkey', MESSAGE = 'reserved by somebody else';
        END IF;
    END IF;

    IF cardinality(event_streams) > 0 THEN
        WITH written AS (
            INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                                event_id, correlation_id, causation_id, occurred_at)
            SELECT stream_kinds[n.stream], stream_ids[n.stream], heads[n.stream] + n.step, n.type, n.version,
                   n.payload::json, event_metadata::json, n.id, correlation, causation, occurred
            FROM unnest(event_streams, event_offsets, event_types, event_versions, payloads, event_ids)
                 WITH ORDINALITY AS n(stream, step, type, version, payload, id, nr)
            ORDER BY n.nr
            RETURNING global_position)
        SELECT min(w.global_position), max(w.global_position) INTO first_position, last_position FROM written w;
    END IF;

    IF command_key IS NOT NULL THEN
        INSERT INTO command_dedup AS d (scope, key, body_hash, result, first_position, last_position, expires_at)
        VALUES (command_scope, command_key, command_hash, command_result::json,
                append_events.first_position, append_events.last_position, command_expires)
        ON CONFLICT (scope, key) DO UPDATE -- only an expired one can still be there
            SET body_hash = excluded.body_hash, result = excluded.result, first_position = excluded.first_position,
                last_position = excluded.last_position, created_at = clock_timestamp(), expires_at = excluded.expires_at;
    END IF;
    status := 'written';
END
$$;
