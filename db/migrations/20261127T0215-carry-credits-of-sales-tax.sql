-- A sales tax return below zero leaves a credit with the state: the next return of the state uses it, or the state is
-- asked to refund it (accounting.md 2.2 event 23).

alter table tax_returns add column credit_minor minor_amount not null default 0 check (credit_minor >= 0);
alter table tax_returns add column carries_credit boolean not null default false;
alter table tax_returns disable trigger tax_returns_guard;
update tax_returns set carries_credit = true where state is not null and status = 'filed' and net_minor < 0;
alter table tax_returns enable trigger tax_returns_guard;
alter table tax_returns add constraint tax_returns_credit check (credit_minor = 0
  or (state is not null and net_minor >= 0));
alter table tax_returns add constraint tax_returns_carries check (not carries_credit
  or (state is not null and status = 'filed' and net_minor < 0));
alter table tax_returns drop constraint tax_returns_posting;
comment on column tax_returns.credit_minor is
  'Credit of earlier returns of the state that this one uses, in cents; part of net_minor. Never more than there is.';
comment on column tax_returns.carries_credit is
  'Sales tax below zero: later returns of the state use it; false: the state is asked to refund it.';

create or replace function tg_tax_returns_guard() returns trigger language plpgsql as $function$
begin
  if old.status = 'filed' and not (tg_op = 'UPDATE' and new.receipt <> old.receipt
      and to_jsonb(new) - array['receipt', 'version', 'updated_at']
        = to_jsonb(old) - array['receipt', 'version', 'updated_at'])
  then
    raise exception 'tax return % is filed and never changes', old.id using errcode = '23514';
  end if;
  if tg_op = 'UPDATE' and new.status = 'filed' and new.credit_minor > (
    select coalesce(sum(case when t.carries_credit then -t.net_minor else 0 end - t.credit_minor), 0)
    from tax_returns t where t.division = new.division and t.state = new.state and t.period_from < new.period_from
      and t.status = 'filed')
  then
    raise exception 'tax return % uses more credit than the state has', old.id using errcode = '23514';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $function$;
