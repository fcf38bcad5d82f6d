import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPpm, sum } from '../money/money.ts';
import type { ItemClass, LineKind } from '../money/priced-line.ts';
import { saleReasonOf } from './sales-tax-return.ts';
import { determineTax, type TaxInput, type TaxPlace, type TaxRate, type TaxTables } from './determine.ts';

const rate = (id: number, jurisdiction: string, code: string, rate_ppm: bigint, more: Partial<TaxRate> = {}): TaxRate =>
  ({ id, jurisdiction, code, rate_ppm, valid_from: '2020-01-01', valid_to: null, ...more });
const rule = (jurisdiction: string, item_class: ItemClass, code: string, taxable = true) =>
  ({ jurisdiction, item_class, taxable, code, valid_from: '2019-01-01', valid_to: null });
const tables: TaxTables = {
  rates: [
    rate(1, 'US-NY', 'sales_tax', 40_000n), rate(2, 'US-NY-NYC', 'sales_tax', 45_000n),
    rate(3, 'US-NY-MCTD', 'sales_tax', 3_750n), rate(4, 'GB', 'standard', 200_000n), rate(5, 'GB', 'zero', 0n),
    rate(6, 'IE', 'standard', 230_000n), rate(7, 'DE', 'standard', 190_000n, { valid_to: '2020-06-30' }),
    rate(8, 'DE', 'standard', 160_000n, { valid_from: '2020-07-01', valid_to: '2020-12-31' }),
    rate(9, 'DE', 'standard', 190_000n, { valid_from: '2021-01-01' }),
  ],
  taxability: [
    rule('US-NY', 'performing_licence', 'sales_tax', false), rule('US-NY', 'rental', 'sales_tax'),
    rule('US-NY', 'tracks', 'sales_tax'), rule('US-NY', 'shipping', 'sales_tax'),
    rule('US-NY', 'printed_script', 'sales_tax', false), rule('US-NJ', 'rental', 'sales_tax'),
    ...(['GB', 'IE', 'DE'] as const).flatMap((c) => (['performing_licence', 'rental', 'tracks'] as const)
      .map((i) => rule(c, i, 'standard'))),
    rule('GB', 'printed_music', 'zero'), rule('GB', 'fee', 'exempt', false),
  ],
  registrations: [{ jurisdiction: 'US-NY', valid_from: '2020-01-01' }],
};
const nyc: TaxPlace = { country: 'US', jurisdictions: ['US-NY', 'US-NY-NYC', 'US-NY-MCTD'] };
const in_ = (country: string, jurisdictions = [country]): TaxPlace => ({ country, jurisdictions });
const line = (kind: LineKind, item_class: ItemClass, net_minor = 10_000n, carries: ItemClass | null = null) =>
  ({ kind, item_class, net_minor, carries });
const consumer = (country: string) => ({ ...in_(country), is_business: false, vat_country: null });
const business = (country: string, vat: string | null = country) =>
  ({ ...in_(country), is_business: true, vat_country: vat });
const base: TaxInput = {
  line: line('rental', 'rental', 59_500n), division: 'US', supplier_country: 'US', tax_point_on: '2026-10-05',
  customer: { ...nyc, is_business: true, vat_country: null }, venue: nyc, ship_to: nyc, certificates: [], tables,
};
const at = (more: Partial<TaxInput>) => determineTax({ ...base, ...more });
const uk = (more: Partial<TaxInput>) => at({ division: 'UK', supplier_country: 'GB', ship_to: null, ...more });
const eu = (more: Partial<TaxInput>) => at({ division: 'EU', supplier_country: 'IE', ship_to: null, ...more });
const seen = (r: ReturnType<typeof determineTax>) => [r.code, r.jurisdiction, r.rate_ppm, r.tax_minor];
const royalty = line('royalty', 'performing_licence');

it('goods from the EU to a business of Northern Ireland are on the EC sales list, services and others are not', () => {
  const belfast: TaxPlace = { ...in_('GB'), is_northern_ireland: true };
  const northern = { ...belfast, is_business: true, vat_country: 'XI' };
  const listed = (more: Partial<TaxInput>) => {
    const found = eu({ line: line('rental', 'rental'), customer: northern, ship_to: belfast, ...more });
    return [found.code, found.jurisdiction, found.ec_list];
  };
  expect(listed({})).toEqual(['zero', 'XI', true]);
  expect(listed({ ship_to: null })).toEqual(['zero', 'XI', true]);
  expect(listed({ ship_to: in_('GB') })).toEqual(['zero', 'GB', false]);
  expect(listed({ customer: { ...northern, vat_country: 'GB' } })).toEqual(['zero', 'GB', false]);
  expect(listed({ line: royalty })).toEqual(['outside_scope', 'GB', false]);
  expect(uk({ line: line('rental', 'rental'), customer: northern, ship_to: belfast }).code).toBe('standard');
});

