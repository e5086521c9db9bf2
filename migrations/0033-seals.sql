-- Seals of closed months (docs/seals.md): what the books of a month were when it was closed, in a log of each branch that
-- only grows.

CREATE TABLE seal (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  position bigint NOT NULL CHECK (position >= 0),
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  version integer NOT NULL CHECK (version > 0),
  company text NOT NULL,
  branch text NOT NULL,
  lines bigint NOT NULL CHECK (lines >= 0),
  lines_root bytea NOT NULL CHECK (octet_length(lines_root) = 32),
  balances bigint NOT NULL CHECK (balances >= 0),
  balances_root bytea NOT NULL CHECK (octet_length(balances_root) = 32),
  previous bytea CHECK (octet_length(previous) = 32),
  sealed_at timestamptz NOT NULL CHECK (sealed_at = date_trunc('milliseconds', sealed_at)),
  sealed_by text NOT NULL,
  replaces bytea CHECK (octet_length(replaces) = 32),
  reason text,
  seal bytea NOT NULL CHECK (octet_length(seal) = 32),
  key_id text NOT NULL,
  jws text NOT NULL,
  PRIMARY KEY (company_id, branch_id, position),
  UNIQUE (company_id, branch_id, seal),
  CHECK ((previous IS NULL) = (position = 0)),
  CHECK (replaces IS NOT NULL OR reason IS NULL),
  FOREIGN KEY (company_id, branch_id, month) REFERENCES month (company_id, branch_id, month)
);
COMMENT ON TABLE seal IS 'The log of each branch: a row for each close of a month, never changed and never removed, not even when the month is opened again';
COMMENT ON COLUMN seal.position IS 'Place in the branch''s log, from 0';
COMMENT ON COLUMN seal.version IS 'Of the leaf bytes and of the record (docs/seals.md)';
COMMENT ON COLUMN seal.company IS 'Code of the company when the month was sealed, as signed';
COMMENT ON COLUMN seal.branch IS 'Code of the branch when the month was sealed, as signed';
COMMENT ON COLUMN seal.lines_root IS 'Root of the Merkle tree over the lines in the order of the books';
COMMENT ON COLUMN seal.balances_root IS 'Root of the Merkle tree over the balances in the order of the accounts';
COMMENT ON COLUMN seal.previous IS 'The seal one position before; NULL: the first of the branch';
COMMENT ON COLUMN seal.sealed_at IS 'To the millisecond, as signed';
COMMENT ON COLUMN seal.sealed_by IS 'Who asked for the close, by user name';
COMMENT ON COLUMN seal.replaces IS 'The last seal that the month had before it was opened again; NULL: its first';
COMMENT ON COLUMN seal.reason IS 'Why the month was opened again';
COMMENT ON COLUMN seal.seal IS 'SHA-256 of 0x00 and the record: its leaf in the branch''s log';
COMMENT ON COLUMN seal.key_id IS 'Key that signed the record, which is not in the database';
COMMENT ON COLUMN seal.jws IS 'The signed record (RFC 7515, compact)';
CREATE INDEX seal_month ON seal (company_id, branch_id, month, position);
COMMENT ON INDEX seal_month IS 'The seals of a month, the one in force last';
CREATE UNIQUE INDEX seal_replaces ON seal (company_id, branch_id, replaces) WHERE replaces IS NOT NULL;
COMMENT ON INDEX seal_replaces IS 'A seal is replaced once; the seal that replaces another';
CALL enable_tenant_isolation('seal');

-- Appends the seal of a month that is closed: after the last one of the branch, and in the place of the month's last one.
CREATE FUNCTION append_seal(added seal) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last record;
  replaced bytea;
BEGIN
  PERFORM refuse_foreign_company(added.company_id);
  PERFORM 1 FROM month
    WHERE month.company_id = added.company_id AND month.branch_id = added.branch_id AND month.month = added.month
      AND month.state = 'CLOSED'
      FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not closed', added.month, added.branch_id USING ERRCODE = 'PB002';
  END IF;
  SELECT seal.position, seal.seal INTO last
    FROM seal
   WHERE seal.company_id = added.company_id AND seal.branch_id = added.branch_id
   ORDER BY seal.position DESC LIMIT 1;
  SELECT seal.seal INTO replaced
    FROM seal
   WHERE seal.company_id = added.company_id AND seal.branch_id = added.branch_id AND seal.month = added.month
   ORDER BY seal.position DESC LIMIT 1;
  IF (added.position, added.previous, added.replaces)
     IS DISTINCT FROM (coalesce(last.position + 1, 0), last.seal, replaced) THEN
    RAISE EXCEPTION 'the seal does not continue the log of branch %', added.branch_id USING ERRCODE = 'PB002';
  END IF;
  INSERT INTO seal SELECT added.*;
END $$;
