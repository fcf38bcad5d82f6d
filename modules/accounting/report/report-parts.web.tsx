/** Parts shared by the reports of the ledger: period fields in the address, the badge of their checks. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { spell } from '#kernel/text/english.ts';
import { DateField } from '#web/controls/field/date-field.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { checkLabels } from './check-words.ts';
import type { ReportCheck } from './report.contract.ts';
import styles from './report.module.css';

type DateName = 'as_of' | 'from' | 'to';
type Dates = { [name in DateName]?: string | null | undefined };

/** The dates that the address asks for, under the names of the wire; what it leaves out the report decides. */
export function useReportDates(...names: DateName[]): Record<string, string> {
  const { values } = useQueryValues();
  return Object.fromEntries(names.flatMap((name) => {
    const day = values.get(name);
    return day ? [[name, day]] : [];
  }));
}

interface DatesProps { names: readonly DateName[]; taken?: Dates | undefined }

/** Fields for the dates in the address; where it has none they show the days that the report took. */
export function DateFields({ names, taken }: DatesProps) {
  const { values, set } = useQueryValues();
  return names.map((name) => (
    <DateField key={name} label={LABELS[name]} value={values.get(name) ?? taken?.[name] ?? null}
      onChange={(chosen) => set({ [name]: chosen, page: null })} />
  ));
}

/** The dates of a report as they stand on paper, where fields are left out. */
export function DatesOnPaper({ names, taken }: DatesProps) {
  const { values } = useQueryValues();
  const day = (name: DateName) => values.get(name) ?? taken?.[name] ?? null;
  return (
    <p data-print="only">
      {names.filter(day).map((name) => `${LABELS[name]} ${formatDay(day(name))}`).join(' · ')}
    </p>
  );
}

/** The dates in a row of their own, between what else the report is asked by: an account, a comparison. */
export function ReportDates({ before, after, ...dates }: DatesProps & { before?: ReactNode; after?: ReactNode }) {
  return (
    <>
      <div className={styles.dates} data-print="hide">
        {before && <div className={styles.account}>{before}</div>}
        <DateFields {...dates} />
        {after}
      </div>
      <DatesOnPaper {...dates} />
    </>
  );
}

/** Below a report's title until its facts are there: nothing moves when they come. */
export const WAITING = [<Skeleton key="waiting" width={180} />];

const LABELS: Record<DateName, string> = { from: 'From', to: 'To', as_of: 'As of' };

/** A failed check is an incident, never hidden by a plug (accounting.md 3). */
export function Checks({ checks }: { checks: readonly ReportCheck[] }) {
  const failed = checks.filter((check) => !check.ok);
  const counted = (count: number): string => (count === 1 ? '1 check' : `${count} checks`);
  if (failed.length === 0) return <Badge tone="ok" icon={CircleCheck}>{`${counted(checks.length)} passed`}</Badge>;
  return <Badge tone="error" icon={TriangleAlert}>{`${counted(failed.length)} failed`}</Badge>;
}

/** A check of accounts counts them; the others compare amounts. */
function foundOf({ name, expected, actual }: ReportCheck): string {
  if (name.startsWith('accounts_without')) return `${actual} without`;
  if (name === 'translation_difference_explained') return `${actual} not explained`;
  return `expected ${formatAmount(expected)}, found ${formatAmount(actual)}`;
}

export function FailedChecks({ checks }: { checks: readonly ReportCheck[] }) {
  const failed = checks.filter((check) => !check.ok);
  if (failed.length === 0) return null;
  return (
    <Callout tone="error" title="This report does not add up">
      {failed.map((check) => (
        <p key={check.name}>{`${checkLabels(spell)[check.name] ?? check.name}: ${foundOf(check)}.`}</p>
      ))}
    </Callout>
  );
}
