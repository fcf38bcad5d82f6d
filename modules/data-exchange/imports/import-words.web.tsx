/** Labels of imports, rows and reasons. */
import { Ban, CircleAlert, CircleCheck, CircleDashed, CircleHelp, Copy, Equal, GitCompare, RotateCw }
  from 'lucide-react';
import { spell } from '#kernel/text/english.ts';
import type { Tone } from '#web/data/badge.tsx';
import type { Icon } from '#web/layout/icons.tsx';
import type { TabItem } from '#web/layout/tabs.tsx';
import type { ImportRecord, ImportRow, PreviewRow } from './import.contract.ts';

export interface Look { label: string; tone: Tone; icon: Icon }

export const STATUS_LOOK: Record<ImportRow['status'], Look> = {
  uploaded: { label: 'Check columns', tone: 'info', icon: CircleDashed },
  previewed: { label: 'Ready', tone: 'info', icon: CircleDashed },
  processing: { label: 'Working', tone: 'brass', icon: RotateCw },
  completed: { label: 'Done', tone: 'ok', icon: CircleCheck },
  failed: { label: 'Stopped', tone: 'error', icon: CircleAlert },
  cancelled: { label: spell`Canceled`, tone: 'outline', icon: Ban },
};

export const ROW_LOOK: Record<PreviewRow['outcome'] | ImportRecord['status'], Look> = {
  ready: { label: 'Ready', tone: 'ok', icon: CircleCheck },
  imported: { label: 'Imported', tone: 'ok', icon: CircleCheck },
  duplicate: { label: 'Duplicate', tone: 'neutral', icon: Copy },
  unchanged: { label: 'Unchanged', tone: 'neutral', icon: Equal },
  differs: { label: 'Differs', tone: 'info', icon: GitCompare },
  questioned: { label: 'Question', tone: 'warn', icon: CircleHelp },
  refused: { label: 'Left out', tone: 'error', icon: CircleAlert },
};

/** Of a row that was worked: what is there already says whether the row had something else to say. */
export function recordLook({ status, reason_code }: Pick<ImportRecord, 'status' | 'reason_code'>): Look {
  if (status !== 'duplicate') return ROW_LOOK[status];
  return reason_code === 'unchanged' ? ROW_LOOK.unchanged
    : reason_code === 'changes_left' ? ROW_LOOK.differs : ROW_LOOK.duplicate;
}

export const TASK_LABEL: Record<ImportRow['task'], string> = {
  file: 'Importing rows', left: 'Working the rows left out', answers: 'Answering questions',
};

const REASONS: Record<string, string> = {
  unknown_show: 'Unknown show', unknown_venue: 'Unknown venue', ambiguous_show: 'Several shows of this name',
  ambiguous_venue: 'Several venues of this name', unknown_license: spell`Unknown license`,
    no_license: spell`No license fits`,
  other_license: spell`License for another show or venue`, several_licenses: spell`Several licenses fit`,
  which_venue: 'Venue not named', which_performance: 'Which performance', unknown_currency: 'Unknown currency',
  other_currency: spell`Not the license’s currency`, unreadable_date: 'Unreadable date',
  unreadable_time: 'Unreadable time',
  unreadable_amount: 'Unreadable amount', unreadable_number: 'Unreadable number', negative_amount: 'Negative figure',
  too_many_decimals: 'More than two decimals', amount_too_large: 'Amount too large', missing_value: 'Missing value',
  too_long: 'Text too long', ragged_row: 'Wrong number of cells', cut_off: 'File ends inside the row',
  second_return: 'Second return for a period', not_allowed: 'Against a rule',
  renamed_house: 'Perhaps another name of a venue', same_name: 'Perhaps the same venue',
  similar_name: 'Perhaps the same venue', similar_record: 'Perhaps the same record',
  similar_person: 'Perhaps the same person', same_title: 'Perhaps the same show', unknown_royaltor: 'Unknown royaltor',
  ambiguous_royaltor: 'Several royaltors of this name', missing_state: 'State missing', unknown_state: 'Unknown state',
  wrong_zip: spell`Not a ZIP code`, zip_repaired: spell`ZIP code got its zero back`,
  other_writers: 'A revival with other writers', writers_added: 'Writers of a revival added',
  number_taken: 'Item number taken', code_taken: 'Show code taken', unknown_category: 'Unknown category',
  unknown_warehouse: 'Unknown warehouse', unknown_item: 'Unknown item', counted_twice: 'Counted twice',
  copy_found: 'A copy with a new label', stays_as_it_is: 'There already, said otherwise here',
  count_agrees: 'Agrees with the books', count_differs: 'Differs from the books', unreadable_choice: 'Unknown word',
  unreadable_text: 'Unreadable text', first_left_out: 'Its first row was left out',
  unchanged: 'There already, unchanged', changed: 'Record changed', changes_left: 'Differs, left as it is',
  said_before: 'Said twice in the file',
  no_performances: spell`Gross receipts without a performance`, capacity_over_100: 'More than the capacity',
  gross_over_potential: 'More than all seats would take', overlap: 'Held: overlaps another report',
  outside_run: 'Held: outside the run', in_future: 'Held: not performed yet',
  gross_over_limit: 'Held: gross far above potential',
  attendance_over_limit: 'Held: admissions far above capacity',
};

export function reasonLabel(code: string): string {
  return REASONS[code] ?? code.replaceAll('_', ' ');
}

const NUMBER = new Intl.NumberFormat('en-US');

export function formatCount(n: number): string {
  return NUMBER.format(n);
}

export const IMPORT_TABS: readonly TabItem[] = [
  { id: 'history', text: 'History', href: '/admin/imports/history' },
  { id: 'templates', text: 'Templates', href: '/admin/imports/templates' },
];
