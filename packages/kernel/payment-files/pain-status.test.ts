import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { REFUSAL_CODES } from '../bank-statements/bank-file.ts';
import { decodeWith } from '../bank-statements/testing.ts';
import { ANSWER_CODES } from './answer-file.ts';
import { readPainStatus, statusOf } from './pain-status.ts';

const decode = decodeWith(TextDecoder);
const read = (text: string) => readPainStatus(new TextEncoder().encode(text), decode);
const reason = (code: string, more = ''): string => `<StsRsnInf><Rsn><Cd>${code}</Cd></Rsn>${more}</StsRsnInf>`;
const one = (id: string, status: string, more = ''): string =>
  `<TxInfAndSts><OrgnlEndToEndId>${id}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`;

function report(group: string, inside = '', version = '002.001.03'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.${version}">`
    + `<CstmrPmtStsRpt><GrpHdr><MsgId>B1</MsgId></GrpHdr><OrgnlGrpInfAndSts><OrgnlMsgId>RUN-4</OrgnlMsgId>${group}`
    + `</OrgnlGrpInfAndSts>${inside}</CstmrPmtStsRpt></Document>`;
}
const block = (status: string, inside = ''): string =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>B-4</OrgnlPmtInfId>${status}${inside}</OrgnlPmtInfAndSts>`;

describe('pain.002', () => {
  test('partly accepted: a payment has its own status, the others that of their block', () => {
    const text = report('<GrpSts>PART</GrpSts>', block('<PmtInfSts>ACCP</PmtInfSts>',
      one('P-2', 'RJCT', reason('AC01', '<AddtlInf>Konto</AddtlInf><AddtlInf>falsch</AddtlInf>'))));
    const { result } = read(text);
    expect(result?.message_id).toBe('RUN-4');
    expect(statusOf(result!, 'B-4', 'P-2')).toEqual({ outcome: 'rejected', status: 'RJCT',
      reasons: [{ code: 'AC01', text: 'The account number is wrong: Konto falsch' }] });
    expect(statusOf(result!, 'B-4', 'P-1')?.outcome).toBe('accepted');
    expect(statusOf(result!, 'other', 'P-1')?.outcome).toBe('pending');
  });

  test('the whole file rejected is each payment rejected', () => {
    const { result } = read(report(`<GrpSts>RJCT</GrpSts>${reason('DU01')}`));
    expect(statusOf(result!, 'B-4', 'P-1')).toMatchObject({ outcome: 'rejected',
      reasons: [{ code: 'DU01', text: 'The file was sent before' }] });
  });

  test('a reason of the bank’s own is shown as it is', () => {
    const { result } = read(report(`<GrpSts>RJCT</GrpSts>${reason('constructor')}${reason('ZZ9')}`));
    expect(result?.file?.reasons.map(({ text }) => text)).toEqual(['constructor', 'ZZ9']);
  });

  test.each([['ACSC', 'settled'], ['ACCC', 'settled'], ['ACTC', 'accepted'], ['PDNG', 'pending']])('%s is %s',
    (status, outcome) => {
      expect(read(report(`<GrpSts>${status}</GrpSts>`, '', '002.001.10')).result?.file?.outcome).toBe(outcome);
    });

  test.each([
    ['payments to send', '<Document><CstmrCdtTrfInitn/></Document>', 'payment_order'],
    ['another XML', '<a/>', 'not_an_answer_file'],
    ['no XML', 'HBCI', 'not_an_answer_file'],
    ['no status', report(''), 'no_answers'],
    ['an unknown status', report('<GrpSts>XXXX</GrpSts>'), 'reason_unknown'],
    ['a status that is a word of the language', report('<GrpSts>constructor</GrpSts>'), 'reason_unknown'],
    ['no id', report('', one('', 'RJCT')), 'malformed'],
    ['two statuses of one payment', report('', one('P', 'RJCT') + one('P', 'ACSC')), 'malformed'],
    ['a document type', `<!DOCTYPE a>${report('')}`, 'doctype'],
    ['cut', report('<GrpSts>RJCT</GrpSts>').slice(0, -20), 'truncated'],
  ])('refused: %s', (_, text, code) => {
    expect(read(text).refusal?.code).toBe(code);
  });

  test('random bytes: a typed refusal', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect([...ANSWER_CODES, ...REFUSAL_CODES]).toContain(readPainStatus(bytes, decode).refusal?.code);
    }), { numRuns: 200 });
  });

  test('random changes: a result or a typed refusal', () => {
    const codes: readonly string[] = [...ANSWER_CODES, ...REFUSAL_CODES];
    const seed = report('<GrpSts>PART</GrpSts>',
      block('<PmtInfSts>ACCP</PmtInfSts>', one('P-2', 'RJCT', reason('AC01'))));
    const change = fc.record({ at: fc.nat(), length: fc.nat(60), put: fc.oneof(
      fc.constantFrom('<', '>', '</', '&', ']]>', '<TxSts>', '<!--'), fc.string({ maxLength: 5 })) });
    fc.assert(fc.property(fc.array(change, { minLength: 1, maxLength: 5 }), (changes) => {
      const { result, refusal } = read(changes.reduce((text, { at, length, put }) => {
        const from = at % (text.length + 1);
        return text.slice(0, from) + put + text.slice(from + length);
      }, seed));
      if (refusal) expect(codes).toContain(refusal.code);
      else expect(result.message_id).not.toBe('');
    }), { numRuns: 1000 });
    expect(read(report('<GrpSts>PART</GrpSts>', one('P', 'RJCT').repeat(30_000))).result?.payments.size).toBe(1);
  });
});
