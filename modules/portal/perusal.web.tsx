/** One perusal of the customer: the reader while it is open, and in words where it stands otherwise. */
import { portalPerusalEndpoints } from '#modules/stock/perusal/perusal.contract.ts';
import { daysLate, FORMAT_LABELS, lateWords, PerusalBadge, untilOf, untilWords }
  from '#modules/stock/perusal/perusal-words.web.tsx';
import type { ResponseOf } from '#kit/endpoint.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { KeyValue } from '#web/data/key-value.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useIdParam } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { PageReader } from './page-reader.web.tsx';
import { PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { factLine } from './portal-words.web.ts';
import styles from './portal.module.css';

type Perusal = ResponseOf<typeof portalPerusalEndpoints.show>['data'];

export default function PerusalPage() {
  const { customerId, base } = usePortal();
  const perusalId = useIdParam('perusalId');
  const read = useEndpoint(portalPerusalEndpoints.show, { params: { id: customerId, perusalId } });
  const row = read.data?.data.id === perusalId ? read.data.data : undefined;
  return (
    <QueryBoundary read={{ data: row, isError: read.isError, error: read.error, refetch: read.refetch }}
      page="Perusal">
      {(perusal) => (
        <>
          <PortalHead title={perusal.show_title} back={{ href: `${base}/perusals`, text: 'Perusals' }}
            badges={<PerusalBadge perusal={perusal} />}
            facts={[perusal.number, FORMAT_LABELS[perusal.format], factLine([untilWords(perusal)])]}>
            <ButtonLink href={`${base}/shows/${perusal.show_id}`}>The show</ButtonLink>
            <ButtonLink href={`${base}/shows/apply/${perusal.show_id}`} variant="primary">Apply for this show
            </ButtonLink>
          </PortalHead>
          {perusal.pages > 0
            ? <PageReader key={perusal.id} perusal={perusal} onLost={() => void read.refetch()} />
            : <State perusal={perusal} />}
        </>
      )}
    </QueryBoundary>
  );
}

/** Title and sentence for each state in which nothing can be read here. */
function stateOf(perusal: Perusal): [title: string, text: string] {
  const until = untilOf(perusal);
  const late = daysLate(perusal);
  if (late > 0) {
    return [`The book is ${lateWords(late)}`, `It was to be here by ${formatDay(until)}. Please send it back now; the `
      + 'parcel holds the address. If it is on its way or lost, write to us.'];
  }
  switch (perusal.status) {
    case 'requested': return ['We have your request', 'We look at it and answer within a few days; a mail tells you.'];
    case 'declined': return ['We cannot lend this title', perusal.reason];
    case 'approved': return ['The book is being packed', 'We tell you when it leaves, and until when you have it.'];
    case 'active': return ['There is nothing to read just now',
      'The script was taken away for a correction. Please come back later, or write to us.'];
    case 'expired': return ['The time to read is over', `It was open until ${
      until === null ? 'its last day' : formatDay(until)}. Ask us if you need more.`];
    case 'shipped': return ['The book is with you', `Please send it back so that it is here by ${
      until === null ? 'the day we agreed' : formatDay(until)}. The parcel holds the address.`];
    case 'due': return ['The book is due back', 'Please send it back, or ask us for more time.'];
    case 'returned': return ['The book is back', 'Thank you for sending it.'];
    case 'lost_charged': return ['The book did not come back', 'We have billed its replacement; see Payments.'];
    case 'closed': return ['This perusal is closed', perusal.reason || 'The book came back. Thank you.'];
  }
}

function State({ perusal }: { perusal: Perusal }) {
  const [title, text] = stateOf(perusal);
  const fee = perusal.fee_minor + perusal.shipping_minor;
  return (
    <Card>
      <EmptyState title={title} text={text} />
      <div className={styles.foot}>
        <KeyValue facts={[
          { label: 'What', value: perusal.materials.map((one) => one.name).join(', ') },
          { label: 'Asked', value: `${perusal.requested_by_name}, ${formatDay(perusal.created_at)}` },
          fee > 0 && { label: 'Fee and shipping', value: `${formatAmount(fee, perusal.currency)}, before tax` },
          perusal.returned_on !== null && { label: 'Came back', value: formatDay(perusal.returned_on) },
          perusal.message !== '' && { label: 'You wrote', value: perusal.message, wide: true },
        ]} />
      </div>
    </Card>
  );
}
