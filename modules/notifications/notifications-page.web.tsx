/** Everything the signed-in member of staff was told, and what they want to be told. */
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { NotificationList } from './notification-list.web.tsx';
import { NotificationSettings } from './notification-settings.web.tsx';

const PLACE = '/admin/notifications';

export default function NotificationsPage() {
  const settings = useQueryValues().values.get('view') === 'settings';
  return (
    <>
      <PageHeader title="Notifications" subtitle="Your notifications" tabs={[
        { id: 'all', text: 'All', href: PLACE, active: !settings },
        { id: 'settings', text: 'Settings', href: `${PLACE}?view=settings`, active: settings }]} />
      {settings ? <PageContent><NotificationSettings /></PageContent> : <NotificationList />}
    </>
  );
}
