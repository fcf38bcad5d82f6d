/** A change that the customer asked for, at its details: staff decide here as in the approvals inbox. */
import { approvalEndpoints } from '#modules/approvals/approval.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { DeclineButton } from '#web/controls/button/decline-button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { customerEndpoints } from '../customer/customer.contract.ts';
import { changeRequestEndpoints } from './own-details.contract.ts';

export function DetailsChange({ customerId }: { customerId: number }) {
  const may = useMay();
  const read = useEndpoint(changeRequestEndpoints.show, { params: { id: customerId } });
  const refresh = [changeRequestEndpoints.show, customerEndpoints.show, customerEndpoints.list, approvalEndpoints.list];
  const confirm = useAction(changeRequestEndpoints.approve, { done: 'Change confirmed', refresh });
  const request = read.data?.data.request;
  if (request?.status !== 'waiting') return null;
  const params = { id: customerId, changeId: request.id };
  return (
    <Callout tone="warn" title={`${request.asked_by_name} asks for a change`} action={may('customer.update') && (
      <>
        <Button variant="primary" size="small" pending={confirm.pending}
          onClick={() => void confirm.run({ params, body: { version: request.version } })}>Confirm</Button>
        <DeclineButton endpoint={changeRequestEndpoints.decline} params={params} body={{ version: request.version }}
          title="this change" text="Nothing changes. The customer’s admins get the reason by email."
          refresh={refresh} />
      </>
    )}>
      {`${request.summary}.`}
    </Callout>
  );
}
