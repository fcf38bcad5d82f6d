-- The tax of a document is that of its tax point: a draft is determined again when it is issued, a pro forma when it is
-- opened to be paid or paid. What that needs to ask again stays with the lines.

alter table invoice_items
  -- The item is marked as not taxed; for shipping, the class of goods that it carries.
  add column tax_free boolean not null default false,
  add column carries text check (carries in ('performing_licence', 'rental', 'printed_script', 'printed_music',
    'e_publication', 'digital_music', 'tracks', 'logo', 'merchandise', 'shipping', 'fee'));
alter table invoices
  add column ship_to postal_address,
  -- Which version of a pro forma it is, and why it is not the first.
  add column revision integer not null default 1 check (revision >= 1),
  add column revision_note text not null default '',
  -- Left open by a payment for an older version: only tax, so it does not stop the licence.
  add column tax_shortfall_minor minor_amount not null default 0 check (tax_shortfall_minor between 0 and tax_minor);

-- Versions of a pro forma that another one took the place of: money for them may still arrive.
create table pro_forma_versions (
  id bigint generated always as identity primary key,
  invoice_id bigint not null references invoices (id),
  revision integer not null,
  net_minor minor_amount not null,
  tax_minor minor_amount not null,
  total_minor minor_amount not null,
  -- Tax of each line, in the order of the lines.
  item_taxes bigint[] not null,
  replaced_on date not null,
  created_at timestamptz not null default now(),
  unique (invoice_id, revision),
  check (total_minor = net_minor + tax_minor)
);
grant select, insert on pro_forma_versions to app_rw;
grant delete on pro_forma_versions to app_rw;

-- Open documents know now what they were determined from.
update invoice_items i set tax_free = true from invoices v
where v.id = i.invoice_id and v.status in ('draft', 'proforma') and exists (select 1 from invoice_tax_lines t
  where t.invoice_item_id = i.id and t.reason like 'The item is marked as not taxed%');
update invoices v set ship_to = o.ship_to from sales_order_invoices x join sales_orders o on o.id = x.sales_order_id
where x.invoice_id = v.id and v.status = 'proforma' and o.ship_to is not null;
update invoice_items i set carries = (select g.item_class from invoice_items g where g.invoice_id = i.invoice_id
    and g.kind in ('rental', 'extra_week', 'sale', 'digital', 'add_on')
    and g.sort < i.sort order by g.sort desc limit 1)
from invoices v where v.id = i.invoice_id and v.status in ('draft', 'proforma') and i.kind = 'shipping';

-- A due date that follows the terms is not typed: it is set anew with the day of issue.
update invoices v set due_on = null from customers c
where c.id = v.customer_id and v.kind = 'invoice' and v.status = 'draft'
  and v.due_on = v.issued_on + c.payment_terms_days;
alter table invoices add constraint invoices_issued_due check (kind = 'proforma' or status not in ('issued',
  'part_paid', 'paid', 'credited', 'written_off') or due_on is not null) not valid;
