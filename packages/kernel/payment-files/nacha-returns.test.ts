import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeWith } from '../bank-statements/testing.ts';
import { minorToDecimal } from '../money/money.ts';
import { ANSWER_CODES } from './answer-file.ts';
import { REFUSAL_CODES } from '../bank-statements/bank-file.ts';
import { readNachaReturns } from './nacha-returns.ts';
import { writeNacha } from './nacha.ts';
import { batchOf, NACHA_OPTIONS, ORIGINATOR, payment } from './testing.ts';

const FOLDER = join(resolve(process.env['SHARED_DATA'] ?? '../shared/data'), 'bank/ach');
const present = existsSync(FOLDER);
const decode = decodeWith(TextDecoder);
const readBytes = (bytes: Uint8Array) => readNachaReturns(bytes, decode);
const read = (text: string) => readBytes(new TextEncoder().encode(text));

/** A file as a bank sends it back: each payment of our file with an addenda behind it. */
function comeBack(addenda: readonly string[], amounts: readonly bigint[] = [15_000n]): string {
  const { file } = writeNacha(batchOf(amounts.map((minor, index) => payment(`P-${index + 1}`, minor))), ORIGINATOR,
    NACHA_OPTIONS);
  const lines = (file?.text ?? '').split('\r\n').filter((line) => /^[156]/.test(line));
  const back = lines.flatMap((line) => {
    if (!line.startsWith('6')) return [line.replace(/^5220/, '5200')];
    const more = addenda[Number(line.slice(-1)) - 1];
    return more === undefined ? [line] : [`${line.slice(0, 78)}1${line.slice(79)}`, `7${more}`.padEnd(94)];
  });
  const count = back.filter((line) => /^[67]/.test(line)).length;
  const total = amounts.reduce((all, minor) => all + minor, 0n);
  const hash = String(BigInt(amounts.length) * 23_138_010n).padStart(10, '0');
  const sums = `${hash}${'0'.repeat(12)}${String(total).padStart(12, '0')}`;
  return [...back, `8200${String(count).padStart(6, '0')}${sums}1123456789${' '.repeat(25)}121042880000001`,
    `9000001000001${String(count).padStart(8, '0')}${sums}`.padEnd(94)].join('\n');
}

describe('returns', () => {
  test('the payment by its trace number and our id, the reason in words', () => {
    const { result } = read(comeBack(['99R03121042880000001      23138010ACCOUNT NOT FOUND', undefined as never,
      '99R02121042880000003      23138010'], [15_000n, 2n, 7n]));
    expect(result?.flags).toEqual([]);
    expect(result?.returns).toMatchObject([
      { code: 'R03', original_trace: '121042880000001', item_id: 'P-1', amount_minor: 15_000n, is_credit: true,
        name: 'Ada Field', text: 'No account, or unable to locate it', kind: 'details', is_dispute: false,
        information: 'ACCOUNT NOT FOUND' },
      { code: 'R02', item_id: 'P-3', amount_minor: 7n, kind: 'closed' }]);
  });

  test('a dishonored return is a dispute; no payment comes back with it', () => {
    expect(read(comeBack(['99R68121042880000001      23138010'])).result?.returns[0]?.is_dispute).toBe(true);
  });

  test('wrong control figures are flagged, not refused', () => {
    const text = comeBack(['99R03121042880000001      23138010']);
    expect(read(text.replace('820000000200', '820000000300')).result?.flags).toEqual(['count_mismatch']);
    expect(read(text.replace(/^(82.{8}).{10}/m, '$10000000001')).result?.flags).toEqual(['entry_hash_mismatch']);
    expect(read(text.replace(/^9.*$/m, '')).result?.flags).toEqual(['end_missing']);
  });
});

describe('notices of change', () => {
  const notice = (code: string, data: string) =>
    read(comeBack([`98${code}121042880000001      23138010${data}`])).result?.changes[0];

  test.each([
    ['C01', '1918171614', { account: '1918171614' }],
    ['C02', '121042882', { routing: '121042882' }],
    ['C03', '121042882   1918171614', { routing: '121042882', account: '1918171614' }],
    ['C05', '32', { savings: true }],
    ['C06', '123456789 111            22', { account: '123456789 111', savings: false }],
    ['C06', '123456789 111 22', { account: '123456789 111', savings: false }],
    ['C07', '1210428821918171614       32', { routing: '121042882', account: '1918171614', savings: true }],
    ['C09', 'P-99', { individual_id: 'P-99' }],
  ])('%s', (code, data, details) => {
    const nothing = { routing: null, account: null, savings: null, name: null, individual_id: null };
    expect(notice(code, data)?.details).toEqual({ ...nothing, ...details });
    expect(notice(code, data)).toMatchObject({ original_trace: '121042880000001', item_id: 'P-1' });
  });
});

