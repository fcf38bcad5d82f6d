/** One row of a file of opening balances as facts, or what is wrong with it. Pure: names are looked up afterwards. */
import type { Currency } from '#kernel/money/money.ts';
import type { Cells } from '#modules/data-exchange/imports/kinds/cells.ts';
import { fail, readAmount, readCurrency, plainDecimal } from '#modules/data-exchange/imports/read-cell.ts';

export interface MoneyCells {
  currency: Currency;
  amount: bigint;
  /** The value in the books and the rate, where the file says them. */
  base: bigint | null;
  rate: string | null;
}

/** An amount as accountants write it: (12.00), -12.00 and 12.00- are below zero. Null where the cell is empty. */
export function signedAmount(cells: Cells, field: string): bigint | null {
  const text = cells.text(field).trim();
  if (text === '') return null;
  const inside = /^\(\s*(.+?)\s*\)$/.exec(text)?.[1];
  const bare = inside ?? text.replace(/^[-−]\s*/, '').replace(/\s*[-−]$/, '');
  const isNegative = inside !== undefined || bare !== text;
  const amount = BigInt(readAmount(bare, field, cells.rules));
  return isNegative ? -amount : amount;
}

function rateIn(cells: Cells): string | null {
  const text = cells.text('rate').trim();
  if (text === '') return null;
  const [whole = '', fraction = ''] = (plainDecimal(text, cells.rules.decimal_style) ?? 'x').split('.');
  if (!/^\d{1,10}$/.test(whole) || fraction.length > 10 || !/[1-9]/.test(whole + fraction)) {
    fail('unreadable_number', `"${text.slice(0, 40)}" is no exchange rate with at most ten decimals`, 'rate', text);
  }
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The amount of a row, which must not be zero; the currency of the division where none is named. */
export function moneyOf(cells: Cells, functional: Currency, amount: bigint | null = signedAmount(cells, 'amount')):
MoneyCells {
  const named = cells.text('currency').trim();
  const currency = named === '' ? functional : readCurrency(named);
  if (amount === null) fail('missing_value', `${cells.label('amount')} is empty`, 'amount', '');
  if (amount === 0n) fail('no_amount', `${cells.label('amount')} is zero. Leave the row out`, 'amount', '0');
  return { currency, amount, base: signedAmount(cells, 'base'), rate: rateIn(cells) };
}

/** The same with the other sign: what is owed by us is a credit. */
export const opposite = (money: MoneyCells): MoneyCells => ({ ...money, amount: -money.amount,
  base: money.base === null ? null : -money.base });

/** A text of one line, at most so long. */
export function shortText(cells: Cells, field: string, most: number): string {
  const text = cells.text(field).replace(/\s+/g, ' ').trim();
  if (text.length > most) {
    fail('too_long', `${cells.label(field)} is longer than ${most} characters`, field, text);
  }
  return text;
}

export function neededText(cells: Cells, field: string, most: number): string {
  return shortText(cells, field, most) || fail('missing_value', `${cells.label(field)} is empty`, field, '');
}
