-- Debits and credits of closing entries, gross, beside their net: the movement of the trial balance of a month that
-- closes its result can then be tied to the journal.
ALTER TABLE monthly_balance
  ADD COLUMN closing_debit numeric(20,2) NOT NULL DEFAULT 0,
  ADD COLUMN closing_credit numeric(20,2) NOT NULL DEFAULT 0;
COMMENT ON COLUMN monthly_balance.closing_debit IS 'Debits of closing entries; closing is the net of both, and kept out of debit and credit';
COMMENT ON COLUMN monthly_balance.closing_credit IS 'Credits of closing entries';

ALTER TABLE daily_balance
  ADD COLUMN closing_debit numeric(20,2) NOT NULL DEFAULT 0,
  ADD COLUMN closing_credit numeric(20,2) NOT NULL DEFAULT 0;
COMMENT ON COLUMN daily_balance.closing_debit IS 'Debits of closing entries; closing is the net of both, and kept out of debit and credit';
COMMENT ON COLUMN daily_balance.closing_credit IS 'Credits of closing entries';

-- Months that are closed already: from the lines of their closing entries, archived ones among them, rolled up as month
-- close does it. The owner may change balances of closed months.
CREATE TEMPORARY TABLE closing_movement ON COMMIT DROP AS
SELECT line.company_id, line.branch_id, line.month, line.day, node.id AS account_id,
       coalesce(sum(line.amount) FILTER (WHERE line.side = 'D'), 0) AS debit,
       coalesce(sum(line.amount) FILTER (WHERE line.side = 'C'), 0) AS credit
  FROM (SELECT company_id, branch_id, month, day, account_id, side, amount FROM entry_line WHERE closing
        UNION ALL
        SELECT company_id, branch_id, month, day, account_id, side, amount FROM entry_line_archive WHERE closing) AS line
  JOIN account ON account.id = line.account_id
 CROSS JOIN LATERAL unnest(account.ancestors || account.id) AS node (id)
 GROUP BY line.company_id, line.branch_id, line.month, line.day, node.id;

UPDATE monthly_balance SET closing_debit = moved.debit, closing_credit = moved.credit
  FROM (SELECT closing_movement.company_id, closing_movement.branch_id, closing_movement.month,
               closing_movement.account_id, sum(closing_movement.debit) AS debit, sum(closing_movement.credit) AS credit
          FROM closing_movement
         GROUP BY closing_movement.company_id, closing_movement.branch_id, closing_movement.month,
                  closing_movement.account_id) AS moved
 WHERE (monthly_balance.company_id, monthly_balance.branch_id, monthly_balance.month, monthly_balance.account_id)
     = (moved.company_id, moved.branch_id, moved.month, moved.account_id);

UPDATE daily_balance SET closing_debit = closing_movement.debit, closing_credit = closing_movement.credit
  FROM closing_movement
 WHERE (daily_balance.company_id, daily_balance.branch_id, daily_balance.month, daily_balance.account_id, daily_balance.day)
     = (closing_movement.company_id, closing_movement.branch_id, closing_movement.month, closing_movement.account_id,
        closing_movement.day);

ALTER TABLE monthly_balance ADD CONSTRAINT monthly_balance_closing CHECK (closing = closing_debit - closing_credit);
ALTER TABLE daily_balance ADD CONSTRAINT daily_balance_closing CHECK (closing = closing_debit - closing_credit);