describe('US and PROD (2.12)', () => {
  it('stacks state and localities, rounds once, one part per jurisdiction (E14 rental)', () => {
    const r = at({});
    expect(seen(r)).toEqual(['sales_tax', 'US-NY', 88_750n, 5_281n]);
    expect(r.parts.map((p) => [p.jurisdiction, p.tax_minor, p.rate_id]))
      .toEqual([['US-NY', 2_380n, 1], ['US-NY-NYC', 2_678n, 2], ['US-NY-MCTD', 223n, 3]]);
    expect(at({ division: 'PROD' }).tax_minor).toBe(5_281n);
  });

  it('royalty by the venue, digital by the customer, delivery with the goods it carries', () => {
    expect(seen(at({ line: royalty }))).toEqual(['none', 'US-NY', 0n, 0n]);
    expect(at({ line: line('digital', 'tracks', 40_000n), ship_to: in_('US', ['US-NJ']) }).tax_minor).toBe(3_550n);
    expect(at({ line: line('shipping', 'shipping', 6_500n, 'rental') }).tax_minor).toBe(577n);
    expect(at({ line: line('shipping', 'shipping', 6_500n, 'printed_script') }).tax_minor).toBe(0n);
  });

  it('no registration, no tax; a missing rule is a problem, never a guess', () => {
    expect(at({ ship_to: in_('US', ['US-NJ']) })).toMatchObject({ tax_minor: 0n, problem: null });
    expect(at({ line: line('sale', 'merchandise') }).problem).toBe('Enter whether NY taxes merchandise.');
    expect(at({ line: line('sale', 'logo') }).problem).toBe('Enter whether NY taxes logos.');
    expect(seen(at({ ship_to: in_('CA') }))).toEqual(['outside_scope', 'CA', 0n, 0n]);
  });

  it('every answer is known to the return of sales tax; what no rule decides is not', () => {
    const codes: Record<string, string> = { sales_tax: 'sales_tax', exempt: 'exempt', none: 'outside_scope' };
    const reasonOf = (more: Partial<TaxInput>) => {
      const answer = at(more);
      expect(answer.jurisdiction).toMatch(/^US-/);
      return saleReasonOf({ ...answer, code_kind: codes[answer.code]! });
    };
    const certificates = [{ jurisdiction: 'US-NY', number: 'EX-1', issued_on: '2025-01-01', expires_on: null }];
    expect([reasonOf({}), reasonOf({ certificates }), reasonOf({ line: royalty }),
      reasonOf({ ship_to: in_('US', ['US-NJ']) }), reasonOf({ line: { ...base.line, tax_free: true } }),
      reasonOf({ line: line('sale', 'merchandise') })])
      .toEqual(['taxed', 'exempt', 'not_taxable', 'not_registered', 'not_taxable', 'unknown']);
  });

  it('a valid certificate wins, an expired one taxes and blocks', () => {
    const certificate = { jurisdiction: 'US-NY', number: 'EX-1', issued_on: '2025-01-01' };
    expect(seen(at({ certificates: [{ ...certificate, expires_on: '2026-10-05' }] })))
      .toEqual(['exempt', 'US-NY', 0n, 0n]);
    const expired = at({ certificates: [{ ...certificate, expires_on: '2026-10-04' }] });
    expect([expired.tax_minor, expired.problem]).toEqual([5_281n, 'Exemption certificate EX-1 expired on 2026-10-04.']);
    expect(at({ certificates: [{ ...certificate, jurisdiction: 'US-NJ', expires_on: null }] }).tax_minor).toBe(5_281n);
  });
});

