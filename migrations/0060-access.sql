-- Tokens older than the password end with it; the trail is the administrators'.
ALTER TABLE app_user ADD COLUMN password_changed_at timestamptz;
COMMENT ON COLUMN app_user.password_changed_at IS 'Tokens issued before this moment are refused; null while the first password holds';

CREATE INDEX signin_failure_age ON signin_failure (failed_at);
COMMENT ON INDEX signin_failure_age IS 'Removal of failures that no longer count';

-- Rows without a company tell about users and settings of the whole platform, so the tenant policy, which shows rows
-- without a company to everybody, is not enough here.
DROP POLICY tenant ON audit;
CREATE POLICY readers ON audit FOR SELECT TO partidas_app USING ((SELECT sees_everything()));
CREATE POLICY writers ON audit FOR INSERT TO partidas_app WITH CHECK (true);
CREATE INDEX audit_at ON audit (at);
COMMENT ON INDEX audit_at IS 'Trail of a period';
