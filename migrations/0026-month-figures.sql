-- What a month looks like at a glance: who closed it and with which figures, kept when it is closed, and what was printed of it.
ALTER TABLE month
  ADD COLUMN closed_by text,
  ADD COLUMN entries bigint,
  ADD COLUMN debits numeric(20,2);
COMMENT ON COLUMN month.closed_by IS 'Who asked for the close, by user name; NULL: it is open, or was closed before this was kept';
COMMENT ON COLUMN month.entries IS 'Logical entries of a closed month, closing entries included; NULL: count its lines';
COMMENT ON COLUMN month.debits IS 'Debits of a closed month, closing entries included, which equal its credits; NULL: sum its lines';

UPDATE month
   SET entries = coalesce(posted.entries, 0), debits = coalesce(posted.debits, 0),
       closed_by = (SELECT job.requested_by FROM job
                     WHERE job.company_id = closed.company_id AND job.kind = 'CONSOLIDATION' AND job.month = closed.month
                       AND coalesce(job.branch_id, 0) = closed.branch_id AND job.status = 'DONE'
                     ORDER BY job.id DESC LIMIT 1)
  FROM month AS closed
  LEFT JOIN (SELECT line.company_id, line.branch_id, line.month, count(*) FILTER (WHERE line.sequence = 1) AS entries,
                    sum(line.amount) FILTER (WHERE line.side = 'D') AS debits
               FROM (SELECT company_id, branch_id, month, sequence, side, amount FROM entry_line
                     UNION ALL
                     SELECT company_id, branch_id, month, sequence, side, amount FROM entry_line_archive) AS line
              GROUP BY line.company_id, line.branch_id, line.month) AS posted
    ON posted.company_id = closed.company_id AND posted.branch_id = closed.branch_id AND posted.month = closed.month
 WHERE closed.state = 'CLOSED'
   AND (month.company_id, month.branch_id, month.month) = (closed.company_id, closed.branch_id, closed.month);

-- As before, and keeps who closed the month and what it adds up to.
DROP FUNCTION close_month(bigint, bigint, date);
CREATE FUNCTION close_month(company bigint, branch bigint, closed date, closer text DEFAULT NULL,
                            entry_count bigint DEFAULT NULL, debit_sum numeric DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'CLOSED', closed_at = now(), summed = false, closed_by = closer, entries = entry_count,
                   debits = debit_sum
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = closed AND month.state = 'OPEN'
     AND NOT EXISTS (SELECT 1 FROM month AS before
                      WHERE before.company_id = company AND before.branch_id = branch AND before.month < closed
                        AND before.state = 'OPEN');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the first open one', closed, branch USING ERRCODE = 'PB002';
  END IF;
  DELETE FROM line_sum
   WHERE line_sum.company_id = company AND line_sum.branch_id = branch AND line_sum.month = closed;
END $$;

-- As before, and forgets what the close kept.
CREATE OR REPLACE FUNCTION reopen_month(company bigint, branch bigint, reopened date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse_foreign_company(company);
  UPDATE month SET state = 'OPEN', closed_at = NULL, closed_by = NULL, entries = NULL, debits = NULL
   WHERE month.company_id = company AND month.branch_id = branch AND month.month = reopened
     AND month.state = 'CLOSED' AND NOT month.archived
     AND NOT EXISTS (SELECT 1 FROM month AS later
                      WHERE later.company_id = company AND later.branch_id = branch AND later.month > reopened
                        AND later.state = 'CLOSED');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'month % of branch % is not the last closed one', reopened, branch USING ERRCODE = 'PB002';
  END IF;
END $$;

CREATE TABLE printed_report (
  company_id bigint NOT NULL,
  branch_id bigint NOT NULL,
  month date NOT NULL CHECK (extract(day FROM month) = 1),
  kind text NOT NULL,
  printed_at timestamptz NOT NULL,
  printed_by text NOT NULL,
  PRIMARY KEY (company_id, branch_id, month, kind),
  FOREIGN KEY (company_id, branch_id) REFERENCES branch (company_id, id)
);
COMMENT ON TABLE printed_report IS 'Which reports of a whole month were printed, and when the last time; every print is in the trail';
COMMENT ON COLUMN printed_report.kind IS 'Kind of report (src/features/reporting/print/report-request.ts)';
CALL enable_tenant_isolation('printed_report');
