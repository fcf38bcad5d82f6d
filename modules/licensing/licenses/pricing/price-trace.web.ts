/** The stored steps of a price as the trace shows them: one numbered step per stage, its lines below (LOOK.md 8). */
import type { TraceLine, TraceStep } from '#web/data/trace.tsx';
import type { Stat } from '#web/layout/stat-strip.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { LINE_KIND_WORDS, wordsOf } from '../../words.web.ts';
import type { PriceAnswer } from './pricing.contract.ts';

type Step = Omit<PriceAnswer['trace'][number], 'rate_ppm'>;

const STAGES: Readonly<Record<string, string>> = {
  potential: 'Gross potential', unit_fee: 'Fee per performance', week: 'Weekly minimum', run: 'Whole run',
  discount: 'Discount', royalty: 'Royalty', charge: 'Rental and add-ons', tax: 'Tax',
  actuals: 'Royalty on gross',
};
/** Stages whose last step carries on the ones before it; the others are parts that stand side by side. */
const CARRIED: readonly string[] = ['potential', 'unit_fee', 'week', 'run', 'discount', 'royalty', 'actuals'];

/** '7,960.00 × 12.5% = 995.00' without its result, which stands at the right. */
export function formulaOf(step: Pick<Step, 'formula'>): string {
  return step.formula.replace(/ = \(?-?[\d.,]+\)?$/, '');
}

/** Place of a rule by the first word of its id: 'rate_card:12.gross_basis' is in the rate card. */
const SOURCES: Readonly<Record<string, string>> = {
  rate_card: 'Rate card', license: 'Agreed terms', terms: 'Agreed terms',
};

/** Undefined where the title says it all. */
function sourceOf(ruleId: string | undefined): string | undefined {
  return SOURCES[/^\w*/.exec(ruleId ?? '')![0]];
}

function titleOf(stage: string): string {
  return STAGES[stage] ?? wordsOf({}, stage);
}

/** Gathered wherever they stand: the kernel writes each line's tax behind the line. */
const GATHERED: readonly string[] = ['charge', 'tax'];
const ONLY_AMOUNT = /^\(?-?[\d.,]+\)?$/;

function linesOf(steps: readonly Step[]): TraceLine[] {
  const seen = new Set<string>();
  return steps.flatMap((step) => {
    const formula = formulaOf(step);
    const key = `${step.label}|${formula}|${step.result_minor}`;
    if (seen.has(key)) return [];
    seen.add(key);
    if (formula === '' || ONLY_AMOUNT.test(formula)) return [{ text: step.label, minor: step.result_minor }];
    return [{ text: step.label }, { text: formula, minor: step.result_minor }];
  });
}

/**
 * Steps of one stage that follow each other become one numbered step; its result is the last of them, or their sum
 * where they are parts beside each other.
 */
export function traceSteps(trace: readonly Step[]): TraceStep[] {
  const groups: { stage: string; steps: Step[] }[] = [];
  for (const step of trace) {
    const home = GATHERED.includes(step.step) ? groups.find((group) => group.stage === step.step) : groups.at(-1);
    if (home?.stage === step.step) home.steps.push(step);
    else groups.push({ stage: step.step, steps: [step] });
  }
  return groups.filter((group) => group.stage !== 'total').map(({ stage, steps }): TraceStep => ({
    title: titleOf(stage), source: sourceOf(steps[0]?.rule_id), lines: linesOf(steps),
    minor: CARRIED.includes(stage) ? steps.at(-1)?.result_minor
      : steps.reduce((sum, step) => sum + step.result_minor, 0),
  }));
}

interface Line { kind: string; net_minor: number }
interface Sums { tax_minor: number; deposit_minor: number; total_minor: number }

/**
 * Royalty + Rental + … + Tax = Total: kinds that are not charged are left out, tax never. A deposit that is given back
 * stands behind the total: it is no part of it. `total` says what the sum is: guaranteed, where a percentage follows.
 */
export function priceStats(lines: readonly Line[], sums: Sums, total: string): Stat[] {
  const kinds = new Map<string, number>([['royalty', 0]]);
  for (const line of lines) {
    const kind = line.kind === 'advance' ? 'royalty' : line.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + line.net_minor);
  }
  const parts: { label: string; minor: number }[] = [
    ...[...kinds].map(([kind, minor]) => ({ label: wordsOf(LINE_KIND_WORDS, kind), minor })),
    { label: 'Tax', minor: sums.tax_minor },
  ];
  return [
    ...parts.map(({ label, minor }, index): Stat => ({
      label, value: formatAmount(minor), ...(index > 0 ? { sign: '+' as const } : {}),
    })),
    { label: total, value: formatAmount(sums.total_minor), sign: '=', strong: true },
    ...(sums.deposit_minor > 0 ? [{ label: 'Refundable deposit', value: formatAmount(sums.deposit_minor) }] : []),
  ];
}

