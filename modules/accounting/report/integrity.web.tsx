/** Integrity report: every invariant of the ledger as a sentence, with what breaks it, which is nothing. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Button } from '#web/controls/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.web.ts';
import { reportEndpoints } from './report.contract.ts';

export default function Integrity() {
  const may = useMay();
  const read = useEndpoint(reportEndpoints.integrity, {}, { staleTime: 0 });
  const report = read.data?.data;
  const badge = report && (report.violations === 0
    ? <Badge tone="ok" icon={CircleCheck}>No violations</Badge>
    : <Badge tone="error" icon={TriangleAlert}>{`${report.violations} violations`}</Badge>);
  return (
    <>
      <PageHeader title="Ledger integrity" tabs={accountingTabs(may)} badges={badge}
        subtitle={report && `${report.invariants.length} invariants, read over all divisions just now`}>
        <Button pending={read.isFetching} onClick={() => void read.refetch()}>Check again</Button>
      </PageHeader>
      <PageContent>
        {read.isError && <EmptyState title="The checks could not run" text={read.error.message} />}
        {!report && !read.isError && [420, 380, 440].map((width) => <p key={width}><Skeleton width={width} /></p>)}
        {report?.invariants.map((row) => (
          <Section key={row.key} title={row.title} right={row.ok
            ? <Badge tone="ok" icon={CircleCheck} small>Holds</Badge>
            : <Badge tone="error" icon={TriangleAlert} small>{`${row.violations} broken`}</Badge>}>
            {row.rows.length > 0 && <pre>{row.rows.map((one) => JSON.stringify(one)).join('\n')}</pre>}
          </Section>
        ))}
      </PageContent>
    </>
  );
}
