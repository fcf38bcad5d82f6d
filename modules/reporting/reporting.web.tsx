/** Reports that the reader may open, each with what it answers. */
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { REPORT_GROUPS, reportingEndpoints, type ReportRow } from './reporting.contract.ts';
import styles from './reporting.module.css';

export default function Reporting() {
  const read = useEndpoint(reportingEndpoints.list, {});
  const rows = read.data?.data;
  return (
    <>
      <PageHeader title="Reporting" subtitle="Each answers one question; every list can be exported as well" />
      <PageContent>
        {read.isError && !rows && <NotLoaded title="The reports could not be listed" read={read} />}
        {!rows && !read.isError && (
          <div aria-busy="true">
            {[420, 380, 440].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
          </div>
        )}
        {rows?.length === 0 && (
          <EmptyState title="No report is open to you" text="Your rights open none of the reports." />
        )}
        {rows && REPORT_GROUPS.map((group) => {
          const reports = rows.filter((row) => row.group === group);
          return reports.length > 0 && <Section key={group} title={group}><Reports rows={reports} /></Section>;
        })}
      </PageContent>
    </>
  );
}

function Reports({ rows }: { rows: readonly ReportRow[] }) {
  return (
    <ul className={styles.reports}>
      {rows.map((row) => (
        <li key={row.key}>
          <AppLink href={row.href}><strong>{row.title}</strong><span>{row.text}</span></AppLink>
        </li>
      ))}
    </ul>
  );
}
