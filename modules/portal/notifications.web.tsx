/** Everything the signed-in person was told about this organisation, and what they want to be told. */
import { lazy, Suspense } from 'react';
import { spell } from '#kernel/text/english.ts';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { NotificationRows } from './notification-rows.web.tsx';
import { LinesSkeleton, PortalHead, usePortal } from './portal-parts.web.tsx';

/** One view is on screen: the form of the other comes with it. */
const NotificationSettings = lazy(() => import('#modules/notifications/notification-settings.web.tsx')
  .then((file) => ({ default: file.NotificationSettings })));

export default function Notifications() {
  const { base, role } = usePortal();
  const place = `${base}/notifications`;
  const settings = useQueryValues().values.get('view') === 'settings';
  return (
    <>
      <PortalHead title="Notifications" facts={['Your notifications']} tabs={role === null ? undefined : [
        { id: 'all', text: 'All', href: place, active: !settings },
        { id: 'settings', text: 'Settings', href: `${place}?view=settings`, active: settings }]} />
      {role === null
        ? <Card><EmptyState title="Nothing for you here"
          text={spell`The people of this organization have lists of their own; nobody else reads them.`} /></Card>
        : !settings ? <NotificationRows /> : (
          <Card>
            <Suspense fallback={<LinesSkeleton lines={[34, 40, 40, 40, 40]} />}><NotificationSettings /></Suspense>
          </Card>
        )}
    </>
  );
}
