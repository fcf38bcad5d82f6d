/** The state of the installation: the overview, and everything that the server needs. */
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react';
import { Button } from '#web/controls/button/button.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { systemEndpoints, type Health, type HealthCheck } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

const LOOKS = {
  ok: { tone: 'ok', icon: CircleCheck, word: 'Well' },
  warn: { tone: 'warn', icon: TriangleAlert, word: 'Look at it' },
  fail: { tone: 'error', icon: CircleX, word: 'Broken' },
} as const;

function StateBadge({ state, small }: { state: Health['state']; small?: boolean }) {
  const look = LOOKS[state];
  return <Badge tone={look.tone} icon={look.icon} small={small}>{look.word}</Badge>;
}

function useHealth() {
  return useEndpoint(systemEndpoints.health, {}, { staleTime: 0, refetchInterval: 30_000 });
}

function Checks({ checks }: { checks: readonly HealthCheck[] }) {
  return (
    <ul className={styles.rows}>
      {checks.map((check) => (
        <li key={check.key}><strong>{check.label}</strong><span>{check.text}</span>
          <StateBadge state={check.state} small /></li>
      ))}
    </ul>
  );
}

function Waiting() {
  return <div className={styles.waiting} aria-busy="true">
    {[420, 380, 440, 360].map((width) => <Skeleton key={width} width={width} height={16} />)}</div>;
}

export function HealthPage() {
  const read = useHealth();
  const health = read.data?.data;
  return (
    <>
      <SystemHead title="Health" here="/health" badges={health && <StateBadge state={health.state} />}
        waiting={!health && !read.isError}
        subtitle={health && `As of ${formatInstant(health.at)}`}>
        <Button pending={read.isFetching} onClick={() => void read.refetch()}>Check again</Button>
      </SystemHead>
      <PageContent>
        {read.isError && !health && <NotLoaded title="The server did not say" read={read} />}
        {!health && !read.isError && <Waiting />}
        {health && (
          <>
            <Section title="Server requirements"><Checks checks={health.checks} /></Section>
            <Section title="This installation"><KeyValue facts={health.facts} layout="rows" /></Section>
          </>
        )}
      </PageContent>
    </>
  );
}

const PLACES = [
  ['/system/integrity', 'Integrity', 'Every invariant of books, audit trail and jobs, with what breaks it'],
  ['/system/divisions', 'Divisions', 'Names, addresses and home countries; currencies and fiscal years are fixed'],
  ['/system/jobs', 'Jobs', 'Background jobs, failures and retries'],
  ['/system/audit', 'Audit', 'Every change with person, time, address and acting-for'],
  ['/system/mail', 'Outbox', 'The mail that was written, is waiting or could not be delivered'],
  ['/system/settings', 'Settings', 'Two-factor of staff, how long things are kept, what the server started with'],
] as const;

export function SystemPage() {
  const read = useHealth();
  const health = read.data?.data;
  const wrong = health?.checks.filter((check) => check.state !== 'ok') ?? [];
  return (
    <>
      <SystemHead title="System" here="" subtitle="For those who look after this installation"
        badges={health && <StateBadge state={health.state} />} />
      <PageContent>
        {read.isError && !health && <NotLoaded title="The server did not say" read={read} />}
        {!health && !read.isError && <Waiting />}
        {health && (wrong.length === 0
          ? <Callout tone="ok" title="Everything is well">Database, jobs, mail, storage and the audit chain answer as
            they should. <AppLink href="/system/health" className="gr-link">See the figures</AppLink></Callout>
          : <Section title="Needs a look" count={wrong.length}><Checks checks={wrong} /></Section>)}
        <Section title="Locations">
          <ul className={styles.places}>
            {PLACES.map(([href, name, text]) => (
              <li key={href}><AppLink href={href}><strong>{name}</strong><span>{text}</span></AppLink></li>
            ))}
          </ul>
        </Section>
      </PageContent>
    </>
  );
}
