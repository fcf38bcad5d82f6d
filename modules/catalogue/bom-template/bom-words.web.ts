/** Labels of rules and groups of BOM templates. */
import { DIVISION_LABELS } from '#kit/field.ts';
import type { Tone } from '#web/data/badge.tsx';
import { CATEGORY_LABELS, ORCHESTRATION_LABELS } from '../catalogue-labels.web.ts';
import type { BomTemplateRow } from './bom-template.contract.ts';

export const RULE_LABELS = { fixed: 'A fixed number', per_cast: 'Per cast member', per_venue: 'Per venue',
  per_week: 'Per week', per_performance: 'Per performance' };

export const approvalOf = (row: { approved: boolean }): { text: string; tone: Tone } =>
  row.approved ? { text: 'Approved', tone: 'ok' } : { text: 'Draft', tone: 'neutral' };

type Matching = Pick<BomTemplateRow, 'category' | 'division' | 'cast_min' | 'cast_max' | 'orchestration'
  | 'classification_name'>;

/** 'Amateur · UK · cast of 20 to 40 · Full orchestra': what a licence must be for the template to fit. */
export function matchWords(row: Matching): string {
  const { cast_min: least, cast_max: most } = row;
  const cast = least !== null && most !== null ? `cast of ${least} to ${most}`
    : least !== null ? `cast of ${least} and more` : most !== null ? `cast of up to ${most}` : null;
  return [CATEGORY_LABELS[row.category], row.division && DIVISION_LABELS[row.division], row.classification_name, cast,
    row.orchestration && ORCHESTRATION_LABELS[row.orchestration]].filter(Boolean).join(' · ');
}
