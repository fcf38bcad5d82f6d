/** Application statuses and their transitions (domain.md 1.2, domain/transitions.json `application`). */
import { guard, type Edge, type Machine } from './machine.ts';

export const APPLICATION_STATUSES = [
  'draft', 'submitted', 'in_review', 'info_requested', 'clearance', 'approved', 'converted', 'declined', 'withdrawn',
  'expired',
] as const;
export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number];

export type ApplicationEvent =
  | 'submit' | 'auto_offer' | 'assign' | 'request_info' | 'respond' | 'need_clearance' | 'approve' | 'convert'
  | 'decline' | 'withdraw' | 'expire';

export const APPLICATION_STATUS_LABELS = {
  draft: 'Draft',
  submitted: 'Submitted',
  in_review: 'In Review',
  info_requested: 'Information Requested',
  clearance: 'Awaiting Rights Clearance',
  approved: 'Approved',
  converted: 'Converted',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
} as const satisfies Record<ApplicationStatus, string>;

const EVENT_LABELS = {
  submit: 'Submit',
  auto_offer: 'Send an automatic offer',
  assign: 'Start review',
  request_info: 'Ask for information',
  respond: 'Answer',
  need_clearance: 'Ask for rights clearance',
  approve: 'Approve',
  convert: 'Make quotes',
  decline: 'Decline',
  withdraw: 'Withdraw',
  expire: 'Let expire',
} as const satisfies Record<ApplicationEvent, string>;

const submit = [
  guard('required_fields', 'Fill in every required field.'),
  guard('shows_within_limit', 'Choose one to three shows.'),
  guard('not_too_far_ahead', 'The first performance is too far ahead.',
    ['not_too_far_ahead', 'staff_override_with_reason']),
];
const approve = [
  guard('rights_cleared', 'Clear the rights, or override with a reason.', ['availability_clear', 'clearance_recorded']),
];
const decline = [guard('reason_given', 'Choose the reason that the customer reads.')];
const updater = ['staff:license.update'];
const creator = ['staff:license.create'];

function edge(
  from: ApplicationStatus, event: ApplicationEvent, to: ApplicationStatus, who: readonly string[],
  guards: Edge['guards'] = [],
): Edge<ApplicationStatus, ApplicationEvent> {
  return { from, event, to, who, guards };
}

const edges: readonly Edge<ApplicationStatus, ApplicationEvent>[] = [
  edge('draft', 'submit', 'submitted', ['customer', 'staff:license.apply'], submit),
  edge('submitted', 'auto_offer', 'converted', ['system'], [
    guard('auto_offer_rules_hold', 'The rules for an automatic offer do not all hold.'),
  ]),
  edge('submitted', 'assign', 'in_review', updater, [guard('assignee_chosen', 'Choose who reviews it.')]),
  edge('in_review', 'request_info', 'info_requested', ['staff'], [
    guard('message_given', 'Write what the customer should answer.'),
  ]),
  edge('info_requested', 'respond', 'in_review', ['customer']),
  edge('in_review', 'need_clearance', 'clearance', ['staff', 'system']),
  edge('clearance', 'approve', 'approved', creator, approve),
  edge('in_review', 'approve', 'approved', creator, approve),
  edge('approved', 'convert', 'converted', creator, [guard('show_chosen', 'Choose at least one show to quote.')]),
  edge('submitted', 'decline', 'declined', updater, decline),
  edge('submitted', 'withdraw', 'withdrawn', ['customer']),
  edge('in_review', 'decline', 'declined', updater, decline),
  edge('in_review', 'withdraw', 'withdrawn', ['customer']),
  edge('clearance', 'decline', 'declined', updater, decline),
  edge('clearance', 'withdraw', 'withdrawn', ['customer']),
  edge('info_requested', 'decline', 'declined', updater, decline),
  edge('info_requested', 'withdraw', 'withdrawn', ['customer']),
  edge('approved', 'decline', 'declined', updater, decline),
  edge('approved', 'withdraw', 'withdrawn', ['customer']),
  edge('draft', 'withdraw', 'withdrawn', ['customer']),
  edge('info_requested', 'expire', 'expired', ['system'], [
    guard('silent_30_days', 'The customer still has time to answer.'),
  ]),
];

export const APPLICATION_MACHINE: Machine<ApplicationStatus, ApplicationEvent> = {
  name: 'license_application',
  noun: 'application',
  conflict_code: 'license_application.status_conflict',
  initial: 'draft',
  terminal: ['converted', 'declined', 'withdrawn', 'expired'],
  labels: APPLICATION_STATUS_LABELS,
  event_labels: EVENT_LABELS,
  edges,
};
