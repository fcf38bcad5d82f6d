/** The integrity report of the whole house: every invariant as a sentence, with what breaks it, which is nothing. */
import { Button } from '#web/controls/button/button.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { InvariantList, ViolationsBadge } from '#web/data/invariant-list.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { systemEndpoints } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

export default function IntegrityPage() {
  const read = useEndpoint(systemEndpoints.integrity, {}, { staleTime: 0 });
  const report = read.data?.data;
  const count = report?.groups.reduce((all, group) => all + group.invariants.length, 0) ?? 0;
  return (
    <>
      <SystemHead title="Integrity" here="/integrity"
        badges={report && <ViolationsBadge violations={report.violations} />}
        waiting={!report && !read.isError}
        subtitle={report && `${count} invariants, checked ${formatInstant(report.at)}; ${
          report.chain.linked.toLocaleString('en-US')} audit events are linked`}>
        <Button pending={read.isFetching} onClick={() => void read.refetch()}>Check again</Button>
      </SystemHead>
      <PageContent>
        {read.isError && !report && <NotLoaded title="The checks could not run" read={read} />}
        {!report && !read.isError && (
          <div className={styles.waiting} aria-busy="true">
            {[420, 380, 440].map((width) => <Skeleton key={width} width={width} height={16} />)}</div>
        )}
        {report?.groups.map((group) => (
          <Section key={group.title} title={group.title} count={group.invariants.length}>
            <InvariantList invariants={group.invariants} />
          </Section>
        ))}
      </PageContent>
    </>
  );
}
