/** A parcel left the store: the customer hears of it in the app and by mail (domain.md 6.4, materials.shipped). */
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage } from '#kernel/money/division.ts';
import { signerEmails } from '#modules/customers/customers.public.server.ts';
import { contactOf, greetingOf } from '#modules/identity/identity.public.server.ts';
import { notifyCustomer } from '#modules/notifications/notifications.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import { oneLine, queueMail } from '#server/mail.ts';
import { linkTo } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import type { LineRecord, OrderRecord } from './order-rows.server.ts';

export interface Leaving { line: Pick<LineRecord, 'description' | 'physical' | 'return_required'>; quantity: number }

/** Pieces that left with one event; `tracking`: numbers of its parcels alone. */
export interface Parcel { leaving: readonly Leaving[]; tracking: readonly string[] }

interface Sent {
  number: string; division: string; customer_id: number; license_id: number | null; from_portal: boolean;
  carrier: string; shipped_on: string; return_due_on: string | null; status: string; version: number;
  ship_to_name: string; title: string | null; production: string | null; rep_id: number | null;
}

/** The paper in the parcel has them all. */
const MOST_LINES = 20;

/** An order of staff for nobody's production is theirs to announce; a perusal has a mail of its own. */
export async function tellOfParcel(ctx: WorkContext, order: Pick<OrderRecord, 'id'>, parcel: Parcel): Promise<void> {
  const sent = await ctx.db.one<Sent>(sql`
    select o.number, o.division, o.customer_id, o.license_id, o.from_portal, o.carrier, o.shipped_on,
      o.return_due_on, o.status, o.version, o.ship_to_name, h.title, l.license_rep_id as rep_id,
      l.title_on_license || ' (' || coalesce(l.license_number, l.number) || ')' as production
    from sales_orders o left join licenses l on l.id = o.license_id left join shows h on h.id = l.show_id
    where o.id = ${order.id}`);
  if (sent.license_id === null && !sent.from_portal) return;
  const href = sent.license_id === null ? `/customer/${sent.customer_id}/orders/${order.id}`
    : `/customer/${sent.customer_id}/productions/${sent.license_id}/materials`;
  const title = sent.title === null ? `Your order ${sent.number} has left`
    : `Your materials for ${sent.title} have left`;
  await notifyCustomer(ctx, sent.customer_id, { kind: 'order.shipped', title,
    body: [sent.carrier, ...parcel.tracking].filter(Boolean).join(', '), href });
  if (!parcel.leaving.some(({ line }) => line.physical)) return;
  const to = await signerEmails(ctx, sent.customer_id);
  await queueMail(ctx.db, { template: 'materials.shipped', to, subject: oneLine(title), entity: 'sales_order',
    entity_id: order.id, reminder_key: `materials.shipped/${order.id}/${sent.version}`,
    letter: { greeting: await greetingOf(ctx.db, to), paragraphs: parcelWords(sent, parcel),
      link: { label: sent.license_id === null ? 'See your order' : 'See your materials',
        href: linkTo(ctx.ports.settings, href) },
      contact: await contactOf(ctx.db, sent.rep_id, sent.division) } });
}

const pieces = (rows: readonly Leaving[]): string[] => [
  ...rows.slice(0, MOST_LINES).map(({ line, quantity }) => `- ${quantity} × ${oneLine(line.description)}`),
  ...(rows.length > MOST_LINES ? [`and ${rows.length - MOST_LINES} more`] : [])];

function parcelWords(sent: Sent, { leaving, tracking }: Parcel): string[] {
  const day = (date: string): string => dateFor(documentLanguage(sent.division), date);
  const inParcel = leaving.filter(({ line }) => line.physical);
  const onLoan = inParcel.filter(({ line }) => line.return_required);
  const of = sent.production === null ? `of your order ${sent.number}` : `for ${oneLine(sent.production)}`;
  const to = sent.ship_to_name === '' ? '' : ` It goes to ${oneLine(sent.ship_to_name)}.`;
  const rest = sent.status === 'partially_shipped' ? ' The rest follows in another parcel.' : '';
  return [`The parcel ${of} left our warehouse on ${day(sent.shipped_on)}.${to}${rest}`,
    [sent.carrier === '' ? '' : `Carrier: ${sent.carrier}`, tracking.length === 0 ? ''
      : `Tracking ${tracking.length === 1 ? 'number' : 'numbers'}: ${tracking.join(', ')}`]
      .filter((line) => line !== '').join('\n'),
    ['In it:', ...pieces(inParcel)].join('\n'),
    onLoan.length === 0 || sent.return_due_on === null ? ''
      : backWords(day(sent.return_due_on), onLoan, onLoan.length === inParcel.length)];
}

function backWords(day: string, onLoan: readonly Leaving[], all: boolean): string {
  return all ? `All of it is on loan. Please send it back so that it is here by ${day}.`
    : [`Please send these back so that they are here by ${day}; the rest is yours:`, ...pieces(onLoan)].join('\n');
}
