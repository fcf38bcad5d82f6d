/**
 * Rows of a price, as documents and screens print them: per venue performances × fee = amount, then the minimum
 * guarantee, then the discount, then the subtotal. The rows are read from the stored trace (domain.md 2.11: minimum
 * first, discount last); the one net line per venue is still the one taxed, invoiced, released and shared.
 */
import { formatRate, sum } from '../money/money.ts';
import { PART_RULES } from './royalty.ts';
import type { TraceStep } from './trace.ts';

/** A stored line: a charge of a licence or a line of a price. */
export interface RowLine {
  readonly kind: string;
  readonly label: string;
  readonly venue_id: number | null;
  readonly quantity: number;
  readonly unit_minor: bigint | null;
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
}

export interface PriceRow {
  readonly kind: 'performances' | 'flat' | 'rounding' | 'minimum' | 'discount' | 'item';
  readonly label: string;
  /** Both or neither: quantity × unit is the amount. */
  readonly quantity: number | null;
  readonly unit_minor: bigint | null;
  readonly amount_minor: bigint;
}

export interface PriceBlock {
  readonly kind: string;
  readonly label: string;
  /** They sum to the net. */
  readonly rows: readonly PriceRow[];
  readonly net_minor: bigint;
  readonly tax_minor: bigint;
  /** Places of the lines that it tells. */
  readonly lines: readonly number[];
}

type Steps = readonly TraceStep[];

/** Lines that are the royalty of a venue; the advance is a part of it and no fee of its own. */
const ROYALTY: readonly string[] = ['royalty', 'advance'];

/** Royalty that only secures a percentage is named so. */
export function blockLabel(block: { readonly kind: string; readonly label: string }, guaranteed: boolean): string {
  return guaranteed && block.kind === 'royalty' ? block.label.replace(/^Royalty/, 'Guaranteed royalty') : block.label;
}

interface FlatBlock<Row> { readonly kind: string; readonly label: string; readonly rows: readonly Row[] }

/** All rows one below the other, each named so that it stands by itself: for lists without subtotals. */
export function flatRows<Row extends { readonly kind: string; readonly label: string }>(
  blocks: readonly FlatBlock<Row>[], guaranteed: boolean,
): (Row & { readonly label: string })[] {
  const several = blocks.filter((block) => block.kind === 'royalty').length > 1;
  return blocks.flatMap((block) => {
    const name = blockLabel(block, guaranteed);
    const place = block.label.replace(/^Royalty, /, '');
    return block.rows.map((row, index) => ({ ...row, label: index === 0 ? name
      : several ? `${row.label}, ${place}` : row.label }));
  });
}

/** One block per venue and one per other line, in the order of the lines; every block sums to its net. */
export function priceRows(lines: readonly RowLine[], trace: Steps): PriceBlock[] {
  const royalties = lines.filter((line) => ROYALTY.includes(line.kind));
  const venues = [...new Set(royalties.map((line) => line.venue_id))];
  const seen = new Set<number | null>();
  return lines.flatMap((line, place): PriceBlock[] => {
    if (!ROYALTY.includes(line.kind)) return [{ ...itemBlock(line), lines: [place] }];
    if (seen.has(line.venue_id)) return [];
    seen.add(line.venue_id);
    const own = royalties.filter((other) => other.venue_id === line.venue_id);
    return [{ ...venueBlock(own, royalties, venues.length, trace), lines: own.map((one) => lines.indexOf(one)) }];
  });
}

type BlockContent = Omit<PriceBlock, 'lines'>;

function itemBlock(line: RowLine): BlockContent {
  const multiplies = line.unit_minor !== null && line.unit_minor * BigInt(line.quantity) === line.net_minor;
  const row: PriceRow = { kind: 'item', label: line.label, quantity: multiplies ? line.quantity : null,
    unit_minor: multiplies ? line.unit_minor : null, amount_minor: line.net_minor };
  return { kind: line.kind, label: line.label, rows: [row], net_minor: line.net_minor, tax_minor: line.tax_minor };
}

