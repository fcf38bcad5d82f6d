-- Checking the hash chain in one pass over the postings instead of one look-up per link: 100,000 links took longer than
-- a request may. The text of a link is unchanged; it is now made of two parts that both sides share.

create function ledger_chain_head(t transactions) returns text language sql stable as $$
  select concat_ws('|', t.id, t.division, t.kind, t.transaction_at, t.period, t.currency, t.source_type, t.source_id,
    t.source_event, t.source_attempt, t.reverses_id, t.intercompany_group_id, t.description,
    to_char(t.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), t.posted_by)
$$;
create function ledger_chain_line(e journal_entries) returns text language sql stable as $$
  select concat_ws('|', e.id, e.line_no, e.ledger_account_id, e.currency, e.amount_minor, e.base_amount_minor,
    e.fx_rate,
    e.party_type, e.party_id)
$$;
create or replace function ledger_chain_text(p_id bigint) returns text language sql stable as $$
  select ledger_chain_head(t) || E'\n' || (select string_agg(ledger_chain_line(e), E'\n' order by e.line_no)
    from journal_entries e where e.transaction_id = t.id)
  from transactions t where t.id = p_id
$$;

create or replace view ledger_chain_breaks as
  with lines as (
    select e.transaction_id, string_agg(ledger_chain_line(e), E'\n' order by e.transaction_id, e.line_no) as text
    from journal_entries e join ledger_chain c on c.transaction_id = e.transaction_id group by e.transaction_id
  ), links as (
    select division, seq, transaction_id, prev_hash, hash, lag(hash, 1, ''::bytea) over w as expected_prev,
      lag(seq, 1, 0::bigint) over w as prev_seq
    from ledger_chain window w as (partition by division order by seq)
  )
  select c.division, c.seq, c.transaction_id
  from links c left join transactions t on t.id = c.transaction_id
    left join lines on lines.transaction_id = c.transaction_id
  where c.prev_hash <> c.expected_prev or c.seq <> c.prev_seq + 1
    or c.hash is distinct from
      sha256(c.prev_hash || convert_to(ledger_chain_head(t) || E'\n' || lines.text, 'UTF8'));

revoke all on function ledger_chain_head(transactions), ledger_chain_line(journal_entries) from public;
grant execute on function ledger_chain_head(transactions), ledger_chain_line(journal_entries) to app_rw;
