/** The lines behind a statement, by section with their sums, and the payments that settled it. */
import { spell } from '#kernel/text/english.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { PAYMENT_LOOKS, rateWords, SECTION_WORDS } from '../royalty-words.web.ts';
import { sectionsOf, type LineSection } from './line-sections.web.ts';
import type { StatementDetail } from './statement.contract.ts';

type Line = StatementDetail['lines'][number];

function columnsOf(section: LineSection): readonly Column<Line>[] {
  const earned = section.lines.some((line) => line.rate_ppm !== null);
  return [
    { id: 'description', header: 'Of', kind: 'title', cell: (line) => line.description, width: 290, fixed: true },
    ...(earned ? [
      { id: 'performances', header: 'Performances', kind: 'number' as const, cell: (line: Line) => line.performances,
        width: 110 },
      { id: 'gross', header: spell`Gross receipts`, kind: 'money' as const, width: 120,
        cell: (line: Line) => line.gross_minor },
      { id: 'base', header: 'Shared', kind: 'money' as const, cell: (line: Line) => line.base_minor, width: 120 },
      { id: 'rate', header: 'Rate', kind: 'number' as const, width: 80,
        cell: (line: Line) => (line.rate_ppm === null ? '' : rateWords(line.rate_ppm)) },
    ] : []),
    { id: 'amount', header: 'Amount', kind: 'money', cell: (line) => line.amount_minor, total: section.total_minor,
      width: 120 },
  ];
}

export function StatementLines({ statement, open, onOpen }: {
  statement: StatementDetail; open: number | null; onOpen: (line: number) => void;
}) {
  return sectionsOf(statement.lines).map((section) => {
    const explained = section.lines.some((line) => line.accrual_ids.length > 0);
    return (
      <Section key={section.name} title={SECTION_WORDS[section.name]} count={section.lines.length}
        description={explained ? 'Open a line to see the report, the agreement and the sharing behind it.' : undefined}>
        <DataTable label={SECTION_WORDS[section.name]} variant="record" columns={columnsOf(section)}
          rows={section.lines} rowKey={(line) => line.id} totalLabel="Total" current={open}
          {...(explained ? { onOpen: (line: Line) => onOpen(line.id) } : {})} />
      </Section>
    );
  });
}

type Payment = StatementDetail['payments'][number];
const payments: readonly Column<Payment>[] = [
  { id: 'number', header: 'Payment', kind: 'title', cell: (row) => row.number, width: 200, fixed: true },
  { id: 'payee', header: 'Paid to', kind: 'text', width: 220,
    cell: (row) => (row.is_commission ? `${row.payee_name}, commission` : row.payee_name) },
  { id: 'paid_on', header: 'Day', kind: 'date', cell: (row) => row.paid_on, width: 130 },
  { id: 'status', header: 'Status', kind: 'badge', width: 130, cell: (row) => {
    const look = PAYMENT_LOOKS[row.status];
    return <Badge small tone={look?.tone}>{look?.label ?? row.status}</Badge>;
  } },
  { id: 'gross', header: 'Royalty', kind: 'money', cell: (row) => row.gross_minor, width: 130 },
  { id: 'wht', header: 'Tax withheld', kind: 'money', cell: (row) => row.wht_minor, width: 130 },
  { id: 'paid', header: 'Paid', kind: 'money', cell: (row) => row.paid_minor, width: 130 },
];

export function StatementPayments({ statement }: { statement: StatementDetail }) {
  if (statement.payments.length === 0) return null;
  return (
    <Section title="Payments" count={statement.payments.length}>
      <DataTable label="Payments" variant="record" columns={payments} rows={statement.payments}
        rowKey={(row) => row.payment_id} />
    </Section>
  );
}
