/** Actions on a bill: submit, approve, hold, void, apply a credit. */
import { lazy, Suspense, useState } from 'react';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { TrashButton } from '#web/layout/trash-list.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { SCHEDULES } from '../bill-schedule/schedule-words.web.tsx';
import type { BillDialogKind } from './bill-dialogs.web.tsx';
import { BILLS } from './bill-words.web.tsx';
import { billEndpoints, type BillDetail } from './bill.contract.ts';

const BillDialog = lazy(() => import('./bill-dialogs.web.tsx'));
const READS = [billEndpoints.list, billEndpoints.payable];

export function BillActions({ bill }: { bill: BillDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<BillDialogKind | null>(null);
  const args = { params: { id: bill.id }, body: { version: bill.version } };
  const submit = useAction(billEndpoints.submit, { done: `${bill.number} awaits approval`, refresh: READS });
  const recall = useAction(billEndpoints.recall, { done: `${bill.number} is a draft again`, refresh: READS });
  const release = useAction(billEndpoints.release, { done: `${bill.number} is released`, refresh: READS });
  const isLive = bill.state === 'approved' || bill.state === 'part_paid';
  const isOpen = isLive || bill.state === 'draft' || bill.state === 'submitted';
  const menu = [
    ...(bill.transaction_id !== null && may('transaction.view') ? [{ label: 'Posting',
      onSelect: () => go(`/admin/accounting/transactions/${bill.transaction_id}`) }] : []),
    ...(bill.kind === 'bill' && bill.lines.length > 0 && may('bill.create') ? [{ label: 'Make recurring',
      onSelect: () => go(`${SCHEDULES}/create?bill_id=${bill.id}`) }] : []),
    ...(bill.state === 'submitted' && may('bill.update') ? [{ label: 'Recall',
      onSelect: () => void recall.run(args) }] : []),
    ...(isOpen && may('bill.update') ? [bill.hold_reason === null
      ? { label: 'Put on hold', onSelect: () => setDoing('hold') }
      : { label: 'Release from hold', onSelect: () => void release.run(args) }] : []),
    ...(bill.kind === 'bill' && isLive && bill.open_counterparts.length > 0 && may('payment.updateStatus')
      ? [{ label: 'Apply vendor credit', onSelect: () => setDoing('credit') }] : []),
    ...(bill.state === 'approved' && may('payment.updateStatus') ? [{ label: 'Void', danger: true, divided: true,
      onSelect: () => setDoing('void') }] : []),
  ];
  return (
    <>
      {bill.state === 'draft' && may('bill.delete') && (
        <TrashButton row={bill} list={BILLS} endpoints={billEndpoints} text="You can restore it from the trash." />)}
      {bill.state === 'draft' && may('bill.update') && (
        <Button variant="primary" pending={submit.pending} onClick={() => void submit.run(args)}>
          Submit for approval
        </Button>)}
      {bill.state === 'submitted' && may('payment.updateStatus') && <Approval bill={bill} />}
      {bill.kind === 'bill' && isLive && bill.hold_reason === null && may('payment.create') && (
        <ButtonLink variant="primary" href={`/admin/accounting/payments/create?vendor_id=${bill.vendor_id}&bill_id=${
          bill.id}&division=${bill.division}&currency=${bill.currency}`}>Pay now</ButtonLink>)}
      {menu.length > 0 && <ActionMenu actions={menu} label={`Actions of ${bill.number}`} />}
      {doing !== null && (
        <Suspense><BillDialog kind={doing} bill={bill} onClose={() => setDoing(null)} /></Suspense>)}
    </>
  );
}

/** Why this person cannot approve the bill; undefined where they can. */
function blockOf(bill: BillDetail, userId: number | undefined): string | undefined {
  if (bill.hold_reason !== null) return 'The bill is on hold';
  const own = [bill.entered_by_id, bill.last_changed_by_id, bill.submitted_by_id].includes(userId ?? 0);
  return own ? 'You entered, changed or submitted this bill. Someone else must approve it.' : undefined;
}

function Approval({ bill }: { bill: BillDetail }) {
  const user = useCurrentUser();
  const approve = useAction(billEndpoints.approve, { done: `${bill.number} is approved and posted`, refresh: READS });
  const reason = blockOf(bill, user?.id);
  return (
    <>
      <DeclineButton endpoint={billEndpoints.decline} params={{ id: bill.id }} body={{ version: bill.version }}
        title={bill.number} text="It becomes a draft again. The person who submitted it sees the reason."
        refresh={READS} reason={reason} />
      <Button variant="primary" pending={approve.pending} reason={reason}
        onClick={() => void approve.run({ params: { id: bill.id }, body: { version: bill.version } })}>
        Approve {formatAmount(bill.total_minor, bill.currency)}
      </Button>
    </>
  );
}
