/**
 * Bank details of a payee, opened only for a bank file. Two people vouch for them: the one who wrote them and the one
 * who verified them. Vendors, royaltors and, for refunds, customers have them.
 */
import { addressLines } from '#kernel/address/address-lines.ts';
import type { PayeeAccount, PaymentAddress } from '#kernel/payment-files/payment-batch.ts';
import { numberKind, plainNumber } from '#kernel/receivables/bank-numbers.ts';
import type { PayoutMethod } from '#kernel/receivables/payout-methods.ts';
import type { BankKind } from '#kit/sealed-details.ts';
import type { Address } from '#kit/field.ts';
import { currentVendor, vendorAndMerged } from '#modules/operations/operations.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sha256 } from '#server/files.ts';
import { unseal } from '#server/secret.ts';
import { name, sql, type Sql } from '#server/sql.ts';

export type PayeeType = 'vendor' | 'royaltor' | 'customer';

export interface PayeeBank {
  /** Opened where it is read: a file for the bank. */
  readonly account: PayeeAccount;
  /** Name on the account where it is not the payee's. */
  holder: string | null;
  /** Country of the account. */
  country: string | null;
  last4: string;
  /** null: they wait for a second person, and nobody is paid to them. */
  verified_at: string | null;
  verified_by_id: number | null;
  changed_by_id: number | null;
  changed_at: string | null;
  /** Grows with each change: what was approved with another version is not exported. */
  version: number;
}

export interface Payee {
  name: string;
  is_person: boolean;
  address: PaymentAddress | null;
  /** Hash of name and address, as checks and files carry them: approved with the payment. */
  sha256: string;
  /** As agreed with the payee; null for customers, with whom nothing is. */
  payment_method: PayoutMethod | null;
  /** null where nothing is stored. */
  bank: PayeeBank | null;
  /** A payment that the bank made although it was taken out of its run, and the run: nobody has decided yet. */
  paid_anyway: { number: string; run: string } | null;
}

interface Row {
  name: string; is_person: boolean; address: Address | null;
  payment_method: PayoutMethod | null; bank_account_encrypted: Buffer | null;
  bank_routing_encrypted: Buffer | null; bank_key_id: string | null; bank_account_last4: string | null;
  bank_kind: BankKind | null; bank_country: string | null; bank_holder: string | null; bank_is_savings: boolean;
  bank_verified_at: string | null; bank_verified_by_id: number | null; bank_details_changed_by_id: number | null;
  bank_details_changed_at: string | null; bank_details_version: number;
}

/** Table, whether the party is a person, its address and method for payments, of the row `t`. */
const SOURCES: Readonly<Record<PayeeType, { table: string; person: Sql; address: Sql; method: Sql }>> = {
  vendor: { table: 'vendors', person: sql`false`, address: sql`coalesce(t.remit_to_address, t.address)`,
    method: sql`t.payment_method` },
  customer: { table: 'customers', person: sql`false`, address: sql`t.billing_address`, method: sql`null::text` },
  royaltor: { table: 'royaltors', person: sql`t.kind in ('person', 'estate')`, address: sql`t.address`,
    method: sql`t.payment_method` },
};

/** Id of the party itself; of a merged vendor, that of the one it was merged into. */
export async function currentParty(db: Queryable, of: { party_type: string; party_id: number }): Promise<number> {
  if (of.party_type !== 'vendor') return of.party_id;
  const { id } = await db.one<{ id: number | null }>(sql`select ${currentVendor(sql`${of.party_id}::bigint`)} as id`);
  return id ?? of.party_id;
}

