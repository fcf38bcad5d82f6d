/** Postings of a payment, and journals written by hand that concern it: linked and unlinked, which changes no money. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { paymentEndpoints, type PaymentDetail, type PaymentTransaction }
  from '#modules/receivables/payments/payment.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Badge } from '#web/data/badge.tsx';
import type { Column } from '#web/data/column.ts';
import { DataTable } from '#web/data/data-table.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';

type Row = PaymentTransaction;

export function PaymentLinks({ payment }: { payment: PaymentDetail }) {
  const may = useMay();
  const [linking, setLinking] = useState(false);
  const manages = may('payment.manage_transactions');
  const columns: readonly Column<Row>[] = [
    { id: 'number', header: 'Transaction', kind: 'title', cell: (row) => row.number ?? `No. ${row.id}`, width: 180,
      fixed: true },
    { id: 'on', header: 'Date', kind: 'date', cell: (row) => row.transaction_at, width: 120 },
    { id: 'kind', header: 'Kind', kind: 'muted', cell: (row) => row.kind_name, width: 150 },
    { id: 'description', header: 'Description', kind: 'text', cell: (row) => row.description, width: 260 },
    { id: 'link', header: 'Link', kind: 'badge', width: 130, cell: (row) => (row.is_linked
      ? <Badge small tone="info">Linked</Badge> : <Badge small tone="neutral">Own posting</Badge>) },
    { id: 'state', header: 'Status', kind: 'badge', width: 110, cell: (row) => (row.status === 'reversed'
      ? <Badge small tone="warn">Reversed</Badge> : null) },
    { id: 'total', header: 'Total', kind: 'money', cell: (row) => BigInt(row.total_minor), width: 130 },
    { id: 'currency', header: 'Currency', kind: 'code', cell: (row) => row.currency, width: 90 },
    ...(manages && payment.transactions.some((row) => row.is_linked) ? [{ id: 'unlink', header: 'Unlink',
      kind: 'actions' as const, width: 110, cell: (row: Row) => <Unlink payment={payment} row={row} /> }] : []),
  ];
  return (
    <Section title="Ledger transactions" count={payment.transactions.length}
      description="Its own postings, and journals that concern it."
      right={manages && <Button size="small" onClick={() => setLinking(true)}>Link journal</Button>}>
      <DataTable label="Ledger transactions" variant="record" columns={columns} rows={payment.transactions}
        rowKey={(row) => row.id}
        rowHref={(row) => (may('transaction.view') ? `/admin/accounting/transactions/${row.id}` : undefined)}
        empty={payment.status === 'void' ? { title: 'Nothing posted', text: 'It ended before its day came.' }
          : { title: 'Nothing posted yet', text: 'It posts on the day it is made.' }} />
      {linking && <LinkForm payment={payment} onClose={() => setLinking(false)} />}
    </Section>
  );
}

function Unlink({ payment, row }: { payment: PaymentDetail; row: Row }) {
  const unlink = useAction(paymentEndpoints.unlink, { done: 'Journal unlinked', refresh: [paymentEndpoints.list] });
  if (!row.is_linked) return null;
  return (
    <Button size="small" variant="quiet" pending={unlink.pending} onClick={() => void unlink.run({
      params: { id: payment.id, transactionId: row.id } })}>Unlink</Button>
  );
}

function LinkForm({ payment, onClose }: { payment: PaymentDetail; onClose: () => void }) {
  const refresh = useRefresh([paymentEndpoints.list]);
  const form = useResourceForm({
    initial: { transaction_ids: null as number | null },
    submit: ({ transaction_ids: id }) => call(paymentEndpoints.link, { params: { id: payment.id },
      body: { transaction_ids: id === null ? [] : [id] } }),
    onSaved: () => { toast('Journal linked'); void refresh(); onClose(); },
  });
  const source = optionsFrom(paymentEndpoints.candidates, (row) => ({ value: row.id,
    label: row.number ?? `No. ${row.id}`, children: [formatDay(row.transaction_at), row.description,
      formatAmount(row.total_minor, row.currency)].filter(Boolean).join(' · ') }), { params: { id: payment.id } });
  return (
    <Modal open onClose={onClose} title={`Link a journal to ${payment.number}`} width={520}>
      <FormFrame form={form} aria-label="Link a journal">
        <p>Journals and bank entries written by hand on the bank account or the party of this payment. A link changes no
          money.</p>
        <AsyncSelect<number> label="Journal" required {...form.field('transaction_ids')} source={source} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Link journal</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
