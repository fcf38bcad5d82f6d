/** Names of contract texts and of their states. */
import { divisionLabel } from '#web/layout/division.ts';
import type { ContractTemplateRow } from './contract-template.contract.ts';

export const CATEGORY_WORDS = { Amateur: 'Amateur', Pro: 'Professional' } as const;
export const STATUS_WORDS = { draft: 'Draft', in_use: 'In use', retired: 'Retired' } as const;

export function templateName(row: Pick<ContractTemplateRow, 'division' | 'category'>): string {
  return `${divisionLabel(row.division)}, ${CATEGORY_WORDS[row.category].toLowerCase()}`;
}

export function approvalWords(row: Pick<ContractTemplateRow, 'counsel'>): string {
  return row.counsel === '' ? 'Draft for counsel' : `Approved by ${row.counsel}`;
}
