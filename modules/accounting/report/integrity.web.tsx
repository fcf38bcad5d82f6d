/** Integrity report: every invariant of the ledger as a sentence, with what breaks it, which is nothing. */
import { Button } from '#web/controls/button/button.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { InvariantList, ViolationsBadge } from '#web/data/invariant-list.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { accountingTabs } from '../accounting-tabs.ts';
import { reportEndpoints } from './report.contract.ts';

export default function Integrity() {
  const may = useMay();
  const read = useEndpoint(reportEndpoints.integrity, {}, { staleTime: 0 });
  const report = read.data?.data;
  return (
    <>
      <PageHeader title="Ledger integrity" tabs={accountingTabs(may)}
        badges={report && <ViolationsBadge violations={report.violations} />}
        subtitle={report && `${report.invariants.length} invariants, checked over all divisions just now`}>
        <Button pending={read.isFetching} onClick={() => void read.refetch()}>Check again</Button>
      </PageHeader>
      <PageContent>
        {read.isError && <NotLoaded title="The checks could not run" read={read} />}
        {!report && !read.isError && [420, 380, 440].map((width) => <p key={width}><Skeleton width={width} /></p>)}
        {report && <InvariantList invariants={report.invariants} />}
      </PageContent>
    </>
  );
}
