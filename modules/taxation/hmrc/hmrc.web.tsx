/** HMRC beside the VAT return of the UK: connecting, and what HMRC expects, is owed and was paid. */
import { useEffect, useRef, useState } from 'react';
import { declinedInWords } from '#kernel/tax/hmrc.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { DateText, formatDay } from '#web/data/date-text.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { browserFacts } from './browser-facts.web.ts';
import styles from '../returns/vat-return.module.css';
import { hmrcEndpoints, type HmrcAccount, type HmrcConnection } from './hmrc.contract.ts';

type Row<Part extends keyof HmrcAccount> = HmrcAccount[Part][number] & { key: number };

const FRESH_MS = 5 * 60_000;
const days = (from: string | null, to: string | null): string =>
  (from === null || to === null ? '' : `${formatDay(from)} – ${formatDay(to)}`);

const obligationColumns: readonly Column<Row<'obligations'>>[] = [
  { id: 'period', header: 'Period', kind: 'title', fixed: true, width: 240,
    cell: (row) => days(row.period_from, row.period_to) },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => <Badge tone={row.is_open ? 'warn' : 'ok'} small>{row.is_open ? 'Open' : 'Received'}</Badge> },
  { id: 'received', header: 'Received', kind: 'date', cell: (row) => row.received_on, width: 120 },
];
const liabilityColumns: readonly Column<Row<'liabilities'>>[] = [
  { id: 'type', header: 'Charge', kind: 'title', fixed: true, cell: (row) => row.type, width: 240 },
  { id: 'period', header: 'Period', kind: 'muted', width: 220, cell: (row) => days(row.period_from, row.period_to) },
  { id: 'due', header: 'Due', kind: 'date', cell: (row) => row.due_on, width: 120 },
  { id: 'original', header: 'Amount, GBP', kind: 'money', cell: (row) => BigInt(row.original_minor), width: 130 },
  { id: 'open', header: 'Outstanding, GBP', kind: 'money', cell: (row) => BigInt(row.outstanding_minor), width: 130 },
];
const paymentColumns: readonly Column<Row<'payments'>>[] = [
  { id: 'received', header: 'Received', kind: 'title', fixed: true, width: 240,
    cell: (row) => (row.received_on === null ? 'Day not given' : formatDay(row.received_on)) },
  { id: 'amount', header: 'Amount, GBP', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 130 },
];

const numbered = <T,>(rows: readonly T[]): (T & { key: number })[] => rows.map((row, key) => ({ ...row, key }));

export function useHmrcConnection(enabled: boolean): HmrcConnection | undefined {
  return useEndpoint(hmrcEndpoints.connection, { query: { division: 'UK' } }, { enabled }).data?.data;
}

/** Takes what HMRC sent back in the address, once, and clears the address. */
export function useReturnFromHmrc(): void {
  const { values, set } = useQueryValues();
  const taken = useRef(false);
  const connect = useAction(hmrcEndpoints.connect, { refresh: [hmrcEndpoints.connection],
    done: 'The division is connected to HMRC' });
  const [state, code, error] = [values.get('state'), values.get('code'), values.get('error')];
  const description = values.get('error_description') ?? '';
  const { run } = connect;
  useEffect(() => {
    if (!state || taken.current) return;
    taken.current = true;
    set({ division: 'UK', state: null, code: null, error: null, error_description: null, error_code: null });
    if (code) void run({ body: { state, code } });
    else if (error) toast(declinedInWords(error, description), { tone: 'error' });
  }, [state, code, error, description, run, set]);
}

export function HmrcSection({ connection }: { connection: HmrcConnection }) {
  if (connection.state === 'not_configured') return null;
  return (
    <Section title="HMRC" description={connection.environment === 'sandbox'
      ? 'Test environment of HMRC: returns sent to it reach nobody' : undefined}
      right={<ConnectionButtons connection={connection} />}>
      <Connection connection={connection} />
      {connection.state === 'connected' && <Account />}
    </Section>
  );
}

function ConnectionButtons({ connection }: { connection: HmrcConnection }) {
  const may = useMay();
  const [leaving, setLeaving] = useState(false);
  const authorize = useAction(hmrcEndpoints.authorize, {
    onDone: ({ data }) => window.location.assign(data.url) });
  const disconnect = useAction(hmrcEndpoints.disconnect, { refresh: [hmrcEndpoints.connection],
    done: 'Disconnected from HMRC', onDone: () => setLeaving(false) });
  if (!may('transaction.update')) return null;
  return connection.state === 'connected' ? (
    <>
      <Button onClick={() => setLeaving(true)}>Disconnect</Button>
      <ConfirmDialog open={leaving} danger title="Disconnect from HMRC?" confirm="Disconnect" cancel="Keep connection"
        pending={disconnect.pending} onCancel={() => setLeaving(false)}
        text="Returns are then filed by hand until somebody connects again. The permission itself ends when it is
          removed in the account of the business at HMRC."
        onConfirm={() => void disconnect.run({ body: { division: 'UK', version: connection.version } })} />
    </>
  ) : (
    <Button variant="primary" pending={authorize.pending}
      onClick={() => void authorize.run({ body: { division: 'UK' } })}>
      Connect to HMRC
    </Button>
  );
}

const ENDED: Partial<Record<HmrcConnection['state'], string>> = {
  expired: 'The permission has ended: HMRC keeps one for 18 months. Connect to HMRC again.',
  revoked: 'HMRC no longer accepts the permission that was given. Connect to HMRC again.',
};

function Connection({ connection }: { connection: HmrcConnection }) {
  const ended = ENDED[connection.state];
  if (ended) return <Callout tone="warn" title="Not connected to HMRC any more"><p>{ended}</p></Callout>;
  if (connection.state !== 'connected') {
    return <p>Connect the division to file its returns with HMRC. You sign in at HMRC with the account of the business
      and agree there. Until then the figures are copied by hand.</p>;
  }
  return (
    <KeyValue facts={[
      { label: 'Connected by', value: <>{connection.granted_by_name}, <DateText value={connection.granted_at} /></> },
      { label: 'Permission ends',
        value: connection.valid_until !== null && formatDay(connection.valid_until.slice(0, 10)) },
    ]} />
  );
}

function Account() {
  const read = useEndpoint(hmrcEndpoints.account, { body: { division: 'UK', browser: browserFacts() } },
    { staleTime: FRESH_MS });
  if (read.isError) return <NotLoaded title="HMRC’s account could not be read" read={read} />;
  const account = read.data?.data;
  return (
    <>
      <h3 className={styles.part}>Obligations</h3>
      <DataTable label="Obligations at HMRC" variant="record" columns={obligationColumns} rowKey={(row) => row.key}
        rows={account && numbered(account.obligations)}
        empty={{ title: 'No obligations', text: 'HMRC shows the returns that it expects here.' }} />
      <h3 className={styles.part}>Liabilities</h3>
      <DataTable label="Liabilities at HMRC" variant="record" columns={liabilityColumns} rowKey={(row) => row.key}
        rows={account && numbered(account.liabilities)}
        empty={{ title: 'No liabilities', text: 'HMRC has charged nothing in the last year.' }} />
      <h3 className={styles.part}>Payments</h3>
      <DataTable label="Payments at HMRC" variant="record" columns={paymentColumns} rowKey={(row) => row.key}
        rows={account && numbered(account.payments)}
        empty={{ title: 'No payments', text: 'HMRC has received nothing in the last year.' }} />
    </>
  );
}
