-- Goods bought in other member states stood with services in the EU return: no purchase was goods. A line of a bill on
-- inventory, goods received or cost of materials is; its tax is that of the line before.
create or replace view vat_entries with (security_invoker = true) as
select e.id, a.division, e.transaction_at as booked_on, least(e.transaction_at, v.tax_point_on) as tax_point_on,
  a.system_key = 'vat_output' as is_output, a.code as account, e.base_amount_minor,
  case when e.tax_base_minor is not null then
      case when e.fx_rate is null then e.tax_base_minor else round(e.tax_base_minor * e.fx_rate)::bigint end
    when s.statement_id is not null then coalesce((select (sign(e.amount_minor)
      * round(m.net_minor * coalesce(e.fx_rate, 1)))::bigint from royalty_statements m where m.id = s.statement_id), 0)
    else 0 end as base_net_minor,
  e.tax_code_id, e.transaction_id, e.party_id as authority_id, e.invoice_id, e.bill_id, s.statement_id,
  -- A bill posts each line, then its tax: 1300 first, 2300 of a reverse charge after it.
  exists (select 1 from journal_entries g join ledger_accounts x on x.id = g.ledger_account_id
      and x.system_key in ('inventory', 'grni', 'cost_of_materials')
    where g.transaction_id = e.transaction_id
      and g.line_no = e.line_no - case a.system_key when 'vat_output' then 2 else 1 end) as is_goods
from journal_entries e
  join ledger_accounts a on a.id = e.ledger_account_id and a.system_key in ('vat_output', 'vat_input')
    and a.division in ('UK', 'EU')
  join transactions t on t.id = e.transaction_id and t.status in ('posted', 'reversed')
    and t.kind not in ('tax_return', 'opening', 'year_end_close')
  left join invoices v on v.id = e.invoice_id and t.kind in ('invoice', 'credit_note')
  cross join lateral (select case
    when t.reverses_id is null then case t.source_type when 'royalty_statement' then t.source_id end
    else (select coalesce(o.source_id, t.source_id) from transactions o where o.id = t.reverses_id
      and coalesce(o.source_type, t.source_type) = 'royalty_statement') end as statement_id) s;
create or replace view vat_items with (security_invoker = true) as
select 'entry'::text as source, e.id as source_id, e.division, e.booked_on, e.tax_point_on,
  case when e.is_output then 'output' else 'input' end as side,
  (case when e.is_output then -e.base_amount_minor else e.base_amount_minor end)::bigint as tax_minor,
  (case when e.is_output then -e.base_net_minor else e.base_net_minor end)::bigint as net_minor,
  coalesce(vn.address ->> 'country_code', r.residence_country) as partner_country,
  coalesce(c.kind = 'reverse_charge' or m.id is not null, false) as is_reverse_charge, e.is_goods,
  e.transaction_id, e.authority_id, e.account, e.base_amount_minor,
  e.invoice_id, e.bill_id, m.id as royalty_statement_id, c.code as tax_code
from vat_entries e
  left join tax_codes c on c.id = e.tax_code_id
  left join royalty_statements m on m.id = e.statement_id
  left join royaltors r on r.id = m.royaltor_id
  left join bills b on b.id = e.bill_id
  left join vendors vn on vn.id = b.vendor_id
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
