-- Many appends in one transaction: what append_events does for one, done for each in turn. An append that is refused, or would
-- have to wait, leaves nothing behind and does not disturb the others; later ones see what earlier ones wrote.
--
-- append_events stays for programs of before.
CREATE TYPE append_call AS
(
    lock_keys       bigint[],
    lock_shared     boolean[],
    stream_kinds    text[],    -- written streams first, then the conditions
    stream_ids      text[],
    expected_heads  bigint[],  -- -1: any head
    event_streams   integer[],
    event_offsets   integer[],
    event_types     text[],
    event_versions  text[],
    payloads        text[],
    event_ids       uuid[],
    metadata        text,
    correlation     uuid,
    causation       uuid,
    occurred        timestamptz,
    command_scope   text,
    command_key     text,
    command_hash    bytea,
    command_result  text,
    command_expires timestamptz,
    reserve_takes   boolean[],
    reserve_scopes  text[],
    reserve_hashes  bytea[],
    reserve_owners  text[]
);

CREATE FUNCTION append_all(calls append_call[], may_wait boolean)
RETURNS TABLE -- a row for each call, in their order
(
    status         text,     -- written | busy | repeated | other_body | conflict | taken
    subject        integer,  -- conflict: which stream; taken: which reservation (counted from 1)
    heads          bigint[], -- of the streams, before the append
    first_position bigint,
    last_position  bigint,
    result         json
)
LANGUAGE plpgsql
-- planning anew for every array that comes takes longer than the whole append
SET plan_cache_mode = force_generic_plan AS
$$
DECLARE
    call     append_call;
    known    command_dedup;
    head     bigint;
    changed  integer;
    position bigint;
BEGIN
    FOREACH call IN ARRAY calls LOOP
        subject := NULL;
        heads := NULL;
        first_position := 0;
        last_position := 0;
        result := NULL;
        <<append>>
        BEGIN
            FOR i IN 1 .. cardinality(call.lock_keys) LOOP
                IF may_wait THEN
                    IF call.lock_shared[i] THEN
                        PERFORM pg_advisory_xact_lock_shared(call.lock_keys[i]);
                    ELSE
                        PERFORM pg_advisory_xact_lock(call.lock_keys[i]);
                    END IF;
                ELSIF NOT (CASE WHEN call.lock_shared[i] THEN pg_try_advisory_xact_lock_shared(call.lock_keys[i])
                                ELSE pg_try_advisory_xact_lock(call.lock_keys[i]) END) THEN
                    status := 'busy';
                    EXIT append;
                END IF;
            END LOOP;

            IF call.command_key IS NOT NULL THEN
                SELECT d.* INTO known FROM command_dedup d
                WHERE d.scope = call.command_scope AND d.key = call.command_key;
                IF FOUND AND (known.expires_at IS NULL OR known.expires_at > clock_timestamp()) THEN
                    status := CASE WHEN known.body_hash = call.command_hash THEN 'repeated' ELSE 'other_body' END;
                    first_position := known.first_position;
                    last_position := known.last_position;
                    result := known.result;
                    EXIT append;
                ELSIF FOUND THEN
                    DELETE FROM command_dedup d WHERE d.scope = call.command_scope AND d.key = call.command_key;
                END IF;
            END IF;

            FOR i IN 1 .. cardinality(call.stream_kinds) LOOP
                SELECT e.sequence INTO head FROM events e
                WHERE e.aggregate_type = call.stream_kinds[i] AND e.aggregate_id = call.stream_ids[i]
                ORDER BY e.sequence DESC LIMIT 1;
                heads[i] := coalesce(head, 0);
                IF call.expected_heads[i] >= 0 AND call.expected_heads[i] <> heads[i] THEN
                    status := 'conflict';
                    subject := i;
                    EXIT append;
                END IF;
            END LOOP;

            IF cardinality(call.reserve_takes) > 0 THEN
                SELECT min(w.nr) INTO subject
                FROM unnest(call.reserve_takes, call.reserve_scopes, call.reserve_hashes, call.reserve_owners)
                     WITH ORDINALITY AS w(take, scope, hash, owner, nr)
                JOIN reservations r ON r.scope = w.scope AND r.key_hash = w.hash AND r.owner <> w.owner
                WHERE w.take
                  AND NOT EXISTS (SELECT FROM unnest(call.reserve_takes, call.reserve_scopes, call.reserve_hashes,
                                                     call.reserve_owners) AS f(take, scope, hash, owner)
                                  WHERE NOT f.take AND f.scope = r.scope AND f.hash = r.key_hash AND f.owner = r.owner);
                IF subject IS NOT NULL THEN
                    status := 'taken';
                    EXIT append;
                END IF;

                DELETE FROM reservations r
                USING unnest(call.reserve_takes, call.reserve_scopes, call.reserve_hashes, call.reserve_owners)
                      AS w(take, scope, hash, owner)
                WHERE NOT w.take AND r.scope = w.scope AND r.key_hash = w.hash AND r.owner = w.owner;

                INSERT INTO reservations (scope, key_hash, owner)
                SELECT w.scope, w.hash, w.owner
                FROM unnest(call.reserve_takes, call.reserve_scopes, call.reserve_hashes, call.reserve_owners)
                     AS w(take, scope, hash, owner)
                WHERE w.take
                ON CONFLICT (scope, key_hash) DO UPDATE SET owner = excluded.owner
                    WHERE reservations.owner = excluded.owner;
                GET DIAGNOSTICS changed = ROW_COUNT;
                IF changed <> (SELECT count(*) FROM unnest(call.reserve_takes) AS w(take) WHERE w.take) THEN
                    RAISE unique_violation USING CONSTRAINT = 'reservations_pkey', MESSAGE = 'reserved by somebody else';
                END IF;
            END IF;

            FOR position IN
                INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata,
                                    event_id, correlation_id, causation_id, occurred_at)
                SELECT call.stream_kinds[call.event_streams[n]], call.stream_ids[call.event_streams[n]],
                       heads[call.event_streams[n]] + call.event_offsets[n], call.event_types[n], call.event_versions[n],
                       call.payloads[n]::json, call.metadata::json, call.event_ids[n], call.correlation, call.causation,
                       call.occurred
                FROM generate_series(1, cardinality(call.event_streams)) n -- comes in order, and nothing here changes it
                RETURNING global_position
            LOOP
                last_position := position;
                IF first_position = 0 THEN
                    first_position := position;
                END IF;
            END LOOP;

            IF call.command_key IS NOT NULL THEN
                INSERT INTO command_dedup (scope, key, body_hash, result, first_position, last_position, expires_at)
                VALUES (call.command_scope, call.command_key, call.command_hash, call.command_result::json,
                        append_all.first_position, append_all.last_position, call.command_expires);
            END IF;
            status := 'written';
        END append;
        RETURN NEXT;
    END LOOP;
END
$$;
