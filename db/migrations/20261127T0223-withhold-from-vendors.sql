-- Backup withholding of US vendors: the setting of a vendor, the rate beside those of royaltors, and the tax that a
-- payment keeps back. A payment and its tax are the sum of what it settles.

alter table vendors
  add column backup_withholding_reason text not null default 'none'
    check (backup_withholding_reason in ('none', 'no_tin', 'b_notice')),
  add column backup_withholding_from date,
  add constraint vendors_backup_withholding
    check ((backup_withholding_reason = 'none') = (backup_withholding_from is null)),
  add constraint vendors_backup_reported
    check (backup_withholding_reason = 'none'
      or (tax_1099_category <> 'none' and tax_form_type in ('none', 'w9')));
comment on column vendors.backup_withholding_reason is
  'Why tax is withheld from payments: no taxpayer number, or a notice of the IRS that it is wrong; none: nothing is.';
comment on column vendors.backup_withholding_from is 'First day whose payments are withheld from.';

alter table wht_rules drop constraint wht_rules_income_kind_check;
alter table wht_rules add constraint wht_rules_income_kind_check check (income_kind in ('royalty', 'vendor'));
alter table wht_rules add constraint wht_rules_vendor check (income_kind <> 'vendor'
  or (payer_division in ('US', 'PROD') and payee_country is null and payee_kind is null and form is null));
comment on column wht_rules.income_kind is
  'Royalties, or what US vendors are paid: the rate of backup withholding, for all of them.';
insert into wht_rules (payer_division, income_kind, rate_ppm, description, valid_from)
select d.code, 'vendor', 240000, 'US vendor without a correct taxpayer number: backup withholding, 26 U.S.C. 3406. '
  || 'To be confirmed by a tax adviser.', date '2018-01-01'
from (values ('US'), ('PROD')) d (code);

alter table payments
  add column withheld_minor minor_amount not null default 0 check (withheld_minor >= 0),
  add constraint payments_withheld check (withheld_minor = 0 or (direction = 'out' and kind = 'vendor'
    and division in ('US', 'PROD') and currency = 'USD' and method <> 'card'));
comment on column payments.withheld_minor is
  'Backup withholding of a payment to a vendor, owed to the IRS; the amount is net of it. Tax withheld from royalties '
  'stands with their statements.';

create or replace function tg_payment_sum() returns trigger
language plpgsql security definer set search_path to 'public', 'pg_temp' as $$
declare
  payment bigint := case tg_table_name when 'payments' then (to_jsonb(new) ->> 'id')::bigint
    else (to_jsonb(new) ->> 'payment_id')::bigint end;
begin
  if exists (select 1 from payments p where p.id = payment and p.status in ('draft', 'approved', 'posted', 'cleared')
      and p.deleted_at is null
      and (p.withheld_minor <> 0 or exists (select 1 from payment_parts x where x.payment_id = p.id))
      and p.amount_minor + p.withheld_minor <> (select coalesce(sum(x.amount_minor), 0) from payment_parts x
        where x.payment_id = p.id and x.state = case when p.posted_at is null then 'reserved' else 'paid' end)) then
    raise exception 'payment %: its amount and the tax withheld are not the sum of its parts', payment
      using errcode = '23514', constraint = 'payment_parts_sum';
  end if;
  if exists (select 1 from payments p join payment_parts x on x.payment_id = p.id
      where p.id = payment and p.deleted_at is not null and x.state <> 'released') then
    raise exception 'payment %: it is in the trash and holds what it would pay', payment
      using errcode = '23514', constraint = 'payment_parts_trash';
  end if;
  return null;
end $$;
drop trigger payments_sum on payments;
create constraint trigger payments_sum after update of amount_minor, withheld_minor, status, deleted_at on payments
  deferrable initially deferred for each row when (new.direction = 'out') execute function tg_payment_sum();
