-- Which branches have ever posted to an account. Deleting an account, giving it children and showing whether it has
-- entries ask this first: without it they would probe every month of every branch that shares the chart.
CREATE TABLE account_use (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  account_id bigint NOT NULL,
  PRIMARY KEY (company_id, branch_id, account_id)
);
COMMENT ON TABLE account_use IS 'Accounts that a branch has posted to at least once; a row stays when the entries go, so readers look for the entries themselves behind it';
CREATE INDEX account_use_account ON account_use (account_id);
COMMENT ON INDEX account_use_account IS 'Branches that have used an account';
CALL guard_tenant_table('account_use');

-- In the order of the key, so that two posters who use the same accounts for the first time wait and do not deadlock.
-- Rows that are there already cost one probe of the primary key each; a NOT EXISTS would be one more plan, cached from
-- a session's first statement and wrong for its next.
CREATE FUNCTION note_account_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO account_use (company_id, branch_id, account_id)
  SELECT DISTINCT added.company_id, added.branch_id, added.account_id
    FROM added
   ORDER BY added.company_id, added.branch_id, added.account_id
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER account_use AFTER INSERT ON entry_line
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_account_use();
