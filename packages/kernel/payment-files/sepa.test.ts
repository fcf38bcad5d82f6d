import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { describe, expect, test } from 'vitest';
import { minorToDecimal, sum } from '../money/money.ts';
import type { PaymentAddress, PaymentItem } from './payment-batch.ts';
import { writeSepa, type SepaOptions } from './sepa.ts';
import { batchOf, CHECKING, GERMAN, issuesOf, payment, SEPA_OPTIONS, SEPA_ORIGINATOR } from './testing.ts';

const SCHEMAS = join(resolve(process.env['SHARED_DATA'] ?? '../shared/data'), 'payments/xsd');
const present = existsSync(SCHEMAS);

const euros = (id: string, amount: bigint, more: Partial<PaymentItem> = {}): PaymentItem =>
  payment(id, amount, { bank: GERMAN, ...more });
const write = (items: readonly PaymentItem[], options: Partial<SepaOptions> = {}, batch = {}, from = {}) =>
  writeSepa(batchOf(items, { currency: 'EUR', ...batch }), { ...SEPA_ORIGINATOR, ...from },
    { ...SEPA_OPTIONS, ...options });

const WURZBURG: PaymentAddress = { country: 'DE', town: 'Würzburg', postal_code: '97070', street: 'Domstraße',
  building_number: '4a', lines: ['Domstraße 4a', '97070 Würzburg', 'Hinterhaus', 'Tür 3', 'Klingel 2'] };

/** Messages of the official schema, empty where the file is valid. */
function schemaErrors(text: string, version: string): string[] {
  const schema = XmlDocument.fromBuffer(readFileSync(join(SCHEMAS, `pain.001.001.${version}.xsd`)));
  const validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(text);
  try {
    validator.validate(document);
    return [];
  } catch (error) {
    return [String(error)];
  } finally {
    for (const one of [document, validator, schema]) one.dispose();
  }
}

const GOLDEN = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">
  <CstmrCdtTrfInitn>
    <GrpHdr>
      <MsgId>RUN-EU-2026-000004</MsgId>
      <CreDtTm>2026-11-25T14:12:00</CreDtTm>
      <NbOfTxs>1</NbOfTxs>
      <CtrlSum>19.99</CtrlSum>
      <InitgPty>
        <Nm>Grand Rights GmbH</Nm>
      </InitgPty>
    </GrpHdr>
    <PmtInf>
      <PmtInfId>RUN-US-2026-000012</PmtInfId>
      <PmtMtd>TRF</PmtMtd>
      <BtchBookg>true</BtchBookg>
      <NbOfTxs>1</NbOfTxs>
      <CtrlSum>19.99</CtrlSum>
      <PmtTpInf>
        <SvcLvl>
          <Cd>SEPA</Cd>
        </SvcLvl>
      </PmtTpInf>
      <ReqdExctnDt>
        <Dt>2026-11-27</Dt>
      </ReqdExctnDt>
      <Dbtr>
        <Nm>Grand Rights GmbH</Nm>
      </Dbtr>
      <DbtrAcct>
        <Id>
          <IBAN>IE29AIBK93115212345678</IBAN>
        </Id>
      </DbtrAcct>
      <DbtrAgt>
        <FinInstnId>
          <BICFI>AIBKIE2D</BICFI>
        </FinInstnId>
      </DbtrAgt>
      <ChrgBr>SLEV</ChrgBr>
      <CdtTrfTxInf>
        <PmtId>
          <EndToEndId>P-1</EndToEndId>
        </PmtId>
        <Amt>
          <InstdAmt Ccy="EUR">19.99</InstdAmt>
        </Amt>
        <CdtrAgt>
          <FinInstnId>
            <BICFI>COBADEFFXXX</BICFI>
          </FinInstnId>
        </CdtrAgt>
        <Cdtr>
          <Nm>Wuerth</Nm>
        </Cdtr>
        <CdtrAcct>
          <Id>
            <IBAN>DE89370400440532013000</IBAN>
          </Id>
        </CdtrAcct>
        <RmtInf>
          <Ustrd>RUN 12 R-7</Ustrd>
        </RmtInf>
      </CdtTrfTxInf>
    </PmtInf>
  </CstmrCdtTrfInitn>
