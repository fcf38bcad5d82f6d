import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextForms, standing, type FiledForm } from './year-end-corrections.ts';
import { payeeKey, problemsOf, royaltyDocument, thresholdOf, withheldBox, yearEndForms, type FormDraft,
  type YearEndPayee, type YearEndPayment, type YearEndThreshold } from './year-end-forms.ts';
import { cellsOf, maskedTin } from './year-end-layout.ts';

const ADDRESS = { thoroughfare: '12 Mill Road', locality: 'Keene', administrative_area: 'NH', postal_code: '03431',
  country_code: 'US' };
const royaltor = (id: number, more: Partial<Extract<YearEndPayee, { kind: 'royaltor' }>> = {}): YearEndPayee => ({
  kind: 'royaltor', id, name: `Author ${id}`, address: ADDRESS, country: 'US', tax_id: `90070000${id}`, tax_form: 'w9',
  category: '1099_misc', ...more });
const vendor = (id: number, more: Partial<Extract<YearEndPayee, { kind: 'vendor' }>> = {}): YearEndPayee => ({
  kind: 'vendor', id, name: `Vendor ${id}`, address: ADDRESS, country: 'US', tax_id: `80070000${id}`, tax_form: 'w9',
  category: 'nec', ...more });
let payments = 0;
const payment = (payee: YearEndPayee, gross_minor: bigint, more: Partial<YearEndPayment> = {}): YearEndPayment => ({
  payment_id: payments += 1, payee: payeeKey(payee), paid_on: '2026-03-02', method: 'ach', status: 'posted',
  gross_minor, withheld_minor: 0n, rate_ppm: 0n, ...more });
const from = (form: YearEndThreshold['form'], box: string, from_year: number, threshold_minor: bigint) =>
  ({ form, box, from_year, threshold_minor });
const THRESHOLDS = [from('1099_nec', '1', 1990, 60_000n), from('1099_nec', '1', 2026, 200_000n),
  from('1099_misc', '2', 1990, 1_000n), from('1099_misc', '1', 1990, 60_000n)];
const of = (payees: readonly YearEndPayee[], paid: readonly YearEndPayment[], year = 2026) =>
  yearEndForms({ division: 'US', year, payees, payments: paid, thresholds: THRESHOLDS });

describe('thresholds', () => {
  it('report from exactly the amount on, by the year of the payment: 2,000.00 in 2026, 600.00 before', () => {
    const one = vendor(1);
    expect(of([one], [payment(one, 199_999n)]).forms).toEqual([]);
    expect(of([one], [payment(one, 200_000n)]).forms).toMatchObject([{ form: '1099_nec', boxes: { 1: 200_000n } }]);
    const before = { paid_on: '2025-12-31' };
    expect(of([one], [payment(one, 59_999n, before)], 2025).left_out).toMatchObject([{ reason: 'below_threshold' }]);
    expect(of([one], [payment(one, 60_000n, before)], 2025).forms).toHaveLength(1);
    const author = royaltor(1);
    expect(of([author], [payment(author, 999n)]).forms).toEqual([]);
    expect(of([author], [payment(author, 1_000n)]).forms).toMatchObject([{ form: '1099_misc', boxes: { 2: 1_000n } }]);
    expect(thresholdOf(THRESHOLDS, '1042_s', '2', 2026)).toBe(0n);
  });

  it('do not hold where tax was withheld: backup withholding goes on box 4 whatever the amount', () => {
    const author = royaltor(1, { tax_id: null, tax_form: 'none' });
    const { forms } = of([author], [payment(author, 500n, { withheld_minor: 120n })]);
    expect(forms).toMatchObject([{ boxes: { 2: 500n, 4: 120n } }]);
    expect(problemsOf(forms[0]!, author)).toEqual(['no_tax_form', 'no_tax_id']);
  });

  it('count what was withheld from a vendor who is foreign by now, on the form of then', () => {
    const one = vendor(1, { tax_form: 'w8ben', tax_id: null });
    const { forms, left_out } = of([one], [payment(one, 1_000n, { withheld_minor: 240n }), payment(one, 900_000n)]);
    expect(forms).toMatchObject([{ form: '1099_nec', boxes: { 1: 1_000n, 4: 240n } }]);
    expect(left_out).toMatchObject([{ reason: 'foreign_vendor', amount_minor: 900_000n }]);
  });

  it('leave off the box that does not reach its own', () => {
    const [author, landlord] = [royaltor(1), vendor(1, { category: 'misc_rents', tax_id: '900700001' })];
    const { forms, left_out } = of([author, landlord], [payment(author, 5_000n), payment(landlord, 59_999n)]);
    expect(forms).toMatchObject([{ boxes: { 2: 5_000n } }]);
    expect(left_out).toMatchObject([{ reason: 'below_threshold', amount_minor: 59_999n }]);
  });
});

