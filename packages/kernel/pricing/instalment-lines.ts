/** Lines that an instalment bills (domain.md 2.11): its amount over the charges that are still to bill. */
import { max } from '../money/money.ts';
import { applyReceipt, type ReceiptApplication } from './receipt-application.ts';

/** A charge of a license as far as it is not billed; a discount is negative. */
export interface ChargeToBill {
  readonly id: number;
  readonly kind: string;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
}

/**
 * Net and tax each by largest remainder over the charges of the instalment's kinds, all where it names none: the last
 * instalment of a kind bills exactly the rest. `unapplied_minor` is beyond all that they still have to bill.
 */
export function instalmentLines(
  amountMinor: bigint, charges: readonly ChargeToBill[], kinds: readonly string[],
): ReceiptApplication {
  return applyReceipt(amountMinor, lessDiscounts(charges)
    .filter((charge) => kinds.length === 0 || kinds.includes(charge.kind)));
}

/** Discounts lessen the royalties in their order, each at most to zero. */
function lessDiscounts(charges: readonly ChargeToBill[]): ChargeToBill[] {
  const lines = charges.filter((charge) => charge.kind !== 'discount').map((charge) => ({ ...charge }));
  for (const discount of charges.filter((charge) => charge.kind === 'discount')) {
    let { net_minor: net, tax_minor: tax } = discount;
    for (const line of lines.filter((own) => own.kind === 'royalty')) {
      const taken = { net: max(net, -line.net_minor), tax: max(tax, -line.tax_minor) };
      line.net_minor += taken.net;
      line.tax_minor += taken.tax;
      net -= taken.net;
      tax -= taken.tax;
    }
  }
  return lines;
}
