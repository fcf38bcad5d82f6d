/** Fields of files with agreements: one row is one share, a term "if these match, then this rate" (domain.md 3.2). */
import { INCOME_TYPES } from '#kernel/royalties/terms.ts';
import { AGREEMENT_ROLES } from '#modules/catalogue/agreement/agreement.contract.ts';
import type { FieldSet } from '../import-field.contract.ts';

export const AGREEMENT_FIELDS = {
  show: { label: 'Show', hint: 'Title, show code or any of the show’s other names', required: true, constant: true,
    heads: ['show', 'show title', 'title', 'show code', 'work'], example: 'The Lantern Keeper' },
  royaltor: { label: 'Royaltor', hint: 'Name, number or any other name', required: true, constant: true,
    heads: ['royaltor', 'payee', 'name', 'author', 'writer'], example: 'Ada Winslow' },
  role: { label: 'Role', hint: `One of ${AGREEMENT_ROLES.join(', ').replaceAll('_', ' ')}`, required: true,
    constant: true, options: AGREEMENT_ROLES, heads: ['role', 'capacity'], example: 'author' },
  rate_percent: { label: 'Rate %', hint: 'Of what the terms match, with up to four decimals', required: true,
    constant: true, heads: ['rate', 'rate %', 'royalty rate', 'percent', 'share', 'share %'], example: '80' },
  share_points: { label: 'Share points', hint: 'Points among the parties of one rate; 1 where nothing is said',
    required: false, constant: false, heads: ['share points', 'points'], example: '1' },
  income_types: { label: 'Income', hint: `Any of ${INCOME_TYPES.join(', ').replaceAll('_', ' ')}; empty: all`,
    required: false, constant: true, heads: ['income', 'income type', 'income types'] },
  categories: { label: 'Category', hint: 'Amateur, Pro; empty: both', required: false, constant: true,
    heads: ['category', 'categories'] },
  divisions: { label: 'Divisions', hint: 'Where the licence is; empty: all', required: false, constant: true,
    heads: ['divisions', 'territory division'] },
  date_from: { label: 'From', hint: 'The rate holds from this day', type: 'date', required: false, constant: false,
    heads: ['from', 'date from', 'valid from'] },
  date_to: { label: 'To', hint: 'The rate holds until this day', type: 'date', required: false, constant: false,
    heads: ['to', 'date to', 'until', 'valid to'] },
  contract_no: { label: 'Contract number', hint: 'Rows of one contract make one agreement', required: false,
    constant: true, heads: ['contract number', 'contract no', 'contract'] },
  signed_on: { label: 'Signed on', hint: 'Day of the signature', type: 'date', required: false, constant: false,
    heads: ['signed on', 'signed', 'date signed'] },
  territory: { label: 'Territory', hint: 'World where nothing is said', required: false, constant: true,
    heads: ['territory', 'territories'] },
  payer_division: { label: 'Paying division', hint: 'Whose books it is in: US, EU, UK or PROD', required: true,
    constant: true, heads: ['paying division', 'division', 'payer division'], example: 'US' },
  currency: { label: 'Currency', hint: 'USD, EUR or GBP', required: true, constant: true, heads: ['currency', 'ccy'],
    example: 'USD' },
  in_force: { label: 'In force', hint: 'Yes puts the agreement in force; no leaves it in draft', required: false,
    constant: true, options: ['yes', 'no'], heads: ['in force', 'active'] },
} as const satisfies FieldSet;