describe('year-end forms', () => {
  it('are one for each tax id, in the name of the royaltor (own example)', () => {
    const [author, writer] = [royaltor(1), vendor(7, { category: 'misc_royalties', tax_id: '900700001' })];
    const [form, ...more] = of([writer, author], [payment(writer, 2_000n), payment(author, 70_000n)]).forms;
    expect(more).toEqual([]);
    expect(form).toMatchObject({ form: '1099_misc', recipient: { name: 'Author 1' }, boxes: { 2: 72_000n, 4: 0n },
      members: ['royaltor:1', 'vendor:7'] });
  });

  it('take back voided and rejected payments, leave out cards, other years, foreign and unreported vendors', () => {
    const [one, none, abroad] = [vendor(1), vendor(2, { category: 'none' }), vendor(3, { tax_form: 'w8bene' })];
    const { forms, left_out } = of([one, none, abroad], [payment(one, 300_000n, { status: 'returned' }),
      payment(one, 300_000n, { status: 'reversed' }), payment(one, 300_000n, { method: 'card' }),
      payment(one, 300_000n, { paid_on: '2025-12-31' }), payment(none, 300_000n), payment(abroad, 300_000n)]);
    expect(forms).toEqual([]);
    expect(left_out.map((part) => part.reason)).toEqual(['taken_back', 'taken_back', 'card', 'other_year',
      'not_reported', 'foreign_vendor']);
  });

  it('of a recipient abroad are one 1042-S for each rate', () => {
    const dora = royaltor(1, { country: 'DE', tax_form: 'w8ben', category: '1042_s', tax_id: null });
    const { forms } = of([dora], [payment(dora, 10_000n, { withheld_minor: 3_000n, rate_ppm: 300_000n }),
      payment(dora, 5_000n), payment(dora, 1_000n, { withheld_minor: 300n, rate_ppm: 300_000n })]);
    expect(forms.map((form) => [form.rate_ppm, form.boxes])).toEqual([[0n, { 2: 5_000n, '7a': 0n }],
      [300_000n, { 2: 11_000n, '7a': 3_300n }]]);
    expect(problemsOf(forms[0]!, dora)).toEqual(['no_tax_id']);
    expect(problemsOf(forms[1]!, dora)).toEqual([]);
    expect(royaltyDocument('US', { us_1099_type: 'none', residence_country: 'US' })).toBe('1099-MISC');
    expect(royaltyDocument('UK', { us_1099_type: 'none', residence_country: 'FR' })).toBe('UK certificate');
  });

  it('sum to the payments, each counted once, whatever is paid to whom', () => {
    const payee = fc.record({ kind: fc.constantFrom('vendor', 'royaltor'), id: fc.integer({ min: 1, max: 5 }),
      tax: fc.constantFrom(null, 'A', 'B'), abroad: fc.boolean(),
      category: fc.constantFrom('none', 'nec', 'misc_rents', 'misc_royalties') });
    const paid = fc.record({ of: fc.nat(), gross: fc.bigInt(1n, 500_000n), tax: fc.bigInt(0n, 3n),
      method: fc.constantFrom('ach', 'check', 'card'), status: fc.constantFrom('posted', 'cleared', 'returned'),
      paid_on: fc.constantFrom('2025-12-31', '2026-01-01', '2026-12-31'), rate: fc.constantFrom(0n, 300_000n) });
    fc.assert(fc.property(fc.uniqueArray(payee, { minLength: 1, selector: (one) => `${one.kind}${one.id}` }),
      fc.array(paid), fc.constantFrom('US' as const, 'UK' as const), (people, made, division) => {
        const payees = people.map((one): YearEndPayee => (one.kind === 'vendor'
          ? vendor(one.id, { tax_id: one.tax, tax_form: one.abroad ? 'w8ben' : 'w9', category: one.category as 'nec' })
          : royaltor(one.id, { tax_id: one.tax, country: one.abroad ? 'DE' : 'US' })));
        const all = made.map((one) => payment(payees[one.of % payees.length]!, one.gross, { ...one,
          withheld_minor: one.tax, rate_ppm: one.rate }));
        const { forms, left_out } = yearEndForms({ division, year: 2026, payees, payments: all,
          thresholds: THRESHOLDS });
        const boxes = forms.flatMap((form) => Object.entries(form.boxes).map(([box, minor]) =>
          ({ withheld: box === withheldBox(form.form), minor })));
        const sum = (values: readonly bigint[]): bigint => values.reduce((total, minor) => total + minor, 0n);
        const income = sum(boxes.filter((box) => !box.withheld).map((box) => box.minor));
        expect(income + sum(left_out.map((part) => part.amount_minor))).toBe(sum(all.map((one) => one.gross_minor)));
        const held = sum(boxes.filter((box) => box.withheld).map((box) => box.minor));
        expect(held + sum(left_out.map((part) => part.withheld_minor))).toBe(sum(all.map((o) => o.withheld_minor)));
        const seen = [...forms.flatMap((form) => form.payments), ...left_out].map((part) => part.payment_id);
        expect([...seen].sort((a, b) => a - b)).toEqual(all.map((one) => one.payment_id));
        const names = forms.map((form) => `${form.form} ${form.recipient.tax_id ?? payeeKey(form.recipient)} ${
          form.rate_ppm}`);
        expect(new Set(names).size).toBe(names.length);
      }));
  });
});

