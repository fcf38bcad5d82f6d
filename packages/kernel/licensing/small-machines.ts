/** The small state machines of domain.md 1.4: box-office report, royalty statement, deposit, performance. */
import { spell } from '../text/english.ts';
import { guard, type Edge, type Machine } from './machine.ts';

type Row<S extends string, E extends string> = readonly [S, E, S, readonly string[], Edge['guards']?];

function table<S extends string, E extends string>(rows: readonly Row<S, E>[]): Edge<S, E>[] {
  return rows.map(([from, event, to, who, guards = []]) => ({ from, event, to, who, guards }));
}

export type BoxOfficeStatus = 'expected' | 'submitted' | 'accepted' | 'queried' | 'estimated';
export type BoxOfficeEvent = 'submit' | 'accept' | 'query' | 'estimate';

const updater = ['staff:license.update'];
const reporter = ['customer', 'staff:license.update'];

export const BOX_OFFICE_MACHINE: Machine<BoxOfficeStatus, BoxOfficeEvent> = {
  name: 'box_office_report',
  noun: 'box-office report',
  conflict_code: 'box_office_report.status_conflict',
  initial: 'expected',
  terminal: ['accepted'],
  labels: {
    expected: 'Expected', submitted: 'Submitted', accepted: 'Accepted', queried: 'Queried', estimated: 'Estimated',
  },
  event_labels: { submit: 'Submit', accept: 'Accept', query: 'Send back with a question', estimate: 'Estimate' },
  edges: table<BoxOfficeStatus, BoxOfficeEvent>([
    ['expected', 'submit', 'submitted', reporter],
    ['submitted', 'accept', 'accepted', updater, [
      guard('no_blocking_exception', 'Show, venue, currency or figures are not clear; correct them first.'),
    ]],
    ['submitted', 'query', 'queried', updater, [guard('note_given', 'Write what is to be checked.')]],
    ['queried', 'submit', 'submitted', reporter],
    ['expected', 'estimate', 'estimated', ['system', 'staff:license.update'], [
      guard('estimate_due', 'The report is not 30 days late yet.'),
    ]],
    ['estimated', 'submit', 'submitted', reporter],
  ]),
};

export type StatementStatus = 'draft' | 'calculated' | 'approved' | 'issued' | 'part_paid' | 'paid' | 'void';
export type StatementEvent = 'calculate' | 'approve' | 'issue' | 'pay_part' | 'pay' | 'void';

const calculator = ['staff:show_royaltor.update'];
const approver = ['staff:payment.updateStatus'];
const payer = ['staff:payment.create'];

export const STATEMENT_MACHINE: Machine<StatementStatus, StatementEvent> = {
  name: 'royalty_statement',
  noun: 'statement',
  conflict_code: 'royalty_statement.status_conflict',
  initial: 'draft',
  terminal: ['paid', 'void'],
  labels: {
    draft: 'Draft', calculated: 'Calculated', approved: 'Approved', issued: 'Issued', part_paid: 'Part Paid',
    paid: 'Paid', void: 'Void',
  },
  event_labels: {
    calculate: 'Calculate', approve: 'Approve', issue: 'Issue', pay_part: 'Pay a part', pay: 'Pay', void: 'Void',
  },
  edges: table<StatementStatus, StatementEvent>([
    ['draft', 'calculate', 'calculated', calculator],
    ['calculated', 'calculate', 'calculated', calculator],
    ['calculated', 'approve', 'approved', approver, [
      guard('another_person', 'Somebody other than the person who calculated it approves it.'),
    ]],
    ['approved', 'issue', 'issued', approver],
    ['issued', 'pay_part', 'part_paid', payer],
    ['issued', 'pay', 'paid', payer],
    ['part_paid', 'pay_part', 'part_paid', payer],
    ['part_paid', 'pay', 'paid', payer],
    ['draft', 'void', 'void', calculator],
    ['calculated', 'void', 'void', calculator],
    ['approved', 'void', 'void', approver],
  ]),
};

export type DepositStatus = 'requested' | 'held' | 'settled' | 'cancelled';
export type DepositEvent = 'receive' | 'settle' | 'cancel';

const money = ['staff:invoice.manage_payments'];

/** Disposal in parts keeps a deposit held; it is settled when nothing of it remains (I7, receivables/deposit.ts). */
export const DEPOSIT_MACHINE: Machine<DepositStatus, DepositEvent> = {
  name: 'deposit',
  noun: 'deposit',
  conflict_code: 'deposit.status_conflict',
  initial: 'requested',
  terminal: ['settled', 'cancelled'],
  labels: { requested: 'Requested', held: 'Held', settled: 'Settled', cancelled: spell`Canceled` },
  event_labels: { receive: 'Record receipt', settle: 'Settle', cancel: 'Cancel the request' },
  edges: table<DepositStatus, DepositEvent>([
    ['requested', 'receive', 'held', ['system', ...money]],
    ['requested', 'cancel', 'cancelled', money],
    ['held', 'settle', 'settled', money, [guard('nothing_remains', 'Part of the deposit is still held.')]],
  ]),
};

export type PerformanceStatus = 'planned' | 'performed' | 'cancelled' | 'postponed';
export type PerformanceEvent = 'perform' | 'cancel' | 'postpone' | 'replan';

export const PERFORMANCE_MACHINE: Machine<PerformanceStatus, PerformanceEvent> = {
  name: 'performance',
  noun: 'performance',
  conflict_code: 'performance.status_conflict',
  initial: 'planned',
  terminal: ['performed', 'cancelled'],
  labels: { planned: 'Planned', performed: 'Performed', cancelled: spell`Canceled`, postponed: 'Postponed' },
  event_labels: { perform: 'Mark performed', cancel: 'Cancel', postpone: 'Postpone', replan: 'Set a new date' },
  edges: table<PerformanceStatus, PerformanceEvent>([
    ['planned', 'perform', 'performed', ['system', 'staff:license.update']],
    ['planned', 'cancel', 'cancelled', updater, [guard('reason_given', 'Give a reason.')]],
    ['planned', 'postpone', 'postponed', updater],
    ['postponed', 'replan', 'planned', updater, [guard('new_date_given', 'Enter the new date.')]],
    ['postponed', 'cancel', 'cancelled', updater, [guard('reason_given', 'Give a reason.')]],
  ]),
};
