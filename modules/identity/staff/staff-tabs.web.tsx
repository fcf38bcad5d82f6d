/** Two short pages of a member of staff: what they hear of, and what happened to their account. */
import { NotificationSettings } from '#modules/notifications/notification-settings.web.tsx';
import { Unauthorized } from '#web/controls/unauthorized.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { AppLink, useIdParam, useNavigation } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { ActivityList } from './activity-list.web.tsx';
import { staffEndpoints } from './staff.contract.ts';
import { StaffFrame } from './staff-frame.web.tsx';

/** What somebody hears of is theirs alone. */
export function StaffNotifications() {
  const id = useIdParam('staffId');
  const user = useCurrentUser();
  const { go } = useNavigation();
  if (user && user.id !== id) return <Unauthorized onBack={() => go('/admin')} />;
  return (
    <StaffFrame>
      {() => (
        <PageContent record>
          <Section title="Notification settings"
            right={<AppLink href="/admin/notifications" className="gr-link">All notifications</AppLink>}>
            <NotificationSettings />
          </Section>
        </PageContent>
      )}
    </StaffFrame>
  );
}

export function StaffActivity() {
  return <StaffFrame>{(person) => <ActivityList endpoint={staffEndpoints.activity} id={person.id} />}</StaffFrame>;
}
