import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sum } from '../money/money.ts';
import { firstTrace, nextModifier, writeNacha, type NachaOptions } from './nacha.ts';
import type { PaymentBatch, PaymentItem } from './payment-batch.ts';
import { batchOf, CHECKING, GERMAN, issuesOf, NACHA_OPTIONS, ORIGINATOR, payment, SAVINGS } from './testing.ts';

/** Output of a third-party library (@ach/ach, MIT): fields by name, numbers as numbers. */
interface AchFields { [name: string]: string | number }
interface AchFile {
  file: AchFields & { footer: AchFields };
  batches: (AchFields & { entries: (AchFields & { addenda?: AchFields })[]; footer: AchFields })[];
}
interface AchLibrary { getParser(format: string): NodeJS.ReadWriteStream }
const require = createRequire(import.meta.url);
const library = require('@ach/ach') as (options?: object) => AchLibrary;

async function readByLibrary(text: string): Promise<AchFile> {
  const found: AchFile[] = [];
  const parser = library().getParser('ach');
  parser.on('data', (file: unknown) => found.push(file as AchFile));
  await new Promise<void>((resolve, reject) => {
    parser.on('end', resolve);
    parser.on('error', reject);
    Readable.from([text]).pipe(parser);
  });
  return found[0]!;
}

const write = (items: readonly PaymentItem[], options: Partial<NachaOptions> = {}, batch: Partial<PaymentBatch> = {}) =>
  writeNacha(batchOf(items, batch), ORIGINATOR, { ...NACHA_OPTIONS, ...options });
const linesOf = (text = ''): string[] => text.split('\r\n').slice(0, -1);

describe('a NACHA file', () => {
  test('own example, byte by byte: a person, a company with its invoices, a savings account', () => {
    const { file, changes } = write([
      payment('P-101', 123_456n, { payee: 'Zoë Field' }),
      payment('P-102', 50_000n, { payee: 'Harbor Press', is_person: false, bank: SAVINGS,
        documents: [{ number: 'INV-7', amount_minor: 30_000n }, { number: 'INV-9', amount_minor: 20_000n }] }),
    ]);
    expect(linesOf(file?.text)).toEqual([
      '101 12104288211234567892611251412A094101Harbor Bank            Grand Rights Inc               ',
      '5220Grand Rights                        1123456789PPDROYALTIES       261127   1121042880000001',
      '622231380104744-5678-99      0000123456P-101          Zoe Field               0121042880000001',
      '822000000100231380100000000000000000001234561123456789                         121042880000001',
      '5220Grand Rights                        1123456789CCDROYALTIES       261127   1121042880000002',
      '6321210428822321             0000050000P-102          Harbor Press            1121042880000002',
      '705RMR*IV*INV-7**300.00\\RMR*IV*INV-9**200.00\\                                      00010000002',
      '822000000200121042880000000000000000000500001123456789                         121042880000002',
      '9000002000001000000030035242298000000000000000000173456                                       ',
      '9'.repeat(94),
    ]);
    expect(file).toMatchObject({ count: 2, total_minor: 173_456n,
      ids: [{ item_id: 'P-101', bank_id: '121042880000001' }, { item_id: 'P-102', bank_id: '121042880000002' }] });
    expect(changes).toEqual([{ item_id: 'P-101', payee: 'Zoë Field', field: 'payee', from: 'Zoë Field', to: 'Zoe Field',
      kinds: ['letters'] }]);
  });

  test('balanced: class 200, the offset is a debit of the total, the hash leaves the check digit out', () => {
    const { file } = write([payment('A', 10_000n), payment('B', 20_000n, { bank: SAVINGS })], { balanced: true });
    const lines = linesOf(file?.text);
    expect(lines[1]?.slice(0, 4)).toBe('5200');
    expect(lines[4])
      .toBe('6271210428824567890          0000030000OFFSET         Grand Rights            0121042880000003');
    expect(lines[5]?.slice(0, 44)).toBe('82000000030047346586000000030000000000030000');
  });

  test('an offset beyond its field is refused by the total, not written wrong', () => {
    const large = [payment('A', 9_999_999_999n), payment('B', 1n)];
    expect(write(large).file?.total_minor).toBe(10_000_000_000n);
    expect(issuesOf(write(large, { balanced: true }))[0])
      .toMatch(/^amount: The total of 100,000,000.00 \(PPD\) is more/);
  });

  test('a prenote has its own code and no amount, and nothing is charged for it', () => {
    const { file } = write([payment('A', 0n, { is_prenote: true }),
      payment('B', 0n, { is_prenote: true, bank: SAVINGS })], { balanced: true });
    expect(linesOf(file?.text).slice(1, 5).map((line) => line.slice(0, 4))).toEqual(['5220', '6232', '6331', '8220']);
    expect(issuesOf(write([payment('A', 1n, { is_prenote: true }), payment('B', 0n)])))
      .toEqual(['amount: Ada Field: a prenote has no amount.', 'amount: Ada Field: the amount must be above zero.']);
  });

  test('same-day: marked in the batch, at most 1,000,000.00', () => {
    const { file } = write([payment('A', 100_000_000n)], { same_day: true });
    expect(linesOf(file?.text)[1]?.slice(53, 75)).toBe('ROYALTIES SD1412261127');
    expect(issuesOf(write([payment('A', 100_000_001n)], { same_day: true })))
      .toEqual(['amount: Ada Field: a same-day payment is at most 1,000,000.00. Send it on the next day.']);
  });

  test('the second file of a day has modifier B and goes on with the trace numbers', () => {
    const { file } = write([payment('A', 1n)], { modifier: 'B', first_trace: 9_999_999 });
    expect(linesOf(file?.text)[0]?.[33]).toBe('B');
    expect(file?.ids[0]?.bank_id).toBe('121042889999999');
    expect(issuesOf(write([payment('A', 1n), payment('B', 1n)], { first_trace: 9_999_999 })))
      .toEqual(['file: The trace numbers of the day are used up.']);
  });

  test('files of one day are A to Z, then 0 to 9; there is no 37th', () => {
    const taken: string[] = [];
    for (let one = nextModifier(taken); one !== null; one = nextModifier(taken)) taken.push(one);
    expect(taken.join('')).toBe('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
    expect(nextModifier(['A', 'C'])).toBe('B');
  });

  test('trace numbers go on from file to file and start again where they do not fit', () => {
    expect(firstTrace(null, 5)).toBe(1);
    expect(firstTrace({ first_trace: 1, trace_count: 5 }, 3)).toBe(6);
    expect(firstTrace({ first_trace: 9_999_990, trace_count: 8 }, 2)).toBe(9_999_998);
    expect(firstTrace({ first_trace: 9_999_990, trace_count: 8 }, 3)).toBe(1);
  });

  test('a name of 200 characters or in another script is fitted and shown', () => {
    const { file, changes } = write([payment('A', 1n, { payee: 'Ж'.repeat(200) })]);
    expect(linesOf(file?.text)[2]?.slice(54, 76)).toBe('ZHZHZHZHZHZHZHZHZHZHZH');
    expect(changes[0]?.kinds).toEqual(['script', 'shortened']);
  });

  test('each reason names the payee and the field', () => {
    const bad = { ...CHECKING, routing: '231380105' };
    expect(issuesOf(write([
      payment('A', 10_000_000_000n), payment('A', 1n, { payee: 'Ben', bank: null }),
      payment('C', 1n, { payee: 'Cleo', bank: GERMAN }), payment('D', 1n, { payee: '山田', bank: bad }),
      payment('E'.repeat(16), 1n, { payee: 'Eve', bank: { ...CHECKING, account: '123456789012345678' } }),
      payment('F', 1n, { payee: '★' }),
    ]))).toEqual([
      'id: Ben: the payment id “A” is in the batch twice.',
      'amount: Ada Field: 100,000,000.00 is more than the file can hold (99,999,999.99).',
      'bank: Ben: there are no bank details.', 'bank: Cleo: ACH needs an American account with its routing number.',
      'payee: 山田: the name has “山”, which the bank cannot take. Write it in Latin letters.',
      'routing: 山田: the routing number 231380105 is wrong.',
      `id: Eve: the payment id “${'E'.repeat(16)}” must have 1 to 15 characters that the bank takes.`,
      'account: Eve: the account number must have 1 to 17 digits or letters.', 'payee: Ada Field: the name is empty.',
    ].map((line) => line.replace('payee: Ada Field: the name', 'payee: ★: the name')));
  });

  test('no file on Thanksgiving, in the past, in euros, or without payments', () => {
    expect(issuesOf(write([], {}, { value_on: '2026-11-26', currency: 'EUR' }))).toEqual([
      'items: The batch holds no payments.', 'currency: NACHA pays US dollars, not EUR.',
      'value_on: 2026-11-26 is no settlement day (Thanksgiving Day).']);
    expect(issuesOf(write([payment('A', 1n)], { created_on: '2026-11-30' })))
      .toEqual(['value_on: 2026-11-27 is in the past.']);
  });
});

const some = fc.record({ amount: fc.bigInt(1n, 399_999_999n), is_person: fc.boolean(), savings: fc.boolean(),
  payee: fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'ß', '&', ' ', '9', 'Ж'), maxLength: 40 }),
  reference: fc.string({ unit: 'binary-ascii', maxLength: 90 }) });
