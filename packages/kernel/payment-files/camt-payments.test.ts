import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REFUSAL_CODES } from '../bank-statements/bank-file.ts';
import { decodeWith } from '../bank-statements/testing.ts';
import { ANSWER_CODES } from './answer-file.ts';
import { readCamtPayments } from './camt-payments.ts';

const FOLDER = join(resolve(process.env['SHARED_DATA'] ?? '../shared/data'), 'bank/camt');
const decode = decodeWith(TextDecoder);
const read = (text: string) => readCamtPayments(new TextEncoder().encode(text), decode);
const CODES: readonly string[] = [...ANSWER_CODES, ...REFUSAL_CODES];

const part = (id: string, inside = ''): string =>
  `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${inside}</TxDtls>`;
const amount = (text: string): string => `<Amt Ccy="EUR">${text}</Amt>`;
const entry = (minor: string, mark: string, details: string, status = 'BOOK'): string =>
  `<Ntry>${amount(minor)}<CdtDbtInd>${mark}</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-11-27</Dt></BookgDt>`
  + `<NtryDtls>${details}</NtryDtls></Ntry>`;
const message = (inside: string, root = 'BkToCstmrDbtCdtNtfctn', holder = 'Ntfctn'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><${root}>`
  + `<GrpHdr><MsgId>M</MsgId></GrpHdr><${holder}><Id>N</Id>${inside}</${holder}></${root}></Document>`;

describe('camt.054 by end-to-end id', () => {
  test('a batch of three debits is settled part by part', () => {
    const { result } = read(message(entry('600.00', 'DBIT',
      part('P-1', amount('100.00')) + part('P-2', amount('200.00'))
      + part('P-3', '<RltdPties><Cdtr><Pty><Nm>Ada</Nm></Pty></Cdtr></RltdPties>'))));
    expect(result?.map((one) => [one.end_to_end_id, one.outcome, one.amount_minor, one.name]))
      .toEqual([['P-1', 'settled', 10_000n, ''], ['P-2', 'settled', 20_000n, ''], ['P-3', 'settled', null, 'Ada']]);
    expect(result?.[0]).toMatchObject({ booked_on: '2026-11-27', currency: 'EUR', reason: null });
  });

  test('a credit under our id came back, with its reason; the mark is not turned by RvslInd', () => {
    const { result } = read(message(entry('100.00', 'CRDT', part('P-1',
      '<RltdPties><Cdtr><Nm>Ada</Nm></Cdtr></RltdPties>'
      + '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>zu</AddtlInf></RtrInf>'))
      .replace('<Sts>', '<RvslInd>true</RvslInd><Sts>')));
    expect(result).toMatchObject([{ end_to_end_id: 'P-1', outcome: 'returned', amount_minor: 10_000n, name: 'Ada',
      reason: { code: 'AC04', text: 'The account is closed: zu' } }]);
  });

  test('a part with a mark of its own inside a batch of debits came back', () => {
    const { result } = read(message(entry('100.00', 'DBIT', part('P-1', amount('150.00'))
      + part('P-2', `${amount('50.00')}<CdtDbtInd>CRDT</CdtDbtInd>`))));
    expect(result?.map(({ outcome }) => outcome)).toEqual(['settled', 'returned']);
  });

  test('pending entries and NOTPROVIDED say nothing of a payment', () => {
    expect(read(message(entry('1.00', 'DBIT', part('P-1'), 'PDNG') + entry('1.00', 'DBIT', part('NOTPROVIDED'))))
      .refusal?.code).toBe('no_answers');
    expect(read(message(entry('1.00', 'DBIT', part('P-1'), '<Cd>BOOK</Cd>'), 'BkToCstmrStmt', 'Stmt')).result)
      .toHaveLength(1);
  });

  test.each([
    ['payments to send', '<Document><CstmrCdtTrfInitn/></Document>', 'payment_order'],
    ['another XML', '<a><b/></a>', 'not_an_answer_file'],
    ['no XML', '{1:F01}', 'not_an_answer_file'],
    ['no sign', message(entry('1.00', 'X', part('P'))), 'sign_unknown'],
    ['a document type', `<!DOCTYPE a>${message('')}`, 'doctype'],
    ['cut', message(entry('1.00', 'DBIT', part('P'))).slice(0, -30), 'truncated'],
  ])('refused: %s', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });

  test('random changes: a result or a typed refusal; time grows with the file', () => {
    const seed = message(entry('3.00', 'DBIT', part('P-1', amount('1.00')) + part('P-2', amount('2.00'))));
    const change = fc.record({ at: fc.nat(), length: fc.nat(60), put: fc.oneof(
      fc.constantFrom('<', '>', '</', '<TxDtls>', '</Ntry>', '<Ntry>', 'CRDT'), fc.string({ maxLength: 5 })) });
    fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const { result, refusal } = read(changes.reduce((text, { at, length, put }) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      }, seed));
      if (refusal) expect(CODES).toContain(refusal.code);
      else expect(result.length).toBeGreaterThan(0);
    }), { numRuns: 1000 });
    expect(read(message(entry('1.00', 'DBIT', part('P').repeat(30_000)))).result).toHaveLength(30_000);
  });
});

describe.skipIf(!existsSync(FOLDER))(`real files in ${FOLDER}`, () => {
  const names = existsSync(FOLDER) ? readdirSync(FOLDER).filter((name) => name.endsWith('.xml')) : [];
  test('with random changes: a result or a typed refusal', () => {
    const files = names.map((name) => readFileSync(join(FOLDER, name), 'utf8')).filter((file) => file.length < 60_000);
    const piece = fc.constantFrom('', '<', '</Ntry>', '<TxDtls>', 'CRDT', '&#0;');
    const change = fc.array(fc.tuple(fc.nat(), fc.nat(80), piece), { minLength: 1, maxLength: 4 });
    fc.assert(fc.property(fc.constantFrom(...files), change, (file, changes) => {
      const { refusal } = read(changes.reduce((text, [place, length, put]) => {
        const from = place % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      }, file));
      if (refusal) expect(CODES).toContain(refusal.code);
    }), { numRuns: 300 });
  });

  test.each(names)('%s names payments or is refused for a typed reason', (name) => {
    const { result, refusal } = readCamtPayments(readFileSync(join(FOLDER, name)), decode);
    if (refusal) expect(CODES).toContain(refusal.code);
    for (const one of result ?? []) expect(one.amount_minor ?? 1n).toBeGreaterThanOrEqual(0n);
  });
});
