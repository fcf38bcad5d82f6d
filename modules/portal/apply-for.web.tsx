/** From a title of the public catalog to the application, by the organization that applies. */
import { spell } from '#kernel/text/english.ts';
import { portalEndpoints } from '#modules/licensing/portal/portal.contract.ts';
import { EmptyState } from '#web/data/empty-state.tsx';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useParams } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';

interface ForProps { customer: { id: number; name: string }; code: string }

function ApplyAs({ customer, code }: ForProps) {
  const shows = useEndpoint(portalEndpoints.shows, { params: { id: customer.id },
    query: { search: code, per_page: 100 } });
  const show = shows.data?.data.find((row) => row.show_code === code);
  if (show) {
    return <ButtonLink href={`/customer/${customer.id}/shows/apply/${show.id}`}>Apply for {customer.name}</ButtonLink>;
  }
  return (
    <p role="status">{shows.data || shows.isError ? `${customer.name} cannot apply for this show.`
      : 'Looking for the show …'}</p>
  );
}

export default function ApplyFor() {
  const { showCode = '' } = useParams();
  const user = useCurrentUser();
  if (!user) return null;
  return (
    <PublicLayout title={spell`Apply for a license`}>
      {user.customers.length === 0
        ? <EmptyState title={spell`You do not belong to an organization yet`}
            text={spell`An admin of your organization has to confirm you. You will get mail when that is done.`} />
        : user.customers.map((customer) => (
          <ApplyAs key={customer.id} customer={customer} code={showCode} />))}
    </PublicLayout>
  );
}
