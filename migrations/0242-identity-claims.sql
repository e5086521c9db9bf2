-- Which claim of an id token holds the subject: a `sub` that somebody can choose must never pass for another's `oid`.
ALTER TABLE user_identity ADD COLUMN claim text NOT NULL DEFAULT 'sub' CHECK (claim IN ('sub', 'oid'));
COMMENT ON COLUMN user_identity.claim IS 'Claim of the id token that is compared with the subject';
UPDATE user_identity SET claim = 'oid' WHERE user_identity.provider = 'AZURE';
ALTER TABLE user_identity DROP CONSTRAINT user_identity_pkey, ADD PRIMARY KEY (provider, claim, subject);

CREATE TABLE used_id_token (
  provider text NOT NULL,
  token_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (provider, token_id)
);
COMMENT ON TABLE used_id_token IS 'Id tokens that have signed somebody in, until they end: none does it twice';
CREATE INDEX used_id_token_end ON used_id_token (expires_at);
COMMENT ON INDEX used_id_token_end IS 'Removal of tokens that have ended';
