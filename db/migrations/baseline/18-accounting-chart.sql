-- Chart of accounts as shipped: the same codes in every division, under a tree of headings by section. Staff add
-- accounts of their own. Also the kinds of transactions, and periods to start with.

insert into transaction_kinds (kind, name, sub_ledger, currency_may_differ, is_manual, is_revaluation,
  is_year_end_close) values
  ('journal', 'Journal', 'none', false, true, false, false),
  ('opening', 'Opening balances', 'none', false, false, false, false),
  ('invoice', 'Invoice', 'sales', false, false, false, false),
  ('credit_note', 'Credit note', 'sales', false, false, false, false),
  ('release', 'Income released', 'sales', false, false, false, false),
  ('box_office', 'Box-office royalty', 'sales', false, false, false, false),
  ('accrued_income', 'Accrued income', 'sales', false, false, false, false),
  ('write_off', 'Write-off', 'sales', false, false, false, false),
  ('receipt', 'Customer receipt', 'bank', false, false, false, false),
  ('bounce', 'Returned payment', 'bank', false, false, false, false),
  ('deposit', 'Deposit', 'bank', false, false, false, false),
  ('deposit_return', 'Deposit returned', 'sales', false, false, false, false),
  ('refund', 'Refund of a credit', 'sales', false, false, false, false),
  ('royalty_cost', 'Royalty cost', 'purchase', false, false, false, false),
  ('royalty_due', 'Royalty due', 'purchase', false, false, false, false),
  ('royalty_advance', 'Royaltor advance', 'bank', false, false, false, false),
  ('royalty_statement', 'Royalty statement', 'purchase', false, false, false, false),
  ('royalty_payment', 'Royalty payment', 'bank', false, false, false, false),
  ('royalty_return', 'Royalty payment returned', 'bank', false, false, false, false),
  ('bill', 'Bill', 'purchase', false, false, false, false),
  ('vendor_credit', 'Vendor credit', 'purchase', false, false, false, false),
  ('payment', 'Payment', 'bank', false, false, false, false),
  ('check', 'Check', 'bank', false, false, false, false),
  ('transfer', 'Transfer', 'bank', true, false, false, false),
  ('bank_entry', 'Bank entry', 'bank', false, false, false, false),
  ('tax_payment', 'Tax payment', 'tax', false, false, false, false),
  ('tax_return', 'Tax return', 'tax', false, false, false, false),
  ('stock', 'Stock movement', 'purchase', false, false, false, false),
  ('intercompany', 'Intercompany', 'none', false, false, false, false),
  ('fx', 'Exchange difference', 'none', true, false, false, false),
  ('revaluation', 'Revaluation', 'none', true, false, true, false),
  ('revaluation_reversal', 'Revaluation reversed', 'none', true, false, true, false),
  ('year_end_close', 'Year-end close', 'none', false, false, false, true);

create temporary table chart_headers (sort int, code text, parent text, name text, class text, section text)
  on commit drop;

insert into chart_headers values
  (10, 'assets', null, 'Assets', 'asset', 'assets'),
  (20, 'liabilities', null, 'Liabilities', 'liability', 'liabilities'),
  (30, 'equity', null, 'Equity', 'equity', 'equity'),
  (40, 'income', null, 'Income', 'income', 'income'),
  (50, 'expenses', null, 'Expenses', 'expense', 'expenses'),
  (60, 'assets.cash', 'assets', 'Cash and bank', 'asset', 'cash'),
  (70, 'assets.current', 'assets', 'Receivables and advances', 'asset', 'current_asset'),
  (80, 'assets.inventory', 'assets', 'Inventory', 'asset', 'inventory'),
  (90, 'assets.tax', 'assets', 'Taxes recoverable', 'asset', 'tax'),
  (100, 'assets.intercompany', 'assets', 'Due from divisions', 'asset', 'intercompany'),
  (110, 'liabilities.current', 'liabilities', 'Payables and deposits', 'liability', 'current_liability'),
  (120, 'liabilities.deferred', 'liabilities', 'Deferred income', 'liability', 'deferred_income'),
  (130, 'liabilities.royalties', 'liabilities', 'Royalties', 'liability', 'royalties'),
  (140, 'liabilities.tax', 'liabilities', 'Taxes payable', 'liability', 'tax'),
  (150, 'liabilities.intercompany', 'liabilities', 'Due to divisions', 'liability', 'intercompany'),
  (160, 'equity.equity', 'equity', 'Capital and reserves', 'equity', 'equity'),
  (170, 'income.revenue', 'income', 'Revenue', 'income', 'revenue'),
  (180, 'income.other', 'income', 'Exchange differences', 'income', 'other'),
  (190, 'expenses.cost_of_sales', 'expenses', 'Cost of sales', 'expense', 'cost_of_sales'),
  (200, 'expenses.operating', 'expenses', 'Operating expenses', 'expense', 'operating'),
  (210, 'expenses.other', 'expenses', 'Other', 'expense', 'other');

