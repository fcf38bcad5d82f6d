-- The job queue keeps its tables in a schema of its own, which the application may create and change: nowhere else
-- does app_rw hold that right (reliability.md D5).
create schema pgboss;
grant usage, create on schema pgboss to app_rw;
