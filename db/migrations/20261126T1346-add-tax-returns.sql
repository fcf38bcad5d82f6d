-- Tax returns of the UK and the EU division (accounting.md 3.8, event 22): what a return takes, and what was filed.

create table tax_returns (
  id bigint generated always as identity primary key,
  division text not null references divisions (code) check (division in ('UK', 'EU')),
  period_from date not null,
  period_to date not null check (period_to >= period_from),
  status text not null default 'prepared' check (status in ('prepared', 'filed')),
  boxes jsonb not null check (jsonb_typeof(boxes) = 'array'),
  net_minor minor_amount not null,
  items_sha256 sha256_hex not null,
  item_count integer not null check (item_count >= 0),
  prepared_by_id bigint not null references users (id),
  prepared_at timestamptz not null,
  filed_by_id bigint references users (id) check (filed_by_id <> prepared_by_id),
  filed_at timestamptz,
  receipt text not null default '' check (length(receipt) <= 100),
  transaction_id bigint references transactions (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (division, period_from),
  unique (division, period_to),
  check ((status = 'filed') = (filed_by_id is not null) and (status = 'filed') = (filed_at is not null)),
  check (status = 'filed' or transaction_id is null)
);
create index tax_returns_preparer on tax_returns (prepared_by_id);
create index tax_returns_filer on tax_returns (filed_by_id) where filed_by_id is not null;
create index tax_returns_transaction on tax_returns (transaction_id) where transaction_id is not null;
create trigger touch_updated_at before update on tax_returns for each row execute function touch_updated_at();
comment on table tax_returns is
  'VAT returns: prepared by one person, filed by another. A filed return is a snapshot and never changes.';
comment on column tax_returns.boxes is 'Boxes in their order: box, label, amount_minor in the functional currency.';
comment on column tax_returns.net_minor is 'Output tax less input tax: above zero it is paid, below zero reclaimed.';
comment on column tax_returns.items_sha256 is
  'Hash of what the return takes: filing refuses where it has changed since.';
comment on column tax_returns.receipt is 'What the authority answered: the form bundle number of HMRC.';

create table tax_return_items (
  id bigint generated always as identity primary key,
  tax_return_id bigint not null references tax_returns (id),
  source text not null check (source in ('entry', 'invoice_line', 'bill_line', 'void_bill_line')),
  source_id bigint not null,
  side text not null check (side in ('output', 'input')),
  tax_minor minor_amount not null,
  net_minor minor_amount not null,
  intra_eu boolean not null,
  is_goods boolean not null,
  is_late boolean not null,
  unique (source, source_id)
);
create index tax_return_items_return on tax_return_items (tax_return_id, id);
comment on table tax_return_items is
  'What a filed return took, frozen: an item stands on one return, whatever is posted into its period later.';
comment on column tax_return_items.source is
  'entry: journal_entries; invoice_line: invoice_tax_lines without tax; bill_line: bill_lines without tax, and voids.';
comment on column tax_return_items.is_late is 'Its tax point lies before the period of the return.';

create function tg_tax_returns_guard() returns trigger language plpgsql as $$
begin
  if old.status = 'filed' and not (tg_op = 'UPDATE' and new.receipt <> old.receipt
      and to_jsonb(new) - array['receipt', 'version', 'updated_at']
        = to_jsonb(old) - array['receipt', 'version', 'updated_at'])
  then
    raise exception 'tax return % is filed and never changes', old.id using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger tax_returns_guard before update or delete on tax_returns for each row
  execute function tg_tax_returns_guard();
comment on function tg_tax_returns_guard() is 'A filed return only takes the answer of the authority.';

-- What a VAT return takes: tax lines of the ledger, and the net of documents that carry no tax.
-- The ledger books no line of 0.00, so untaxed sales and purchases come from their documents.
create view vat_items with (security_invoker = true) as
select 'entry'::text as source, e.id as source_id, e.division, e.transaction_at as booked_on,
  least(e.transaction_at, coalesce(v.tax_point_on, e.transaction_at)) as tax_point_on,
  case a.system_key when 'vat_output' then 'output' else 'input' end as side,
  (case a.system_key when 'vat_output' then -e.base_amount_minor else e.base_amount_minor end)::bigint as tax_minor,
  (case when e.tax_base_minor is not null then
      case a.system_key when 'vat_output' then -1 else 1 end * round(e.tax_base_minor * coalesce(e.fx_rate, 1))
    when m.id is not null then
      case a.system_key when 'vat_output' then -1 else 1 end * sign(e.amount_minor)
        * round(m.net_minor * coalesce(e.fx_rate, 1))
    else 0 end)::bigint as net_minor,
  coalesce(vn.address ->> 'country_code', r.residence_country) as partner_country,
  coalesce(c.kind = 'reverse_charge' or m.id is not null, false) as is_reverse_charge, false as is_goods,
  e.transaction_id, e.party_id as authority_id, a.code as account, e.base_amount_minor,
  e.invoice_id, e.bill_id, m.id as royalty_statement_id, c.code as tax_code
from posted_entries e
  join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('vat_output', 'vat_input')
  join transactions t on t.id = e.transaction_id
  left join tax_codes c on c.id = e.tax_code_id
  left join invoices v on v.id = e.invoice_id and t.kind in ('invoice', 'credit_note')
  left join transactions o on o.id = t.reverses_id
  left join royalty_statements m on coalesce(o.source_type, t.source_type) = 'royalty_statement'
    and m.id = coalesce(o.source_id, t.source_id)
  left join royaltors r on r.id = m.royaltor_id
  left join bills b on b.id = e.bill_id
  left join vendors vn on vn.id = b.vendor_id
where e.division in ('UK', 'EU') and e.kind not in ('tax_return', 'opening', 'year_end_close')
union all
select 'invoice_line', l.id, v.division, v.issued_on, least(v.issued_on, v.tax_point_on), 'output', 0,
  (case v.kind when 'credit_note' then -1 else 1 end * round(l.base_minor * coalesce(v.functional_rate, 1)))::bigint,
  case c.kind when 'zero' then left(l.jurisdiction, 2) else left(upper(v.customer_vat_number), 2) end,
  c.kind in ('reverse_charge', 'zero'),
  i.item_class in ('rental', 'printed_script', 'printed_music', 'merchandise', 'shipping'),
  v.transaction_id, null, null, 0, v.id, null, null, c.code
from invoice_tax_lines l
  join invoices v on v.id = l.invoice_id and v.division in ('UK', 'EU') and v.transaction_id is not null
  join invoice_items i on i.id = l.invoice_item_id
  join tax_codes c on c.id = l.tax_code_id and c.code <> 'NONE'
    and c.kind in ('zero', 'exempt', 'outside_scope', 'reverse_charge', 'standard', 'reduced')
where l.tax_minor = 0 and not exists (select 1 from journal_entries e
  where e.transaction_id = v.transaction_id and e.tax_code_id = l.tax_code_id)
union all
select case when k.void then 'void_bill_line' else 'bill_line' end, l.id, b.division,
  case when k.void then b.voided_on else b.billed_on end, case when k.void then b.voided_on else b.billed_on end,
  'input', 0,
  (case when (b.kind = 'credit') <> k.void then -1 else 1 end
    * round(l.net_minor * coalesce(b.functional_rate, 1)))::bigint,
  vn.address ->> 'country_code', false, false, b.transaction_id, null, null, 0, null, b.id, null, c.code
from bill_lines l
  join bills b on b.id = l.bill_id and b.division in ('UK', 'EU') and b.transaction_id is not null
  join tax_codes c on c.id = l.tax_code_id
  join vendors vn on vn.id = b.vendor_id
  cross join lateral (values (false), (true)) k (void)
where l.tax_minor = 0 and (not k.void or b.voided_on is not null) and not exists (select 1 from journal_entries e
  where e.transaction_id = b.transaction_id and e.tax_code_id = l.tax_code_id);
comment on view vat_items is
  'What VAT returns take, each once: tax lines of the ledger, and the net of documents without tax. Opening balances
  and the postings of returns are no part of it. Untaxed goods name the country they went to.';
grant select on vat_items to app_rw;
grant select, insert, update, delete on tax_returns to app_rw;
grant select, insert on tax_return_items to app_rw;

-- Rules of economic nexus: what a state counts before a seller has to register there.
create table nexus_rules (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^US-[A-Z]{2}$'),
  threshold_minor minor_amount check (threshold_minor > 0),
  transactions integer check (transactions > 0),
  needs_both boolean not null default false check (not needs_both or num_nonnulls(threshold_minor, transactions) = 2),
  measure text not null default 'gross' check (measure in ('gross', 'taxable')),
  counts text not null default 'calendar_year' check (counts in ('calendar_year', 'rolling_12')),
  valid_from date not null,
  source text not null default '' check (length(source) <= 300),
  created_by_id bigint references users (id),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (state, valid_from),
  check (num_nonnulls(threshold_minor, transactions) >= 1)
);
create index nexus_rules_creator on nexus_rules (created_by_id) where created_by_id is not null;
create trigger touch_updated_at before update on nexus_rules for each row execute function touch_updated_at();
comment on table nexus_rules is
  'Economic nexus by state, in force from a day on: sales, their number, or both, of a year. Who is over it registers.';
comment on column nexus_rules.threshold_minor is 'Minor units of US dollars; null: the state counts no money.';
comment on column nexus_rules.counts is 'The calendar year, or the twelve months up to the day.';
grant select, insert, update on nexus_rules to app_rw;

insert into nexus_rules (state, threshold_minor, transactions, needs_both, counts, valid_from, source)
select 'US-' || r.state, r.dollars * 100, r.transactions, r.both_needed, 'calendar_year', '2020-01-01',
  'Published by the state; to be confirmed by an adviser'
from (values ('CA', 500000, null::integer, false), ('TX', 500000, null, false), ('NY', 500000, 100, true),
  ('AL', 250000, null, false), ('MS', 250000, null, false), ('CT', 100000, 200, true)) r (state, dollars,
  transactions, both_needed);
