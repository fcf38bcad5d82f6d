-- What happened to a licence and what was written about it: frozen versions, documents, signatures, events,
-- checklist,
-- amendments, and the work list of staff. Sources: domain.md 1.1, 6.1, 6.2, 7; api-added.json (amendments, work
-- list).

-- An offer is frozen with its hash when it is sent; the signer accepts that hash (1.1 edges 2 and 4).
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
  created_at timestamptz not null default now(),
  unique (license_id, version_no),
  unique (license_id, sha256)
);

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
create index license_documents_license
  on license_documents (license_id, created_at desc, id desc) where deleted_at is null;
create index license_documents_all on license_documents (license_id);
create index license_documents_latest on license_documents (updated_at desc, id desc) where deleted_at is null;
create index license_documents_type
  on license_documents (type, status, updated_at desc, id desc) where deleted_at is null;
create index license_documents_version on license_documents (license_version_id);
create index license_documents_file on license_documents (document_id);

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
  created_at timestamptz not null default now(),
  check ((method = 'portal') = (signed_by_user_id is not null)),
  check (method = 'portal' or (recorded_by_id is not null and document_id is not null)),
  check (num_nonnulls(voided_at, voided_by_id, void_reason) in (0, 3))
);
create unique index signatures_valid on signatures (license_version_id) where voided_at is null;
create index signatures_license on signatures (license_id, created_at desc, id desc);
create index signatures_version on signatures (license_version_id);
create index signatures_user on signatures (signed_by_user_id);
create index signatures_document on signatures (document_id);

-- The Activity tab: every transition and every other change worth telling (I9).
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
create index license_events_license on license_events (license_id, created_at desc, id desc);
create index license_events_stream on license_events (created_at desc, id desc);
create index license_events_actor on license_events (actor_id);
create index license_events_behalf on license_events (on_behalf_of_id);

create table license_checklist_items (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  key text not null check (key ~ '^[a-z0-9_]+$'),
  label text not null check (label <> ''),
  owner text not null check (owner in ('staff', 'customer')),
  due_on date,
  -- The phase that cannot be entered while the item is open; null blocks nothing (6.1).
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

create table license_amendments (
  id bigint generated always as identity primary key,
  license_id bigint not null references licenses (id),
  kind text not null check (kind in ('amend', 'cancel_request')),
  status text not null default 'requested' check (status in
    ('requested', 'approved', 'applied', 'refused', 'withdrawn')),
  requested_by_id bigint references users (id),
  from_portal boolean not null default false,
  reason text not null check (reason <> ''),
  -- The wished changes as sent, and what they do to the price: frozen so that the answer can be explained later.
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
create index license_amendments_license on license_amendments (license_id, created_at desc, id desc);
create index license_amendments_open on license_amendments (created_at, id) where status = 'requested';
create index license_amendments_version on license_amendments (license_version_id);

-- The work list. One open task per thing to do: the scheduler may ask for it any number of times (6.5).
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
create unique index tasks_open on tasks (kind, entity, entity_id) where status = 'open';
create index tasks_list on tasks (status, due_on, id);
create index tasks_assignee on tasks (assignee_id, status, due_on, id);
create index tasks_division on tasks (division, status, due_on, id);
create index tasks_entity on tasks (entity, entity_id);
create index tasks_license on tasks (license_id);
create index tasks_customer on tasks (customer_id);

call maintain_updated_at('license_documents', 'license_checklist_items', 'license_amendments', 'tasks');
call make_append_only('license_versions', 'license_events');

grant select, insert on license_versions, license_events to app_rw;
grant select, insert, update on license_documents, license_checklist_items, license_amendments, tasks to app_rw;
-- A signature is never edited; it may only be voided, with its reason.
grant select, insert, update (voided_at, voided_by_id, void_reason) on signatures to app_rw;