</Document>
`;

describe('a SEPA file', () => {
  test('own example: the whole message of one payment, version 09', () => {
    const { file, changes } = write([euros('P-1', 1_999n, { payee: 'Würth', reference: 'RUN 12',
      documents: [{ number: 'R_7', amount_minor: 1_999n }] })]);
    expect(file?.text).toBe(GOLDEN);
    expect(changes.map(({ field, to, kinds }) => [field, to, kinds[0]]))
      .toEqual([['payee', 'Wuerth', 'letters'], ['remittance', 'RUN 12 R-7', 'symbols']]);
  });

  test('the bank is told the name on the account, not the name in the records', () => {
    expect(write([euros('P-1', 1n, { payee: 'Stage Door ASBL', account_holder: 'Stage Door Europe' })]).file?.text)
      .toContain('<Nm>Stage Door Europe</Nm>');
  });

  test('more documents than the text holds: the advice is named, and the change shown', () => {
    const documents = Array.from({ length: 20 }, (_, index) => ({ number: `INV-EU-2026-${index}`, amount_minor: 1n }));
    const { file, changes } = write([euros('P-1', 20n, { documents })]);
    expect(file?.text).toContain('<Ustrd>See advice P-1</Ustrd>');
    expect(changes[0]).toMatchObject({ field: 'remittance', to: 'See advice P-1', kinds: ['shortened'] });
  });

  test('a name of 200 letters is cut at 70 and shown', () => {
    const { changes } = write([euros('P-1', 1n, { payee: 'a'.repeat(200) })]);
    expect(changes).toMatchObject([{ payee: 'a'.repeat(200), to: 'a'.repeat(70), kinds: ['shortened'] }]);
  });
});

describe('addresses', () => {
  const addressIn = (text = ''): string[] =>
    [...(/<PstlAdr>([\s\S]*?)<\/PstlAdr>/.exec(text)?.[1] ?? '').matchAll(/<(\w+)>([^<]*)</g)].map(([, name, value]) =>
      `${name} ${value}`);

  test('hybrid: at most two lines, which repeat nothing', () => {
    expect(addressIn(write([euros('P', 1n, { address: WURZBURG })], { addresses: 'hybrid' }).file?.text)).toEqual([
      'StrtNm Domstrasse', 'BldgNb 4a', 'PstCd 97070', 'TwnNm Wuerzburg', 'Ctry DE', 'AdrLine Hinterhaus',
      'AdrLine Tuer 3']);
  });

  test('structured: no lines', () => {
    expect(addressIn(write([euros('P', 1n, { address: WURZBURG })]).file?.text).at(-1)).toBe('Ctry DE');
  });

  test('lines alone are left out inside the EEA, and shown', () => {
    const address = { ...WURZBURG, town: null, lines: ['12 Rue X, 75001 Paris'] };
    const { file, changes } = write([euros('P', 1n, { address })], { addresses: 'hybrid' });
    expect(file?.text).not.toContain('PstlAdr');
    expect(changes[0]).toMatchObject({ field: 'address', kinds: ['address_left_out'] });
  });

  test('a town of which no letter is left is no town', () => {
    const { file } = write([euros('P', 1n, { address: { ...WURZBURG, town: '★' } })], { addresses: 'hybrid' });
    expect(file?.text).not.toContain('PstlAdr');
  });

  test('outside of the EEA a payment needs town and country', () => {
    const bank = { kind: 'iban', iban: 'GB82WEST12345698765432', bic: 'WESTGB2L' } as const;
    expect(issuesOf(write([euros('P', 1n, { bank })]))[0]).toMatch(/^address: Ada Field: the address needs a town/);
    const address = { ...WURZBURG, country: 'GB', town: 'London' };
    expect(write([euros('P', 1n, { bank, address })]).issues).toEqual([]);
  });
});

test('each reason names the payee and the field', () => {
  expect(issuesOf(write([
    euros('A', 100_000_000_000n), euros('B//1', 1n), euros('/C', 1n), euros('D_1', 1n),
    euros('E', 1n, { payee: 'Eve', bank: { ...GERMAN, iban: 'DE88 3704 0044 0532 0130 00' } }),
    euros('F', 1n, { payee: 'Fay', bank: { ...GERMAN, iban: 'EG380019000500000000263180002' } }),
    euros('G', 1n, { payee: 'Gus', bank: CHECKING }), euros('H', 1n, { bank: { ...GERMAN, bic: 'SHORT' } }),
    euros('I', 1n, { payee: '李' }),
  ]))).toEqual([
    'amount: Ada Field: 1,000,000,000.00 is more than the file can hold (999,999,999.99).',
    'id: Ada Field: “B//1” must not begin or end with a slash, nor have two in a row.',
    'id: Ada Field: “/C” must not begin or end with a slash, nor have two in a row.',
    'id: Ada Field: the payment id “D_1” must have 1 to 35 characters that the bank takes.',
    'iban: Eve: the IBAN DE88370400440532013000 is wrong: compare it with the payee.',
    'iban: Fay: SEPA does not reach the country EG.',
    'address: Fay: the address needs a town and a country in their own fields; outside of the EEA a payment without '
      + 'them is refused.',
    'bank: Gus: SEPA needs an IBAN.', 'bic: Ada Field: the BIC SHORT is wrong.',
    'payee: 李: the name has “李”, which the bank cannot take. Write it in Latin letters.',
  ]);
  expect(issuesOf(write([euros('A', 1n)], { created_at: '25:00:00' }, { value_on: '2026-12-25', currency: 'GBP' })))
    .toEqual(['currency: SEPA pays euros, not GBP.', 'file: The time of the file is no date with HH:MM:SS.',
      'value_on: 2026-12-25 is no settlement day (Christmas Day).']);
});

// cspell:disable-next-line
const name = fc.string({ unit: fc.constantFrom('a', 'É', 'ß', '&', '<', '"', '_', ' ', 'ψ', 'Щ', '7'), maxLength: 90 });
const address = fc.option(fc.record({ country: fc.constantFrom('DE', 'GB', null), town: fc.option(name),
  postal_code: fc.option(name), street: fc.option(name), building_number: fc.option(name),
  lines: fc.array(name, { maxLength: 4 }) }));
const items = fc.array(fc.record({ amount: fc.bigInt(1n, 99_999_999_999n), payee: name, reference: name, address,
  bic: fc.constantFrom('COBADEFFXXX', null) }), { minLength: 1, maxLength: 8 }).map((all) =>
  all.map(({ amount, payee, bic, ...more }, index) =>
    euros(`P/${index}`, amount, { ...more, payee: `x${payee}`, bank: { ...GERMAN, bic } })));

describe.skipIf(!present)(`the official schemas in ${SCHEMAS}`, () => {
  test('what the schema refuses is refused here', () => {
    const { file } = write([euros('P-1', 1n)]);
    expect(schemaErrors(file?.text ?? '', '09')).toEqual([]);
    expect(schemaErrors((file?.text ?? '').replace('DE89', 'de89'), '09').join()).toContain('IBAN');
    expect(schemaErrors(file?.text ?? '', '03')).toHaveLength(1);
  });

  test('every batch is valid in both versions, with the same bytes each time and the sum of its cents', () => {
    const form = fc.constantFrom('structured', 'hybrid', 'none');
    const version = fc.constantFrom('03', '09');
    fc.assert(fc.property(items, version, form, fc.boolean(), (payments, version, addresses, one) => {
      const options = { version, addresses, one_debit: one };
      const from = one ? {} : { organization_id: 'GR123', account: { ...SEPA_ORIGINATOR.account, bic: null } };
      const { file } = write(payments, options, {}, from);
      expect(schemaErrors(file?.text ?? '', version)).toEqual([]);
      expect(write(payments, options, {}, from).file?.text).toBe(file?.text);
      const total = minorToDecimal(sum(payments.map(({ amount_minor }) => amount_minor)));
      expect(file?.text.split(`<CtrlSum>${total}</CtrlSum>`)).toHaveLength(3);
      expect(file?.text).toMatch(/^[\x20-\x7e\n]*$/);
    }), { numRuns: 60 });
  });
});
