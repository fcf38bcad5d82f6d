/** Rows of the Activity tab, with what each event is called. */
import { LICENSE_MACHINE, type LicenseEvent } from '#kernel/licensing/license-machine.ts';
import { spell } from '#kernel/text/english.ts';
import type { Page } from '#server/list.ts';
import { sql } from '#server/sql.ts';

export interface EventRow {
  id: number; license_id: number; event: string; event_label: string; from_phase: string | null;
  to_phase: string | null; actor_id: number | null; actor_name: string | null; on_behalf_of_name: string | null;
  reason: string; details: Record<string, unknown> | null; created_at: string;
}

export const eventColumns = sql`t.id, t.license_id, t.event, t.event as event_label, t.from_phase, t.to_phase,
  t.actor_id, a.first_name || ' ' || a.last_name as actor_name, o.name as on_behalf_of_name, t.reason, t.details,
  t.created_at`;
export const eventJoins = sql`left join users a on a.id = t.actor_id
  left join customers o on o.id = t.on_behalf_of_id`;

/** Past tense, as a history reads. */
const LABELS: Record<string, string> = {
  create: 'Created', convert: 'Made from an application', send_offer: 'Offer sent', revise: 'Offer taken back',
  sign: 'Signed', sign_addendum: 'Addendum signed', expire: 'Expired', decline: 'Declined', reopen: 'Reopened',
  execute: 'License issued',
  void_signature: 'Signature voided', amend: 'Amended', open: 'Run opened', close_run: 'Run ended', close: 'Closed',
  cancel: 'Canceled', cancel_remaining: 'Remaining performances canceled', clearance: 'Rights clearance recorded',
  price: 'Priced', discount: 'Discount given', remove_discount: 'Discount removed',
  approve_discount: 'Discount approved', decline_discount: 'Discount declined',
  negotiate_fee: 'Fee negotiated', use_rate_card: 'Rate card applied',
  choose_charges: 'Materials and add-ons chosen', add_venue: 'Venue added', change_venue: 'Venue changed',
  remove_venue: 'Venue removed', change_venues: 'Venues changed', add_performances: 'Performances added',
  change_performance: 'Performance changed', remove_performance: 'Performance removed', update: 'Details changed',
  change_terms: 'Terms changed', approve_waiver: 'Waiver approved', upload_document: 'Document uploaded',
  send_document: 'Document sent', request_amendment: 'Change asked for', request_cancellation: 'Cancellation asked for',
  refuse_request: 'Request refused', performance_cancelled: 'Performance canceled',
  postpone: 'Run postponed', performance_postponed: 'Performance postponed', performance_performed: 'Performance held',
  performance_planned: 'Performance planned again', import: 'Imported', message: 'Message sent',
  unverified_message: 'Mail of an unverified sender', generate_offer: 'Offer documents made',
  order_materials: 'Materials ordered', materials_not_ordered: 'Materials not ordered',
};

export function eventLabel(event: string): string {
  return spell(LABELS[event] ?? LICENSE_MACHINE.event_labels[event as LicenseEvent] ?? event.replaceAll('_', ' '));
}

export function labelled<Row extends EventRow>(page: Page<Row>): Page<Row> {
  return { ...page, data: page.data.map((row) => ({ ...row, event_label: eventLabel(row.event) })) };
}
