-- The tax of documents with a US ship-to as the tax service determined it, or the mark that our own tables did.

create table document_tax_answers (
  invoice_id bigint primary key references invoices (id) on delete cascade,
  fingerprint text not null check (length(fingerprint) between 20 and 100),
  determined_by text not null check (determined_by in ('service', 'own')),
  answer jsonb check (jsonb_typeof(answer) = 'object'),
  problem text not null default '' check (length(problem) <= 500),
  checked_by_id bigint references users (id),
  checked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((determined_by = 'service') = (answer is not null)),
  check ((determined_by = 'own') = (problem <> '')),
  check ((checked_by_id is null) = (checked_at is null))
);
create index document_tax_answers_question on document_tax_answers (fingerprint) where determined_by = 'service';
create index document_tax_answers_checker on document_tax_answers (checked_by_id) where checked_by_id is not null;
create trigger touch_updated_at before update on document_tax_answers for each row execute function touch_updated_at();
comment on table document_tax_answers is
  'What the tax service said of a document, or that our own tables decided because it did not answer.';
comment on column document_tax_answers.fingerprint is
  'Hash of what was asked: day, addresses, lines. At issue the answer is used while the document still asks the same.';
comment on column document_tax_answers.checked_at is 'A person has compared the tax that our own tables decided.';
grant select, insert, update, delete on document_tax_answers to app_rw;
