-- One form of a name for looking it up, for keeping it unique and for counting failed sign-ins: SQL and the program folded
-- some letters differently, so that one user had several counters.
CREATE FUNCTION username_key(username text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN normalize(lower(normalize(username, NFKC)), NFKC);

-- Names that were two until now and are one from here on: the newer user's gets the id behind it.
UPDATE app_user SET username = app_user.username || '-' || app_user.id
 WHERE EXISTS (SELECT 1 FROM app_user AS older
                WHERE older.id < app_user.id AND username_key(older.username) = username_key(app_user.username));

ALTER TABLE app_user ADD COLUMN username_key text NOT NULL GENERATED ALWAYS AS (username_key(username)) STORED;
COMMENT ON COLUMN app_user.username_key IS 'The form of the name that users are looked up by';
DROP INDEX app_user_username;
CREATE UNIQUE INDEX app_user_username ON app_user (username_key);
COMMENT ON INDEX app_user_username IS 'Sign-in by name, in any case and any compatibility form';

-- The subjects are others from here on.
DELETE FROM signin_failure;
COMMENT ON TABLE signin_failure IS 'Failed sign-ins of the last minutes by user name, by name and network, and by address, shared by all processes';
