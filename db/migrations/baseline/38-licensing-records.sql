-- Records of a license: versions, documents, signatures, history, checklist, amendments, downloads, and the to-dos of
-- staff.

create table license_versions (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  version_no integer not null check (version_no >= 1),
  reason text not null default 'offer' check (reason in ('offer', 'amendment')),
  snapshot jsonb not null,
  sha256 sha256_hex not null,
  grand_total_minor minor_amount not null,
  currency currency_code not null,
  created_by_id bigint references users (id),
  contract_template_id bigint references contract_templates (id),
  created_at timestamptz not null default now(),
  unique (license_id, version_no),
  unique (license_id, sha256)
);
comment on table license_versions is 'Offers as sent, each with its hash. The signer accepts that hash.';
comment on column license_versions.contract_template_id is
  'Text of the contract; null: made before there were versions of it.';
create index license_versions_contract_template on license_versions (contract_template_id);
grant select, insert on license_versions to app_rw;

create table license_documents (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_version_id bigint references license_versions (id),
  document_id bigint references files (id),
  type text not null check (type in ('quote_letter', 'offer', 'production_contract', 'rider', 'amendment',
    'execution_certificate', 'invoice', 'proforma', 'credit_note', 'receipt', 'vat_receipt', 'statement_of_account',
    'deposit_statement', 'packing_slip', 'return_form_and_label', 'perusal_letter', 'box_office_form',
    'box_office_statement', 'purchase_order', 'tax_exemption_certificate', 'programme_artwork', 'sole_source_letter',
    'refund_payee_change', 'reminder_letter_1', 'reminder_letter_2', 'reminder_letter_3', 'cancellation_confirmation',
    'signed_contract', 'other')),
  description text not null default '',
  status text not null default 'draft' check (status in
    ('draft', 'issued', 'sent', 'viewed', 'signed', 'superseded', 'void')),
  origin text not null default 'upload' check (origin in ('upload', 'generate')),
  internal boolean not null default false,
  issued_at timestamptz,
  sent_at timestamptz,
  viewed_at timestamptz,
  signed_at timestamptz,
  uploaded_by_id bigint references users (id),
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (status = 'draft' or document_id is not null)
);
comment on table license_documents is 'Documents of a license.';
create index license_documents_license
  on license_documents (license_id, created_at desc, id desc) where deleted_at is null;
create index license_documents_all on license_documents (license_id);
create index license_documents_latest on license_documents (updated_at desc, id desc) where deleted_at is null;
create index license_documents_type
  on license_documents (type, status, updated_at desc, id desc) where deleted_at is null;
create index license_documents_version on license_documents (license_version_id);
create index license_documents_file on license_documents (document_id);
grant select, insert, update on license_documents to app_rw;

create table signatures (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  license_version_id bigint not null references license_versions (id),
  sha256 sha256_hex not null,
  method text not null check (method in ('portal', 'wet')),
  signer_name text not null check (signer_name <> ''),
  signer_title text not null default '',
  signed_on date not null,
  signed_by_user_id bigint references users (id),
  recorded_by_id bigint references users (id),
  document_id bigint references files (id),
  ip inet,
  user_agent text,
  voided_at timestamptz,
  voided_by_id bigint references users (id),
  void_reason text,
  account_name text,
  document_sha256 sha256_hex,
  executed_file_id bigint references files (id),
  created_at timestamptz not null default now(),
  check ((method = 'portal') = (signed_by_user_id is not null)),
  check (method = 'portal' or (recorded_by_id is not null and document_id is not null)),
  check (num_nonnulls(voided_at, voided_by_id, void_reason) in (0, 3)),
  constraint signatures_executed
  check ((executed_file_id is null) = (document_sha256 is null))
);
comment on table signatures is 'Signatures on offers. Never edited; a signature can be voided with a reason.';
comment on column signatures.account_name is
  'Name on the account that signed, or that recorded a signature on paper; null for older signatures.';
