/** Addresses, tax facts and certificate, asked once when an admin first signs in. Information has them too. */
import { spell } from '#kernel/text/english.ts';
import { ownDetailsEndpoints } from '#modules/customers/own-details/own-details.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Callout } from '#web/data/callout.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { meEndpoint, useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Certificates } from './certificates.web.tsx';
import { DetailsForm } from './own-details.web.tsx';
import { PortalHead, QueryBoundary } from './portal-parts.web.tsx';
import styles from './portal.module.css';

export function FirstDetails({ customerId }: { customerId: number }) {
  const user = useCurrentUser();
  const read = useEndpoint(ownDetailsEndpoints.show, { params: { id: customerId } });
  const leave = useAction(ownDetailsEndpoints.asked, { refresh: [meEndpoint] });
  const sent = read.data?.data.request?.status === 'waiting';
  const country = read.data?.data.country ?? null;
  return (
    <>
      <PortalHead title={user ? `Welcome, ${user.first_name}` : 'Welcome'} />
      <QueryBoundary read={read} cards={2}>
        {({ data }) => (
          <Card title={spell`Your organization`}>
            {sent ? (
              <Callout tone="ok" title="Thank you. We will check it and email you">
                {`${data.request?.summary}.`}
              </Callout>
            ) : (
              <div className={styles.stack}>
                <p className={styles.muted}>Contracts and invoices carry these details. You can also enter them later,
                  under Information.</p>
                <DetailsForm state={data} first onSaved={() => undefined} />
              </div>
            )}
          </Card>
        )}
      </QueryBoundary>
      <Certificates customerId={customerId} mayChange country={country}
        state={read.data?.data.billing_address?.administrative_area} />
      <div>
        <Button variant={sent ? 'primary' : 'secondary'} pending={leave.pending}
          onClick={() => void leave.run({ params: { id: customerId }, body: {} })}>
          {sent ? 'Continue' : 'Skip for now'}
        </Button>
      </div>
    </>
  );
}
