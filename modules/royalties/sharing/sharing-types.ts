/** Events that move shared lines, and the steps they become. */
import type { JournalLine } from '#kernel/ledger/journal.ts';
import type { AccrualBasis } from '#kernel/royalties/entitlement.ts';
import type { SharedLine } from './shared-lines.server.ts';
import type { MovedPart, PartKind } from './parts.server.ts';

export interface LineEvent {
  invoice_item_id: number;
  /** income: part of it was earned; invoice: it was issued; receipt: money came; close: the licence closed. */
  kind: 'income' | 'invoice' | 'receipt' | 'close' | 'income_back';
  /** Net of tax, of the whole line; null: all that is left. */
  amount_minor: bigint | null;
  /** income_back: the whole of the credit, deferred part included. */
  net_minor?: bigint;
  on: string;
  /** Event, once; `key` tells several events of one record apart: a release is named by its posting. */
  source: { type: string; id: number; key?: string };
  /** Account that the income went to (4000, 4010 …), for net presentation. */
  income_account?: string;
  payment_allocation_id?: number;
  /** Functional units per unit on the day of the event; without one the rate of the invoice. */
  rate?: string;
}

/** One step that posts: a cost, a due or, in net presentation, the royaltors' part of a release. */
export interface Step {
  event: LineEvent;
  sharedLine: SharedLine;
  kind: PartKind;
  basis: AccrualBasis | null;
  parts: readonly MovedPart[];
  /** Of the house and of parties that are not asked. */
  rest_minor: bigint;
  /** The sharing is new and this cost is the whole of it: its own rows carry the date. */
  whole: boolean;
  back: boolean;
  /** Debits and credits; empty where no party's account moves. */
  lines: JournalLine[];
  transaction_id: number | null;
}
