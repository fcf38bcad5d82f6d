/** Notification settings of the signed-in person (RT19); the list of notifications is under its own bell. */
import { spell } from '#kernel/text/english.ts';
import { NotificationSettings } from '#modules/notifications/notification-settings.web.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AccountFrame } from './account-frame.web.tsx';
import { usePortal } from './portal-parts.web.tsx';

export default function AccountNotification() {
  const { role } = usePortal();
  return (
    <AccountFrame>
      <Card title="Notification settings">
        {role === null
          ? <EmptyState title="Nothing for you here"
              text={spell`The people of this organization choose for themselves what they hear of.`} />
          : <NotificationSettings />}
      </Card>
    </AccountFrame>
  );
}
