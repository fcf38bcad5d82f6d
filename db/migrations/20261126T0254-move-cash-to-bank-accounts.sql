-- Gives the cash accounts of the ledger their bank accounts.

-- What there was: a bank account for each cash account that has a currency and a key, or lines. Undeposited funds,
-- Transfers in transit and Card clearing are no bank accounts. Other currencies than the account's own move by one
-- transfer each to an account of their own; payments keep the account that they were posted to.
alter table ledger_accounts disable trigger ledger_accounts_guard;
do $$
declare
  d record;
  a record;
  c record;
  own text;
  place bigint;
  twin bigint;
  twin_code text;
  title text;
  day date;
begin
  for d in select * from divisions order by id loop
    place := null;
    for a in
      select l.* from ledger_accounts l where l.division = d.code and l.is_cash and l.deleted_at is null
        and coalesce(l.system_key, '') not in ('undeposited', 'transit', 'card_clearing') and l.code <> '1020'
        and l.party_types is null and not l.has_open_items
        and (l.system_key in ('bank', 'bank_foreign')
          or exists (select 1 from journal_entries e where e.ledger_account_id = l.id))
      order by l.code
    loop
      if place is null then
        select id into place from banks where name = coalesce(d.payee_bank, 'Bank of ' || d.name);
      end if;
      if place is null then
        insert into banks (name) values (coalesce(d.payee_bank, 'Bank of ' || d.name))
          returning id into place;
      end if;
      own := coalesce(a.currency, (select b.currency from ledger_balances b where b.ledger_account_id = a.id
        group by b.currency order by b.currency = d.functional_currency desc, count(*) desc, b.currency limit 1),
        d.functional_currency);
      update ledger_accounts set is_monetary = true where id = a.id;
      for c in
        select b.currency, sum(b.debit_minor - b.credit_minor)::bigint as amount,
          sum(b.base_debit_minor - b.base_credit_minor)::bigint as base
        from ledger_balances b where b.ledger_account_id = a.id and b.currency <> own
        group by b.currency order by b.currency
      loop
        twin := open_bank_ledger_account(d.code, c.currency, left(a.name, 100) || ' ' || c.currency);
        select code, name into twin_code, title from ledger_accounts where id = twin;
        if exists (select 1 from ledger_accounts o where o.division = d.code and o.is_cash and o.id <> twin
            and lower(o.name) = lower(title)) then
          title := title || ' ' || twin_code;
        end if;
        insert into bank_accounts (bank_id, division, currency, name, ledger_account_id, is_default)
          values (place, d.code, c.currency, title, twin,
            not exists (select 1 from bank_accounts b where b.division = d.code and b.currency = c.currency
              and b.is_default)
            and not exists (select 1 from ledger_accounts o where o.division = d.code and o.currency = c.currency
              and o.system_key in ('bank', 'bank_foreign')));
        if c.amount = 0 and c.base = 0 then continue; end if;
        -- today, or the first day after it on which the bank is not locked
        select min(greatest(current_date, p.starts, p.bank_locked_through + 1, p.hard_locked_through + 1)) into day
          from periods p where p.division = d.code and p.state = 'open' and p.ends >= greatest(current_date,
            p.bank_locked_through + 1, p.hard_locked_through + 1);
        perform ledger_post(d.code, 'transfer', day, c.currency || ' moved to an account of its own', null,
          null, null, null, 1, null, array[twin_code, a.code], array[c.currency, c.currency],
          array[c.amount, -c.amount], array[c.base, -c.base]);
      end loop;
      update ledger_accounts set currency = own, is_bank = true, allow_manual = false, system_key = null
        where id = a.id;
      title := a.name;
      if exists (select 1 from bank_accounts b where b.division = d.code and lower(b.name) = lower(title)) then
        title := left(title, 100) || ' ' || a.code;
      end if;
      insert into bank_accounts (bank_id, division, currency, name, ledger_account_id, is_default, closed_on)
        values (place, d.code, own, title, a.id,
          a.active and not exists (select 1 from bank_accounts b where b.division = d.code and b.currency = own
            and b.is_default),
          case when not a.active then current_date end);
    end loop;
  end loop;
end $$;
alter table ledger_accounts enable trigger ledger_accounts_guard;

-- Drafts of journals with a line on a bank account cannot be posted any more: their flag says so.
do $$
begin
  perform set_config('search_path', 'public, ledger_door', true);
  update transactions t set has_posting_discrepencies = true where t.status = 'draft'
    and not t.has_posting_discrepencies and exists (select 1 from journal_entries e
      join ledger_accounts a on a.id = e.ledger_account_id and a.is_bank where e.transaction_id = t.id);
  perform set_config('search_path', 'public', true);
end $$;
