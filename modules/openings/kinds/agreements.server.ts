/** Opening balances from agreements with royaltors: balances owed, unrecouped advances, reserves held. */
import { spell } from '#kernel/text/english.ts';
import {
  bringAdvance, bringReserve, bringRoyaltorBalance, openingAgreements, royaltiesInTheWay, takeBackRoyalty,
  type OpeningAgreement, type OpeningRoyalty, type RoyaltyDocument,
} from '#modules/royalties/royalties.public.server.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail } from '#modules/data-exchange/imports/read-cell.ts';
import type { WorkContext } from '#server/context.ts';
import type { Queryable } from '#server/db.ts';
import { sql } from '#server/sql.ts';
import {
  keyOf, openingKind, ratesOf, valueOf, type Made, type Rates, type SetFacts,
} from '../opening-kind.server.ts';
import { moneyOf, neededText, shortText, type MoneyCells } from '../opening-rows.ts';

interface Row { show: string; royaltor: string; contract_no: string; hasCurrency: boolean; money: MoneyCells }
interface Book { agreements: OpeningAgreement[]; rates: Rates; named: Set<number> }
interface Kind {
  kind: 'royaltors' | 'advances' | 'reserves';
  account: '2200' | '1150' | '2205';
  document: RoyaltyDocument;
  /** Debits positive; balances may be owed either way. */
  sign: 1n | -1n;
  once: boolean;
  bring(ctx: WorkContext, of: OpeningRoyalty): Promise<{ type: string; id: number; transaction_id: number }>;
}

function read(cells: Cells, set: SetFacts, kind: Kind): Row {
  const money = moneyOf(cells, set.functional);
  if (kind.kind !== 'royaltors' && money.amount < 0n) {
    fail('negative_amount', `${cells.label('amount')} is below zero`, 'amount', cells.text('amount'));
  }
  return { show: neededText(cells, 'show', 200), royaltor: neededText(cells, 'royaltor', 200),
    contract_no: shortText(cells, 'contract_no', 60), hasCurrency: cells.text('currency').trim() !== '', money };
}

async function book(db: Queryable, set: SetFacts, rows: readonly Row[]): Promise<Book> {
  const agreements = rows.length === 0 ? [] : await openingAgreements(db, set.division);
  const currencies = [...new Set(agreements.map((one) => one.currency))];
  return { agreements, named: new Set(), rates: await ratesOf(db, set.functional,
    currencies.map((currency) => ({ currency, on: set.as_of }))) };
}

function agreementOf(row: Row, { agreements }: Book, set: SetFacts): OpeningAgreement {
  const ofShow = agreements.filter((one) => [one.show_code, one.title].some((word) => keyOf(word) === keyOf(row.show)));
  if (ofShow.length === 0) {
    fail('unknown', `${set.division} pays no agreement on "${row.show.slice(0, 60)}"`, 'show', row.show);
  }
  const own = ofShow.filter((one) => keyOf(one.royaltor) === keyOf(row.royaltor)
    && (row.contract_no === '' || keyOf(one.contract_no) === keyOf(row.contract_no)));
  const [first, ...others] = own;
  if (first === undefined) {
    return fail('unknown', `${row.royaltor.slice(0, 60)} has no such agreement on "${row.show.slice(0, 60)}"`,
      'royaltor', row.royaltor);
  }
  if (others.length > 0) {
    fail('ambiguous', spell`${String(own.length)} agreements fit. Name the contract`, 'contract_no', row.contract_no);
  }
  return first;
}

function judge(row: Row, book: Book, set: SetFacts, kind: Kind) {
  const agreement = agreementOf(row, book, set);
  if (agreement.status === 'draft') fail('unknown', 'The agreement is not in force yet', 'royaltor', row.royaltor);
  if (row.hasCurrency && row.money.currency !== agreement.currency) {
    fail('unknown_currency', `The agreement is in ${agreement.currency}`, 'currency', row.money.currency);
  }
  if (kind.once && agreement.opened) {
    fail('taken', 'The agreement has brought a balance already', 'royaltor', row.royaltor);
  }
  if (kind.once && book.named.has(agreement.id)) {
    fail('taken', 'The agreement is in a row before', 'royaltor', row.royaltor);
  }
  book.named.add(agreement.id);
  const value = valueOf({ ...row.money, currency: agreement.currency }, set.as_of, set, book.rates);
  const words = `${agreement.royaltor}, ${agreement.title}`;
  const subject: OpeningRoyalty = { agreement_id: agreement.id, royaltor_id: agreement.royaltor_id, words,
    division: set.division, currency: agreement.currency, amount: value.amount, base: value.base, rate: value.rate,
    on: set.as_of };
  return { subject, brought: { label: words, account: kind.account, currency: agreement.currency,
    amount: kind.sign * value.amount, base: kind.sign * value.base } };
}

interface Posted { id: number; transaction_id: number }
const postedOf = (db: Queryable, set: SetFacts, type: string): Promise<Posted[]> => db.query<Posted>(sql`
  select document_id as id, transaction_id from opening_lines where opening_set_id = ${set.id}
    and document_type = ${type} order by row_no`);

const agreementKind = (kind: Kind) => openingKind<Row, Book, OpeningRoyalty>({
  kind: kind.kind, book,
  read: (cells, set) => read(cells, set, kind),
  judge: (row, found, set) => judge(row, found, set, kind),
  async post(ctx, _set, rows) {
    const made: Made[] = [];
    for (const { row_no, subject } of rows) made.push({ row_no, ...await kind.bring(ctx, subject) });
    return made;
  },
  inTheWay: async (db, set) => royaltiesInTheWay[kind.document](db,
    (await postedOf(db, set, kind.document)).map((one) => one.id)),
  async takeBack(ctx, set, reason) {
    for (const one of await postedOf(ctx.db, set, kind.document)) {
      await takeBackRoyalty(ctx, kind.document, { ...one, on: set.as_of, reason });
    }
  },
});

export const royaltorsKind = agreementKind({ kind: 'royaltors', account: '2200', document: 'show_royaltor', sign: -1n,
  once: true, bring: bringRoyaltorBalance });
export const advancesKind = agreementKind({ kind: 'advances', account: '1150', document: 'royalty_advance', sign: 1n,
  once: false, bring: bringAdvance });
export const reservesKind = agreementKind({ kind: 'reserves', account: '2205', document: 'royalty_reserve', sign: -1n,
  once: false, bring: bringReserve });
