import { describe, expect, test } from 'vitest';
import { readBankSheet, type ReadOptions } from './read-bank-file.ts';
import type { SheetMapping, SheetRow } from './sheet.ts';
import { suggestMapping } from './suggest-mapping.ts';
import { flagsOf, inShort, NO_OPTIONS } from './testing.ts';

const rowsOf = (text: string): SheetRow[] => text.split('\n').map((line,
  index) => ({ row_no: index + 1, cells: line.split(';') }));
const SIGNED: SheetMapping = { header_row: 1, footer_rows: 0, date_order: 'dmy', decimal_mark: ',',
  amount: { kind: 'signed', amount: 'Amount', inverted: false }, columns: { booked: 'Date', memo: ['Text'] } };
const read = (text: string, mapping: Partial<SheetMapping> = {}, options: Partial<ReadOptions> = {}) => {
  const { file, refusal } = readBankSheet(rowsOf(text), { ...SIGNED, ...mapping },
    { ...NO_OPTIONS, currency: 'EUR', ...options });
  return { statements: file?.statements ?? [], refusal };
};

describe('a sheet with the mapping of its account', () => {
  test.each([['-110,7 €', -11_070n], ['(33,52)', -3352n], ['1.337,00', 133_700n], ['+ €73,01', 7301n],
    ['12,00-', -1200n],
    ['\u221233,50', -3350n], ["1'234,50", 123_450n], ['EUR 1 234,50', 123_450n], ['75,9400', 7594n]])('the amount %s',
      (text, minor) => {
    expect(read(`Date;Amount;Text\n01.03.2026;${text};x`).statements[0]?.lines[0]?.amount_minor).toBe(minor);
  });

  test('one order of day and month for the whole file', () => {
    const text = 'Date;Amount;Text\n16/12/2024;1;a\n13/12/2024;2;b\n11/12/2024;3;c';
    expect(read(text).statements[0]?.lines.at(-1)?.booked_on).toBe('2024-12-11');
    expect(read(text, { date_order: 'mdy' }).refusal).toMatchObject({ code: 'date_unreadable', line: 2 });
    expect(read(text, { date_order: null }).refusal).toMatchObject({ code: 'date_order_required', suggestion: 'dmy' });
  });

  test('the sign in a column of its own', () => {
    const amount = { kind: 'marked', amount: 'Amount', mark: 'Af Bij', out_marks: ['Af'], in_marks: ['Bij'] } as const;
    expect(read('Date;Amount;Af Bij;Text\n01.03.2026;75,94;Af;x\n01.03.2026;1;bij;y', { amount }).statements[0]?.lines
      .map(({ amount_minor }) => amount_minor)).toEqual([-7594n, 100n]);
    expect(read('Date;Amount;Af Bij;Text\n01.03.2026;75,94;?;x', { amount }).refusal?.code).toBe('sign_unknown');
  });

  test('money in and money out in two columns; both filled is refused with its row', () => {
    const amount = { kind: 'in_and_out', money_in: 'In', money_out: 'Out', out_is_negative: false } as const;
    const text = (row: string): string => `Date;In;Out;Text\n${row}`;
    expect(read(text('01.03.2026;;5,00;x'), { amount }).statements[0]?.lines[0]?.amount_minor).toBe(-500n);
    expect(read(text('01.03.2026;5,00;0,00;x'), { amount }).statements[0]?.lines[0]?.amount_minor).toBe(500n);
    expect(read(text('01.03.2026;5,00;1,00;x'), { amount }).refusal).toMatchObject({ code: 'both_columns_filled',
      line: 2 });
    expect(read(text('01.03.2026;;-5,00;x'),
      { amount: { ...amount, out_is_negative: true } }).statements[0]?.lines[0]?.amount_minor)
      .toBe(-500n);
  });

  test('balances, newest first: the opening stands before the oldest line, a break is flagged', () => {
    const mapping = { columns: { booked: 'Date', balance: 'Balance', memo: ['Text'] } };
    const good = read('Date;Amount;Balance;Text\n03.03.2026;-5,00;105,00;c\n02.03.2026;10,00;110,00;b',
      mapping).statements[0];
    expect(good).toMatchObject({ opening: { amount_minor: 10_000n }, closing: { amount_minor: 10_500n }, flags: [] });
    const broken = read('Date;Amount;Balance;Text\n02.03.2026;10,00;110,00;b\n03.03.2026;-5,00;106,00;c',
      mapping).statements[0];
    expect(flagsOf(broken)).toContain('balance_mismatch');
  });

  test('a row without date and amount goes on with the text above; pending rows are left out', () => {
    const [statement] = read('Date;Amount;Text\n01.03.2026;1;Card\n;;payment\nPending;2;x').statements;
    expect(inShort(statement)).toEqual(['2026-03-01 1.00 |Card payment|']);
    expect(flagsOf(statement)).toEqual(['pending_skipped']);
  });

  test('accounts and currencies in one file are statements of their own', () => {
    const { statements } = read('Date;Amount;Account;Ccy;Text\n01.03.2026;1;A;EUR;x\n01.03.2026;2;A;USD;y\n01.03'
      + '.2026;3;B;EUR;z',
      { columns: { booked: 'Date', account: 'Account', currency: 'Ccy' } });
    expect(statements.map(({ account, currency, lines }) => [account.number, currency, lines.length]))
      .toEqual([['A', 'EUR', 1], ['A', 'USD', 1], ['B', 'EUR', 1]]);
  });

  test.each([
    ['a mapped column is missing', 'Day;Amount;Text\n01.03.2026;1;x', 'column_missing'],
    ['five decimals', 'Date;Amount;Text\n01.03.2026;1,00001;x', 'amount_precision'],
    ['a garbled amount', 'Date;Amount;Text\n01.03.2026;12,,34;x', 'amount_unreadable'],
    ['the other decimal mark', 'Date;Amount;Text\n01.03.2026;1,234.56;x', 'amount_unreadable'],
    ['no amount', 'Date;Amount;Text\n01.03.2026;;x', 'line_incomplete'],
    ['no date', 'Date;Amount;Text\n;1,00;x', 'line_incomplete'],
  ])('%s: refused', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });

  test('lines in the future are flagged', () => {
    expect(flagsOf(read('Date;Amount;Text\n01.03.2026;1;x', {},
      { today: '2026-02-28' }).statements[0])).toEqual(['future_date']);
  });
});

describe('a proposed mapping', () => {
  test('finds heads below a preamble, in another language, and what the file tells of dates and decimals', () => {
    const found = suggestMapping(rowsOf('Konto;DE12\n\nBuchungstag;Valuta;Verwendungszweck;Betrag;Währung;Saldo\n'
      + '31.12.2025;31.12.2025;Miete;-1.234,56;EUR;10,00'));
    expect(found).toMatchObject({ open: [], mapping: { header_row: 3, date_order: 'dmy', decimal_mark: ',',
      amount: { kind: 'signed', amount: 'Betrag' },
      columns: { booked: 'Buchungstag', value: 'Valuta', memo: ['Verwendungszweck'], currency: 'Währung',
        balance: 'Saldo' } } });
  });

  test('leaves open what the file does not tell', () => {
    const found = suggestMapping(rowsOf('Date;Description;Amount\n01/02/2026;x;1,010'));
    expect(found?.open).toEqual(['date_order', 'decimal_mark']);
    expect(suggestMapping(rowsOf('a;b\nc;d'))).toBeNull();
  });
});
