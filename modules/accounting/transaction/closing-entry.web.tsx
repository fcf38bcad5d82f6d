/** The closing entry of a year while it waits: who may post it, and the buttons of the second person. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { AwaitingApproval } from '#web/data/approvers.tsx';
import { PageContent } from '#web/layout/page-content.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { yearEndEndpoints } from '../period/year-end.contract.ts';
import { transactionEndpoints } from './transaction.contract.ts';

type Transaction = ResponseOf<typeof transactionEndpoints.show>['data'];

const STALE = [approvalEndpoints.list, yearEndEndpoints.list, transactionEndpoints.list];

/** Its lines follow from the books, and another person than its author posts it. */
export const awaitsSecond = (row: Transaction): boolean => row.kind === 'year_end_close' && row.status === 'draft';

export function ClosingEntryWaits({ row }: { row: Transaction }) {
  return (
    <PageContent record>
      <AwaitingApproval endpoint={approvalEndpoints.approvers} kind="closing_entry" askedBy={row.prepared_by_name}
        askedById={row.prepared_by_id} />
    </PageContent>
  );
}

export function ClosingEntryDecision({ row }: { row: Transaction }) {
  const user = useCurrentUser();
  const { go } = useNavigation();
  const post = useAction(transactionEndpoints.post, { done: 'Posted', refresh: STALE });
  const reason = row.prepared_by_id !== null && row.prepared_by_id === user?.id
    ? 'You prepared this entry. Someone else must post it.' : undefined;
  return (
    <>
      <DeclineButton endpoint={yearEndEndpoints.decline} params={{ id: row.id }} body={{}} title="Closing entry"
        size="regular" reason={reason} refresh={STALE}
        text="Nothing is posted, and its draft goes to the trash. The person who prepared it sees the reason."
        onDone={() => go(`/admin/accounting/transactions?division=${row.division}`)} />
      <Button variant="primary" pending={post.pending} reason={reason}
        onClick={() => void post.run({ params: { id: row.id }, body: { version: row.version } })}>
        Post closing entry</Button>
    </>
  );
}
