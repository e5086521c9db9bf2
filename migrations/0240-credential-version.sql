-- A token carries the version of the credentials that it was made for. Moments could not tell: many tokens are made in
-- the second of a change, and sign-ins that wait for their turn are answered after it.
ALTER TABLE app_user ADD COLUMN credential_version integer NOT NULL DEFAULT 1;
COMMENT ON COLUMN app_user.credential_version IS 'Grows with every new password, deactivation, reactivation and sign-out everywhere; tokens of another version are refused';
COMMENT ON COLUMN app_user.password_changed_at IS 'When the present password was set; null while the first one holds';

-- Whoever checks tokens needs this half only.
ALTER TABLE signing_key ADD COLUMN public_jwk jsonb NOT NULL
  GENERATED ALWAYS AS (private_jwk - '{d,p,q,dp,dq,qi,oth,k}'::text[]) STORED;
COMMENT ON COLUMN signing_key.public_jwk IS 'The key without its private members';
