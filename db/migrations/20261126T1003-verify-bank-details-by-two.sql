-- Bank details of vendors and royaltors: who wrote them and who verified them are kept with them, two persons by
-- constraint; whatever changes takes the verification back. Kind, country and holder of the account are checked.
-- Vendors get their tax form and the box of their Form 1099.

alter table vendors
  add column bank_kind text check (bank_kind in ('us', 'uk', 'iban', 'other')),
  add column bank_country text check (bank_country ~ '^[A-Z]{2}$'),
  add column bank_holder text check (bank_holder <> ''),
  add column bank_is_savings boolean not null default false,
  add column bank_details_version integer not null default 0,
  add column bank_details_changed_by_id bigint references users (id),
  add column bank_details_changed_at timestamptz,
  add column bank_verified_by_id bigint references users (id),
  add column bank_verified_note text,
  add column tax_form_type text not null default 'none' check (tax_form_type in ('none', 'w9', 'w8ben', 'w8bene')),
  add column tax_form_received_on date,
  add column tax_1099_category text not null default 'none' check (tax_1099_category in ('none', 'nec', 'misc_rents',
    'misc_royalties', 'misc_other_income', 'misc_legal'));
alter table royaltors
  add column bank_kind text check (bank_kind in ('us', 'uk', 'iban', 'other')),
  add column bank_country text check (bank_country ~ '^[A-Z]{2}$'),
  add column bank_holder text check (bank_holder <> ''),
  add column bank_is_savings boolean not null default false,
  add column bank_details_version integer not null default 0,
  add column bank_details_changed_by_id bigint references users (id),
  add column bank_details_changed_at timestamptz,
  add column bank_verified_by_id bigint references users (id),
  add column bank_verified_note text;

update vendors set tax_1099_category = 'nec' where form_1099;
alter table vendors drop column form_1099,
  add constraint vendors_tax_form check ((tax_form_type <> 'none') or tax_form_received_on is null);
comment on column vendors.tax_form_received_on is 'Day on which the form came in.';
comment on column vendors.tax_1099_category is 'Form and box of the year-end report; none: not reported.';

-- Persons from the audit trail; a verification that it does not prove by two persons is taken back.
create procedure pg_temp.fill_bank_details(p_table text, p_entity text) language plpgsql as $$
begin
  execute format($q$
    update %1$I t set bank_details_version = 1,
      bank_details_changed_by_id = (select u.id from users u where u.id = w.actor_id),
      bank_details_changed_at = coalesce(w.created_at, t.updated_at),
      bank_verified_by_id = v.actor_id, bank_verified_note = case when v.actor_id is not null then '' end,
      bank_verified_at = case when v.actor_id is not null then t.bank_verified_at end
    from %1$I o
      left join lateral (select a.id, a.actor_id, a.created_at from audit_events a where a.entity = %2$L
        and a.entity_id = o.id and a.action = 'set_bank_details' order by a.id desc limit 1) w on true
      left join lateral (select a.actor_id from audit_events a join users u on u.id = a.actor_id
        where a.entity = %2$L and a.entity_id = o.id and a.action = 'verify_bank_details' and a.id > w.id
          and a.actor_id is distinct from w.actor_id and o.bank_verified_at is not null
        order by a.id desc limit 1) v on true
    where o.id = t.id and t.bank_account_encrypted is not null$q$, p_table, p_entity);
end $$;
call pg_temp.fill_bank_details('vendors', 'vendor');
call pg_temp.fill_bank_details('royaltors', 'royaltor');
drop procedure pg_temp.fill_bank_details;

create function tg_bank_details_guard() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    new.bank_details_version := (new.bank_account_encrypted is not null)::integer;
  elsif (new.bank_account_encrypted, new.bank_routing_encrypted, new.bank_kind, new.bank_country, new.bank_holder,
      new.bank_is_savings) is distinct from (old.bank_account_encrypted, old.bank_routing_encrypted, old.bank_kind,
      old.bank_country, old.bank_holder, old.bank_is_savings) then
    new.bank_details_version := old.bank_details_version + 1;
    new.bank_verified_at := null;
  elsif new.bank_details_changed_by_id is distinct from old.bank_details_changed_by_id then
    raise exception 'who wrote the bank details of % % stays with them', tg_table_name, old.id using errcode = '23514';
  end if;
  if new.bank_verified_at is null then
    new.bank_verified_by_id := null;
    new.bank_verified_note := null;
  end if;
  return new;
end $$;
revoke all on function tg_bank_details_guard() from public;

alter table vendors add constraint vendors_bank_verified check (bank_verified_at is null
    or (bank_account_encrypted is not null and bank_verified_by_id is not null and bank_verified_note is not null)),
  add constraint vendors_bank_four_eyes check (bank_verified_by_id <> bank_details_changed_by_id);
alter table royaltors add constraint royaltors_bank_verified check (bank_verified_at is null
    or (bank_account_encrypted is not null and bank_verified_by_id is not null and bank_verified_note is not null)),
  add constraint royaltors_bank_four_eyes check (bank_verified_by_id <> bank_details_changed_by_id);
create trigger bank_details_guard before insert or update on vendors
  for each row execute function tg_bank_details_guard();
create trigger bank_details_guard before insert or update on royaltors
  for each row execute function tg_bank_details_guard();
create index vendors_bank_changed_by on vendors (bank_details_changed_by_id);
create index vendors_bank_verified_by on vendors (bank_verified_by_id);
create index royaltors_bank_changed_by on royaltors (bank_details_changed_by_id);
create index royaltors_bank_verified_by on royaltors (bank_verified_by_id);

comment on column vendors.bank_kind is 'null: written before kinds were kept; read from the number itself.';
comment on column vendors.bank_holder is 'Name on the account where it is not that of the vendor.';
comment on column vendors.bank_details_version is
  'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column vendors.bank_verified_note is 'Who confirmed the details and how they were reached.';
comment on column royaltors.bank_kind is 'null: written before kinds were kept; read from the number itself.';
comment on column royaltors.bank_holder is 'Name on the account where it is not that of the royaltor.';
comment on column royaltors.bank_details_version is
  'Counts each change of the bank details; a payment keeps the one it was approved with.';
comment on column royaltors.bank_verified_note is 'Who confirmed the details and how they were reached.';
