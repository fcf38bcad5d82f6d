/** Fields of files with local tax rates, as states publish them by ZIP code. */
import { spell } from '#kernel/text/english.ts';
import { LOCAL_LEVELS } from '#modules/taxation/local-tax-rates/local-tax-rate.contract.ts';
import type { FieldSet } from '../import-field.contract.ts';

export const LOCAL_TAX_RATE_FIELDS = {
  state: { label: 'State', hint: 'Its two letters', required: true, constant: true, heads: ['state', 'state code'],
    example: 'NY' },
  county: { label: 'County', hint: 'Or the name of the city or district', required: true, constant: false,
    heads: ['county', 'county name', 'tax region name', 'jurisdiction'], example: 'Queens' },
  level: { label: 'Level', hint: `One of ${LOCAL_LEVELS.join(', ')}`, required: false, constant: true,
    options: LOCAL_LEVELS, heads: ['level'], example: 'county' },
  zip_from: { label: 'ZIP from', hint: spell`First ZIP code; a lost zero is put back`, required: true, constant: false,
    heads: ['zip from', 'zip codes', 'zip', 'zip code', 'zipcode', 'first zip'], example: '11101' },
  zip_to: { label: 'ZIP to', hint: spell`Last ZIP code; left out: one ZIP code`, required: false, constant: false,
    heads: ['zip to', 'last zip'], example: '11109' },
  rate_ppm: { label: 'Rate', hint: 'Percent on top of the state rate', required: true, constant: false,
    heads: ['rate', 'rate %', 'local rate'], example: '4.5' },
  valid_from: { label: 'From', hint: 'First day', required: true, constant: true,
    heads: ['from', 'valid from', 'effective', 'effective date'], example: '2026-01-01' },
  valid_to: { label: 'Until', hint: 'Last day; empty while in force', required: false, constant: true,
    heads: ['until', 'valid to', 'to', 'expires'] },
  source: { label: 'Source', hint: 'Publication or web page', required: true, constant: true,
    heads: ['source', 'publication'], example: 'Publication 718' },
} as const satisfies FieldSet;
