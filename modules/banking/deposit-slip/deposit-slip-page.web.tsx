/** One deposit slip: its receipts, the paper for the bank, and its deposit; the page that makes one. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { DIVISION_LABELS } from '#kit/field.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useTypedName } from '#web/controls/field/typed-name.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Badge } from '#web/data/badge.tsx';
import { Callout } from '#web/data/callout.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { RecordProblem } from '#web/layout/record-problem.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BANK_ACCOUNTS, DEPOSIT_SLIPS } from '../banking-tabs.ts';
import { depositSlipEndpoints, type DepositItem, type DepositSlipDetail } from './deposit-slip.contract.ts';
import { DepositSlipForm } from './deposit-slip-form.web.tsx';
import { METHOD_WORDS, slipBadge } from './slip-words.web.tsx';

const useChanged = () => useRefresh([depositSlipEndpoints.list, depositSlipEndpoints.undeposited,
  depositSlipEndpoints.waiting]);

export function DepositSlipCreate() {
  const { go } = useNavigation();
  const refresh = useChanged();
  return (
    <>
      <PageHeader title="New deposit slip" back={DEPOSIT_SLIPS} />
      <PageContent record>
        <DepositSlipForm row={null} onSaved={(row) => {
          toast(`${row.number} created`);
          void refresh();
          go(`${DEPOSIT_SLIPS}/${row.id}`, { replace: true });
        }} />
      </PageContent>
    </>
  );
}

export function DepositSlipPage() {
  const may = useMay();
  const id = useIdParam('depositSlipId');
  const read = useEndpoint(depositSlipEndpoints.show, { params: { id } });
  const row = read.data?.data;
  if (read.isError && !row) {
    return <RecordProblem noun="deposit slip" list={DEPOSIT_SLIPS} error={read.error}
      onRetry={() => void read.refetch()} />;
  }
  return (
    <>
      <PageHeader title={row ? `Deposit slip ${row.number}` : 'Deposit slip'} back={DEPOSIT_SLIPS} waiting={!row}
        activity={row && { entity: 'deposit_slip', id: row.id }} badges={row && slipBadge(row)}
        subtitle={row && [
          may('bank_account.show') ? <AppLink key="account" href={`${BANK_ACCOUNTS}/${row.bank_account_id}`}
            className="gr-link">{row.bank_account}</AppLink> : row.bank_account,
          DIVISION_LABELS[row.division], formatDay(row.deposited_on), formatAmount(row.amount_minor, row.currency)]}>
        {row && <Actions row={row} />}
      </PageHeader>
      <PageContent record fullWidth>
        {row ? <Body row={row} />
          : [240, 420].map((width) => <p key={width}><Skeleton width={width} height={16} /></p>)}
      </PageContent>
    </>
  );
}

const columns: readonly Column<DepositItem>[] = [
  { id: 'number', header: 'Receipt', kind: 'title', cell: (row) => row.number, fixed: true, width: 170 },
  { id: 'from', header: 'From', kind: 'text', cell: (row) => row.party_name, width: 240 },
  { id: 'method', header: 'Payment method', kind: 'muted', cell: (row) => METHOD_WORDS[row.method], width: 140 },
  { id: 'reference', header: 'Reference', kind: 'code', cell: (row) => row.reference, width: 160 },
  { id: 'received_on', header: 'Received', kind: 'date', cell: (row) => row.received_on, width: 120 },
  { id: 'amount', header: 'Amount', kind: 'money', cell: (row) => BigInt(row.amount_minor), width: 140 },
  { id: 'state', header: 'Status', kind: 'badge', width: 120,
    cell: (row) => (row.status === 'returned' ? <Badge tone="error" small>Returned</Badge> : null) },
];

function Body({ row }: { row: DepositSlipDetail }) {
  const may = useMay();
  return (
    <>
      {row.reversal_reason !== null && (
        <Callout tone="info" title="Taken back">
          {row.reversal_reason}. The receipts wait to be deposited again.
        </Callout>
      )}
      {row.memo !== '' && <p>{row.memo}</p>}
      <Section title="Checks and cash">
        <DataTable label="Checks and cash" columns={columns} rows={row.items} rowKey={(one) => one.payment_id}
          variant="record" rowHref={(one) => (may('payment.show')
            ? `/admin/accounts-receivable/payments/${one.payment_id}` : undefined)}
          empty={{ title: 'No receipts', text: 'The slip was discarded before anything was put on it.' }} />
      </Section>
    </>
  );
}

type OpenDialog = 'change' | 'deposit' | 'take-back' | null;

function Actions({ row }: { row: DepositSlipDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const refresh = useChanged();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const end = () => setDoing(null);
  const discard = useAction(depositSlipEndpoints.discard, { done: `${row.number} was discarded`,
    refresh: [depositSlipEndpoints.list, depositSlipEndpoints.undeposited, depositSlipEndpoints.waiting] });
  const drafted = row.status === 'draft' && may('bank_transaction.update');
  const menu = [
    ...(row.transaction_id !== null && may('transaction.view') ? [{ label: 'Posting',
      onSelect: () => go(`/admin/accounting/transactions/${row.transaction_id}`) }] : []),
    ...(drafted ? [{ label: 'Change', onSelect: () => setDoing('change') },
      { label: 'Discard', danger: true, divided: true, onSelect: () => void discard.run({ params: { id: row.id },
        body: { version: row.version } }) }] : []),
    ...(row.status === 'deposited' && may('transaction.update')
      ? [{ label: 'Take back deposit', danger: true, divided: true, onSelect: () => setDoing('take-back') }] : []),
  ];
  return (
    <>
      <PdfLink href={`/api/admin/staff/accounting/deposit_slips/${row.id}/document`}
        title={`Deposit slip ${row.number}`} fileName={`deposit-${row.number}.pdf`}>PDF</PdfLink>
      {drafted && <Button variant="primary" onClick={() => setDoing('deposit')}>Record deposit</Button>}
      {menu.length > 0 && <ActionMenu actions={menu} label={`Actions of ${row.number}`} />}
      {doing === 'change' && (
        <Modal open onClose={end} title={`Change ${row.number}`} width={640}>
          <DepositSlipForm row={row} onSaved={() => { toast(`${row.number} saved`); void refresh(); end(); }} />
        </Modal>
      )}
      {doing === 'deposit' && <DepositForm row={row} onClose={end} />}
      {doing === 'take-back' && <TakeBackForm row={row} onClose={end} />}
    </>
  );
}

function DepositForm({ row, onClose }: { row: DepositSlipDetail; onClose: () => void }) {
  const refresh = useChanged();
  const form = useResourceForm({
    initial: { deposited_on: row.deposited_on as string | null },
    submit: ({ deposited_on }) => call(depositSlipEndpoints.deposit, { params: { id: row.id },
      body: { version: row.version, deposited_on: deposited_on ?? '' } }),
    onSaved: () => { toast(`${row.number} is deposited`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Deposit ${row.number}`} width={480}>
      <FormFrame form={form} aria-label="Deposit">
        <p>{`${formatAmount(row.amount_minor, row.currency)} moves from Undeposited funds to ${row.bank_account}, as `
          + 'one line that the bank’s line is matched with.'}</p>
        <DateField label="Deposited on" required {...form.field('deposited_on')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Deposit {formatAmount(row.amount_minor, row.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Takes back what is posted, so that the number is typed first (U12). */
function TakeBackForm({ row, onClose }: { row: DepositSlipDetail; onClose: () => void }) {
  const refresh = useChanged();
  const typed = useTypedName(row.number, true);
  const form = useResourceForm({
    initial: { reason: '' },
    submit: ({ reason }) => call(depositSlipEndpoints.takeBack, { params: { id: row.id },
      body: { version: row.version, reason } }),
    onSaved: () => { toast(`${row.number} was taken back`); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Take back ${row.number}`} width={480}>
      <FormFrame form={form} aria-label="Taking back">
        <p>Its posting is reversed today. The receipts wait in Undeposited funds again.</p>
        <TextField label="Reason" required rows={2} {...form.field('reason')} maxLength={500} />
        {typed.field}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending} reason={typed.held}>Take back deposit</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
