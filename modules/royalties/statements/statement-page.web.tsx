/** One statement: its thirteen steps, the lines behind them and, beside them, how each amount came about. */
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { Money } from '#web/data/money.tsx';
import { divisionAndCurrency } from '#web/layout/division.ts';
import { Columns, PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { AppLink, useIdParam, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { periodWords, SALES, STATEMENT_LOOKS, statementName } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { LineDrawer } from './line-drawer.web.tsx';
import { statementEndpoints, type StatementDetail } from './statement.contract.ts';
import { StatementActions } from './statement-actions.web.tsx';
import { StatementLines, StatementPayments } from './statement-lines.web.tsx';
import { StatementSteps } from './statement-steps.web.tsx';
import { statementSum } from './statement-sum.web.ts';

export default function StatementPage() {
  const id = useIdParam('statementId');
  const read = useEndpoint(statementEndpoints.show, { params: { id } });
  const statement = read.data?.data.id === id ? read.data.data : undefined;
  if (read.isError && !statement) {
    return (
      <RecordProblem noun="statement" list={`${SALES}/statements`} error={read.error}
        onRetry={() => void read.refetch()} />
    );
  }
  return (
    <>
      <PageHeader title={statement?.royaltor_name ?? 'Royalty statement'} back={`${SALES}/statements`}
        activity={statement && { entity: 'royalty_statement', id: statement.id }}
        crumbs={statement && [{ label: statementName(statement) }]}
        badges={statement && (
          <Badge tone={STATEMENT_LOOKS[statement.status].tone}>{STATEMENT_LOOKS[statement.status].label}</Badge>)}
        waiting={!statement}
        subtitle={statement && facts(statement)}>
        {statement && <StatementActions statement={statement} />}
      </PageHeader>
      {statement ? <Body key={statement.id} statement={statement} /> : (
        <PageContent record>{[420, 520, 380].map((width) => <p key={width}><Skeleton width={width} height={18} /></p>)}
        </PageContent>
      )}
    </>
  );
}

function facts(statement: StatementDetail) {
  return [
    <CodeText key="number">{statementName(statement)}</CodeText>, statement.subject, periodWords(statement),
    divisionAndCurrency(statement),
    statement.pay_currency !== statement.currency && `Paid in ${statement.pay_currency}, at the rate of the day`,
    statement.status === 'calculated' && (statement.calculated_by_name
      ? `Calculated by ${statement.calculated_by_name}, needs a second person` : 'Needs an approval'),
  ];
}

function Body({ statement }: { statement: StatementDetail }) {
  // The line that is open stands in the address: it is shown to a colleague by it.
  const { values, set } = useQueryValues();
  const line = statement.lines.find((one) => String(one.id) === values.get('line'));
  const open = line?.id ?? null;
  return (
    <Columns side={line && (
      <LineDrawer key={line.id} line={line} currency={statement.currency} onClose={() => set({ line: null })} />
    )}>
      <PageContent record fullWidth>
        <Notices statement={statement} />
        <StatStrip label="From opening balance to payment" stats={strip(statement)} />
        <div className={styles.paneBox}>
          <div className={styles.panes} data-open={open !== null || undefined}>
            <div className={styles.stepPane}>
              <Section title="Payment calculation" count={statement.currency}>
                <StatementSteps statement={statement} />
              </Section>
            </div>
            <div className={styles.linePane}>
              <StatementLines statement={statement} open={open} onOpen={(id) => set({ line: String(id) })} />
              <StatementPayments statement={statement} />
              <Section title="About this statement"><Facts statement={statement} /></Section>
            </div>
          </div>
        </div>
      </PageContent>
    </Columns>
  );
}

function strip(statement: StatementDetail) {
  return statementSum(statement).map((part) => ({
    label: part.sign === null ? `${part.label}, ${statement.currency}` : part.label,
    value: <Money minor={part.minor} />, ...(part.sign === null ? {} : { sign: part.sign }),
    ...(part.sign === '=' ? { strong: true, tone: part.label === 'Payment' ? 'ok' as const : undefined } : {}),
  }));
}

function Notices({ statement }: { statement: StatementDetail }) {
  if (statement.status === 'void') {
    return <Callout tone="warn" title="This statement is void">{statement.void_reason}</Callout>;
  }
  if (statement.carried_reason) {
    return <Callout tone="info" title="Nothing is paid, the balance is carried">{statement.carried_reason}</Callout>;
  }
  return null;
}

function Facts({ statement }: { statement: StatementDetail }) {
  const may = useMay();
  const link = (href: string, words: string, allowed: boolean) => (allowed
    ? <AppLink className="gr-link" href={href}>{words}</AppLink> : words);
  const by = (name: string | null, at: string | null) => [name, at && formatDay(at)]
    .filter(Boolean).join(', ');
  const runId = statement.royalty_statement_run_id;
  return (
    <KeyValue facts={[
      { label: 'Royaltor', value: link(`/admin/royaltors/${statement.royaltor_id}`,
        `${statement.royaltor_name}, ${statement.royaltor_number}`, may('royaltor.show')) },
      statement.payee_name !== statement.royaltor_name && { label: 'Paid to', value: statement.payee_name },
      runId !== null && { label: 'Run', value: link(`${SALES}/statement-runs/${runId}`, `Run ${runId}`, true) },
      statement.calculated_by_name !== null && { label: 'Calculated by', value: statement.calculated_by_name },
      statement.approved_at !== null && { label: 'Approved by',
        value: by(statement.approved_by_name, statement.approved_at) },
      statement.issued_at !== null && { label: 'Issued', value: <DateText value={statement.issued_at} /> },
      statement.self_billing_number !== null && { label: 'Self-billing invoice',
        value: <CodeText>{statement.self_billing_number}</CodeText> },
      statement.transaction_id !== null && { label: 'Journal', value: link(
        `/admin/accounting/transactions/${statement.transaction_id}`, `Transaction ${statement.transaction_id}`,
        may('transaction.list')) },
      { label: 'Advance still open', value: <Money minor={statement.closing_unrecouped_minor} /> },
      { label: 'Reserve held', value: <Money minor={statement.closing_reserve_minor} /> },
    ]} />
  );
}
