/** Events of a license in the words of its history: 'sent the offer for Ruth Alderman (now offer sent)'. */
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { phaseLook } from '#web/data/badge.tsx';
import type { licenseEndpoints } from '../license.contract.ts';

type EventRow = ResponseOf<typeof licenseEndpoints.events>['data'][number];

const PAST: Readonly<Record<string, string>> = {
  create: 'started it', convert: 'made it from an application', import: 'imported it', price: 'priced it',
  update: 'changed its details', generate_offer: 'made the offer documents', send_offer: 'sent the offer',
  revise: 'took the offer back', sign: 'signed', sign_addendum: 'signed the addendum', decline: 'declined the offer',
  reopen: 'reopened it', execute: spell`executed the license`, void_signature: 'voided the signature',
    amend: 'amended it',
  open: 'opened the run', close_run: 'ended the run', close: 'closed it', cancel: spell`canceled it`,
  expire: 'let it expire', cancel_remaining: spell`canceled the remaining performances`,
  clearance: 'recorded a clearance of the rights', discount: 'gave a discount',
  remove_discount: 'took the discount away', approve_discount: 'approved the discount',
  decline_discount: 'declined the discount',
  negotiate_fee: 'negotiated the fee', use_rate_card: 'went back to the rate card',
  choose_charges: 'changed the charges', add_venue: 'added a venue', change_venue: 'changed a venue',
  remove_venue: 'took a venue off', change_venues: 'changed the venues', add_performances: 'added performances',
  change_performance: 'changed a performance', remove_performance: 'took a performance off',
  change_terms: 'changed the terms', approve_waiver: 'approved that a fee is waived',
  upload_document: 'uploaded a document', send_document: 'sent a document', request_amendment: 'asked for a change',
  request_cancellation: 'asked to cancel', refuse_request: 'refused the request',
  performance_cancelled: spell`canceled a performance`, performance_postponed: 'postponed a performance',
  postpone: 'postponed the run', order_materials: 'ordered its materials',
  materials_not_ordered: 'could not order its materials',
  performance_performed: 'recorded a performance as held', performance_planned: 'planned a performance again',
};

/** Verb of an event: a signer in the portal signed; staff record the signature of somebody else. */
function verbOf(row: EventRow): string {
  const signer = row.details?.signer_name;
  if (row.event === 'sign' && typeof signer === 'string' && signer !== row.actor_name) {
    return `recorded the signature of ${signer}`;
  }
  return PAST[row.event] ?? `did this: ${row.event_label.charAt(0).toLowerCase()}${row.event_label.slice(1)}`;
}

/** 'sent the offer for Ruth Alderman (now offer sent)'. */
export function whatOf(row: EventRow): string {
  const moves = row.from_phase !== null && row.to_phase !== null && row.to_phase !== row.from_phase;
  const moved = moves ? ` (now ${phaseLook(row.to_phase ?? '').label.toLowerCase()})` : '';
  const behalf = row.on_behalf_of_name ? ` for ${row.on_behalf_of_name}` : '';
  return `${verbOf(row)}${behalf}${moved}`;
}
