/** Current and past perusals of this organization, newest first. */
import { ChevronRight } from 'lucide-react';
import { portalPerusalEndpoints, type PortalPerusal } from '#modules/stock/perusal/perusal.contract.ts';
import { FORMAT_LABELS, PerusalBadge, untilWords } from '#modules/stock/perusal/perusal-words.web.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AppLink, useQueryValues } from '#web/navigation/navigation.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { showsTabs } from './show-words.web.ts';
import styles from './portal.module.css';

function PerusalItem({ row, base }: { row: PortalPerusal; base: string }) {
  return (
    <li>
      <AppLink href={`${base}/perusals/${row.id}`} className={styles.item}>
        <span className={styles.itemText}>
          <strong className={styles.work}>{row.show_title}</strong>
          <span>{[FORMAT_LABELS[row.format], untilWords(row), `asked by ${row.requested_by_name}`].filter(Boolean)
            .join(', ')}</span>
        </span>
        <span className={styles.itemSide}>
          <PerusalBadge perusal={row} /><Glyph icon={ChevronRight} size={18} />
        </span>
      </AppLink>
    </li>
  );
}

export default function Perusals() {
  const { customerId, base } = usePortal();
  const { values } = useQueryValues();
  const read = useEndpoint(portalPerusalEndpoints.list, {
    params: { id: customerId }, query: { page: Number(values.get('page') ?? 1) || 1 },
  });
  return (
    <>
      <PortalHead title="Perusals" facts={['Titles that you read before you apply']} tabs={showsTabs(base)} />
      <QueryBoundary read={read}>
        {({ data, meta }) => (
          <Card>
            {data.length === 0
              ? <EmptyState title="Nothing asked for yet"
                  text="On the page of a show you can ask to read it, on the screen or as a book."
                  action={<ButtonLink href={`${base}/shows`} variant="primary">Look at shows</ButtonLink>} />
              : (
                <ul className={styles.list}>
                  {data.map((row) => <PerusalItem key={row.id} row={row} base={base} />)}
                </ul>
              )}
            <Pager meta={meta} />
          </Card>
        )}
      </QueryBoundary>
    </>
  );
}