comment on column signatures.document_sha256 is 'Hash of the signed file; null for older signatures.';
comment on column signatures.executed_file_id is
  'Signed file with its certificate page, made once; null for older signatures.';
create unique index signatures_valid on signatures (license_version_id) where voided_at is null;
create index signatures_license on signatures (license_id, created_at desc, id desc);
create index signatures_version on signatures (license_version_id);
create index signatures_user on signatures (signed_by_user_id);
create index signatures_document on signatures (document_id);
create unique index signatures_executed_file on signatures (executed_file_id) where executed_file_id is not null;
grant select, insert, update (document_sha256, executed_file_id, void_reason, voided_at,
  voided_by_id) on signatures to app_rw;

create table license_events (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  event text not null check (event <> ''),
  from_phase text,
  to_phase text,
  actor_id bigint references users (id),
  on_behalf_of_id bigint references customers (id),
  reason text not null default '',
  license_version integer,
  details jsonb,
  created_at timestamptz not null default now(),
  check ((from_phase is null) <= (to_phase is null or event in ('create', 'convert', 'import')))
);
comment on table license_events is 'History of a license.';
create index license_events_license on license_events (license_id, created_at desc, id desc);
create index license_events_stream on license_events (created_at desc, id desc);
create index license_events_actor on license_events (actor_id);
create index license_events_behalf on license_events (on_behalf_of_id);
grant select, insert on license_events to app_rw;

create table license_checklist_items (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  key text not null check (key ~ '^[a-z0-9_]+$'),
  label text not null check (label <> ''),
  owner text not null check (owner in ('staff', 'customer')),
  due_on date,
  blocks_phase text check (blocks_phase in ('sent', 'accepted', 'licensed', 'closed')),
  status text not null default 'open' check (status in ('open', 'done', 'waived')),
  done_at timestamptz,
  done_by_id bigint references users (id),
  automatic boolean not null default false,
  note text not null default '',
  sort integer not null default 0,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (license_id, key),
  check ((status = 'open') = (done_at is null)),
  check (status <> 'waived' or note <> '')
);
comment on table license_checklist_items is 'Steps to complete before a license can move to a phase.';
comment on column license_checklist_items.blocks_phase is
  'Phase that cannot be entered while the item is open; null: none.';
grant select, insert, update on license_checklist_items to app_rw;

create table license_amendments (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  kind text not null check (kind in ('amend', 'cancel_request')),
  status text not null default 'requested' check (status in
    ('requested', 'approved', 'applied', 'refused', 'withdrawn')),
  requested_by_id bigint references users (id),
  from_portal boolean not null default false,
  reason text not null check (reason <> ''),
  changes jsonb not null,
  price_before_minor minor_amount not null,
  price_after_minor minor_amount not null,
  delta_minor minor_amount not null generated always as (price_after_minor - price_before_minor) stored,
  currency currency_code not null,
  automatic boolean not null default false,
  license_version_id bigint references license_versions (id),
  decided_by_id bigint references users (id),
  decided_at timestamptz,
  decision_note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status in ('requested', 'withdrawn')) or decided_at is not null)
);
comment on table license_amendments is 'Requested changes to a license in force.';
comment on column license_amendments.changes is 'Requested changes and their effect on the price, as sent.';
create index license_amendments_license on license_amendments (license_id, created_at desc, id desc);
create index license_amendments_open on license_amendments (created_at, id) where status = 'requested';
create index license_amendments_version on license_amendments (license_version_id);
grant select, insert, update on license_amendments to app_rw;

