/**
 * Everything people are notified of, in words, for whom, and whether the daily mail carries it unless they choose
 * otherwise. What has a mail of its own at once (an offer, an invoice) is left out of the daily one by default.
 */
import { grants, type Permission } from '#kit/permission.ts';
import { spell } from '#kernel/text/english.ts';

interface Kind {
  /** Audience: staff in the office, or a customer's people in the portal. */
  area: 'staff' | 'customer';
  label: string;
  /** When it comes, one sentence without a full stop. */
  text: string;
  /** Staff who may hear of it; null: only the person it concerns. */
  permission?: Permission | null;
  by_mail: boolean;
}

const staff = (label: string, text: string, permission: Permission | null, by_mail = true): Kind =>
  ({ area: 'staff', label, text, permission, by_mail });
const customer = (label: string, text: string, by_mail = false): Kind => ({ area: 'customer', label, text, by_mail });

const STAFF_KINDS = {
  'application.submitted': staff('Applications', 'An application is submitted', 'license_application.list'),
  'application.responded': staff('Answers to questions', 'A customer answers a question about an application',
    'license_application.list'),
  'offer.signed': staff('Signed offers', 'A customer signs an offer or an addendum', 'license.list'),
  'offer.declined': staff('Declined offers', 'A customer declines an offer', 'license.list'),
  'change.requested': staff('Requests for changes', 'A customer asks to change or to cancel a production',
    'license.update'),
  'document.received': staff('Documents', 'A customer uploads a document', 'license.list'),
  'production.attention': staff('Productions at risk',
    spell`Something is missing shortly before or after an opening: money, a license, the settlement`, 'license.update'),
  'report.received': staff('Box-office returns', 'A return comes in', 'license.update', false),
  'report.question': staff('Questions on returns', 'A return raises a question', 'license.update'),
  'report.overdue': staff('Late returns', 'The box-office report of a run is a week late', 'license.update'),
  'money.received': staff('Payments', 'Money from a customer is recorded', 'payment.list', false),
  'money.overdue': staff('Overdue payments', 'A payment is a month late', 'payment.list'),
  'statement.ready': staff('Statements to approve', 'A statement run is calculated and waits for approval',
    'payment.updateStatus'),
  'approval.requested': staff('Approvals', 'A request needs my approval', null),
  'approval.decided': staff('My requests for approval', 'A request of mine is approved or declined', null, false),
  'closing.due': staff('Closing a month', 'A month is over and something of it is still to be done',
    'transaction.update'),
  'tax.number_refused': staff('VAT numbers', 'A register does not know the VAT number of a customer',
    'customer.update'),
  'bill.recurring': staff('Recurring bills', 'A recurring bill makes a draft, or cannot make it', 'bill.update'),
  'payment.returned': staff('Payments that came back', 'A bank refuses or returns a payment, or corrects its details',
    'payment.create'),
  'payment.not_posted': staff('Payment runs not posted', 'A payment run cannot be posted on its value date',
    'payment.create'),
  'payment.disputed': staff('Disputed payments', 'A customer disputes a card payment, or the bank decides about it',
    'payment.list'),
  'bank.statement': staff('Bank statements', 'An imported statement does not add up, or one before it is missing',
    'bank_transaction.create'),
  'perusal.requested': staff('Perusals', 'A customer asks to read a title', 'license_material.list'),
  'order.received': staff('Orders', 'A customer orders books or merchandise', 'license_material.list', false),
  'import.finished': staff('My imports', 'An import that I started ends or needs me', null, false),
  'export.finished': staff('My exports', 'A list that I exported is ready, or could not be made', null, false),
  'bulk.finished': staff('My bulk actions', 'A bulk action of mine finished or was refused', null, false),
  'people.invited': staff('My invitations', 'Somebody I invited has joined', null, false),
  'message.received': staff('Messages', 'A customer writes about a quote or production', 'license.show', false),
  'memo.mentioned': staff('Mentions', 'A colleague names me in a memo', null),
  'customer.registered': staff(spell`New organizations`, spell`An organization asks for an account`, 'customer.list'),
  'system.failed': staff('System', 'A nightly check of the books or of the audit trail fails', null),
} as const satisfies Record<string, Kind>;

const CUSTOMER_KINDS = {
  'application.answered': customer('Applications', 'We receive, decide or ask about an application'),
  'message.answered': customer('Messages', 'We write about a production', false),
  'memo.shared': customer('Notes', 'We leave a note on an application or a production'),
  'offer.sent': customer('Offers', 'An offer is sent or changed'),
  'offer.ending': customer('Offers about to end', 'An offer ends soon or has ended'),
  'license.issued': customer(spell`Licenses`, spell`A contract is signed or a license is issued`),
  'license.changed': customer('Changes', spell`A production is amended, canceled or a request is answered`),
  'addendum.unsigned': customer('Addenda to sign', 'An amended contract waits for a signature'),
  'production.opening': customer('Openings', 'A production opens in a week'),
  'invoice.issued': customer('Invoices', 'An invoice or a request for payment is issued'),
  'payment.due': customer('Payments due', 'A payment is due soon or late'),
  'payment.received': customer('Payments received', 'A payment we made arrives'),
  'report.due': customer('Returns due', 'The box office of a run is due or late'),
  'report.asked': customer('Questions on returns', 'A return of ours raises a question', true),
  'deposit.settled': customer('Deposits', 'A deposit is settled'),
  'perusal.answered': customer('Perusals', 'A perusal we requested was opened, sent, declined or ended'),
  'perusal.ending': customer('Perusals about to end', 'Reading ends soon, or books are due back'),
  'order.shipped': customer('Orders', 'Our order or the materials of a production shipped'),
  'details.decided': customer(spell`Details of the organization`, 'We confirm or decline a change of our details'),
  'people.joined': customer('People', spell`Somebody joins or asks to join the organization`, true),
} as const satisfies Record<string, Kind>;

export type StaffKind = keyof typeof STAFF_KINDS;
export type CustomerKind = keyof typeof CUSTOMER_KINDS;
export type NotificationKind = StaffKind | CustomerKind;

export const KINDS: Readonly<Record<NotificationKind, Kind>> = { ...STAFF_KINDS, ...CUSTOMER_KINDS };

export const NOTIFICATION_KINDS = Object.keys(KINDS) as [NotificationKind, ...NotificationKind[]];

export function kindOf(kind: NotificationKind): Kind {
  return KINDS[kind];
}

/** In words; 'Other' for a kind of an earlier release. */
export function labelOf(kind: string): string {
  return (KINDS as Partial<Record<string, Kind>>)[kind]?.label ?? 'Other';
}

/** Kinds that somebody can hear of: a staff_user by permission, administrators all of their area. */
export function kindsFor(person: { role: string; permissions: ReadonlySet<string> }): NotificationKind[] {
  const area = person.role === 'customer' ? 'customer' : 'staff';
  if (person.role === 'vendor') return [];
  return NOTIFICATION_KINDS.filter((key) => {
    const kind = kindOf(key);
    if (kind.area !== area) return false;
    if (key === 'system.failed') return person.role === 'system_admin';
    if (area === 'customer' || person.role !== 'staff_user') return true;
    return grants(person.permissions, kind.permission ?? null);
  });
}
