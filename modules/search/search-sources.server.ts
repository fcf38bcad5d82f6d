/**
 * Sources of the search by kind: required permission, locations of numbers, names and words, columns shown for a match.
 * Every compared expression has an index (those named *_start, and the search_text indexes of the tables);
 * bench/search.ts checks that none of them scans a whole table.
 */
import { STAFF_ROLES } from '#kit/auth.ts';
import type { Permission } from '#kit/permission.ts';
import { currentVendor } from '#modules/operations/operations.public.server.ts';
import { empty, sql, type Sql } from '#server/sql.ts';
import type { SearchKind } from './search.contract.ts';

export interface SearchSource {
  /** The right to the kind's own list. */
  permission: Permission | readonly Permission[];
  /** Base table with the alias `t`. */
  base: Sql;
  /** Conditions on `t` for records that live. */
  alive: Sql;
  /** Set if the kind has a trash on screen: permission to open it, and its address. */
  trash?: { permission: Permission | readonly Permission[]; href: string };
  /** Numbers of the record as their indexes hold them: lower case. */
  numbers: readonly Sql[];
  /** Names as their indexes hold them: folded. */
  names: readonly Sql[];
  /** Folded text of all words, with a trigram index; none: found by number alone. */
  words: Sql | null;
  /** For what is shown; sees only the rows of the page. */
  joins?: Sql;
  number: Sql;
  /** The number it had before. */
  former?: Sql;
  title: Sql;
  detail: Sql;
  status?: Sql;
  href: Sql;
}

const living = sql`t.deleted_at is null`;
const anything = sql`true`;
/** Words that stand folded in a column of the row. */
export const STORED_WORDS = sql`t.search_text`;
const words = STORED_WORDS;
const money = (minor: Sql): Sql => sql`t.currency || ' ' || trim(to_char(${minor} / 100.0, '999,999,999,990.00'))`;
const day = (date: Sql): Sql => sql`to_char(${date}, 'Mon FMDD, YYYY')`;
const active = sql`case when t.active then null else 'inactive' end`;
const at = (base: string): Sql => sql`${base}::text || t.id`;
const personWords = sql`search_words(t.first_name, t.last_name, t.email)`;
const person = {
  numbers: [sql`lower(t.email)`], names: [sql`fold_name(t.last_name)`], words: personWords, number: sql`null::text`,
  title: sql`t.first_name || ' ' || t.last_name`,
  status: sql`case when t.disabled_at is null then null else 'disabled' end`,
};
const customer = sql`join customers c on c.id = t.customer_id`;
const trashOf = (permission: Permission | readonly Permission[], list: string) =>
  ({ permission, href: `${list}?view=trash` });

