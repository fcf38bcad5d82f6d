-- The rules of a row in one constraint per table. PostgreSQL keeps a CHECK as text and reads and plans the text of
-- every CHECK of a table anew for every statement that writes to it: thirty of them were 1.1 million of the 4.3
-- million instructions of a posting. A function is read once per connection. A row that breaks a rule is refused as
-- before, with the name that the rule's own constraint had; a rule that a null leaves open holds, as in any CHECK.

create function refuse_row(p_table text, p_rule text) returns boolean language plpgsql immutable as $$
begin
  raise exception 'new row for relation "%" violates check constraint "%"', p_table, p_rule
    using errcode = 'check_violation', schema = 'public', table = p_table, constraint = p_rule;
end $$;

create function transaction_holds(status text, posted_at timestamptz, deleted_at timestamptz, number text,
  direction text, source_type text, source_id bigint, source_event text, source_attempt smallint,
  reversal_reason text, description text, memo text) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  -- the usual row first: every name in an expression is built anew in each transaction
  if status = 'posted' and posted_at is not null and deleted_at is null and number is null and reversal_reason is null
      and source_type is not null and source_id is not null and source_event is not null and source_attempt >= 1
      and source_type <> '' and source_event <> '' and length(source_type) <= 40 and length(source_event) <= 60
      and direction in ('in', 'out', 'neutral') and length(description) <= 500 and memo = '' then
    return true;
  end if;
  broken := case
    when status not in ('draft', 'posted', 'reversed', 'void') then 'transactions_status_check'
    when (status in ('posted', 'reversed')) <> (posted_at is not null) then 'transactions_check'
    when number is not null and status not in ('posted', 'reversed') then 'transactions_check1'
    when num_nulls(source_type, source_id, source_event) not in (0, 3) then 'transactions_check2'
    when source_id is not null and status not in ('posted', 'reversed') then 'transactions_check3'
    when deleted_at is not null and status not in ('draft', 'void') then 'transactions_check4'
    when direction not in ('in', 'out', 'neutral') then 'transactions_direction_check'
    when length(number) not between 1 and 60 then 'transactions_number_check'
    when length(source_type) not between 1 and 40 then 'transactions_source_type_check'
    when length(source_event) not between 1 and 60 then 'transactions_source_event_check'
    when source_attempt < 1 then 'transactions_source_attempt_check'
    when length(reversal_reason) > 500 then 'transactions_reversal_reason_check'
    when length(description) > 500 then 'transactions_description_check'
    when length(memo) > 2000 then 'transactions_memo_check' end;
  return broken is null or refuse_row('transactions', broken);
end $$;

-- amount 0 is a line of exchange difference; otherwise both sides of a line have one sign (accounting.md 1.6)
create function journal_entry_holds(line_no int, amount_minor bigint, base_amount_minor bigint, fx_rate numeric,
  party_type text, party_id bigint, memo text) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if line_no >= 1 and amount_minor = base_amount_minor and amount_minor <> 0 and fx_rate is null and memo is null
      and amount_minor between -1000000000000 and 1000000000000
      and (party_id is null and party_type is null or party_id is not null and party_type in ('customer', 'vendor',
        'royaltor', 'bank', 'staff', 'tax_authority', 'division')) then
    return true;
  end if;
  broken := case
    when line_no < 1 then 'journal_entries_line_no_check'
    when amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_amount_minor_check'
    when base_amount_minor not between -1000000000000 and 1000000000000 then 'journal_entries_base_amount_minor_check'
    when amount_minor = 0 and base_amount_minor = 0 then 'journal_entries_check'
    when (amount_minor > 0) <> (base_amount_minor > 0) and amount_minor <> 0 and base_amount_minor <> 0
      then 'journal_entries_check1'
    when (party_type is null) <> (party_id is null) then 'journal_entries_check2'
    when party_type not in ('customer', 'vendor', 'royaltor', 'bank', 'staff', 'tax_authority', 'division')
      then 'journal_entries_party_type_check'
    when fx_rate <= 0 then 'journal_entries_fx_rate_check'
    when length(memo) > 500 then 'journal_entries_memo_check' end;
  return broken is null or refuse_row('journal_entries', broken);
end $$;

-- never applied beyond its amount, never turned over (I7)
create function open_item_holds(original_minor bigint, original_base_minor bigint, open_minor bigint,
  open_base_minor bigint) returns boolean language plpgsql immutable as $$
declare
  broken text;
begin
  if open_minor = original_minor and open_base_minor = original_base_minor and original_minor <> 0 then
    return true;
  end if;
  broken := case
    when original_minor = 0 then 'open_items_original_minor_check'
    when open_minor not between least(original_minor, 0) and greatest(original_minor, 0) then 'open_items_check'
    when open_base_minor not between least(original_base_minor, 0) and greatest(original_base_minor, 0)
      then 'open_items_check1'
    when open_minor = 0 and open_base_minor <> 0 then 'open_items_check2' end;
  return broken is null or refuse_row('open_items', broken);
end $$;

do $$
declare
  rule record;
begin
  for rule in select conrelid::regclass as of, conname from pg_constraint where contype = 'c'
      and conrelid in ('transactions'::regclass, 'journal_entries'::regclass, 'open_items'::regclass) loop
    execute format('alter table %s drop constraint %I', rule.of, rule.conname);
  end loop;
end $$;
alter table transactions add constraint transactions_rules check (transaction_holds(status, posted_at, deleted_at,
  number, direction, source_type, source_id, source_event, source_attempt, reversal_reason, description, memo));
alter table journal_entries add constraint journal_entries_rules check (journal_entry_holds(line_no, amount_minor,
  base_amount_minor, fx_rate, party_type, party_id, memo));
alter table open_items add constraint open_items_rules check (open_item_holds(original_minor, original_base_minor,
  open_minor, open_base_minor));

-- The audit row of every posting and of every other change: a domain's rule is kept ready as well, and says the same.
create domain filled_text as text check (value <> '');
alter table audit_events drop constraint audit_events_action_check, drop constraint audit_events_entity_check,
  alter column action type filled_text, alter column entity type filled_text;