create table tasks (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z0-9_]+$'),
  title text not null check (title <> ''),
  entity text not null check (entity in ('license', 'license_application', 'customer', 'box_office_report', 'invoice',
    'payment', 'royalty_statement', 'royaltor', 'import', 'amendment')),
  entity_id bigint not null,
  license_id bigint references licenses (id),
  customer_id bigint references customers (id),
  division text references divisions (code),
  assignee_id bigint references users (id),
  due_on date,
  priority smallint not null default 2 check (priority between 1 and 3),
  status text not null default 'open' check (status in ('open', 'done', 'dropped')),
  done_at timestamptz,
  done_by_id bigint references users (id),
  note text not null default '',
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((status = 'open') = (done_at is null))
);
comment on table tasks is 'To-dos of staff. One is open per subject, however often the scheduler asks for it.';
create unique index tasks_open on tasks (kind, entity, entity_id) where status = 'open';
create index tasks_list on tasks (status, due_on, id);
create index tasks_assignee on tasks (assignee_id, status, due_on, id);
create index tasks_division on tasks (division, status, due_on, id);
create index tasks_entity on tasks (entity, entity_id);
create index tasks_license on tasks (license_id);
create index tasks_customer on tasks (customer_id);
grant select, insert, update on tasks to app_rw;

create table file_downloads (
  id bigint generated always as identity primary key,
  license_id bigint references licenses (id),
  sales_order_id bigint,
  material_file_id bigint not null references material_files (id),
  user_id bigint not null references users (id),
  created_at timestamptz not null default now(),
  check (num_nonnulls(license_id, sales_order_id) = 1)
);
comment on table file_downloads is
  'Downloads of files by customers. Counts against the limit and identifies watermarked copies. Append-only.';
create index file_downloads_license on file_downloads (license_id, material_file_id, id) where license_id is not null;
create index file_downloads_order on file_downloads (sales_order_id, material_file_id, id)
  where sales_order_id is not null;
create index file_downloads_file on file_downloads (material_file_id);
create index file_downloads_user on file_downloads (user_id);
grant select, insert on file_downloads to app_rw;

create table file_download_resets (
  id bigint generated always as identity primary key,
  license_id bigint references licenses (id),
  sales_order_id bigint,
  material_file_id bigint not null references material_files (id),
  last_download_id bigint not null references file_downloads (id),
  reason text not null check (reason <> ''),
  created_by_id bigint references users (id),
  created_at timestamptz not null default now(),
  check (num_nonnulls(license_id, sales_order_id) = 1)
);
comment on table file_download_resets is
  'Download limits reset by staff: earlier downloads no longer count. Append-only.';
create index file_download_resets_license on file_download_resets (license_id, material_file_id, id)
  where license_id is not null;
create index file_download_resets_order on file_download_resets (sales_order_id, material_file_id, id)
  where sales_order_id is not null;
create index file_download_resets_file on file_download_resets (material_file_id);
create index file_download_resets_download on file_download_resets (last_download_id);
create index file_download_resets_created_by on file_download_resets (created_by_id);
grant select, insert on file_download_resets to app_rw;

create function guard_signature() returns trigger
language plpgsql as $$
declare
  zone text;
  sent_on date;
begin
  if tg_op = 'UPDATE' then
    if old.executed_file_id is not null and (new.executed_file_id, new.document_sha256)
        is distinct from (old.executed_file_id, old.document_sha256) then
      raise exception 'signature % is sealed: its executed copy stays', old.id using errcode = '23514';
    end if;
    return new;
  end if;
  if new.method = 'wet' then
    select d.timezone, (l.offer_sent_at at time zone d.timezone)::date into zone, sent_on
    from licenses l join divisions d on d.code = l.division where l.id = new.license_id;
    if new.signed_on < sent_on or new.signed_on > (new.created_at at time zone zone)::date then
      raise exception 'signature on paper dated %, outside the time since the offer', new.signed_on
        using errcode = '23514';
    end if;
  end if;
  return new;
end $$;

create trigger guard_signature before insert or update on signatures
  for each row execute function guard_signature();

call maintain_updated_at('license_documents', 'license_checklist_items', 'license_amendments', 'tasks');

call make_append_only('license_versions', 'license_events', 'file_downloads', 'file_download_resets');
