/** Licence phases and their transitions (domain.md 1.1, domain/transitions.json `license`). */
import { spell } from '../text/english.ts';
import { guard, type Edge, type Machine } from './machine.ts';

export const LICENSE_PHASES = [
  'draft', 'sent', 'accepted', 'licensed', 'in_production', 'settlement', 'closed', 'expired', 'declined', 'cancelled',
] as const;
export type LicensePhase = (typeof LICENSE_PHASES)[number];

export const LICENSE_EVENTS = [
  'send_offer', 'revise', 'sign', 'expire', 'decline', 'reopen', 'execute', 'void_signature', 'amend', 'open',
  'close_run', 'close', 'cancel', 'cancel_remaining',
] as const;
export type LicenseEvent = (typeof LICENSE_EVENTS)[number];

export const PHASE_LABELS = {
  draft: 'Draft',
  sent: 'Offer Sent',
  accepted: 'Accepted',
  licensed: 'Licensed',
  in_production: 'In Production',
  settlement: 'Settlement',
  closed: 'Closed',
  expired: 'Expired',
  declined: 'Declined',
  cancelled: spell`Canceled`,
} as const satisfies Record<LicensePhase, string>;

const EVENT_LABELS = {
  send_offer: 'Send offer',
  revise: 'Revise offer',
  sign: 'Sign',
  expire: 'Let expire',
  decline: 'Decline',
  reopen: 'Reopen',
  execute: 'Execute',
  void_signature: 'Void signature',
  amend: 'Amend',
  open: 'Open the run',
  close_run: 'End the run',
  close: 'Close',
  cancel: 'Cancel',
  cancel_remaining: 'Cancel remaining performances',
} as const satisfies Record<LicenseEvent, string>;

/** QUOTE and PRODUCTION are the two groups of the phase bar; `cancelled` may be reached from either. */
export function phaseGroup(phase: LicensePhase): 'QUOTE' | 'PRODUCTION' | 'BOTH' {
  if (phase === 'cancelled') return 'BOTH';
  return ['licensed', 'in_production', 'settlement', 'closed'].includes(phase) ? 'PRODUCTION' : 'QUOTE';
}

const reason = guard('reason_given', 'Give a reason.');
const reasonCode = guard('reason_given', 'Choose a reason.');

const sendOffer = [
  guard('has_performances', 'Add a venue with at least one performance.'),
  guard('performances_priced', 'Price every performance.'),
  guard('rights_cleared', 'Clear the rights, or record the clearance.', ['availability_clear', 'clearance_recorded']),
  guard('billing_address', 'Enter the billing address of the customer.'),
  guard('signer_email', 'Enter the email address of the person who signs.'),
  guard('tax_computed', 'Complete the tax profile, so that tax can be computed.'),
  guard('price_current', 'Tax or rates have changed since it was priced. Recalculate the price.'),
  guard('total_not_negative', 'The total of the offer is below zero.'),
];
const reopen = [
  guard('rights_cleared', 'Check availability again.', ['availability_clear', 'clearance_recorded']),
  guard('repriced', 'Price it again with the current rate card.'),
];
const execute = [
  guard('signature_recorded', 'The contract is not signed.'),
  guard('execution_policy_met', 'The payment or purchase order that its terms ask for has not arrived.',
    ['execution_policy_met', 'staff_override_with_reason']),
];
const amend = [
  guard('rights_cleared', 'Check availability for the changed dates and venues.',
    ['availability_clear', 'clearance_recorded']),
];
const close = [
  guard('box_office_complete', 'A box-office report is missing or not accepted.'),
  guard('streams_reported', 'Streaming revenue is not reported.'),
  guard('returns_closed', 'Materials are still out.'),
  guard('balance_zero', 'The balance is not zero.'),
  guard('deposit_settled', 'The deposit is not settled.'),
  guard('no_dispute', 'A dispute is open.'),
];
const staff = ['staff:license.update'];
const signer = 'customer:admin|signer';

function edge(
  from: LicensePhase, event: LicenseEvent, to: LicensePhase, who: readonly string[], guards: Edge['guards'] = [],
): Edge<LicensePhase, LicenseEvent> {
  return { from, event, to, who, guards };
}

const edges: readonly Edge<LicensePhase, LicenseEvent>[] = [
  edge('draft', 'send_offer', 'sent', staff, sendOffer),
  edge('sent', 'revise', 'draft', staff),
  edge('sent', 'sign', 'accepted', [signer, 'staff:license.upload_documents'], [
    guard('offer_not_expired', 'The offer has expired.'),
    guard('same_version', 'The offer has changed since it was opened. Read the current version.'),
  ]),
  edge('sent', 'expire', 'expired', ['system'], [guard('offer_expired', 'The offer has not expired yet.')]),
  edge('sent', 'decline', 'declined', [signer, 'staff:license.update'], [reasonCode]),
  edge('expired', 'reopen', 'draft', staff, reopen),
  edge('declined', 'reopen', 'draft', staff, reopen),
  edge('accepted', 'execute', 'licensed', ['system', 'staff:license.update'], execute),
  edge('accepted', 'void_signature', 'sent', ['staff_admin', 'staff:super'], [
    guard('no_payment_posted', 'A payment has been posted.'),
    guard('no_invoice_issued', 'A tax invoice has been issued.'),
  ]),
  edge('accepted', 'expire', 'expired', ['system'], [
    guard('pay_by_passed', 'The day to pay by has not passed yet.'),
    guard('nothing_paid', 'Part of it has been paid.'),
    guard('first_performance_not_reached', 'The first performance has been reached.'),
  ]),
  edge('licensed', 'amend', 'licensed', ['staff:license.update', 'customer:admin|signer(auto rules)'], amend),
  edge('licensed', 'open', 'in_production', ['system'], [
    guard('first_performance_reached', 'The first performance has not been reached.'),
  ]),
  edge('in_production', 'amend', 'in_production', staff, amend),
  edge('in_production', 'close_run', 'settlement', ['system'], [
    guard('last_performance_passed', 'The last performance has not passed.'),
  ]),
  edge('settlement', 'close', 'closed', ['system', 'staff:license.update+invoice.update'], close),
  edge('closed', 'reopen', 'settlement', ['staff_admin'], [reason]),
  edge('draft', 'cancel', 'cancelled', staff, [reason]),
  edge('sent', 'cancel', 'cancelled', staff, [reason]),
  edge('accepted', 'cancel', 'cancelled', staff, [reason]),
  edge('licensed', 'cancel', 'cancelled', staff, [reason]),
  edge('in_production', 'cancel_remaining', 'settlement', staff, [
    reason,
    guard('reported_within_policy', 'It was reported later than the policy allows.',
      ['reported_within_policy', 'staff_override_with_reason']),
  ]),
];

export const LICENSE_MACHINE: Machine<LicensePhase, LicenseEvent> = {
  name: 'license',
  noun: 'license',
  conflict_code: 'license.phase_conflict',
  initial: 'draft',
  terminal: ['cancelled'],
  labels: PHASE_LABELS,
  event_labels: EVENT_LABELS,
  edges,
};
