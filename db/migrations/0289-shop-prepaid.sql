-- Orders of the shop that are paid before they leave (gaps G58, X161): a pro forma at checkout, its tax invoice with
-- the payment. The order names its pro forma; the invoice is found through it (invoices.proforma_id).
alter table sales_order_invoices drop constraint sales_order_invoices_reason_check;
alter table sales_order_invoices add constraint sales_order_invoices_reason_check
  check (reason in ('shipment', 'missing', 'prepaid'));
-- One pro forma at a time answers for an order.
create unique index sales_order_invoices_prepaid on sales_order_invoices (sales_order_id) where reason = 'prepaid';