insert into ledger_headers (division, code, name, class, section, cash_flow_section, sort, is_system)
  select d.code, c.code, c.name, c.class, c.section, case c.section when 'cash' then 'cash' when 'equity'
    then 'financing' else 'operating' end,
    c.sort, true
  from divisions d, chart_headers c where c.parent is null order by d.id, c.sort;

insert into ledger_headers (division, code, name, class, section, cash_flow_section, sort, is_system, parent_id)
  select d.code, c.code, c.name, c.class, c.section, case c.section when 'cash' then 'cash' when 'equity'
    then 'financing' else 'operating' end,
    c.sort, true, h.id
  from divisions d join chart_headers c on c.parent is not null
    join ledger_headers h on h.division = d.code and h.code = c.parent order by d.id, c.sort;

create temporary table chart (code text, name text, class text, section text, party_types text[], is_cash bool,
  is_monetary bool,
  system_key text) on commit drop;

insert into chart values
  ('1000', 'Bank', 'asset', 'cash', null, true, true, 'bank'),
  ('1001', 'Bank EUR', 'asset', 'cash', null, true, true, 'bank_foreign'),
  ('1002', 'Bank savings', 'asset', 'cash', null, true, true, null),
  ('1010', 'Undeposited funds', 'asset', 'cash', null, true, true, 'undeposited'),
  ('1050', 'Transfers in transit', 'asset', 'cash', null, true, true, 'transit'),
  ('1100', 'Accounts receivable', 'asset', 'current_asset', '{customer}', false, true, 'ar'),
  ('1120', 'Accrued income', 'asset', 'current_asset', '{customer}', false, true, 'accrued_income'),
  ('1140', 'Prepaid royalties', 'asset', 'current_asset', '{royaltor}', false, false, 'royalty_prepaid'),
  ('1150', 'Royaltor advances', 'asset', 'current_asset', '{royaltor}', false, false, 'royaltor_advances'),
  ('1160', 'Allowance on advances', 'asset', 'current_asset', '{royaltor}', false, false,
    'royaltor_advances_allowance'),
  ('1190', 'Allowance for doubtful debts', 'asset', 'current_asset', null, false, false, 'ar_allowance'),
  ('1200', 'Materials inventory', 'asset', 'inventory', null, false, false, 'inventory'),
  ('1300', 'Input VAT', 'asset', 'tax', '{tax_authority}', false, true, 'vat_input'),
  ('1310', 'Withholding tax recoverable', 'asset', 'tax', '{tax_authority}', false, true, 'wht_recoverable'),
  ('1500', 'Due from divisions', 'asset', 'intercompany', '{division}', false, true, 'due_from'),
  ('2000', 'Accounts payable', 'liability', 'current_liability', '{vendor,customer,royaltor,staff}', false, true,
    'ap'),
  ('2010', 'Accrued purchases', 'liability', 'current_liability', '{vendor}', false, true, 'grni'),
  ('2100', 'Deferred income', 'liability', 'deferred_income', '{customer}', false, false, 'deferred_income'),
  ('2150', 'Customer deposits held', 'liability', 'current_liability', '{customer}', false, true, 'deposits'),
  ('2160', 'Customer prepayments', 'liability', 'current_liability', '{customer}', false, false, 'prepayments'),
  ('2200', 'Royalties payable', 'liability', 'royalties', '{royaltor}', false, true, 'royalty_payable'),
  ('2205', 'Royalty reserve held', 'liability', 'royalties', '{royaltor}', false, true, 'royalty_reserve'),
  ('2210', 'Accrued royalties, not yet due', 'liability', 'royalties', '{royaltor}', false, true, 'royalty_accrued'),
  ('2300', 'Output VAT', 'liability', 'tax', '{tax_authority}', false, true, 'vat_output'),
  ('2310', 'US sales tax payable', 'liability', 'tax', '{tax_authority}', false, true, 'sales_tax'),
  ('2320', 'Withholding tax payable', 'liability', 'tax', '{tax_authority}', false, true, 'wht_payable'),
  ('2330', 'OSS VAT payable', 'liability', 'tax', '{tax_authority}', false, true, 'oss_vat'),
  ('2340', 'Use tax payable', 'liability', 'tax', '{tax_authority}', false, true, 'use_tax'),
  ('2350', 'VAT control', 'liability', 'tax', '{tax_authority}', false, true, 'vat_control'),
  ('2450', 'Unclaimed property', 'liability', 'current_liability', '{vendor,royaltor,customer}', false, true,
    'unclaimed'),
  ('2500', 'Due to divisions', 'liability', 'intercompany', '{division}', false, true, 'due_to'),
  ('3100', 'Retained earnings', 'equity', 'equity', null, false, false, 'retained_earnings'),
  ('3200', 'Currency translation adjustment', 'equity', 'equity', null, false, false, 'cta'),
  ('3999', 'Opening balances', 'equity', 'equity', null, false, false, 'opening'),
  ('4000', 'Licence income', 'income', 'revenue', null, false, false, 'licence_income'),
  ('4010', 'Royalty income', 'income', 'revenue', null, false, false, 'royalty_income'),
  ('4100', 'Rental income', 'income', 'revenue', null, false, false, 'rental_income'),
  ('4200', 'Materials sales', 'income', 'revenue', null, false, false, 'material_sales'),
  ('4300', 'Shipping income', 'income', 'revenue', null, false, false, 'shipping_income'),
  ('4400', 'Fees and services', 'income', 'revenue', null, false, false, 'fee_income'),
  ('4500', 'Forfeited deposits and damage', 'income', 'revenue', null, false, false, 'forfeits'),
  ('5000', 'Royalty expense', 'expense', 'cost_of_sales', null, false, false, 'royalty_expense'),
  ('5100', 'Cost of materials', 'expense', 'cost_of_sales', null, false, false, 'cost_of_materials'),
  ('6000', 'Bad debt expense', 'expense', 'operating', null, false, false, 'bad_debt'),
  ('6100', 'Bank fees', 'expense', 'operating', null, false, false, 'bank_fees'),
  ('6200', 'Purchases and expense', 'expense', 'operating', null, false, false, 'purchases'),
  ('7000', 'FX gain or loss realised', 'income', 'other', null, false, false, 'fx_realised'),
  ('7010', 'FX gain or loss unrealised', 'income', 'other', null, false, false, 'fx_unrealised'),
  ('7090', 'Small differences', 'expense', 'other', null, false, false, 'small_differences');

