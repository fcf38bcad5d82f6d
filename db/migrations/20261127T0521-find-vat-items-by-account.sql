-- The division of a tax line is that of its account (a foreign key binds the two). Asked of the line, it made the
-- database read the VAT accounts of every division and expect a fraction of the lines.
create or replace view vat_items with (security_invoker = true) as
select 'entry'::text as source, e.id as source_id, a.division, e.transaction_at as booked_on,
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
where a.division in ('UK', 'EU') and e.kind not in ('tax_return', 'opening', 'year_end_close')
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
