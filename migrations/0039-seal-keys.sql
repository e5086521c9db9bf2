-- What goes with the seals of closed months: which keys sign them, the signed heads of their logs, and timestamps.

CREATE TABLE seal_key (
  kid text PRIMARY KEY,
  registered_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE seal_key IS 'Keys that processes of this installation sign seals with. The keys themselves are in files: a process that does not know one of these was given another file';

CREATE TABLE seal_checkpoint (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  position bigint NOT NULL,
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  note text NOT NULL,
  PRIMARY KEY (company_id, branch_id, position),
  FOREIGN KEY (company_id, branch_id, position) REFERENCES seal (company_id, branch_id, position)
);
COMMENT ON TABLE seal_checkpoint IS 'The signed head of a branch''s log with each of its seals, written in the same transaction and never changed';
COMMENT ON COLUMN seal_checkpoint.root IS 'Root of the Merkle tree over the seals from position 0 to this one';
COMMENT ON COLUMN seal_checkpoint.note IS 'C2SP signed note, as it is served';
CALL enable_tenant_isolation('seal_checkpoint');

CREATE TABLE seal_timestamp (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  position bigint NOT NULL,
  token bytea NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (company_id, branch_id, position),
  FOREIGN KEY (company_id, branch_id, position) REFERENCES seal (company_id, branch_id, position)
);
COMMENT ON TABLE seal_timestamp IS 'Timestamps of seals by a third party, asked for after the close (SEAL_TIMESTAMP_URL)';
COMMENT ON COLUMN seal_timestamp.token IS 'The TimeStampToken (RFC 3161) over the seal, in DER';
CALL enable_tenant_isolation('seal_timestamp');
