/**
 * "How this was calculated": every amount is made by one named operation on recorded inputs, and the text, the
 * result and the later recomputation all come from the same table of operations (domain.md 2.11 step 8, I10).
 */
import { AmountTooLarge, applyPpm, ceilTo, divHalfAway, formatMinor, max, min, sum } from '../money/money.ts';
import { splitByWeight } from '../money/split.ts';

export type TraceInputs = Readonly<Record<string, bigint | readonly bigint[]>>;
export type TraceOp = keyof typeof OPERATIONS;

export interface TraceStep {
  /** Stage: 'potential', 'unit_fee', 'week', 'run', 'discount', 'royalty', 'charge', 'tax', 'total'. */
  readonly step: string;
  /** The rule that asked for it: 'rate_card:12.min_per_performance', 'terms.discount', 'tax_rate:7'. */
  readonly rule_id: string;
  readonly label: string;
  readonly op: TraceOp;
  readonly inputs: TraceInputs;
  /** Readable: '7,850.00 × 12.5% = 981.25'. */
  readonly formula: string;
  readonly result_minor: bigint;
}

/** JSON form of a bigint record: safe integers under the same names. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

interface Operation {
  result(inputs: TraceInputs): bigint;
  /** The left side of the formula; the result is added behind ' = '. */
  text(inputs: TraceInputs): string;
}

function one(inputs: TraceInputs, name: string): bigint {
  const value = inputs[name];
  if (typeof value !== 'bigint') throw new TypeError(`trace input ${name} is missing`);
  return value;
}

function many(inputs: TraceInputs, name: string): readonly bigint[] {
  const value = inputs[name];
  if (value === undefined || typeof value === 'bigint') throw new TypeError(`trace input ${name} is missing`);
  return value;
}

function money(inputs: TraceInputs, name: string): string {
  return formatMinor(one(inputs, name));
}

/** 125_000n is '12.5', 88_750n is '8.875'. */
export function percentText(ratePpm: bigint): string {
  const digits = (ratePpm < 0n ? -ratePpm : ratePpm).toString().padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0+$/, '');
  return `${ratePpm < 0n ? '-' : ''}${digits.slice(0, -4)}${fraction ? `.${fraction}` : ''}`;
}

/** To six places where it is no whole cent: rounded to cents it would not multiply to the result on a calculator. */
function averageText(n: bigint, d: bigint): string {
  if (n % d === 0n) return formatMinor(n / d);
  const millionths = divHalfAway(n * 10_000n, d);
  return `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;
}

function seatsAtAverage(inputs: TraceInputs): bigint {
  const uncapped = divHalfAway(one(inputs, 'seats') * one(inputs, 'average_n'), one(inputs, 'average_d'));
  return min(uncapped, one(inputs, 'cap_minor'));
}

const OPERATIONS = {
  /** An amount that a rule or a person states. */
  amount: {
    result: (i) => one(i, 'amount_minor'),
    text: () => '',
  },
  product: {
    result: (i) => one(i, 'amount_minor') * one(i, 'count'),
    text: (i) => `${money(i, 'amount_minor')} × ${one(i, 'count')}`,
  },
  rate: {
    result: (i) => applyPpm(one(i, 'amount_minor'), one(i, 'rate_ppm')),
    text: (i) => `${money(i, 'amount_minor')} × ${percentText(one(i, 'rate_ppm'))}%`,
  },
  step_up: {
    result: (i) => ceilTo(one(i, 'amount_minor'), one(i, 'step_minor')),
    text: (i) => `${money(i, 'amount_minor')} rounded up to the next ${money(i, 'step_minor')}`,
  },
  at_least: {
    result: (i) => max(one(i, 'amount_minor'), one(i, 'least_minor')),
    text: (i) => `the greater of ${money(i, 'amount_minor')} and ${money(i, 'least_minor')}`,
  },
  at_most: {
    result: (i) => min(one(i, 'amount_minor'), one(i, 'most_minor')),
    text: (i) => `the lesser of ${money(i, 'amount_minor')} and ${money(i, 'most_minor')}`,
  },
  sum: {
    result: (i) => sum(many(i, 'amounts_minor')),
    text: (i) => many(i, 'amounts_minor').map(formatMinor).join(' + '),
  },
  less: {
    result: (i) => one(i, 'amount_minor') - one(i, 'less_minor'),
    text: (i) => `${money(i, 'amount_minor')} − ${money(i, 'less_minor')}`,
  },
  seats: {
    result: (i) => sum(many(i, 'seats').map((seats, k) => seats * many(i, 'prices_minor')[k]!)),
    text: (i) => many(i, 'seats')
      .map((seats, k) => `${seats} × ${formatMinor(many(i, 'prices_minor')[k]!)}`).join(' + '),
  },
  seats_at_average: {
    result: seatsAtAverage,
    text: (i) => {
      return `${one(i, 'seats')} × average ${averageText(one(i, 'average_n'), one(i, 'average_d'))}, at most ${
        money(i, 'cap_minor')}`;
    },
  },
  share: {
    result: (i) => splitByWeight(one(i, 'total_minor'), many(i, 'weights'))[Number(one(i, 'index'))]!,
    text: (i) => `part ${one(i, 'index') + 1n} of ${many(i, 'weights').length} of ${money(i, 'total_minor')}`,
  },
} as const satisfies Record<string, Operation>;

/** Collects the steps of one calculation; every method answers the amount it recorded. */
export class Tracer {
  readonly steps: TraceStep[] = [];

  add(step: string, ruleId: string, label: string, op: TraceOp, inputs: TraceInputs): bigint {
    const result = OPERATIONS[op].result(inputs);
    const left = OPERATIONS[op].text(inputs);
    const formula = left === '' ? formatMinor(result) : `${left} = ${formatMinor(result)}`;
    this.steps.push({ step, rule_id: ruleId, label, op, inputs, formula, result_minor: result });
    return result;
  }
}

/** Recomputes a trace as stored or as made; the steps whose stored amount does not come out again (I10: none). */
export function recomputeTrace(steps: readonly Pick<TraceStep, 'op' | 'inputs' | 'result_minor'>[]): number[] {
  return steps.flatMap((step, index) => (OPERATIONS[step.op].result(step.inputs) === step.result_minor ? [] : [index]));
}

/** A record for JSON: every bigint becomes a number, and an unsafe one is an error rather than a wrong figure. */
export function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return safeNumber(value);
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toJson);
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([key, item]) => [key, toJson(item)]));
}

/** The way back for a stored trace: numbers of `inputs` and `result_minor` become bigint again. */
export function traceFromJson(stored: Json): TraceStep[] {
  if (!Array.isArray(stored)) throw new TypeError('a stored trace is a list of steps');
  return stored.map((item) => {
    const step = item as Record<string, Json>;
    const inputs = Object.entries(step.inputs as Record<string, number | number[]>)
      .map(([key, value]) => [key, Array.isArray(value) ? value.map(BigInt) : BigInt(value)] as const);
    const op = String(step.op) as TraceOp;
    if (!(op in OPERATIONS)) throw new TypeError(`unknown trace operation ${op}`);
    return {
      step: String(step.step), rule_id: String(step.rule_id), label: String(step.label), op,
      inputs: Object.fromEntries(inputs), formula: String(step.formula),
      result_minor: BigInt(step.result_minor as number),
    };
  });
}

function safeNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new AmountTooLarge(value);
  return number;
}
