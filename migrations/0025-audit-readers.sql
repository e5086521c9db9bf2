-- The trail of a branch is read by whoever reaches the branch, that of a company as a whole by whoever reaches all of it.
-- Rows without a company, of users and settings of the platform, stay with those who see everything.
DROP POLICY readers ON audit;
CREATE POLICY readers ON audit FOR SELECT TO partidas_app, partidas_reader, partidas_auth
  USING ((SELECT sees_everything())
         OR (company_id = ANY ((SELECT visible_companies())::bigint[]) AND can_access(company_id, coalesce(branch_id, 0))));