function venueBlock(own: readonly RowLine[], all: readonly RowLine[], venues: number, trace: Steps): BlockContent {
  const first = own[0]!;
  const name = venueName((own.find((line) => line.kind === 'royalty') ?? first).label);
  const net = sum(own.map((line) => line.net_minor));
  const block = { kind: 'royalty', label: `Royalty, ${name}`, net_minor: net,
    tax_minor: sum(own.map((line) => line.tax_minor)) };
  const named = first.venue_id === null ? [] : namedRows(BigInt(first.venue_id), trace);
  const rows = named.length > 0 ? named : olderRows(name, net, all, venues, trace);
  // A line that was changed by hand since is told as it is, rather than with a sum that is not its own.
  if (rows.length > 0 && sum(rows.map((row) => row.amount_minor)) === net) return { ...block, rows };
  return { ...block, rows: [itemBlock({ ...first, label: block.label, net_minor: net,
    unit_minor: own.length === 1 ? first.unit_minor : null }).rows[0]!] };
}

/** 'Royalty, Town Hall', also of the parts 'Advance on the royalty, town hall' and '…, guaranteed beyond …'. */
function venueName(label: string): string {
  return label.replace(/^(Advance on the )?royalty, /i, '').replace(/, guaranteed beyond the advance$/, '');
}

/** Rows of the steps that name their venue. */
function namedRows(venueId: bigint, trace: Steps): PriceRow[] {
  const steps = trace.filter((step) => step.step === 'royalty' && step.inputs.venue_id === venueId);
  return [...performanceRows(steps), ...part('flat', 'For the whole run', steps),
    ...part('rounding', 'Rounding of the run', steps), ...part('minimum', 'Minimum guarantee', steps),
    ...part('discount', discountLabel(trace), steps)];
}

function performanceRows(steps: Steps): PriceRow[] {
  return steps.filter((step) => step.op === 'product').flatMap((step): PriceRow[] => {
    const { amount_minor: unit, count } = step.inputs;
    // A percentage deal without a minimum per performance has nothing to multiply.
    if (typeof unit !== 'bigint' || typeof count !== 'bigint' || unit === 0n) return [];
    return [{ kind: 'performances', label: kindLabel(step.label, count), quantity: Number(count),
      unit_minor: unit, amount_minor: step.result_minor }];
  });
}

/** 'Matinees' of 'Town Hall: matinees', 'Matinee' of one. */
function kindLabel(stepLabel: string, count: bigint): string {
  const kind = stepLabel.slice(stepLabel.lastIndexOf(': ') + 2);
  const words = count === 1n ? singular(kind) : kind;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function singular(kind: string): string {
  return kind === 'streams on demand' ? 'stream on demand' : kind.replace(/s$/, '');
}

function part(kind: keyof typeof PART_RULES, label: string, steps: Steps): PriceRow[] {
  return steps.filter((step) => step.rule_id === PART_RULES[kind])
    .map((step) => ({ kind, label, quantity: null, unit_minor: null, amount_minor: step.result_minor }));
}

function discountLabel(trace: Steps): string {
  const rate = discountStep(trace)?.inputs.rate_ppm;
  return typeof rate === 'bigint' ? `Discount ${formatRate(rate)}` : 'Discount';
}

const discountStep = (trace: Steps): TraceStep | undefined => trace.find((step) => step.step === 'discount');

/** Stages that say how a royalty came about. */
const EXPLAINS: readonly string[] = ['royalty', 'week', 'run', 'discount'];

/** Traces from before steps named their venue: the performances by its name, the rest as far as it is one thing. */
function olderRows(name: string, net: bigint, all: readonly RowLine[], venues: number, trace: Steps): PriceRow[] {
  const steps = trace.filter((step) => step.step === 'royalty'
    && step.label.toLowerCase() === `${name}: performances`.toLowerCase());
  if (!trace.some((step) => EXPLAINS.includes(step.step))) return [];
  const rows = performanceRows(steps);
  const base = sum(rows.map((row) => row.amount_minor));
  const discount = -(trace.findLast((step) => step.step === 'discount')?.result_minor ?? 0n);
  const row = (kind: 'minimum' | 'discount', amount: bigint): PriceRow[] => (amount === 0n ? []
    : [{ kind, label: kind === 'minimum' ? 'Minimum guarantee' : discountLabel(trace), quantity: null,
      unit_minor: null, amount_minor: amount }]);
  const change = net - base;
  if (discount === 0n) return change < 0n ? [] : [...rows, ...row('minimum', change)];
  if (venues === 1) return [...rows, ...row('minimum', change - discount), ...row('discount', discount)];
  const bases = sum(trace.filter((step) => step.step === 'royalty' && step.op === 'product')
    .map((step) => step.result_minor));
  const nets = sum(all.map((line) => line.net_minor));
  return nets - bases === discount ? [...rows, ...row('discount', change)] : [];
}
