/** The second person's decision on a discount that waits, wherever the wait is announced (domain.md 2.11). */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { Approvers } from '#web/data/approvers.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import type { LicenseRow } from '../license.contract.ts';
import { pricingEndpoints, type StoredPrice } from './pricing.contract.ts';

type StoredDiscount = NonNullable<StoredPrice['discount']>;

const OWN = 'You gave this discount. Someone else must approve it.';

export function DiscountDecision({ license, discount, onDone }: {
  license: LicenseRow; discount: StoredDiscount; onDone?: () => void;
}) {
  const may = useMay();
  const user = useCurrentUser();
  const params = { licenseId: license.id };
  const body = { version: license.version };
  const refresh = [approvalEndpoints.list];
  const approve = useAction(pricingEndpoints.approveDiscount, { refresh, done: 'The discount is approved',
    ...(onDone ? { onDone } : {}) });
  if (!may('license.update')) return null;
  const reason = discount.given_by_id === user?.id ? OWN : undefined;
  return (
    <>
      <Button size="small" pending={approve.pending} reason={reason}
        onClick={() => void approve.run({ params, body })}>Approve discount</Button>
      <DeclineButton endpoint={pricingEndpoints.declineDiscount} params={params} title="Discount" body={body}
        reason={reason} refresh={refresh} {...(onDone ? { onDone } : {})}
        text="The discount is removed. The person who gave it sees the reason." />
    </>
  );
}

/** 'Given by Maria Hill. Can be approved by Theo Marsh.' */
export function DiscountApprovers({ discount }: { discount: StoredDiscount }) {
  return (
    <>
      {discount.given_by_name && `Given by ${discount.given_by_name}. `}
      <Approvers endpoint={approvalEndpoints.approvers} kind="discount" askedById={discount.given_by_id} />
    </>
  );
}
