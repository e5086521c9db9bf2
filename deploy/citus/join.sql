-- Makes one cluster of coordinator and workers; changes nothing where it is one. Ports and names as in compose.yaml.
CREATE EXTENSION IF NOT EXISTS citus;
SELECT citus_set_coordinator_host('coordinator', 5432);
SELECT citus_add_node('worker-1', 5432);
SELECT citus_add_node('worker-2', 5432);
