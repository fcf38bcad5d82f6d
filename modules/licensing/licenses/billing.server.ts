/** What a licence asks of receivables as it moves: pro formas, invoices, credit notes (domain.md 1, 2.9, 2.10). */
import type { WorkContext } from '#server/context.ts';
import type { License } from './license-record.server.ts';

export async function billAcceptance(_ctx: WorkContext, _license: License): Promise<void> {}
export async function voidBilling(_ctx: WorkContext, _licenseId: number, _reason: string): Promise<void> {}
export async function billExecution(_ctx: WorkContext, _license: License): Promise<void> {}
export async function settleClose(_ctx: WorkContext, _license: License): Promise<void> {}
export async function creditCancellation(
  _ctx: WorkContext, _license: License, _on: string, _reason: string,
  _credits: readonly { license_charge_id: number; net_minor: number }[],
): Promise<void> {}
