-- The days of a closed month: one row for each account, its days side by side. A row for each day had 28 entries of an
-- index for what is written at once and read at once.

ALTER TABLE daily_balance RENAME TO daily_balance_before;
ALTER TABLE daily_balance_before RENAME CONSTRAINT daily_balance_pkey TO daily_balance_before_pkey;

CREATE TABLE daily_balance (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL,
  account_id bigint NOT NULL,
  days date[] NOT NULL,
  debits numeric(20,2)[] NOT NULL CHECK (cardinality(debits) = cardinality(days)),
  credits numeric(20,2)[] NOT NULL CHECK (cardinality(credits) = cardinality(days)),
  closing_debits numeric(20,2)[] CHECK (cardinality(closing_debits) = cardinality(days)),
  closing_credits numeric(20,2)[] CHECK (cardinality(closing_credits) = cardinality(days)),
  balances numeric(20,2)[] NOT NULL CHECK (cardinality(balances) = cardinality(days)),
  PRIMARY KEY (company_id, branch_id, month, account_id)
);
COMMENT ON TABLE daily_balance IS 'Balances of closed months on the days on which an account moved, in the order of the days; other days carry the last one';
COMMENT ON COLUMN daily_balance.debits IS 'What was debited on each of the days, without closing entries';
COMMENT ON COLUMN daily_balance.credits IS 'What was credited on each of the days, without closing entries';
COMMENT ON COLUMN daily_balance.closing_debits IS 'Debits of closing entries on each of the days; may be NULL where the month has no closing entries';
COMMENT ON COLUMN daily_balance.closing_credits IS 'Credits of closing entries on each of the days; may be NULL where the month has no closing entries';
COMMENT ON COLUMN daily_balance.balances IS 'At the end of each of the days, debit-positive';
CALL enable_tenant_isolation('daily_balance');

INSERT INTO daily_balance (company_id, branch_id, month, account_id, days, debits, credits, closing_debits,
                           closing_credits, balances)
SELECT company_id, branch_id, month, account_id, array_agg(day ORDER BY day), array_agg(debit ORDER BY day),
       array_agg(credit ORDER BY day), array_agg(closing_debit ORDER BY day), array_agg(closing_credit ORDER BY day),
       array_agg(balance ORDER BY day)
  FROM daily_balance_before
 GROUP BY company_id, branch_id, month, account_id;
DROP TABLE daily_balance_before;

CREATE TRIGGER open_month_insert AFTER INSERT ON daily_balance REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_update_from AFTER UPDATE ON daily_balance REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_update_to AFTER UPDATE ON daily_balance REFERENCING NEW TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
CREATE TRIGGER open_month_delete AFTER DELETE ON daily_balance REFERENCING OLD TABLE AS touched
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_closed_month();
