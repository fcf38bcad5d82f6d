/** Two short pages of a member of staff: what they hear of, and what happened to their account. */
import { NotificationSettings, StaffNotificationSettings }
  from '#modules/notifications/notification-settings.web.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { ActivityList } from './activity-list.web.tsx';
import { staffEndpoints } from './staff.contract.ts';
import { StaffFrame } from './staff-frame.web.tsx';

/** One's own settings to change; a colleague's to read. */
export function StaffNotifications() {
  return (
    <StaffFrame>
      {(person, own) => (
        <PageContent record>
          <Section title="Notification settings"
            right={own && <AppLink href="/admin/notifications" className="gr-link">All notifications</AppLink>}>
            {own ? <NotificationSettings /> : <StaffNotificationSettings id={person.id} />}
          </Section>
        </PageContent>
      )}
    </StaffFrame>
  );
}

export function StaffActivity() {
  return <StaffFrame>{(person) => <ActivityList endpoint={staffEndpoints.activity} id={person.id} />}</StaffFrame>;
}