describe('refusals', () => {
  test.each([
    ['a file of payments', comeBack([]), 'payment_order'],
    ['an unknown reason', comeBack(['99R96121042880000001']), 'reason_unknown'],
    ['no trace number', comeBack(['99R03']), 'malformed'],
    ['cut inside a batch', comeBack(['99R03121042880000001']).split('\n').slice(0, 4).join('\n'), 'truncated'],
    ['a long record', comeBack(['99R03121042880000001']).replace('ROYALTIES', 'ROYALTIES AND MORE'), 'record_length'],
    ['an addenda without a payment', comeBack(['99R03121042880000001']).replace(/^6.*\n/m, ''), 'record_order'],
    ['a letter', 'Dear customer,\nyour payment was returned.', 'not_an_answer_file'],
    ['nothing', ' ', 'file_empty'],
  ])('%s', (_, text, code) => {
    const { refusal } = read(text);
    expect(refusal?.code).toBe(code);
    expect(refusal?.message).toMatch(/[.”]$/);
    expect(refusal?.advice).toMatch(/\.$/);
  });
});

describe('never anything but answers or a typed refusal', () => {
  const CODES: readonly string[] = [...ANSWER_CODES, ...REFUSAL_CODES];
  const holds = (bytes: Uint8Array): void => {
    const { result, refusal } = readBytes(bytes);
    if (refusal) expect(CODES).toContain(refusal.code);
    else expect(result.returns.length + result.changes.length).toBeGreaterThan(0);
  };
  const seed = comeBack(['99R03121042880000001      23138010', '98C01121042880000002      23138010123'], [1n, 2n, 3n]);

  test('random bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), holds), { numRuns: 300 });
  });

  test('a file with pieces dropped, repeated and replaced', () => {
    const change = fc.record({ at: fc.nat(), length: fc.nat(100), put: fc.oneof(
      fc.constantFrom('', '\n', '7', '799', '9', '5', '8', 'é', '\u0000', '9'.repeat(94)),
      fc.string({ maxLength: 6 })) });
    fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      holds(new TextEncoder().encode(changes.reduce((text, { at, length, put }) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      }, seed)));
    }), { numRuns: 1500 });
  });

  test.skipIf(!present)('real files with pieces dropped, repeated and replaced', () => {
    const names = present ? readdirSync(FOLDER).filter((name) => name.endsWith('.ach')) : [];
    const files = names.map((name) => readFileSync(join(FOLDER, name), 'latin1'));
    const put = fc.constantFrom('', '\n', '799R01', '6', '8', '0'.repeat(94));
    const change = fc.array(fc.tuple(fc.nat(), fc.nat(120), put, fc.boolean()), { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(fc.constantFrom(...files), change, (file, changes) => {
      holds(Buffer.from(changes.reduce((text, [place, length, piece, isKept]) => {
        const from = place % (text.length + 1);
        return text.slice(0, from) + piece + text.slice(isKept ? from : from + length);
      }, file), 'latin1'));
    }), { numRuns: 1500 });
  });

  test.each([
    ['a line without end', '101'.padEnd(2_000_000, '9')],
    ['returns', `${seed.split('\n')[1]}\n${`${seed.split('\n').slice(2, 4).join('\n')}\n`.repeat(40_000)}`],
    ['blank lines', `101\n${'\n'.repeat(1_000_000)}`],
  ])('time grows with the file: %s', (_, text) => {
    holds(new TextEncoder().encode(text));
  });
});

const TABLE_HEAD = '| File | Read as | Flags, or why it is refused |\n|---|---|---|';

describe.skipIf(!present)(`real files in ${FOLDER}`, () => {
  test('each is read or refused as the table of docs/domain/payment-files.md says', async () => {
    const rows = readdirSync(FOLDER).filter((name) => name.endsWith('.ach')).sort().map((name) => {
      const { result, refusal } = readBytes(readFileSync(join(FOLDER, name)));
      const shown = name.replace(/^.*testdata__/, '');
      if (refusal) return `| ${shown} | refused: \`${refusal.code}\` | ${refusal.message.replaceAll('|', '/')} |`;
      const money = result.returns.map(({ code, original_trace, amount_minor, is_credit }) =>
        `${code} ${original_trace}, ${is_credit ? 'credit' : 'debit'} ${minorToDecimal(amount_minor)}`);
      const notices = result.changes.map(({ code, original_trace, corrected }) =>
        `${code} ${original_trace}: ${corrected}`);
      return `| ${shown} | ${[...money, ...notices].join('; ')} | `
        + `${result.flags.map((flag) => `\`${flag}\``).join(' ') || 'none'} |`;
    });
    const path = 'docs/domain/payment-files.md';
    const written = existsSync(path) ? readFileSync(path, 'utf8') : '';
    const intro = written.slice(0, Math.max(0, written.indexOf(TABLE_HEAD)));
    await expect(`${intro}${TABLE_HEAD}\n${rows.join('\n')}\n`)
      .toMatchFileSnapshot('../../../docs/domain/payment-files.md');
  });
});
