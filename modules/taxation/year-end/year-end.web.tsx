/** Year-end forms of a division: what is missing, the forms by kind, thresholds. */
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { divisionLabel, useDivision } from '#web/layout/division.ts';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useLoadedRows } from '#web/query/use-loaded-rows.ts';
import { FORM_TITLES } from '#kernel/tax/year-end-forms.ts';
import { returnTabs } from '../return-tabs.ts';
import { FormSection } from './year-end-section.web.tsx';
import { Thresholds } from './threshold-form.web.tsx';
import { LEFT_OUT_WORDS, PROBLEM_WORDS } from './year-end-words.web.ts';
import { yearEndEndpoints, type YearEndProblemRow, type YearEndReport } from './year-end.contract.ts';
import styles from './year-end.module.css';

/** Years that the choice offers, the last whole one first. */
const YEARS = 7;

const problemColumns: readonly Column<YearEndProblemRow>[] = [
  { id: 'name', header: 'Payee', kind: 'title', cell: (row) => row.name, fixed: true, width: 240 },
  { id: 'problem', header: 'Missing', kind: 'text', cell: (row) => PROBLEM_WORDS[row.problem], width: 320 },
  { id: 'form', header: 'Form', kind: 'muted', cell: (row) => FORM_TITLES[row.form], width: 110 },
  { id: 'amount', header: 'Paid', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
];

type LeftOutRow = YearEndReport['left_out'][number];
const leftOutColumns: readonly Column<LeftOutRow>[] = [
  { id: 'reason', header: 'Reason', kind: 'title', cell: (row) => LEFT_OUT_WORDS[row.reason], fixed: true, width: 280 },
  { id: 'payments', header: 'Payments', kind: 'number', cell: (row) => row.payments, width: 110 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 140 },
  { id: 'withheld', header: 'Tax withheld', kind: 'money', cell: (row) => BigInt(row.withheld_minor), width: 130 },
];

export default function YearEndPage() {
  const may = useMay();
  const [division] = useDivision();
  const { values, set } = useQueryValues();
  const last = Number(today().slice(0, 4)) - 1;
  const year = Number(values.get('year')) || last;
  const read = useEndpoint(yearEndEndpoints.report, { query: { division, year } });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title="Year-end forms" division tabs={returnTabs('year_end', may)}
        badges={report && <Check report={report} />}
        subtitle={report ? [divisionLabel(division), String(report.year), report.currency,
          report.payer_tin === null && may('transaction.list') && division !== 'UK' && division !== 'EU'
            ? <AppLink key="tin" href={`/admin/accounting/tax-registrations?division=${division}`}>
              Enter the employer identification number</AppLink> : report.payer_tin]
          : [<Skeleton key="waiting" width={180} />]} />
      <PageContent fullWidth>
        <div className={styles.year} data-print="hide">
          <AsyncSelect label="Year" value={String(year)} onChange={(chosen) => set({ year: chosen })}
            options={Array.from({ length: YEARS }, (_, back) => String(last + 1 - back))
              .map((value) => ({ value, label: value }))} />
        </div>
        {read.isError && <NotLoaded title="The forms could not be read" read={read} />}
        {!report && !read.isError && [420, 380, 400].map((width) =>
          <p key={width}><Skeleton width={width} height={18} /></p>)}
        {report && <Report key={`${report.division} ${report.year}`} report={report} />}
      </PageContent>
    </>
  );
}

function Check({ report }: { report: YearEndReport }) {
  const failed = report.checks.some((check) => !check.ok);
  return <Badge tone={failed ? 'error' : 'ok'}>{failed ? 'Differs from the payments' : 'Ties to the payments'}</Badge>;
}

function Report({ report }: { report: YearEndReport }) {
  const readProblems = useLoadedRows(report.problems);
  const readLeftOut = useLoadedRows(report.left_out);
  const us = report.division === 'US' || report.division === 'PROD';
  return (
    <>
      {report.problems.length > 0 && (
        <Section title="To mend" count={report.problems.length}
          description="Ask for the form or number, and enter it on the payee">
          <DataTable label="Missing information" columns={problemColumns} rows={report.problems} readPage={readProblems}
            variant="record" rowKey={(row) => row.key} rowHref={(row) => row.href} />
        </Section>)}
      {us && report.payer_tin === null && (
        <Callout tone="warn" title="The number of the payer is missing">
          Enter the employer identification number of the division under Tax registrations: country US.
        </Callout>)}
      {report.forms.map((section) => <FormSection key={section.form} report={report} section={section} />)}
      <Section title="On no form" description="Payments of the year that are not reported here, with the reason">
        <DataTable label="On no form" columns={leftOutColumns} rows={report.left_out} readPage={readLeftOut}
          variant="record" rowKey={(row) => row.reason}
          empty={{ title: 'Every payment is on a form', text: 'Payments by card and below a threshold appear here.' }}
        />
      </Section>
      {us && <Thresholds report={report} />}
    </>
  );
}
