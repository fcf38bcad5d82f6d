/**
 * Open invoices and pro formas for bank matching: a line settles them by a receipt on its day. A pro forma is paid
 * whole and becomes its tax invoice; taking the receipt back leaves that invoice open.
 */
import type { ItemReference, OpenItem } from '#kernel/bank-matching/open-item.ts';
import { addDays } from '#kernel/calendar/calendar.ts';
import { atRate } from '#kernel/money/exchange.ts';
import { conflict, invalidField } from '#kit/errors.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { compact } from '#server/list.ts';
import type { ItemSearch, LineSearch, MatchAccount, OpenItems, SettledDocument, Settlement }
  from '#server/open-items.ts';
import { matches, sql, where, type Sql } from '#server/sql.ts';
import { lockLicense } from '../invoices/draft-invoice.server.ts';
import { lockInvoices, type InvoiceRecord } from '../invoices/invoice-store.server.ts';
import type { PaymentMethod } from '../receivables-types.ts';
import { bankPostingOf, ratesInto, refuseCurrency } from './exchange-receipt.server.ts';
import { recordReceipt } from './record-receipt.server.ts';
import { returnReceipt } from './return-receipt.server.ts';

interface OpenInvoice {
  id: number;
  kind: 'invoice' | 'proforma';
  number: string;
  currency: string;
  purchase_order_no: string | null;
  customer_id: number;
  customer_name: string;
  balance_minor: number;
  issued_on: string;
  due_on: string | null;
}

/** In every currency of the division. */
const isOpenIn = (account: MatchAccount): Sql => sql`i.division = ${account.division}
  and i.status in ('issued', 'part_paid', 'proforma') and i.kind in ('invoice', 'proforma') and i.balance_minor > 0`;
const isOpen = (account: MatchAccount): Sql => sql`${isOpenIn(account)} and i.currency = ${account.currency}`;

const rows = (db: Queryable, ids: Sql): Promise<OpenInvoice[]> => db.query<OpenInvoice>(sql`
  select i.id, i.kind, coalesce(i.invoice_number, i.reference) as number, i.currency, i.purchase_order_no,
    i.customer_id, coalesce(c.legal_name, c.name) as customer_name, i.balance_minor,
    coalesce(i.issued_on, i.created_at::date)::text as issued_on, i.due_on::text as due_on
  from invoices i join customers c on c.id = i.customer_id where i.id in (${ids}) order by i.id`);

/** Customers whose name has the most of the words, the likeliest first. */
const NAMED_CUSTOMERS = 12;
const LIKELY = 400;

async function customersNamed(db: Queryable, words: readonly string[]): Promise<number[]> {
  const telling = words.filter((word) => word.length >= 4).slice(0, 6);
  if (telling.length === 0) return [];
  const found = await db.query<{ id: number }>(sql`
    select c.id from (select id, search_text from customers where deleted_at is null
      and search_text like any (${telling.map((word) => `%${word}%`)}::text[]) limit ${LIKELY}) c
    order by (select count(*) from unnest(${telling}::text[]) w where position(w in c.search_text) > 0) desc, c.id
    limit ${NAMED_CUSTOMERS}`);
  return found.map(({ id }) => id);
}

async function ofLine(db: Queryable, account: MatchAccount, search: LineSearch): Promise<Sql> {
  const customers = await customersNamed(db, search.words);
  const [open, openIn] = [isOpen(account), isOpenIn(account)];
  const numbers = search.numbers.map((number) => number.toLowerCase());
  return sql`(select i.id from invoices i where ${open} and i.balance_minor = ${search.amount_minor}
      order by i.due_on desc nulls last, i.id limit 120)
    union (select i.id from invoices i where ${openIn} and (lower(i.invoice_number) = any (${numbers}::text[])
      or lower(i.reference) = any (${numbers}::text[])) limit 60)
    union (select i.id from invoices i where ${openIn} and i.customer_id = any (${customers}::bigint[])
      order by i.issued_on desc nulls last, i.id limit 120)`;
}

function idsOf(account: MatchAccount, search: Exclude<ItemSearch, LineSearch>): Sql {
  if (search.by === 'ids') return sql`select i.id from invoices i where ${isOpenIn(account)}
    and i.kind = ${search.kind} and i.id = any (${[...search.ids]}::bigint[])`;
  const filters = search.by === 'text' ? compact([isOpenIn(account),
    search.currency !== null && sql`i.currency = ${search.currency}`,
    search.from_minor !== null && sql`i.balance_minor >= ${search.from_minor}`,
    search.to_minor !== null && sql`i.balance_minor <= ${search.to_minor}`,
    search.text !== '' && sql`(${matches(sql`i.search_text`, search.text)} or i.customer_id in (
      select id from customers where ${matches(sql`search_text`, search.text)}))`])
    : [isOpen(account), sql`coalesce(i.issued_on, i.created_at::date) <= ${addDays(search.to, 10)}`];
  return sql`select i.id from invoices i ${where(filters)} order by i.due_on nulls last, i.id limit ${search.limit}`;
}

