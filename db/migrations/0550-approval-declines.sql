-- A draft that a second person declined. It counts for the version it names alone: the next change of the record makes
-- it wait again. Records that end when they are declined (a batch, a refund, a request) need no row here.
create table approval_declines (
  id bigint generated always as identity primary key,
  entity text not null check (entity in ('rate_card', 'bom_template', 'royalty_statement_run', 'royalty_adjustment')),
  entity_id bigint not null,
  entity_version integer not null,
  reason text not null check (reason <> ''),
  declined_by_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  unique (entity, entity_id, entity_version)
);
create index approval_declines_person on approval_declines (declined_by_id);
grant select, insert on approval_declines to app_rw;