/** Throws where the party is unknown; its account, where the key of the installation is another one. */
export async function payeeBankOf(ctx: WorkContext, type: PayeeType, party: number): Promise<Payee> {
  const id = await currentParty(ctx.db, { party_type: type, party_id: party });
  const { table, person, address, method } = SOURCES[type];
  const row = await ctx.db.one<Row>(sql`
    select coalesce(t.legal_name, t.name) as name, ${person} as is_person, ${address} as address,
      ${method} as payment_method, t.bank_account_encrypted, t.bank_routing_encrypted, t.bank_key_id,
      t.bank_account_last4, t.bank_kind, t.bank_country,
      t.bank_holder, t.bank_is_savings, t.bank_verified_at, t.bank_verified_by_id,
      t.bank_details_changed_by_id, t.bank_details_changed_at, t.bank_details_version
    from ${name(table)} t where t.id = ${id}`);
  return { name: row.name, is_person: row.is_person, address: addressOf(row.address),
    sha256: sha256(JSON.stringify([row.name, row.address?.country_code ?? null,
      ...addressLines(row.address, row.address?.country_code)])),
    payment_method: row.payment_method, bank: bankOf(ctx, `${type}:${id}`, row),
    paid_anyway: await paidAnyway(ctx.db, type, id) };
}

function paidAnyway(db: Queryable, type: PayeeType, id: number): Promise<Payee['paid_anyway']> {
  const own = type === 'vendor' ? sql`p.vendor_id in ${vendorAndMerged(id)}`
    : sql`p.party_type = ${type} and p.party_id = ${id}`;
  return db.maybeOne<{ number: string; run: string }>(sql`
    select p.number, n.number as run from payment_run_exits x join payments p on p.id = x.payment_id
      join payment_runs n on n.id = x.payment_run_id
    where x.paid_on is not null and x.decision is null and ${own} order by x.id limit 1`);
}

function bankOf(ctx: WorkContext, owner: string, row: Row): PayeeBank | null {
  const { bank_account_encrypted: bytes, bank_key_id: key_id } = row;
  if (bytes === null || key_id === null) return null;
  const open = (field: string, sealed: Buffer): string =>
    unseal(ctx.ports.settings, `${owner}:${field}`, { bytes: sealed, key_id });
  return {
    get account() {
      const number = open('bank_account', bytes);
      const routing = row.bank_routing_encrypted && open('bank_routing', row.bank_routing_encrypted);
      return accountOf(row.bank_kind ?? numberKind(number, routing), number, routing, row.bank_is_savings);
    },
    holder: row.bank_holder, country: row.bank_country, last4: row.bank_account_last4 ?? '',
    verified_at: row.bank_verified_at, verified_by_id: row.bank_verified_by_id,
    changed_by_id: row.bank_details_changed_by_id, changed_at: row.bank_details_changed_at,
    version: row.bank_details_version,
  };
}

/** Rows from before kinds were kept have their numbers as they were typed. */
function accountOf(kind: BankKind, account: string, routing: string | null, savings: boolean): PayeeAccount {
  const own = plainNumber(account);
  const bank = plainNumber(routing ?? '');
  switch (kind) {
    case 'us': return { kind, routing: bank, account: own, savings };
    case 'uk': return { kind, sort_code: bank, account: own };
    case 'iban': return { kind, iban: own, bic: bank === '' ? null : bank };
    case 'other': return { kind, account: own, bank: routing ?? '' };
  }
}

/** Street and number are kept as one text, which goes into a file as the street. */
function addressOf(address: Address | null): PaymentAddress | null {
  if (address === null) return null;
  return { country: address.country_code, town: address.locality, postal_code: address.postal_code || null,
    street: address.thoroughfare || null, building_number: null,
    lines: address.premise ? [address.premise] : [] };
}

/** Everybody who wrote or cleared bank details of the party after that moment, once each (audit trail). */
export async function bankChangersOf(
  db: Queryable, type: PayeeType, id: number, since: string | null,
): Promise<number[]> {
  const rows = await db.query<{ actor_id: number }>(sql`
    select distinct actor_id from audit_events where entity = ${type} and entity_id = ${id}
      and action in ('set_bank_details', 'clear_bank_details') and actor_id is not null
      and (${since}::timestamptz is null or created_at > ${since}::timestamptz) order by actor_id`);
  return rows.map((row) => row.actor_id);
}
