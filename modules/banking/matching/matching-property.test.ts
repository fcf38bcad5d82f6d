/** Matching and undoing in any order: no line counts twice, and undoing restores the state from before. */
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { ledgerIntegrity } from '#modules/accounting/accounting.public.server.ts';
import { sql } from '#server/sql.ts';
import { testApp, type SignedIn } from '#tests/support/app.ts';
import { runsOf, timeOf } from '#tests/support/full.ts';
import { BankFixtures, BASE, DAY } from '#tests/support/bank-lines.ts';
import { giveForeignAccount } from '#tests/support/receivables.ts';

const app = testApp();
let bank: BankFixtures;
let customers: number[];
let account: number;
let savings: number;
let people: { clerk: SignedIn; approver: SignedIn };
let vendors: number[];
beforeAll(async () => {
  bank = await BankFixtures.make(app);
  customers = [await bank.customer('Ravenswood Playhouse'), await bank.customer('Castle Players')];
  [account, savings] = [await bank.account(), await bank.account()];
  people = { clerk: await app.signedIn('staff_admin'), approver: await app.signedIn('staff_admin') };
  vendors = [await bank.vendor(people.clerk, 'Northern Power'), await bank.vendor(people.clerk, 'Lantern Hire')];
  await giveForeignAccount(bank.ports, 'US', 'EUR');
  await app.database.db.exec(sql`insert into exchange_rates (base, quote, on_date, rate, source)
    values ('EUR', 'USD', ${DAY}, 1.12, 'ecb')`);
});

const KINDS = ['entry', 'invoice', 'part', 'fee', 'exchange', 'on_account', 'charge', 'transfer', 'arrival', 'undo',
  'auto', 'bill', 'bills', 'refund'] as const;
interface Step { kind: (typeof KINDS)[number]; pick: number; amount: number }
const step: fc.Arbitrary<Step> = fc.record({ kind: fc.constantFrom(...KINDS), pick: fc.nat(99),
  amount: fc.integer({ min: 200, max: 90_000 }) });
const amountOf = (minor: number): string => (minor / 100).toFixed(2);

/** A line and what it is matched with, as one request. */
async function request({ kind, pick, amount }: Step): Promise<object> {
  const customer = customers[pick % 2]!;
  const line = async (minor: number, on = account) => (await bank.lines(on, [{ amount: amountOf(minor) }]))[0]!;
  switch (kind) {
    case 'entry': {
      const { ledger_line_id } = await bank.receipt(account, customer, amount);
      return { line_ids: [await line(amount)], parts: [{ kind: 'ledger_line', id: ledger_line_id }] };
    }
    case 'invoice': case 'part': case 'fee': {
      const { id } = await bank.invoice(customer, amount);
      const paid = kind === 'part' ? amount - 100 : amount;
      const fee = kind === 'fee' ? 100 : 0;
      return { line_ids: [await line(paid - fee)], fee_minor: fee,
        parts: [{ kind: 'invoice', id, amount_minor: paid }] };
    }
    case 'exchange': {
      const { id } = await bank.invoice(customer, amount, 'US', 'EUR');
      const bank_minor = Math.round(amount * (1.02 + (pick % 10) / 50));
      return { line_ids: [await line(bank_minor)], parts: [{ kind: 'invoice', id, amount_minor: amount, bank_minor }] };
    }
    case 'on_account':
      return { line_ids: [await line(amount)], on_account: { customer_id: customer, amount_minor: amount } };
    case 'charge': {
      const { id } = await app.database.db.one<{ id: number }>(sql`
        select id from ledger_accounts where division = 'US' and code = '6100'`);
      return { line_ids: [await line(-amount)], entries: [{ ledger_account_id: id, amount_minor: -amount }] };
    }
    case 'bill': {
      const { id } = await bank.bill(people, { vendor_id: vendors[pick % 2]!, net_minor: amount });
      const [paid, fee] = [pick % 4 === 0 ? amount - 100 : amount, pick % 5 === 0 ? 75 : 0];
      return { line_ids: [await line(-paid - fee)], fee_minor: fee,
        parts: [{ kind: 'bill', id, amount_minor: paid }] };
    }
    case 'bills': {
      const [one, other] = [await bank.bill(people, { vendor_id: vendors[0]!, net_minor: amount }),
        await bank.bill(people, { vendor_id: vendors[1]!, net_minor: amount + 300 })];
      const credit = await bank.bill(people, { vendor_id: vendors[0]!, net_minor: 150, kind: 'credit' });
      return { line_ids: [await line(-amount - amount - 300 + 150)], parts: [{ kind: 'bill', id: one.id },
        { kind: 'vendor_credit', id: credit.id }, { kind: 'bill', id: other.id }] };
    }
    case 'refund': {
      const { id } = await bank.bill(people, { vendor_id: vendors[pick % 2]!, net_minor: amount, kind: 'credit' });
      const paid = pick % 4 === 0 ? amount - 100 : amount;
      return { line_ids: [await line(paid)], parts: [{ kind: 'vendor_credit', id, amount_minor: paid }] };
    }
    case 'arrival': {
      const sent = await bank.staff.post(`${BASE}/bank_transfers`, { from_bank_account_id: savings,
        to_bank_account_id: account, amount_minor: amount, sent_on: '2026-11-18' });
      return { line_ids: [await line(amount)], parts: [{ kind: 'bank_transfer', id: sent.body.data.id }] };
    }
    default:
      return { line_ids: [await line(-amount)], transfer: { bank_account_id: savings,
        bank_transaction_id: await line(amount, savings) } };
  }
}

const activeMatches = () => app.database.db.query<{ id: number }>(sql`
  select id from bank_matches where undone_at is null and paired_match_id is null order by id`);

async function holds(): Promise<void> {
  const twice = await app.database.db.query(sql`
    select bank_transaction_id from bank_match_lines where active group by 1 having count(*) > 1
    union all select ledger_line_id from bank_match_entries where active group by 1 having count(*) > 1`);
  const unequal = await app.database.db.query(sql`
    select m.id from bank_matches m where m.undone_at is null and (
      select sum(t.amount_minor) from bank_match_lines l join bank_transactions t on t.id = l.bank_transaction_id
      where l.bank_match_id = m.id) is distinct from (
      select sum(e.amount_minor) from bank_match_entries l join journal_entries e on e.id = l.ledger_line_id
      where l.bank_match_id = m.id)`);
  expect([twice, unequal]).toEqual([[], []]);
}

test('match and undo in any order leave the ledger and every document as before', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
    for (const one of steps) {
      const matches = await activeMatches();
      if (one.kind === 'undo') {
        const chosen = matches[one.pick % Math.max(matches.length, 1)];
        if (chosen) expect((await bank.undo(chosen.id)).status).toBe(200);
      } else if (one.kind === 'auto') {
        expect((await bank.staff.post(`${BASE}/bank_matching/auto`, { bank_account_id: account })).status).toBe(200);
      } else {
        const body = await request(one);
        const before = await bank.snapshot();
        const match = await bank.matched(body);
        if (one.pick % 3 > 0) {
          expect((await bank.undo(match.id)).status).toBe(200);
          expect(await bank.snapshot()).toEqual(before);
        }
      }
      await holds();
    }
    expect((await ledgerIntegrity(app.database.db)).filter((check) => !check.ok)).toEqual([]);
  }), { numRuns: runsOf(12) });
}, timeOf(120_000));