describe('UK (2.12)', () => {
  it('20% on the licence at home, 0% on printed music and its carriage', () => {
    expect(seen(uk({ customer: business('GB'), line: royalty }))).toEqual(['standard', 'GB', 200_000n, 2_000n]);
    expect(seen(uk({ customer: consumer('GB'), line: royalty }))).toEqual(['standard', 'GB', 200_000n, 2_000n]);
    expect(seen(uk({ customer: business('GB'), line: line('rental', 'printed_music') })))
      .toEqual(['zero', 'GB', 0n, 0n]);
    expect(uk({ customer: business('GB'), line: line('shipping', 'shipping', 1_800n, 'printed_music') }).code)
      .toBe('zero');
    expect(uk({ customer: business('GB'), line: line('fee', 'fee') }).code).toBe('exempt');
  });

  it('any foreign business and a foreign consumer of a licence are outside the scope; the venue never matters', () => {
    for (const customer of [business('DE'), business('US'), consumer('DE'), consumer('US')]) {
      expect(seen(uk({ customer, line: royalty, venue: in_('GB') })))
        .toEqual(['outside_scope', customer.country, 0n, 0n]);
    }
    expect(uk({ customer: business('DE'), line: royalty }).ec_list).toBe(false);
  });

  it('digital to a consumer in a member state is taxed there; goods abroad are exports', () => {
    expect(seen(uk({ customer: consumer('DE'), line: line('digital', 'tracks') })))
      .toEqual(['oss', 'DE', 190_000n, 1_900n]);
    expect(seen(uk({ customer: consumer('US'), line: line('rental', 'rental') }))).toEqual(['zero', 'US', 0n, 0n]);
  });
});

describe('EU (2.12)', () => {
  it('home, reverse charge with the EC list, and outside the EU', () => {
    expect(seen(eu({ customer: business('IE'), line: royalty }))).toEqual(['standard', 'IE', 230_000n, 2_300n]);
    const reverse = eu({ customer: business('DE'), line: royalty });
    expect([...seen(reverse), reverse.ec_list, reverse.problem]).toEqual(['reverse_charge', 'DE', 0n, 0n, true, null]);
    expect(eu({ customer: business('DE', null), line: royalty }).problem).toMatch(/VAT number/);
    const outside = eu({ customer: business('GB'), line: royalty });
    expect([outside.code, outside.ec_list]).toEqual(['outside_scope', false]);
  });

  it('consumers: a licence at home, digital and goods by one-stop shop, outside the EU nothing', () => {
    expect(seen(eu({ customer: consumer('DE'), line: royalty }))).toEqual(['standard', 'IE', 230_000n, 2_300n]);
    expect(seen(eu({ customer: consumer('DE'), line: line('digital', 'tracks') })))
      .toEqual(['oss', 'DE', 190_000n, 1_900n]);
    expect(seen(eu({ customer: consumer('DE'), line: line('rental', 'rental') })))
      .toEqual(['oss', 'DE', 190_000n, 1_900n]);
    expect(eu({ customer: consumer('US'), line: royalty }).code).toBe('outside_scope');
    const goods = eu({ customer: business('DE'), line: line('rental', 'rental') });
    expect([...seen(goods), goods.ec_list]).toEqual(['zero', 'DE', 0n, 0n, true]);
  });

  it('takes the taxability in force on the tax point too', () => {
    const changed = [rule('GB', 'performing_licence', 'standard'),
      { ...rule('GB', 'performing_licence', 'zero'), valid_from: '2026-10-06' }];
    const on = (tax_point_on: string) =>
      uk({ customer: business('GB'), line: royalty, tax_point_on, tables: { ...tables, taxability: changed } }).code;
    expect([on('2026-10-05'), on('2026-10-06')]).toEqual(['standard', 'zero']);
  });

  it('takes the rate in force on the tax point, a rate past its end is a problem', () => {
    const on = (tax_point_on: string) =>
      eu({ customer: consumer('DE'), line: line('digital', 'tracks'), tax_point_on });
    expect(['2020-06-30', '2020-07-01', '2020-12-31', '2021-01-01'].map((d) => on(d).rate_ppm))
      .toEqual([190_000n, 160_000n, 160_000n, 190_000n]);
    expect(on('2019-12-31').problem).toBe('Enter the standard rate of DE.');
  });

  it('parts always sum to the tax of the line, which is rounded once (property)', () => {
    fc.assert(fc.property(fc.bigInt({ min: -9_999_999n, max: 9_999_999n }), (net) => {
      const r = at({ line: line('rental', 'rental', net) });
      expect(sum(r.parts.map((p) => p.tax_minor))).toBe(r.tax_minor);
      expect(r.tax_minor).toBe(applyPpm(net, 88_750n));
      expect(at({ line: line('rental', 'rental', -net) }).tax_minor).toBe(-r.tax_minor);
    }));
  });
});
