/** Picking list, packing list and label of an order (X123), with codes for the hand scanner. */
import { addressLines } from '#kernel/address/address-lines.ts';
import { dateFor } from '#kernel/calendar/calendar.ts';
import { documentLanguage, type Language } from '#kernel/money/division.ts';
import type { Address } from '#kit/field.ts';
import type { Ctx, FileAnswer } from '#server/context.ts';
import { renderPdf, type PdfBlock } from '#server/pdf.ts';
import { sql } from '#server/sql.ts';
import { orderDetail } from './order-rows.server.ts';
import type { SalesOrderDetail, SalesOrderLine } from './sales-order.contract.ts';

type DocumentType = 'pick_list' | 'packing_list' | 'label';
const TITLES: Record<DocumentType, string> = { pick_list: 'Picking list', packing_list: 'Packing list',
  label: 'Label' };

interface Place { name: string; address: Address | null; returns_address: Address | null; house: string }

export async function orderDocument(ctx: Ctx, id: number, type: DocumentType): Promise<FileAnswer> {
  const order = await orderDetail(ctx.db, id);
  const place = await ctx.db.one<Place>(sql`
    select w.name, w.address, w.returns_address, d.legal_entity_name as house from warehouses w
    join divisions d on d.code = ${order.division} where w.id = ${order.warehouse_id}`);
  const today = await ctx.today(order.division);
  const language = documentLanguage(order.division);
  const content = await renderPdf({
    title: `${TITLES[type]} ${order.number}`, paper: type,
    language,
    sender: [place.house, place.name, ...addressLines(place.address)],
    recipient: type === 'pick_list' ? [] : [order.ship_to_name, ...addressLines(order.ship_to)],
    footer: `${order.number}, ${dateFor(language, today)}`, made_at: new Date(`${today}T00:00:00Z`),
    blocks: blocksOf(type, order, place),
  });
  return { filename: `${TITLES[type]} ${order.number}.pdf`, content_type: 'application/pdf', content, inline: true };
}

function blocksOf(type: DocumentType, order: SalesOrderDetail, place: Place): PdfBlock[] {
  const head: PdfBlock[] = [{ kind: 'title', text: `${TITLES[type]} ${order.number}` },
    { kind: 'barcodes', codes: [{ code: order.number, label: '' }] }];
  if (type === 'label') return [...head, { kind: 'facts', rows: facts(order) }];
  return type === 'pick_list' ? [...head, ...pickList(order)] : [...head, ...packingList(order, place)];
}

/** The day is often set only when the parcel leaves: none is better than one that nobody named. */
export function returnWords(language: Language, due: string | null, to: string): string {
  const by = due === null ? '' : ` by ${dateFor(language, due)}`;
  return `Please return what is marked${by} to: ${to}. Erase pencil marks first.`;
}

function facts(order: SalesOrderDetail): (readonly [string, string])[] {
  const day = (date: string) => dateFor(documentLanguage(order.division), date);
  return [['Customer', order.customer_name], ...(order.title === null ? [] : [['Production',
    `${order.title}, ${order.license_number ?? ''}`] as const]), order.shipped_on !== null
    ? ['Shipped on', day(order.shipped_on)]
    : ['Ships on', order.ship_on === null ? 'As soon as possible' : day(order.ship_on)],
  ...(order.carrier === '' ? [] : [['Carrier', order.carrier] as const]),
  ...(order.return_due_on === null ? [] : [['Due back', day(order.return_due_on)] as const])];
}

const toPick = (line: SalesOrderLine): number => line.quantity - line.qty_cancelled - line.qty_shipped
  - line.qty_picked;

function pickList(order: SalesOrderDetail): PdfBlock[] {
  const lines = order.lines.filter((line) => line.physical && toPick(line) > 0);
  if (lines.length === 0) {
    return [{ kind: 'facts', rows: facts(order) }, { kind: 'text', text: 'Nothing is left to pick.' }];
  }
  return [{ kind: 'facts', rows: facts(order) },
    { kind: 'table', columns: [{ label: 'Item number', width: 26 }, { label: 'Description', width: 44 },
      { label: 'To pick', width: 12, align: 'right' }, { label: 'Reserved', width: 12, align: 'right' },
      { label: 'Done', width: 10 }],
    rows: lines.map((line) => [line.item_number, line.description + (line.serial_tracked ? ' (scan each copy)' : ''),
      String(toPick(line)), String(line.qty_reserved), '']) },
    { kind: 'barcodes', codes: lines.map((line) => ({ code: line.item_number, label: line.description })) }];
}

function packingList(order: SalesOrderDetail, place: Place): PdfBlock[] {
  const lines = order.lines.filter((line) => line.qty_picked + line.qty_shipped > 0);
  const copies = lines.flatMap((line) => line.copies.map((copy) => ({ code: copy.barcode, label: line.description })));
  const back = lines.some((line) => line.return_required);
  return [{ kind: 'facts', rows: facts(order) },
    { kind: 'table', columns: [{ label: 'Item number', width: 28 }, { label: 'Description', width: 52 },
      { label: 'Pieces', width: 12, align: 'right' }, { label: 'To return', width: 14, align: 'right' }],
    rows: lines.map((line) => [line.item_number, line.description, String(line.qty_picked + line.qty_shipped),
      line.return_required ? 'Yes' : '']) },
    ...(back ? [{ kind: 'text' as const, text: returnWords(documentLanguage(order.division), order.return_due_on,
      [place.name, ...addressLines(place.returns_address ?? place.address)].join(', ')) }]
      : []),
    ...(copies.length > 0 ? [{ kind: 'heading' as const, text: 'Copies in this parcel' },
      { kind: 'barcodes' as const, codes: copies }] : [])];
}