const NOUNS = { invoice: 'invoice number', proforma: 'pro forma number' } as const;

function asItem(row: OpenInvoice, account: MatchAccount, rates: ReadonlyMap<string, string>): OpenItem {
  const rate = rates.get(row.currency);
  const references: ItemReference[] = [{ type: 'number', value: row.number, label: NOUNS[row.kind] }];
  if (row.purchase_order_no) {
    references.push({ type: 'number', value: row.purchase_order_no, label: 'purchase order number' });
  }
  return { kind: row.kind, id: row.id, label: row.number, direction: 'in', currency: row.currency,
    open_minor: BigInt(row.balance_minor), bank_account_id: null, document_on: row.issued_on, due_on: row.due_on,
    converted_minor: row.currency === account.currency || rate === undefined ? null
      : atRate(BigInt(row.balance_minor), rate),
    party: { key: `customer:${row.customer_id}`, name: row.customer_name, accounts: [] },
    references, pool: null };
}

async function find(ctx: WorkContext, account: MatchAccount, search: ItemSearch): Promise<OpenItem[]> {
  if ((search.by === 'line' || search.by === 'text') && search.direction === 'out') return [];
  const ids = search.by === 'line' ? await ofLine(ctx.db, account, search) : idsOf(account, search);
  const found = await rows(ctx.db, ids);
  const rates = search.by === 'days' ? new Map<string, string>()
    : await ratesInto(ctx.db, account.currency, found.map((row) => row.currency), search.booked_on);
  return found.map((row) => asItem(row, account, rates));
}

const METHODS: Readonly<Record<string, PaymentMethod>> = { USD: 'ach', EUR: 'sepa', GBP: 'bacs' };

/** One receipt for each customer and currency; what is paid beyond the documents stays on account of its customer. */
async function settle(ctx: WorkContext, of: Settlement): Promise<SettledDocument[]> {
  const documents = await lockOpen(ctx, of);
  const payers = new Map([...documents.values()].map((one) => [`${one.customer_id} ${one.currency}`,
    { customer_id: one.customer_id, currency: one.currency }]));
  if (of.on_account) {
    const own = { customer_id: of.on_account.customer_id, currency: of.account.currency };
    payers.set(`${own.customer_id} ${own.currency}`, own);
  }
  const made: SettledDocument[] = [];
  for (const payer of [...payers.values()].sort((a, b) => a.customer_id - b.customer_id
    || (a.currency < b.currency ? -1 : 1))) {
    const own = of.parts.filter(({ id }) => documents.get(id)!.customer_id === payer.customer_id
      && documents.get(id)!.currency === payer.currency);
    const isForeign = payer.currency !== of.account.currency;
    const beyond = !isForeign && of.on_account?.customer_id === payer.customer_id ? of.on_account.amount_minor : 0;
    const { payment_id } = await recordReceipt(ctx, { ...payer, division: of.account.division,
      bank_account_id: of.account.bank_account_id, received_on: of.on,
      apply_to: own.map((part) => ({ invoice_id: part.id, amount_minor: part.amount_minor })),
      amount_minor: own.reduce((all, part) => all + part.amount_minor, beyond),
      ...(isForeign ? { bank: { currency: of.account.currency,
        amount_minor: own.reduce((all, part) => all + part.bank_minor!, 0) } } : {}),
      method: isForeign ? 'wire' : METHODS[of.account.currency] ?? 'wire', reference: of.reference.slice(0, 200) });
    made.push({ type: 'payment', id: payment_id, transaction_id: await bankPostingOf(ctx, payment_id) });
  }
  return made;
}

/** Licenses first, as every receipt locks them; the documents tell the customers apart. */
async function lockOpen(ctx: WorkContext, of: Settlement): Promise<Map<number, InvoiceRecord>> {
  const ids = of.parts.map((part) => part.id);
  const licenses = await ctx.db.query<{ license_id: number }>(sql`
    select distinct license_id from invoices where license_id is not null and id = any (${ids}::bigint[])
    order by license_id`);
  for (const { license_id } of licenses) await lockLicense(ctx, license_id);
  const found = await lockInvoices(ctx, ids);
  for (const [at, part] of of.parts.entries()) {
    const document = found.get(part.id);
    const field = `parts.${at}`;
    if (!document || document.division !== of.account.division) throw invalidField(field, 'Choose an open document');
    await refuseCurrency(ctx, of, part, document, field);
    if (document.balance_minor < part.amount_minor) {
      throw conflict('bank_match.item_taken', 'Less is open on a document than before. Choose again.');
    }
  }
  return found;
}

async function takeBack(ctx: WorkContext, of: { id: number; on: string; reason: string }): Promise<void> {
  await returnReceipt(ctx, { payment_id: of.id, on: of.on, reason: of.reason });
}

export const receivableItems: OpenItems<WorkContext> = { kinds: ['invoice', 'proforma'], outgoing: [],
  document_types: ['payment'], permissions: ['payment.create'], find, settle, takeBack };