const payments = fc.array(some, { minLength: 1, maxLength: 25 }).map((all) => all.map((one, index) =>
  payment(`P${index}`, one.amount, { payee: `x${one.payee}`, is_person: one.is_person, reference: one.reference,
    bank: one.savings ? SAVINGS : CHECKING })));

test('another reader finds every payment, counts, hash and totals; the same batch has the same bytes', async () => {
  await fc.assert(fc.asyncProperty(payments, fc.boolean(), async (items, balanced) => {
    const { file } = write(items, { balanced });
    const lines = linesOf(file?.text);
    expect(lines.every((line) => /^[\x20-\x7e]{94}$/.test(line))).toBe(true);
    expect(lines.length % 10).toBe(0);
    expect(write(items, { balanced }).file?.text).toBe(file?.text);
    const { file: read, batches } = await readByLibrary(file?.text ?? '');
    const entries = batches.flatMap((batch) => batch.entries);
    const credits = entries.filter(({ transactionCode }) => /^[23]2$/.test(String(transactionCode)));
    const found = new Map(credits.map(({ identificationNumber, amount }) => [identificationNumber, amount]));
    expect(found).toEqual(new Map(items.map(({ id, amount_minor }) => [id, Number(amount_minor)])));
    const total = Number(sum(items.map(({ amount_minor }) => amount_minor)));
    const addenda = entries.filter((entry) => entry.addenda).length;
    expect(read.footer).toMatchObject({ batchCount: batches.length, blockCount: lines.length / 10,
      entryAndAddendaCount: entries.length + addenda, totalCredit: total, totalDebit: balanced ? total : 0,
      entryHash: entries.reduce((all, entry) => all + Number(entry['receivingDFIIdentification']), 0) });
    for (const batch of batches) {
      expect(batch.footer['entryAndAddendaCount'])
        .toBe(batch.entries.length + batch.entries.filter((entry) => entry.addenda).length);
      expect(batch.footer['num']).toBe(batch['num']);
    }
  }), { numRuns: 60 });
});
