-- A statement, the agent's part of it and an advance stand in one payment at a time: from the draft of a batch until
-- the payment is cancelled or returned. What a statement pays is never more than what it states.

alter table royalty_payment_conversions add column is_agent boolean not null default false;
alter table royalty_payment_conversions add column live boolean not null default true;
alter table royalty_payment_conversions disable trigger user;
update royalty_payment_conversions c set is_agent = true from royalty_payment_statements x
where x.payment_id = c.payment_id and x.royalty_statement_id = c.royalty_statement_id and x.wht_base_minor = 0;
-- Where the same was paid twice before this rule, the first payment holds it; the integrity report names the others.
update royalty_payment_conversions c set live = false from payments p
where p.id = c.payment_id and (p.status not in ('draft', 'approved', 'posted', 'cleared') or exists (
  select 1 from royalty_payment_conversions o join payments q on q.id = o.payment_id
  where o.id < c.id and o.is_agent = c.is_agent and q.status in ('draft', 'approved', 'posted', 'cleared')
    and (o.royalty_statement_id, o.royalty_advance_id)
      is not distinct from (c.royalty_statement_id, c.royalty_advance_id)));
alter table royalty_payment_conversions enable trigger user;
alter table royalty_payment_conversions add check (royalty_advance_id is null or not is_agent);

create unique index royalty_conversions_live_statement on royalty_payment_conversions (royalty_statement_id, is_agent)
  where live and royalty_statement_id is not null;
create unique index royalty_conversions_live_advance on royalty_payment_conversions (royalty_advance_id)
  where live and royalty_advance_id is not null;

create or replace function guard_royalty_conversion() returns trigger
language plpgsql as $$
declare
  free text[] := array['live', 'updated_at'];
begin
  if old.settled_at is not null and (to_jsonb(new) - free) <> (to_jsonb(old) - free) then
    raise exception 'payment % was converted on its day: return it instead', old.payment_id using errcode = '23514';
  end if;
  return new;
end $$;

create function follow_royalty_payment() returns trigger
language plpgsql as $$
begin
  update royalty_payment_conversions set live = new.status in ('draft', 'approved', 'posted', 'cleared')
  where payment_id = new.id and live <> (new.status in ('draft', 'approved', 'posted', 'cleared'));
  return null;
end $$;
create trigger follow_royalty_payment after update of status on payments for each row
  when (old.status is distinct from new.status and new.royalty_payment_batch_id is not null)
  execute function follow_royalty_payment();

-- Not valid: a statement that was paid twice before must still be open to the return that mends it.
alter table royalty_statements add constraint royalty_statements_paid_once
  check (paid_minor + withheld_minor <= payable_minor + expected_wht_minor) not valid;

-- A batch whose day of payment is still to come is scheduled; a job posts it on its day.
alter table royalty_payment_batches drop constraint royalty_payment_batches_status_check;
alter table royalty_payment_batches add constraint royalty_payment_batches_status_check
  check (status in ('draft', 'approved', 'scheduled', 'posted', 'void'));
alter table royalty_payment_batches add column scheduled_by_id bigint references users (id);
alter table royalty_payment_batches add column scheduled_at timestamptz;
-- Why the last attempt to post it failed, in words for the person who looks at it.
alter table royalty_payment_batches add column failure text;
alter table royalty_payment_batches add check (status <> 'scheduled' or approved_at is not null
  and scheduled_at is not null);
create index royalty_payment_batches_scheduled on royalty_payment_batches (pay_on, id) where status = 'scheduled';
create index royalty_payment_batches_scheduled_by on royalty_payment_batches (scheduled_by_id)
  where scheduled_by_id is not null;

-- A term counts with one share point or more: with none it would be shared to nobody. Terms that have none already
-- stay as they are and can be ended.
create function check_share_points() returns trigger
language plpgsql as $$
begin
  if new.share_points < 1 and (tg_op = 'INSERT' or new.share_points <> old.share_points) then
    raise exception 'a royalty term has at least one share point' using errcode = '23514',
      constraint = 'royalty_terms_share_points_one';
  end if;
  return new;
end $$;
create trigger check_share_points before insert or update of share_points on royalty_terms
  for each row execute function check_share_points();
