/** The integrity report of the whole house: every invariant as a sentence, with what breaks it, which is nothing. */
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { Button } from '#web/controls/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type InvariantRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

export default function IntegrityPage() {
  const read = useEndpoint(systemEndpoints.integrity, {}, { staleTime: 0 });
  const report = read.data?.data;
  const count = report?.groups.reduce((all, group) => all + group.invariants.length, 0) ?? 0;
  return (
    <>
      <SystemHead title="Integrity" here="/integrity" badges={report && (report.violations === 0
        ? <Badge tone="ok" icon={CircleCheck}>No violations</Badge>
        : <Badge tone="error" icon={TriangleAlert}>{`${report.violations.toLocaleString('en-US')} violations`}</Badge>)}
        subtitle={report && `${count} invariants, checked ${formatInstant(report.at)}; ${
          report.chain.linked.toLocaleString('en-US')} audit events are linked`}>
        <Button pending={read.isFetching} onClick={() => void read.refetch()}>Check again</Button>
      </SystemHead>
      <PageContent>
        {read.isError && !report && (
          <EmptyState role="alert" title="The checks could not run" text={read.error.message}
            action={<Button onClick={() => void read.refetch()}>Try again</Button>} />
        )}
        {!report && !read.isError && (
          <div className={styles.waiting} aria-busy="true">
            {[420, 380, 440].map((width) => <Skeleton key={width} width={width} height={16} />)}</div>
        )}
        {report?.groups.map((group) => (
          <Section key={group.title} title={group.title} count={group.invariants.length}>
            <ul className={styles.rules}>{group.invariants.map((one) => <Rule key={one.key} rule={one} />)}</ul>
          </Section>
        ))}
      </PageContent>
    </>
  );
}

function Rule({ rule }: { rule: InvariantRow }) {
  return (
    <li>
      <div className={styles.rule}>
        <p>{rule.title}</p>
        {rule.ok ? <Badge tone="ok" icon={CircleCheck} small>Holds</Badge>
          : (
            <Badge tone="error" icon={TriangleAlert} small>
              {`${rule.violations.toLocaleString('en-US')} broken`}</Badge>
          )}
      </div>
      {rule.rows.length > 0 && (
        <pre className={styles.broken} tabIndex={0} aria-label="What breaks it">
          {rule.rows.map((row) => Object.entries(row).map(([key, value]) => `${key}: ${String(value)}`).join(', '))
            .join('\n')}
        </pre>
      )}
    </li>
  );
}
