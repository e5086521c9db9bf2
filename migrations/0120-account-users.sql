CREATE INDEX standard_release_lines ON standard_release USING gin (lines jsonb_path_ops);
COMMENT ON INDEX standard_release_lines IS 'Refusal to delete, deactivate or turn synthetic an account that a standard release posts to';
