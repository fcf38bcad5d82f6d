-- The text of contracts, as versions: one text per division and category is in use, at most one is being written. A
-- contract names the version it was made from for ever, so a version that has been in use is never changed or deleted.
-- Approval by counsel is a fact about a version; until it is recorded, contracts say that their text is a draft.
create table contract_templates (
  id bigint generated always as identity primary key,
  division text not null references divisions (code),
  category text not null check (category in ('Amateur', 'Pro')),
  version_no integer not null check (version_no >= 1),
  status text not null default 'draft' check (status in ('draft', 'in_use', 'retired')),
  -- [{heading, paragraphs: [{when, text}]}]: packages/kernel/licensing/contract-form.ts
  clauses jsonb not null check (jsonb_typeof(clauses) = 'array' and jsonb_array_length(clauses) between 1 and 60),
  note text not null default '' check (length(note) <= 500),
  created_by_id bigint references users (id),
  in_use_since timestamptz,
  approved_at timestamptz,
  approved_by_id bigint references users (id),
  counsel text not null default '' check (length(counsel) <= 200),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, category, version_no),
  check ((status = 'draft') = (in_use_since is null)),
  check ((approved_at is null) = (approved_by_id is null) and (approved_at is null) = (counsel = '')),
  check (status <> 'draft' or approved_at is null)
);
create unique index contract_templates_in_use on contract_templates (division, category) where status = 'in_use';
create unique index contract_templates_draft on contract_templates (division, category) where status = 'draft';
create index contract_templates_author on contract_templates (created_by_id);
create index contract_templates_approver on contract_templates (approved_by_id);

create function guard_contract_template() returns trigger
language plpgsql as $$
declare
  free text[] := array['status', 'approved_at', 'approved_by_id', 'counsel', 'version', 'updated_at'];
begin
  if old.status = 'draft' then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  if tg_op = 'DELETE' or (to_jsonb(new) - free) <> (to_jsonb(old) - free)
      or (old.approved_at is not null and new.approved_at is distinct from old.approved_at)
      or (old.status, new.status) not in (('in_use', 'in_use'), ('in_use', 'retired'), ('retired', 'retired')) then
    raise exception 'contract template % has been in use: write a new version', old.id using errcode = '23514';
  end if;
  return new;
end $$;
create trigger guard_contract_template before update or delete on contract_templates
  for each row execute function guard_contract_template();

call maintain_updated_at('contract_templates');
grant select, insert, update, delete on contract_templates to app_rw;

-- Null: made before there were versions of the text.
alter table license_versions add column contract_template_id bigint references contract_templates (id);
create index license_versions_contract_template on license_versions (contract_template_id);

-- The person who signs for the licensor in a division; empty: the representative of the licence.
alter table divisions add column signatory_name text not null default '' check (length(signatory_name) <= 120);
alter table divisions add column signatory_title text not null default '' check (length(signatory_title) <= 120);
grant update (signatory_name, signatory_title) on divisions to app_rw;
