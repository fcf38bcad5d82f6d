/** Papers that mails about money carry; drawn when the mail is delivered (deliver-outbox.ts). */
import { buffer } from 'node:stream/consumers';
import type { WorkContext } from '#server/context.ts';
import type { DrawnAttachment } from '#server/mail.ts';
import { invoiceDocument } from './invoice-document.server.ts';
import { receiptDocument } from './receipt-document.server.ts';

/** The PDF of an invoice, pro forma or receipt; an issued invoice is stored as it goes out. */
export async function moneyPaper(ctx: WorkContext, paper: DrawnAttachment['paper'], id: number): Promise<Buffer> {
  const { content } = paper === 'invoice' ? await invoiceDocument(ctx, id) : await receiptDocument(ctx, id);
  return Buffer.isBuffer(content) ? content : buffer(content);
}

export const paperOf = (paper: DrawnAttachment['paper'], id: number, number: string): DrawnAttachment =>
  ({ filename: `${number}.pdf`, content_type: 'application/pdf', paper, record_id: id });
