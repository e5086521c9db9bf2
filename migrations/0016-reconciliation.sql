-- Balances that feeding systems send to be compared with the books.

CREATE TABLE control_balance (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  account_id bigint NOT NULL REFERENCES account,
  origin text NOT NULL,
  day date NOT NULL,
  balance numeric(20,2) NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  sent_by text NOT NULL,
  PRIMARY KEY (company_id, branch_id, account_id, origin, day),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE control_balance IS 'Balances of accounts as feeding systems have them at the end of a day; the reconciliation compares them with the books';
COMMENT ON COLUMN control_balance.origin IS 'The system that sent it';
COMMENT ON COLUMN control_balance.balance IS 'Debit-positive';
CREATE INDEX control_balance_day ON control_balance (company_id, branch_id, day);
COMMENT ON INDEX control_balance_day IS 'The reconciliation of a day or month';
CREATE INDEX control_balance_account ON control_balance (account_id);
COMMENT ON INDEX control_balance_account IS 'Whether an account is in use, when it is deleted';
CALL enable_tenant_isolation('control_balance');
