/** Trace of one accrual: the line that was shared, the matching term, each party's share (X55). */
import { formatMinor } from '#kernel/money/money.ts';
import { spell } from '#kernel/text/english.ts';
import { INCOME_LABELS, agreementEndpoints } from '#modules/catalogue/agreement/agreement.contract.ts';
import { Badge } from '#web/data/badge.tsx';
import { CodeText } from '#web/data/code-text.tsx';
import { DateText } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { accrualState, METHOD_OF_SHARING, rateWords, SALES, statementName } from '../royalty-words.web.ts';
import styles from '../royalty.module.css';
import { accrualEndpoints, type AccrualRow, type AccrualTraceAnswer } from './accrual.contract.ts';
import { lostWords, shareRows } from './share-rows.web.ts';

export function AccrualTrace({ id }: { id: number }) {
  const read = useEndpoint(accrualEndpoints.trace, { params: { id } });
  const trace = read.data?.data.accrual.id === id ? read.data.data : undefined;
  if (read.isError && !trace) {
    return <NotLoaded title="The calculation did not load" read={read} />;
  }
  if (!trace) return <Skeleton height={220} />;
  const { accrual } = trace;
  const state = accrualState(accrual);
  return (
    <div className={styles.stack}>
      <div>
        <p className={styles.figureNote}>{INCOME_LABELS[accrual.income_type]}, earned by {accrual.royaltor_name}</p>
        <p className={styles.row}>
          <span className={styles.figure}>{formatMinor(BigInt(accrual.amount_minor))}</span>
          <span className={styles.figureNote}>{accrual.currency}, <DateText value={accrual.occurred_on} /></span>
          <Badge small tone={state.tone}>{state.label}</Badge>
        </p>
      </div>
      <Sources accrual={accrual} />
      {trace.matched.term_id !== null && <Term trace={trace} />}
      <Shares trace={trace} />
    </div>
  );
}

function Sources({ accrual }: { accrual: AccrualRow }) {
  const may = useMay();
  const agreement = useEndpoint(agreementEndpoints.show, { params: { id: accrual.show_royaltor_id } },
    { enabled: may('show_royaltor.show') }).data?.data;
  const family = agreement?.show_type === 'musical' ? 'musicals' : 'plays';
  const link = (href: string, words: string, allowed: boolean) => (allowed
    ? <AppLink className="gr-link" href={href}>{words}</AppLink> : words);
  const journal = (id: number) => link(`/admin/accounting/transactions/${id}`, `Transaction ${id}`,
    may('transaction.list'));
  return (
    <KeyValue layout="rows" facts={[
      { label: 'Show', value: <span className={styles.work}>{accrual.show_title}</span> },
      agreement?.id === accrual.show_royaltor_id && { label: 'Agreement', value: link(
        `/admin/${family}/${agreement.show_id}/royaltors/${agreement.id}`,
        agreement.contract_no || `Agreement ${agreement.id}`, true) },
      accrual.license_id !== null && { label: spell`License`, value: link(`/admin/quotes/${accrual.license_id}`,
        accrual.license_number ?? spell`License ${accrual.license_id}`, may('license.show')) },
      accrual.box_office_report_id !== null && { label: 'Box-office report',
        value: link(`${SALES}/box-office/${accrual.box_office_report_id}`,
          `Report ${accrual.box_office_report_id}`, may('license.show')) },
      accrual.cost_on !== null && { label: 'Earned on', value: <DateText value={accrual.cost_on} /> },
      accrual.cost_transaction_id !== null && { label: 'Journal of the cost',
        value: journal(accrual.cost_transaction_id) },
      accrual.due_on !== null && { label: 'Due since', value: <DateText value={accrual.due_on} /> },
      accrual.due_transaction_id !== null && { label: 'Journal of the debt',
        value: journal(accrual.due_transaction_id) },
      accrual.statement_id !== null && { label: 'Statement', value: link(
        `${SALES}/statements/${accrual.statement_id}`,
        statementName({ id: accrual.statement_id, number: accrual.statement_number }), may('show_royaltor.show')) },
      accrual.reverses_accrual_id !== null && { label: 'Takes back', value: (
        <AppLink className="gr-link" href={`${SALES}/accruals?accrual=${accrual.reverses_accrual_id}`}>
          Accrual {accrual.reverses_accrual_id}
        </AppLink>) },
    ]} />
  );
}

function Term({ trace }: { trace: AccrualTraceAnswer }) {
  const { accrual, matched, lost } = trace;
  return (
    <section className={styles.stack} aria-label="Term that matched">
      <h3 className={styles.heading}>Term that matched</h3>
      <div className={styles.term}>
        <div className={styles.termHead}>
          <span>{rateWords(accrual.rate_ppm)} of {trace.base_formula || formatAmount(accrual.base_minor)}</span>
          <Badge small tone="ok">{matched.of === 0 ? 'Matches all' : `${matched.matched} of ${matched.of}`}</Badge>
        </div>
        {matched.fields.length > 0 && (
          <ul className={styles.chips}>
            {matched.fields.map((field) => (
              <li key={field.label} className={styles.chip}>{field.label} <strong>{field.wanted}</strong></li>
            ))}
          </ul>
        )}
        {trace.share_formula && <p className={styles.faint}>{trace.share_formula}</p>}
      </div>
      {lost.length > 0 && (
        <ul className={styles.lost} aria-label="Terms that did not apply">
          {lost.map((term) => (
            <li key={term.term_id}><CodeText>{`Term ${term.term_id}`}</CodeText><span>{lostWords(term)}</span></li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Shares({ trace }: { trace: AccrualTraceAnswer }) {
  const rows = shareRows(trace);
  return (
    <section className={styles.stack} aria-label="Royalty split">
      <h3 className={styles.heading}>Split of {formatAmount(trace.amount_minor, trace.accrual.currency)}</h3>
      <table className={styles.shares}>
        <thead><tr><th scope="col">Party</th><th scope="col">Share</th><th scope="col">Exact</th>
          <th scope="col">Got</th></tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} data-own={row.own || undefined}>
              <td>{row.name}</td><td>{row.share}</td><td>{row.exact}</td><td><Money minor={row.paid_minor} /></td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr><td colSpan={3}>Total</td>
            <td><Money minor={rows.reduce((all, row) => all + BigInt(row.paid_minor), 0n)} /></td></tr>
        </tfoot>
      </table>
      <p className={styles.faint}>{METHOD_OF_SHARING[trace.method]}</p>
    </section>
  );
}
