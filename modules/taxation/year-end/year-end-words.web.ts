/** Words of year-end forms: what is missing, and what is on no form. */
import type { LeftOutReason, YearEndProblem } from '#kernel/tax/year-end-forms.ts';
import type { YearEndFormRow } from './year-end.contract.ts';

export const PROBLEM_WORDS: Record<YearEndProblem, string> = {
  no_tax_form: 'No W-9 or W-8 on file', no_tax_id: 'No tax number on file',
  tax_id_digits: 'The tax number does not have nine digits', other_tax_form: 'The tax form on file is for another form',
  no_address: 'No street or town', shared_tax_id: 'Two records have this tax number',
  foreign_vendor: 'Vendor with a W-8: decide whether a 1042-S is due',
};

export const LEFT_OUT_WORDS: Record<LeftOutReason, string> = {
  card: 'Paid by card', taken_back: 'Voided or rejected', other_year: 'Another year',
  not_reported: 'Vendors without a year-end report', foreign_vendor: 'Vendors with a W-8',
  below_threshold: 'Below the threshold',
};

export const STATUS_WORDS: Record<YearEndFormRow['status'], string> = {
  draft: 'Not prepared', prepared: 'Awaits filing', filed: 'Filed',
};
