/**
 * The price of a licence: one pure function behind the quote preview, the portal's estimate and the posting
 * (domain.md 2.11). Order: unit fees, weekly minimum, run rules, discount, charges, tax per line, totals, plan.
 */
import { sum } from '../money/money.ts';
import type { LineTax } from '../money/priced-line.ts';
import { paymentPlan } from './payment-plan.ts';
import type {
  PriceCharge, PricedVenue, PriceInput, PriceLine, PriceResult, TaxableLine, TaxResolver,
} from './price-types.ts';
import { priceRoyalty, type Royalty } from './royalty.ts';
import { Tracer } from './trace.ts';

/** Throws PriceError (code and plain words) when the input cannot be priced. */
export function price(input: PriceInput): PriceResult {
  const tracer = new Tracer();
  const royalty = priceRoyalty(input, tracer);
  const lines = [
    ...input.venues.flatMap((venue, index) => royaltyLine(input, venue.name, royalty.venues[index]!, tracer)),
    ...(input.charges ?? []).map((charge) => chargeLine(charge, input.tax, tracer)),
  ];
  const deposit = input.deposit ?? null;
  const onAccount = deposit?.kind === 'on_account' ? deposit.amount_minor : 0n;
  const security = deposit?.kind === 'security' ? deposit.amount_minor : 0n;
  return {
    currency: input.currency,
    performances: royalty.performances,
    venues: royalty.venues,
    lines,
    totals: totalsOf(royalty, lines, security, onAccount, tracer),
    payment_plan: paymentPlan(lines, input.plan ?? [], onAccount),
    problems: [...new Set(lines.flatMap((line) => line.tax.problem ?? []))],
    trace: tracer.steps,
  };
}

/** Tax that is never asked for: previews without an address, and tests. */
export const untaxed: TaxResolver = (line) => ({
  code: 'none', jurisdiction: '', rate_ppm: 0n, base_minor: line.net_minor, tax_minor: 0n, reason: 'Not taxed',
  parts: [], problem: null,
});

function royaltyLine(input: PriceInput, name: string, venue: PricedVenue, tracer: Tracer): PriceLine[] {
  if (venue.number_of_performances === 0) return [];
  const unit = venue.unit_fee_minor;
  const multiplies = unit !== null && unit * BigInt(venue.number_of_performances) === venue.royalty_minor;
  const line: TaxableLine = {
    key: `royalty:${venue.id}`, kind: 'royalty', item_class: 'performing_licence', carries: null, venue_id: venue.id,
    net_minor: venue.royalty_minor,
  };
  const label = `Royalty, ${name}`;
  return [withTax(line, label, venue.number_of_performances, multiplies ? unit : null, input.tax, tracer)];
}

function chargeLine(charge: PriceCharge, tax: TaxResolver, tracer: Tracer): PriceLine {
  const net = tracer.add('charge', charge.key, charge.label, 'product',
    { amount_minor: charge.unit_minor, count: BigInt(charge.quantity) });
  const line: TaxableLine = {
    key: charge.key, kind: charge.kind, item_class: charge.item_class, carries: charge.carries ?? null, venue_id: null,
    net_minor: net, ...(charge.tax_free ? { tax_free: true } : {}),
  };
  return withTax(line, charge.label, charge.quantity, charge.unit_minor, tax, tracer);
}

function withTax(
  line: TaxableLine, label: string, quantity: number, unit: bigint | null, resolve: TaxResolver, tracer: Tracer,
): PriceLine {
  const tax = resolve(line);
  if (tax.tax_minor !== 0n) traceTax(tax, label, tracer);
  return {
    ...line, label, quantity, unit_minor: unit, tax, tax_minor: tax.tax_minor,
    total_minor: line.net_minor + tax.tax_minor,
  };
}

/** An outside service's answer is written down as returned; our own shows rate and base. */
function traceTax(tax: LineTax, label: string, tracer: Tracer): void {
  const rule = `tax:${tax.code}`;
  const text = `${label}: ${tax.reason}`;
  const own = { amount_minor: tax.base_minor, rate_ppm: tax.rate_ppm };
  const probe = new Tracer();
  if (probe.add('tax', rule, text, 'rate', own) === tax.tax_minor) tracer.steps.push(...probe.steps);
  else tracer.add('tax', rule, text, 'amount', { amount_minor: tax.tax_minor });
}

function totalsOf(
  royalty: Royalty, lines: readonly PriceLine[], security: bigint, onAccount: bigint, tracer: Tracer,
): PriceResult['totals'] {
  const net = tracer.add('total', 'total.net', 'Sum of the lines', 'sum',
    { amounts_minor: lines.map((line) => line.net_minor) });
  const tax = tracer.add('total', 'total.tax', 'Tax, line by line', 'sum',
    { amounts_minor: lines.map((line) => line.tax_minor) });
  const total = tracer.add('total', 'total.total', 'Sum with tax', 'sum', { amounts_minor: [net, tax] });
  return {
    gross_royalty_minor: royalty.gross_royalty_minor,
    discount_minor: royalty.discount_minor,
    royalty_minor: royalty.royalty_minor,
    charges_minor: sum(lines.filter((line) => line.kind !== 'royalty').map((line) => line.net_minor)),
    net_minor: net,
    tax_minor: tax,
    total_minor: total,
    security_deposit_minor: security,
    on_account_deposit_minor: onAccount,
    due_minor: total + security,
  };
}