-- The bank accounts keep one currency each; lines of the sub-ledgers are never written by hand; what a tax return
-- takes up is under the tax lock.
insert into ledger_accounts (division, ledger_header_id, code, name, class, currency, is_control, has_open_items,
  party_types,
  is_cash, is_monetary, is_tax, allow_manual, cash_flow_class, system_key)
select d.code, h.id, c.code, c.name, c.class,
  case c.system_key when 'bank' then d.functional_currency when 'bank_foreign' then case d.code when 'EU'
    then 'GBP' else 'EUR' end end,
  case c.system_key when 'ar' then 'ar' when 'ap' then 'ap' when 'royalty_payable' then 'royalty_payable'
    when 'deposits' then 'deposits' end,
  coalesce(c.system_key in ('ar', 'ap', 'deposits'), false), c.party_types, c.is_cash, c.is_monetary,
  coalesce(c.system_key in ('vat_input', 'vat_output', 'sales_tax', 'oss_vat', 'use_tax', 'vat_control'), false),
  coalesce(c.system_key not in ('ar', 'ap', 'royalty_payable', 'deposits'), true),
  case when c.is_cash then 'cash' when c.section = 'equity' then 'financing' else 'operating' end, c.system_key
from divisions d join chart c on true join ledger_headers h on h.division = d.code and h.section = c.section
  and h.class = c.class
  and h.parent_id is not null
order by d.id, c.code;

-- In the EU division 1001 is its account in the foreign currency it meets most.
update ledger_accounts set name = 'Bank GBP' where division = 'EU' and code = '1001';

select ensure_periods(code, '2024-01-01', '2030-12-31') from divisions order by id;
