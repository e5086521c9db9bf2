CREATE TABLE user_totp (
  user_id bigint PRIMARY KEY REFERENCES app_user ON DELETE CASCADE,
  secret text NOT NULL,
  confirmed_at timestamptz,
  last_step bigint NOT NULL DEFAULT 0,
  recovery_hashes text[] NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE user_totp IS 'Second factor of a user (RFC 6238): asked for from the first right code on';
COMMENT ON COLUMN user_totp.last_step IS 'Time step of the last code that was taken: no code is taken twice';
COMMENT ON COLUMN user_totp.recovery_hashes IS 'SHA-256 of the recovery codes that are left; each is taken once';
