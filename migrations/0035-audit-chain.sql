-- The chain of the trail: a row of audit that is changed, removed or put in later is found (docs/decisions/0041).

CREATE TABLE audit_link (
  position bigint PRIMARY KEY CHECK (position > 0),
  audit_id bigint NOT NULL UNIQUE,
  hash bytea NOT NULL CHECK (octet_length(hash) = 32)
);
COMMENT ON TABLE audit_link IS 'The rows of the trail in the order in which they were chained, with what all of them up to each hash to; never changed';
COMMENT ON COLUMN audit_link.position IS 'From 1, without gaps';
COMMENT ON COLUMN audit_link.hash IS 'SHA-256 of the hash before it (of the first: 32 zero bytes) and of the text of the row (audit_text)';

CREATE TABLE audit_head (
  position bigint PRIMARY KEY,
  signed_at timestamptz NOT NULL,
  jws text NOT NULL
);
COMMENT ON TABLE audit_head IS 'Ends of the chain, one an hour, signed with a key that is not in the database: a chain cut off before the last of them, or made anew, is found';
COMMENT ON COLUMN audit_head.jws IS 'Signed position and hash (RFC 7515, compact)';

CREATE TABLE audit_chain (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  settled_id bigint NOT NULL DEFAULT 0,
  watched_id bigint NOT NULL DEFAULT 0,
  watched_xid xid8,
  watched_at timestamptz
);
COMMENT ON TABLE audit_chain IS 'The one row is locked by whoever chains: links are made one transaction after the other';
COMMENT ON COLUMN audit_chain.settled_id IS 'Up to this id every row of the trail is chained, and none can come any more';
COMMENT ON COLUMN audit_chain.watched_id IS 'Becomes settled_id when the transactions that ran when it was seen have ended, and a while has passed';
COMMENT ON COLUMN audit_chain.watched_xid IS 'The next transaction id when it was seen';
INSERT INTO audit_chain DEFAULT VALUES;

CREATE FUNCTION sized(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(octet_length(value) || ':' || value, '-');

-- What is hashed of a row: its columns in their order, each as its length in bytes, a colon and its text; - for NULL.
CREATE FUNCTION audit_text(entry audit) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
RETURN concat_ws(',', sized(entry.id::text),
                 sized(to_char(entry.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')), sized(entry.user_id::text),
                 sized(entry.username), sized(entry.address), sized(entry.action), sized(entry.entity),
                 sized(entry.entity_id), sized(entry.company_id::text), sized(entry.branch_id::text),
                 sized(entry.before::text), sized(entry.after::text));

-- Chains committed rows of the trail, at most so many, in the order of their ids; returns how many. Whoever writes the trail
-- never waits for it. A row whose transaction commits late is chained after rows of higher ids; until that cannot happen any
-- more, ids are looked at again (settled_id).
CREATE FUNCTION chain_audit(most integer, settling interval) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  chain audit_chain;
  reached bigint;
  hash bytea;
  entry audit;
  added bigint := 0;
  is_ripe boolean;
BEGIN
  SELECT * INTO chain FROM audit_chain FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT audit_link.position, audit_link.hash INTO reached, hash
    FROM audit_link ORDER BY audit_link.position DESC LIMIT 1;
  reached := coalesce(reached, 0);
  hash := coalesce(hash, decode(repeat('00', 32), 'hex'));
  -- On another server than before, transaction ids begin anew.
  IF chain.watched_xid IS NOT NULL AND chain.watched_xid > pg_snapshot_xmax(pg_current_snapshot()) THEN
    chain.watched_xid := NULL;
  END IF;
  is_ripe := coalesce(chain.watched_xid <= pg_snapshot_xmin(pg_current_snapshot())
                      AND chain.watched_at <= clock_timestamp() - settling, false);
  FOR entry IN
    SELECT audit.* FROM audit
     WHERE audit.id > chain.settled_id
       AND NOT EXISTS (SELECT 1 FROM audit_link WHERE audit_link.audit_id = audit.id)
     ORDER BY audit.id LIMIT most
  LOOP
    added := added + 1;
    hash := sha256(hash || convert_to(audit_text(entry), 'UTF8'));
    INSERT INTO audit_link (position, audit_id, hash) VALUES (reached + added, entry.id, hash);
  END LOOP;
  -- Only now: what those transactions left is read by the statement above, after they had ended.
  IF added < most AND is_ripe THEN
    chain.settled_id := greatest(chain.settled_id, chain.watched_id);
    chain.watched_xid := NULL;
  END IF;
  IF added < most AND chain.watched_xid IS NULL THEN
    SELECT coalesce(max(audit_link.audit_id), 0), pg_snapshot_xmax(pg_current_snapshot()), clock_timestamp()
      INTO chain.watched_id, chain.watched_xid, chain.watched_at
      FROM audit_link;
  END IF;
  UPDATE audit_chain SET settled_id = chain.settled_id, watched_id = chain.watched_id, watched_xid = chain.watched_xid,
                         watched_at = chain.watched_at
   WHERE (audit_chain.settled_id, audit_chain.watched_id, audit_chain.watched_xid) IS DISTINCT FROM
         (chain.settled_id, chain.watched_id, chain.watched_xid);
  RETURN added;
END $$;

-- Keeps a signed end of the chain, where the last one is an hour old.
CREATE FUNCTION keep_audit_head(head_position bigint, signed text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp
BEGIN ATOMIC
  INSERT INTO audit_head (position, signed_at, jws)
  SELECT head_position, now(), signed
   WHERE NOT EXISTS (SELECT 1 FROM audit_head WHERE audit_head.signed_at > now() - interval '1 hour')
  ON CONFLICT DO NOTHING;
END;
