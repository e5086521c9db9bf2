-- The limit of batches (company_options.batch_limit): whatever would leave lines that a statement adds or changes in a batch
-- of more debits than that is rejected, whichever way they came, unless a second person approves it in this very
-- transaction. Taking lines away is no posting, and what comes in their place is looked at again. Closing entries are made by
-- the month close, and an archive gives back what was posted.
CREATE INDEX company_options_batch_limit ON company_options (company_id, branch_id) WHERE batch_limit IS NOT NULL;
COMMENT ON INDEX company_options_batch_limit IS 'Whether any branch has a limit: without one a posting asks no more than this';

CREATE FUNCTION refuse_batch_above_limit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  touched_batch record;
  total numeric;
BEGIN
  IF NOT EXISTS (SELECT FROM public.company_options WHERE company_options.batch_limit IS NOT NULL) THEN
    RETURN NULL;
  END IF;
  FOR touched_batch IN
    SELECT batch.company_id, batch.branch_id, batch.id, batch.number, to_char(batch.month, 'YYYY-MM') AS month,
           company_options.batch_limit AS most
      FROM (SELECT DISTINCT touched.company_id, touched.document_id FROM touched WHERE NOT touched.closing) AS place
      JOIN public.document ON document.company_id = place.company_id AND document.id = place.document_id
      JOIN public.batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN public.month ON month.company_id = batch.company_id AND month.branch_id = batch.branch_id
       AND month.month = batch.month AND month.state = 'OPEN'
      JOIN public.company_options ON company_options.company_id = batch.company_id
       AND company_options.branch_id = batch.branch_id AND company_options.batch_limit IS NOT NULL
     WHERE NOT EXISTS (SELECT FROM public.approval
                        WHERE approval.company_id = batch.company_id AND approval.branch_id = batch.branch_id
                          AND approval.kind = 'DRAFT' AND approval.state = 'APPROVED'
                          AND approval.decided_in = pg_current_xact_id())
     GROUP BY batch.company_id, batch.id, company_options.batch_limit
     ORDER BY batch.company_id, batch.id
  LOOP
    -- Two who post into a batch at once see each other's lines: the sum is read by a statement after the lock.
    PERFORM FROM public.batch
      WHERE batch.company_id = touched_batch.company_id AND batch.id = touched_batch.id FOR NO KEY UPDATE;
    SELECT sum(entry_line.amount) INTO total
      FROM public.document
      JOIN public.entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id
     WHERE document.company_id = touched_batch.company_id AND document.batch_id = touched_batch.id
       AND entry_line.side = 'D';
    IF total > touched_batch.most THEN
      RAISE EXCEPTION 'batch % of branch % would have debits of %, above its limit of %',
                      touched_batch.number, touched_batch.branch_id, total, touched_batch.most
        USING ERRCODE = 'PB003',
              DETAIL = jsonb_build_object('month', touched_batch.month, 'batch', touched_batch.number,
                                          'total', total::text, 'limit', touched_batch.most::text)::text;
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER batch_limit_insert AFTER INSERT ON entry_line
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION refuse_batch_above_limit();
CREATE TRIGGER batch_limit_update AFTER UPDATE ON entry_line
  REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION refuse_batch_above_limit();
