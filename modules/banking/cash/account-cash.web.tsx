/** A bank account over the year, and what the next four weeks are expected to move. */
import { TwinBars } from '#web/charts/twin-bars.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { cashEndpoints, type AccountCash } from './cash.contract.ts';

/** '2026-11-01' as 'November 2026' or 'Nov'. */
function monthWords(month: string, style: 'long' | 'short'): string {
  return new Intl.DateTimeFormat('en-US', { month: style, ...(style === 'long' ? { year: 'numeric' } : {}),
    timeZone: 'UTC' }).format(new Date(`${month}T00:00:00Z`));
}

type Week = AccountCash['forecast'][number];
const columns: readonly Column<Week>[] = [
  { id: 'week', header: 'Week', kind: 'title', cell: (week) => `${formatDay(week.from)} to ${formatDay(week.to)}`,
    width: 260 },
  { id: 'in', header: 'Expected in', kind: 'money', cell: (week) => BigInt(week.in_minor), width: 150 },
  { id: 'out', header: 'Expected out', kind: 'money', cell: (week) => BigInt(-week.out_minor), width: 150 },
  { id: 'balance', header: 'Balance', kind: 'money', cell: (week) => BigInt(week.balance_minor), width: 150 },
];

export default function AccountCashSection({ id, currency }: { id: number; currency: string }) {
  const cash = useEndpoint(cashEndpoints.show, { params: { id } }).data?.data;
  if (!cash) return null;
  return (
    <>
      <Section title="Balance over the year">
        <TwinBars currency={currency} partialLabel="Month not over"
          upper={{ label: 'Ledger balance', total_minor: cash.ledger_minor }}
          lower={{ label: 'Money out, 12 months' }}
          bars={cash.months.map((month, at) => ({ label: monthWords(month.month, 'short'),
            title: monthWords(month.month, 'long'), upper_minor: month.balance_minor, lower_minor: month.out_minor,
            partial: at === cash.months.length - 1 }))} />
      </Section>
      <Section title="Next four weeks" description={cash.is_default
        ? 'Open invoices and bills by their due date, those overdue in the first week, and prepared payments.'
        : 'Prepared payments. Invoices and bills are expected on the default account of the currency.'}>
        <DataTable label="Forecast of four weeks" variant="record" columns={columns} rows={cash.forecast}
          rowKey={(week) => week.from} searchable={false} />
      </Section>
    </>
  );
}
