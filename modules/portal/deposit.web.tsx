/** A deposit that is asked for: how much, why, until when, and paying it by the ways this house offers. */
import { useState } from 'react';
import type { ResponseOf } from '#kit/endpoint.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { portalDepositEndpoints } from '#modules/receivables/portal/portal-deposit.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { RadioGroup } from '#web/controls/field/radio-group.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useIdParam } from '#web/navigation/navigation.tsx';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { METHOD_NOTES, OnlineState, useIsAsking } from './online-state.web.tsx';
import { PortalHead, QueryBoundary, usePortal, type Portal } from './portal-parts.web.tsx';
import { dayAndReason } from './portal-words.web.ts';
import { CheckTo, ForOthers, OnlyByCheck, Transfer } from './transfer.web.tsx';
import styles from './portal.module.css';

type Deposit = ResponseOf<typeof portalDepositEndpoints.show>['data'];
type Method = Deposit['payment_methods'][number]['method'];
type Props = { deposit: Deposit; portal: Portal };

const STATES: Record<Deposit['status'], { text: string; tone: 'ok' | 'warn' | 'outline' }> = {
  requested: { text: 'To pay', tone: 'warn' }, held: { text: 'Paid', tone: 'ok' },
  settled: { text: 'Settled', tone: 'ok' }, cancelled: { text: 'Withdrawn', tone: 'outline' },
};
const REASONS: Record<Deposit['kind'], string> = {
  security: 'It is yours, and is returned after the production, less what is kept for damage or loss.',
  on_account: 'It is a payment on account, and is set off against your invoice.',
};

const ByTransfer = ({ deposit }: Pick<Props, 'deposit'>) => (
  <Transfer asked={{ ...deposit, balance_minor: deposit.amount_minor }} name="deposit" />
);

function Pay({ deposit, portal }: Props) {
  const [method, setMethod] = useState<Method | null>(deposit.payment_methods[0]?.method ?? null);
  const asking = useIsAsking(deposit.online_payment);
  const pay = useAction(portalDepositEndpoints.pay, { refresh: [portalEndpoints.license],
    onDone: ({ data }) => window.location.assign(data.redirect_to) });
  if (deposit.payment_methods.length === 0) {
    return <OnlyByCheck asked={{ ...deposit, balance_minor: deposit.amount_minor }} />;
  }
  if (!portal.maySee) return <ForOthers><ByTransfer deposit={deposit} /></ForOthers>;
  if (asking || deposit.online_payment?.status === 'processing') return null;
  const reason = portal.held ?? (method === null ? 'Choose how to pay' : undefined);
  const isTest = deposit.payment_methods.some((one) => one.method === method && one.test);
  const failure = pay.failure && (Object.values(pay.failure.fields).flat()[0] ?? pay.failure.message);
  const isOnline = method !== 'bank_transfer' && method !== 'purchase_order';
  return (
    <form className={styles.stack} aria-label="Pay" onSubmit={(event) => {
      event.preventDefault();
      if (!reason && method !== null && isOnline) {
        void pay.run({ params: { id: portal.customerId, depositId: deposit.id }, body: { method } });
      }
    }}>
      {failure && <Callout tone="error" live title={String(failure)} />}
      <RadioGroup label="Payment method" value={method} onChange={setMethod}
        choices={deposit.payment_methods.map((one) => ({ value: one.method, label: one.label,
          note: METHOD_NOTES[one.method] }))} />
      {isTest && <Callout tone="warn" title="Test payment, no money moves" />}
      {isOnline ? (
        <Button type="submit" variant="primary" size="large" wide pending={pay.pending} {...(reason && { reason })}>
          {`Pay ${formatAmount(deposit.amount_minor, deposit.currency)}`}
        </Button>
      ) : <ByTransfer deposit={deposit} />}
    </form>
  );
}

function DepositCard({ deposit, portal }: Props) {
  const { run } = useAction(portalDepositEndpoints.checkPayment, { onFailure: () => undefined });
  const open = deposit.status === 'requested';
  return (
    <Card title={open ? 'To pay' : 'Deposit'} first={open && portal.maySee}>
      <div className={styles.stack}>
        <p className={styles.price}><span>{deposit.currency}</span>{formatAmount(deposit.amount_minor)}</p>
        <p className={styles.muted}>{REASONS[deposit.kind]}{deposit.vat_minor > 0
          && ` It includes ${formatAmount(deposit.vat_minor, deposit.currency)} of VAT.`}</p>
        {open && deposit.due_on && (
          <p className={deposit.overdue ? styles.late : styles.muted}>
            {deposit.overdue ? 'Was due' : 'Due'} {dayAndReason(deposit.due_on, deposit.due_reason)}</p>
        )}
        {deposit.held_on && <p className={styles.muted}>Received {formatDay(deposit.held_on)}, {deposit.receipt_number}.
        </p>}
        <OnlineState payment={deposit.online_payment} {...(portal.maySee && {
          ask: () => void run({ params: { id: portal.customerId, depositId: deposit.id }, body: {} }) })} />
        {open && <Pay deposit={deposit} portal={portal} />}
        {open && <CheckTo to={deposit.check_to} number={deposit.number} />}
      </div>
    </Card>
  );
}

export default function DepositPage() {
  const portal = usePortal();
  const depositId = useIdParam('depositId');
  const read = useEndpoint(portalDepositEndpoints.show, { params: { id: portal.customerId, depositId } });
  return (
    <QueryBoundary read={read} page="Deposit">
      {({ data }) => (
        <>
          <PortalHead title="Deposit" badges={<Badge tone={STATES[data.status].tone}>{STATES[data.status].text}</Badge>}
            back={{ href: `${portal.base}/productions/${data.license_id}/invoices`, text: 'Payments' }}
            facts={[data.number, (
              <AppLink key="p" className="gr-link" href={`${portal.base}/productions/${data.license_id}/overview`}>
                {data.license_title}</AppLink>
            )]} />
          <DepositCard deposit={data} portal={portal} />
        </>
      )}
    </QueryBoundary>
  );
}
