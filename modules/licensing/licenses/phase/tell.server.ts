/** Notifications of license and application events in the app, beside the mail and the work list (domain.md 6.5). */
import { licenseAddress, numbersInWords } from '#kernel/licensing/license-address.ts';
import type { ReminderKey } from '#kernel/licensing/reminders.ts';
import type { CustomerKind, StaffKind } from '#modules/notifications/notification-kinds.ts';
import { notifyCustomer, notifyStaff } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { License } from '../license-record.server.ts';

const OF_MAIL: Readonly<Record<string, CustomerKind>> = {
  'quote.sent': 'offer.sent', 'quote.expired': 'offer.ending', 'contract.signed_copy': 'license.issued',
  'license.executed': 'license.issued', 'license.amended': 'license.changed', 'license.cancelled': 'license.changed',
  'license.request_refused': 'license.changed', 'license.unlicensed_performance': 'license.changed',
  'deposit.settled': 'deposit.settled',
};

const OF_TASK: Readonly<Record<string, StaffKind>> = {
  contract_signed: 'offer.signed', offer_declined: 'offer.declined', amendment_requested: 'change.requested',
  cancellation_requested: 'change.requested', pay_by_passed: 'production.attention',
  unlicensed_performance: 'production.attention', unpaid_balance: 'production.attention',
  no_way_to_pay: 'production.attention',
  settlement_due: 'production.attention', box_office_due: 'report.overdue', stream_due: 'report.overdue',
  payment_overdue: 'money.overdue', mail_undelivered: 'production.attention',
};

export const OF_REMINDER: Readonly<Record<ReminderKey, CustomerKind>> = {
  'quote.expiring': 'offer.ending', 'invoice.due': 'payment.due', 'box_office.due': 'report.due',
  'stream.due': 'report.due',
  'contract.signature_request': 'addendum.unsigned', 'performance.opening_soon': 'production.opening',
};

/** Link to a license for staff (gaps G20). */
export function staffPlace(license: Pick<License, 'id' | 'phase' | 'customer_id'>): string {
  return licenseAddress(license);
}

/** Tells the customer's people what a mail of this template tells. */
export async function tellCustomer(
  ctx: WorkContext, license: License, mail: { template: string; subject: string; lines: readonly string[] },
): Promise<void> {
  const kind = OF_MAIL[mail.template];
  if (!kind) return;
  const place = `/customer/${license.customer_id}/productions/${license.id}`;
  await notifyCustomer(ctx, license.customer_id, { kind, title: mail.subject, body: mail.lines[0] ?? '',
    href: kind === 'offer.sent' ? `${place}/quote` : place });
}

/** Tells the representative, else everybody who may act, of a new task. */
export async function tellOfTask(
  ctx: WorkContext, license: License, task: { kind: string; title: string },
): Promise<void> {
  const kind = task.kind.startsWith('document_') ? 'document.received' : OF_TASK[task.kind];
  if (!kind) return;
  await notifyStaff(ctx, { kind, title: task.title, body: `${license.title_on_license}, ${numbersInWords(license)}`,
    href: staffPlace(license), to: [license.license_rep_id] });
}
