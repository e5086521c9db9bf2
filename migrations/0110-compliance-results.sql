-- The results of a process become one value of its row: a run of 100 rules over 200 branches spent most of its time on
-- 20,000 rows and their 40,000 foreign keys, and results are only ever read together.
ALTER TABLE compliance_process ADD COLUMN results json;

WITH read AS (
  SELECT result.company_id, result.process_id, result.rule_id, read.value, read.ordinality,
         dense_rank() OVER (PARTITION BY result.company_id, result.process_id ORDER BY read.value) - 1 AS place
    FROM compliance_result AS result
   CROSS JOIN LATERAL jsonb_array_elements(result.reads) WITH ORDINALITY AS read
), balance AS (
  SELECT once.company_id, once.process_id, jsonb_agg(once.value ORDER BY once.place) AS balances
    FROM (SELECT DISTINCT read.company_id, read.process_id, read.place, read.value FROM read) AS once
   GROUP BY once.company_id, once.process_id
), pointed AS (
  SELECT read.company_id, read.process_id, read.rule_id, jsonb_agg(read.place ORDER BY read.ordinality) AS places
    FROM read
   GROUP BY read.company_id, read.process_id, read.rule_id
), kept AS (
  SELECT result.company_id, result.process_id,
         jsonb_agg(jsonb_build_object(
           'ruleId', result.rule_id, 'rule', result.rule, 'clueType', result.clue_type,
           'businessSystem', result.business_system, 'scriptVersion', result.script_version, 'status', result.status,
           'value', result.value::text, 'messages', result.messages, 'failure', result.failure,
           'reads', coalesce(pointed.places, '[]'), 'durationMs', result.duration_ms) ORDER BY result.position) AS results
    FROM compliance_result AS result
    LEFT JOIN pointed USING (company_id, process_id, rule_id)
   GROUP BY result.company_id, result.process_id
)
UPDATE compliance_process
   SET results = json_build_object('balances', coalesce(balance.balances, '[]'), 'results', coalesce(kept.results, '[]'))
  FROM compliance_process AS process
  LEFT JOIN balance ON balance.company_id = process.company_id AND balance.process_id = process.id
  LEFT JOIN kept ON kept.company_id = process.company_id AND kept.process_id = process.id
 WHERE compliance_process.company_id = process.company_id AND compliance_process.id = process.id;

DROP TABLE compliance_result;
ALTER TABLE compliance_process ALTER COLUMN results SET NOT NULL;
COMMENT ON COLUMN compliance_process.results IS 'what each rule found, and once each balance that they read, as decimal text: a JSON number would lose digits; names and codes as they were then';