export const SEARCH_SOURCES: Readonly<Record<SearchKind, SearchSource>> = {
  license: { permission: 'license.list', base: sql`licenses t`, alive: living, joins: customer,
    numbers: [sql`lower(t.license_number)`, sql`lower(t.number)`], names: [sql`fold_name(t.title_on_license)`], words,
    number: sql`coalesce(t.license_number, t.number)`,
    former: sql`case when t.license_number is not null then t.number end`,
    title: sql`t.title_on_license`, detail: sql`c.name`, status: sql`t.phase`,
    // Offers among the quotes, what is licensed under its customer (gaps G20).
    href: sql`case when t.phase in ('draft', 'sent', 'accepted', 'expired', 'declined') then '/admin/quotes/' || t.id
      else '/admin/customers/' || t.customer_id || '/productions/' || t.id end` },
  license_application: { permission: 'license_application.list', base: sql`license_applications t`, alive: anything,
    joins: customer, numbers: [sql`lower(t.number)`], names: [], words, number: sql`t.number`,
    title: sql`coalesce((select s.title from license_application_shows x join shows s on s.id = x.show_id
      where x.license_application_id = t.id order by x.rank limit 1), 'Application')`,
    detail: sql`c.name`, status: sql`t.status`, href: at('/admin/applications/') },
  customer: { permission: 'customer.list', base: sql`customers t`, alive: living, numbers: [sql`lower(t.number)`],
    names: [sql`fold_name(t.name)`], words, number: sql`t.number`, title: sql`t.name`,
    detail: sql`concat_ws(', ', t.billing_address ->> 'locality', t.billing_address ->> 'country_code')`,
    status: sql`nullif(t.status, 'active')`, href: at('/admin/customers/') },
  customer_person: { ...person, permission: 'customer.manage_users', base: sql`users t`,
    alive: sql`t.role = 'customer' and exists (select 1 from customer_users m where m.user_id = t.id)`,
    joins: sql`join lateral (select m.customer_id, c.name from customer_users m join customers c on c.id = m.customer_id
      where m.user_id = t.id order by m.customer_id limit 1) h on true`,
    detail: sql`t.email || ', ' || h.name`,
    href: sql`'/admin/customers/' || h.customer_id || '/users/' || t.id` },
  show: { permission: ['show.list', 'play.list', 'musical.list'], base: sql`shows t`, alive: living,
    numbers: [sql`lower(t.show_code)`], names: [sql`fold_name(t.title)`], words, number: sql`t.show_code`,
    title: sql`t.title`, detail: sql`t.authors_credit`, status: active,
    href: sql`case t.type when 'play' then '/admin/plays/' else '/admin/musicals/' end || t.id` },
  royaltor: { permission: 'royaltor.list', base: sql`royaltors t`, alive: living, numbers: [sql`lower(t.number)`],
    names: [sql`fold_name(t.name)`], words, number: sql`t.number`, title: sql`t.name`,
    detail: sql`coalesce(t.pen_name, t.legal_name, '')`, status: active, href: at('/admin/royaltors/') },
  venue: { permission: 'venue.list', base: sql`venues t`, alive: living,
    trash: trashOf('venue.delete', '/admin/venues'), numbers: [sql`lower(t.number)`],
    names: [sql`fold_name(t.name)`], words, number: sql`t.number`, title: sql`t.name`,
    detail: sql`concat_ws(', ', t.locality, t.country_code)`, status: active, href: at('/admin/venues/') },
  invoice: { permission: 'invoice.list', base: sql`invoices t`, alive: anything,
    numbers: [sql`lower(t.invoice_number)`, sql`lower(t.reference)`], names: [sql`fold_name(t.billing_name)`], words,
    number: sql`coalesce(t.invoice_number, t.reference)`, title: sql`t.billing_name`,
    detail: money(sql`t.total_minor`), status: sql`t.status`,
    href: at('/admin/accounts-receivable/invoices/') },
  bill: { permission: 'bill.list', base: sql`bills t`, alive: living,
    joins: sql`join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)}`,
    numbers: [sql`lower(t.number)`], names: [], words, number: sql`t.number`, title: sql`v.name`,
    detail: sql`concat_ws(', ', nullif(t.vendor_number, ''), ${money(sql`t.total_minor`)})`, status: sql`t.status`,
    href: sql`'/admin/accounts-payable/invoices/' || t.id` },
  bill_schedule: { permission: 'bill.list', base: sql`bill_schedules t`, alive: anything,
    joins: sql`join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)}`, numbers: [], names: [], words,
    number: sql`null::text`, title: sql`t.name`, detail: sql`concat_ws(', ', v.name, t.division)`,
    status: sql`nullif(t.status, 'active')`, href: at('/admin/accounting/recurring-bills/') },
  // A receipt has no page: the list opens at it.
  goods_receipt: { permission: 'bill.list', base: sql`goods_receipts t`, alive: anything,
    joins: sql`join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)}`, numbers: [sql`lower(t.number)`], names: [],
    words: null, number: sql`t.number`, title: sql`v.name`, detail: money(sql`t.cost_minor`),
    href: sql`'/admin/accounts-payable/goods-received?division=' || t.division || '&receipt_id=' || t.id` },
  payment: { permission: 'payment.list', base: sql`payments t`,
    alive: sql`t.kind <> 'credit' and t.deleted_at is null`,
    joins: sql`left join customers c on c.id = t.customer_id
      left join vendors v on v.id = ${currentVendor(sql`t.vendor_id`)}
      left join royaltors r on r.id = t.royaltor_id`,
    numbers: [sql`lower(t.number)`, sql`lower(t.reference)`], names: [], words: null, number: sql`t.number`,
    title: sql`coalesce(c.name, v.name, r.name, 'Payment')`,
    detail: sql`${money(sql`t.amount_minor`)} || ', ' || ${day(sql`t.paid_on`)}`, status: sql`t.status`,
    href: sql`case t.direction when 'in' then '/admin/accounts-receivable/payments/'
      else '/admin/accounts-payable/payments/' end || t.id` },
  royalty_statement: { permission: 'show_royaltor.list', base: sql`royalty_statements t`, alive: anything,
    joins: sql`join royaltors r on r.id = t.royaltor_id`, numbers: [sql`lower(t.number)`], names: [], words: null,
    number: sql`t.number`, title: sql`r.name`,
    detail: sql`t.currency || ', ' || ${day(sql`t.period_from`)} || ' to ' || ${day(sql`t.period_to`)}`,
    status: sql`t.status`, href: at('/admin/sales-and-royalties/statements/') },
  royalty_payment_batch: { permission: 'payment.list', base: sql`royalty_payment_batches t`, alive: anything,
    numbers: [sql`lower(t.number)`], names: [], words: null, number: sql`t.number`, title: sql`'Royalty payments'`,
    detail: sql`${money(sql`t.total_minor`)} || ', ' || ${day(sql`t.pay_on`)}`, status: sql`t.status`,
    href: at('/admin/accounts-payable/royalty-payments/') },
  payment_run: { permission: 'payment.list', base: sql`payment_runs t`,
    alive: sql`not exists (select 1 from royalty_payment_batches q where q.id = t.royalty_payment_batch_id
      and q.number = t.number)`,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`, numbers: [sql`lower(t.number)`], names: [],
    words, number: sql`t.number`, title: sql`'Payment run'`,
    detail: sql`concat_ws(', ', b.name, t.currency, ${day(sql`t.value_on`)})`, status: sql`t.status`,
    href: at('/admin/accounts-payable/payment-runs/') },
  // One that is not printed has no number; its payment is found.
  check: { permission: 'payment.list', base: sql`checks t`, alive: sql`t.check_number is not null`,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`, numbers: [sql`t.check_number::text`], names: [],
    words, number: sql`t.check_number::text`, title: sql`coalesce(nullif(t.payee, ''), b.name)`,
    detail: sql`concat_ws(', ', ${money(sql`t.amount_minor`)}, ${day(sql`t.checked_on`)}, b.name)`,
    status: sql`t.status`,
    href: at('/admin/checking/') },
  // A prenote has no page: the list opens at it. Its payee is a record of its own.
  ach_prenote: { permission: 'payment.list', base: sql`ach_prenotes t`, alive: anything,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`, numbers: [sql`lower(t.number)`], names: [],
    words: null, number: sql`t.number`, title: sql`case t.party_type
      when 'vendor' then (select p.name from vendors p where p.id = ${currentVendor(sql`t.party_id`)})
      when 'customer' then (select p.name from customers p where p.id = t.party_id)
      else (select p.name from royaltors p where p.id = t.party_id) end`,
    detail: sql`concat_ws(', ', '•••• ' || t.last4, b.name)`,
    status: sql`case when t.returned_on is not null then 'returned' end`,
    href: sql`'/admin/accounts-payable/prenotes?search=' || t.number` },
  transaction: { permission: 'transaction.list', base: sql`transactions t`, alive: living,
    numbers: [sql`lower(t.number)`], names: [], words: null, number: sql`t.number`,
    title: sql`coalesce(nullif(t.description, ''), replace(t.kind, '_', ' '))`,
    detail: sql`t.division || ', ' || ${day(sql`t.transaction_at`)} || ', ' || ${money(sql`t.total_minor`)}`,
    status: sql`nullif(t.status, 'posted')`, href: at('/admin/accounting/transactions/') },
  ledger_account: { permission: 'ledger_account.list', base: sql`ledger_accounts t`, alive: living,
    numbers: [sql`lower(t.code)`], names: [], words: sql`search_words(t.code, t.name)`,
    number: sql`t.code`, title: sql`t.name`, detail: sql`t.division`, status: active,
    href: at('/admin/accounting/chart-of-accounts/') },
  material: { permission: 'material.list', base: sql`materials t`, alive: living,
    numbers: [sql`lower(t.item_number)`], names: [sql`fold_name(t.name)`], words, number: sql`t.item_number`,
    joins: sql`left join shows s on s.id = t.show_id`, title: sql`t.name`, detail: sql`coalesce(s.title, '')`,
    status: active, href: at('/admin/materials/') },
  sales_item: { permission: 'material.list', base: sql`sales_items t`, alive: living,
    trash: trashOf('material.delete', '/admin/sales-items'), numbers: [sql`lower(t.item_number)`],
    names: [sql`fold_name(t.name)`], words, number: sql`t.item_number`, title: sql`t.name`, detail: sql`''`,
    status: active, href: at('/admin/sales-items/') },
  add_on: { permission: 'material.list', base: sql`add_ons t`, alive: living,
    trash: trashOf('material.delete', '/admin/add-ons'), joins: sql`join shows s on s.id = t.show_id`,
    numbers: [], names: [], words: sql`search_words(t.name, t.key)`,
    number: sql`null::text`, title: sql`t.name`, detail: sql`s.title`, status: active, href: at('/admin/add-ons/') },
  bom_template: { permission: 'bom_template.list', base: sql`bom_templates t`, alive: living, numbers: [],
    names: [], words, joins: sql`join shows s on s.id = t.show_id`, number: sql`null::text`, title: sql`t.name`,
    detail: sql`s.title`, href: at('/admin/templates/bom/') },
  sales_order: { permission: 'license_material.list', base: sql`sales_orders t`, alive: anything, joins: customer,
    numbers: [sql`lower(t.number)`], names: [], words, number: sql`t.number`, title: sql`c.name`,
    detail: sql`t.ship_to_name`, status: sql`t.status`, href: at('/admin/sales-and-royalties/sales-orders/') },
  // Of whom and of which title: names are found in their own kinds, here by number.
  perusal: { permission: 'license_material.list', base: sql`perusals t`, alive: anything,
    joins: sql`join customers c on c.id = t.customer_id join shows s on s.id = t.show_id`,
    numbers: [sql`lower(t.number)`], names: [], words, number: sql`t.number`, title: sql`s.title`,
    detail: sql`c.name`, status: sql`t.status`, href: at('/admin/perusals/') },
  vendor: { permission: 'vendor.list', base: sql`vendors t`, alive: living,
    trash: trashOf('vendor.delete', '/admin/vendors'), numbers: [sql`lower(t.number)`], names: [sql`fold_name(t.name)`],
    words, number: sql`t.number`, title: sql`t.name`, detail: sql`coalesce(t.contact_name, '')`, status: active,
    href: at('/admin/vendors/') },
  warehouse: { permission: 'warehouse.list', base: sql`warehouses t`, alive: living,
    trash: trashOf('warehouse.delete', '/admin/warehouses'), numbers: [sql`lower(t.code)`],
    names: [], words, number: sql`t.code`, title: sql`t.name`, detail: sql`t.division`,
    status: active, href: at('/admin/warehouses/') },
  bank: { permission: 'bank.list', base: sql`banks t`, alive: living,
    trash: trashOf('bank.list_trash', '/admin/banking/banks'), numbers: [], names: [sql`fold_name(t.name)`], words,
    number: sql`t.bic`, title: sql`t.name`, detail: sql`coalesce(t.country, '')`, href: at('/admin/banking/banks/') },
  bank_account: { permission: 'bank_account.list', base: sql`bank_accounts t`, alive: living,
    trash: trashOf('bank_account.list_trash', '/admin/banking/bank-accounts'), numbers: [],
    names: [sql`fold_name(t.name)`], words, joins: sql`join banks n on n.id = t.bank_id`,
    number: sql`'•••• ' || t.bank_account_last4`, title: sql`t.name`, detail: sql`n.name || ', ' || t.currency`,
    status: sql`case when t.closed_on is null then null else 'closed' end`,
    href: at('/admin/banking/bank-accounts/') },
  bank_transaction: { permission: 'bank_transaction.list', base: sql`bank_transactions t`,
    alive: sql`t.deleted_at is null and t.state = 'booked'`,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`,
    trash: trashOf('bank_transaction.list_trash', '/admin/banking/transactions'), numbers: [], names: [], words,
    number: sql`null::text`, title: sql`coalesce(nullif(t.name, ''), nullif(t.memo, ''), nullif(t.reference, ''),
      'Bank transaction')`, status: sql`null::text`,
    detail: sql`concat_ws(', ', b.currency || ' ' || trim(to_char(t.amount_minor / 100.0, '999,999,999,990.00')),
      t.booked_on::text, b.name)`, href: at('/admin/banking/transactions/') },
  bank_statement: { permission: 'bank_transaction.list', base: sql`bank_statements t`,
    alive: sql`t.taken_back_at is null`,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`, numbers: [], names: [], words, number: sql`t.number`,
    title: sql`b.name`, detail: sql`concat_ws(', ', b.currency,
      ${day(sql`t.from_on`)} || ' to ' || ${day(sql`t.to_on`)})`,
    href: at('/admin/banking/statements/') },
  // A transfer has no page: the list opens at it.
  bank_transfer: { permission: 'bank_transaction.list', base: sql`bank_transfers t`, alive: anything,
    joins: sql`join bank_accounts f on f.id = t.from_bank_account_id
      join bank_accounts o on o.id = t.to_bank_account_id`,
    numbers: [sql`lower(t.number)`], names: [], words: null, number: sql`t.number`,
    title: sql`f.name || ' to ' || o.name`,
    detail: sql`f.currency || ' ' || trim(to_char(t.amount_minor / 100.0, '999,999,999,990.00')) || ', '
      || ${day(sql`t.sent_on`)}`,
    status: sql`t.status`, href: sql`'/admin/banking/transfers?search=' || t.number` },
  deposit_slip: { permission: 'bank_transaction.list', base: sql`deposit_slips t`, alive: anything,
    joins: sql`join bank_accounts b on b.id = t.bank_account_id`, numbers: [sql`lower(t.number)`], names: [],
    words, number: sql`t.number`, title: sql`b.name`, detail: sql`b.currency || ', ' || ${day(sql`t.deposited_on`)}`,
    status: sql`t.status`, href: at('/admin/banking/deposit-slips/') },
  bank_rule: { permission: 'bank_transaction.list', base: sql`bank_rules t`, alive: anything, numbers: [], names: [],
    words, number: sql`null::text`, title: sql`t.name`, detail: sql`concat_ws(', ', t.division, nullif(t.memo, ''))`,
    status: sql`case when t.archived_at is not null then 'archived' end`, href: at('/admin/banking/rules/') },
  intercompany_entry: { permission: 'transaction.list', base: sql`intercompany_entries t`, alive: anything,
    numbers: [sql`lower(t.number)`], names: [], words, number: sql`t.number`, title: sql`t.description`,
    detail: sql`concat_ws(', ', t.debtor || ' and ' || t.creditor, ${money(sql`t.amount_minor`)},
      ${day(sql`t.dated_on`)})`,
    status: sql`t.status`, href: at('/admin/accounting/intercompany/') },
  opening_set: { permission: 'transaction.list', base: sql`opening_sets t`, alive: anything, numbers: [], names: [],
    words, number: sql`null::text`, title: sql`opening_kind_words(t.kind)`,
    detail: sql`t.division || ', ' || ${day(sql`t.as_of`)}`,
    status: sql`case t.status when 'draft' then 'not_posted' else t.status end`,
    href: at('/admin/accounting/opening-balances/') },
  revaluation: { permission: 'transaction.list', base: sql`revaluations t`, alive: anything, numbers: [], names: [],
    words, number: sql`null::text`, title: sql`month_words(t.revalued_on)`,
    detail: sql`t.division || ', ' || ${day(sql`t.revalued_on`)}`, status: sql`t.status`,
    href: at('/admin/accounting/revaluations/') },
  // A return is the page of its division, its state and its period.
  tax_return: { permission: 'ledger_account.list', base: sql`tax_returns t`, alive: anything, numbers: [], names: [],
    words, number: sql`null::text`, title: sql`tax_return_words(t.division, t.state)`,
    detail: sql`t.division || ', ' || ${day(sql`t.period_from`)} || ' to ' || ${day(sql`t.period_to`)}`,
    status: sql`case t.status when 'prepared' then 'awaits_filing' else t.status end`,
    href: sql`case when t.state is null then '/admin/finance/taxes-vat/uk-vat?division=' || t.division
      else '/admin/finance/taxes-vat/us-sales-use-tax?division=' || t.division || '&state=' || right(t.state, 2) end
      || '&from=' || t.period_from || '&to=' || t.period_to` },
  thread_message: { permission: 'license.show', base: sql`thread_messages t`,
    alive: sql`exists (select 1 from licenses x where x.id = t.license_id and x.deleted_at is null)`,
    joins: sql`join licenses l on l.id = t.license_id`, numbers: [], names: [], words,
    number: sql`coalesce(l.license_number, l.number)`,
    title: sql`left(regexp_replace(t.body, '\\s+', ' ', 'g'), 80)`,
    detail: sql`concat_ws(', ', t.sender_name, l.title_on_license, ${day(sql`t.created_at`)})`,
    href: sql`case when l.phase in ('draft', 'sent', 'accepted', 'expired', 'declined') then '/admin/quotes/' || l.id
      else '/admin/customers/' || l.customer_id || '/productions/' || l.id end || '/messages'` },
  staff: { ...person, permission: 'user.show', base: sql`users t`, alive: sql`t.role = any (${[...STAFF_ROLES]})`,
    joins: empty, detail: sql`t.email`, href: sql`'/admin/staff/' || t.id || '/profile'` },
};
