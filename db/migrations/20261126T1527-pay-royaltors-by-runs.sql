-- Batches of payments to royaltors are payment runs: two people, one file for the bank, its answer for each payment.

alter table payment_runs add column royalty_payment_batch_id bigint unique references royalty_payment_batches (id);
comment on column payment_runs.royalty_payment_batch_id is
  'Batch of payments to royaltors that this run pays; the batch follows the state of its run.';
alter table payment_runs add constraint payment_runs_batch unique (id, royalty_payment_batch_id);

-- A run for every batch that has payments. What was approved has no hash of what was approved: it is approved again.
insert into payment_runs (number, division, currency, bank_account_id, method, due_by, value_on, status, created_by_id,
  approved_by_id, approved_at, approved_hash, exported_by_id, exported_at, posted_at, failure, void_reason,
  royalty_payment_batch_id, version, created_at)
select b.number, b.division, b.currency, a.id, b.method, b.pay_on, b.pay_on,
  case b.status when 'approved' then 'draft' when 'scheduled' then 'exported' else b.status end, b.created_by_id,
  case when b.status <> 'approved' then b.approved_by_id end, case when b.status <> 'approved' then b.approved_at end,
  case when b.status <> 'approved' and b.approved_at is not null then 'none' end, b.scheduled_by_id, b.scheduled_at,
  b.posted_at, b.failure, case when b.status = 'void' then 'Cancelled' end, b.id, b.version, b.created_at
from royalty_payment_batches b
  join lateral (select p.ledger_account_id from payments p where p.royalty_payment_batch_id = b.id
    order by p.id limit 1) p on true
  join bank_accounts a on a.ledger_account_id = p.ledger_account_id and a.division = b.division
    and a.currency = b.currency;
update royalty_payment_batches set status = 'draft', approved_by_id = null, approved_at = null
  where status = 'approved' and id in (select royalty_payment_batch_id from payment_runs);

alter table payments drop constraint payments_run;
alter table payments add constraint payments_run check (payment_run_id is null or direction = 'out');
-- Figures and times of posted payments stay as they are.
alter table payments disable trigger user;
update payments p set payment_run_id = t.id,
  status = case when p.status = 'approved' and t.status = 'draft' then 'draft' else p.status end,
  approved_by_id = case when p.status = 'approved' and t.status = 'draft' then null else p.approved_by_id end,
  approved_at = case when p.status = 'approved' and t.status = 'draft' then null else p.approved_at end
from payment_runs t where t.royalty_payment_batch_id = p.royalty_payment_batch_id;
alter table payments enable trigger user;
alter table payments add constraint payments_run_of_batch foreign key (payment_run_id, royalty_payment_batch_id)
  references payment_runs (id, royalty_payment_batch_id);

create function tg_royalty_batch_follows_run() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update royalty_payment_batches set status = case new.status when 'exported' then 'scheduled' else new.status end,
    pay_on = new.value_on, approved_by_id = new.approved_by_id, approved_at = new.approved_at,
    scheduled_by_id = new.exported_by_id, scheduled_at = new.exported_at, posted_at = new.posted_at,
    failure = new.failure, version = new.version
  where id = new.royalty_payment_batch_id;
  return null;
end $$;
revoke all on function tg_royalty_batch_follows_run() from public;
create trigger payment_runs_batch after update on payment_runs for each row
  when (new.royalty_payment_batch_id is not null) execute function tg_royalty_batch_follows_run();

-- Royaltors are paid by printed checks like everybody else.
drop trigger payment_check on payments;
create trigger payment_check after insert or update of method, status, ledger_account_id, deleted_at on payments
  for each row when (new.direction = 'out' and new.kind in ('vendor', 'refund', 'tax', 'royalty', 'royalty_advance'))
  execute function tg_payment_check();
insert into checks (bank_account_id, division, currency, payment_id, created_by_id)
  select b.id, b.division, b.currency, p.id, p.created_by_id
  from payments p join payment_runs t on t.id = p.payment_run_id join bank_accounts b on b.id = t.bank_account_id
  where p.royalty_payment_batch_id is not null and p.method = 'check' and p.status = 'draft'
    and p.deleted_at is null;
