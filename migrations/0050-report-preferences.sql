-- How each user likes each report; no tenant, it is the user's own.
CREATE TABLE report_preference (
  user_id bigint NOT NULL REFERENCES app_user ON DELETE CASCADE,
  report text NOT NULL,
  preferences text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, report)
);
COMMENT ON TABLE report_preference IS 'Preferences of a user for a report, the JSON text as it came';