const filedOf = (id: number, draft: FormDraft, more: Partial<FiledForm> = {}): FiledForm => ({ id, corrects_id: null,
  members: draft.members, name: draft.recipient.name, tax_id: draft.recipient.tax_id, rate_ppm: draft.rate_ppm,
  boxes: draft.boxes, ...more });

describe('corrections', () => {
  const author = royaltor(1);
  const draft = (gross: bigint, of_ = author): FormDraft => of([of_], [payment(of_, gross)]).forms[0]!;

  it('are none where nothing changed, one form for an amount, once', () => {
    const filed = filedOf(1, draft(5_000n));
    expect(nextForms([filed], [draft(5_000n)])).toEqual([]);
    const after = nextForms([filed], [draft(6_000n)]);
    expect(after).toMatchObject([{ kind: 'correction', corrects_id: 1, draft: { boxes: { 2: 6_000n } } }]);
    const corrected = filedOf(2, draft(6_000n), { corrects_id: 1 });
    expect(nextForms([filed, corrected], [draft(6_000n)])).toEqual([]);
    expect(standing([filed, corrected]).map((form) => form.id)).toEqual([2]);
  });

  it('are two for a tax id or a name: the old form with zeros and a new one', () => {
    const filed = filedOf(1, draft(5_000n, royaltor(1, { tax_id: null })));
    expect(nextForms([filed], [draft(5_000n)])).toMatchObject([{ kind: 'zero', corrects_id: 1 },
      { kind: 'original' }]);
    const married = draft(5_000n, royaltor(1, { name: 'Author Nova' }));
    expect(nextForms([filedOf(1, draft(5_000n))], [married]).map((one) => one.kind)).toEqual(['zero', 'original']);
  });

  it('put a form to zero whose payments were all taken back, and file a late one as an original', () => {
    const filed = filedOf(1, draft(5_000n));
    expect(nextForms([filed], [])).toEqual([{ kind: 'zero', corrects_id: 1 }]);
    const zero = filedOf(2, draft(5_000n), { corrects_id: 1, boxes: { 2: 0n, 4: 0n } });
    expect(nextForms([filed, zero], [])).toEqual([]);
    expect(nextForms([filed, zero], [draft(5_000n)])).toMatchObject([{ kind: 'original' }]);
  });
});

describe('the layout', () => {
  it('gives the cells of a 1042-S by its keys (own example)', () => {
    const facts = { form: '1042_s', year: 2026, id: 12, is_correction: true, amendment: 1, account: 'R-1',
      payer: { name: 'Grand Rights Inc', tin: '12-3456789', street: '12 Mill Road', town: 'Keene, NH 03431' },
      recipient: { name: 'Dora Dramatist', tin: 'DE123', is_us_tin: false, country: 'DE', legal_kind: 'person',
        street: 'Ring 1', town: '10115 Berlin, Germany' },
      home_country: 'US', rate_ppm: 300_000n, boxes: { 2: 11_000n, '7a': 3_300n }, payments: 2, currency: 'USD',
    } as const;
    const keys = ['form_identifier', 'corrected', 'amendment', 'income_code', 'box_2', 'chapter', 'exemption_code',
      'tax_rate', 'box_7a', 'box_10', 'recipient_us_tin', 'recipient_foreign_tin', 'recipient_street', 'recipient_town',
      'payer_town', 'recipient_country', 'chapter4_exemption', 'chapter4_rate', 'chapter3_status', 'chapter4_status'];
    expect(cellsOf(keys.map((key) => ({ key, head: key })), facts)).toEqual(['0000000012', 'X', '1', '12', '110.00',
      '3', '00', '30.00', '33.00', '33.00', '', 'DE123', 'Ring 1', '10115 Berlin, Germany', 'Keene, NH 03431', 'GM',
      '16', '00.00', '16', '23']);
    expect(cellsOf([{ key: 'exemption_code', head: '' }, { key: 'tax_rate', head: '' }], { ...facts, rate_ppm: 0n }))
      .toEqual(['04', '00.00']);
  });

  it('masks a tax id but for its last four digits', () => {
    expect([maskedTin('6789'), maskedTin(null)]).toEqual(['***-**-6789', '']);
  });
});
