/** The own security page, the same for customers and staff: second factors, password, sessions (XR15, XR17). */
import { PageContent } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { PasswordSection } from './change-password.web.tsx';
import { OwnSessions } from './own-sessions.web.tsx';
import { TwoFactorSection } from './two-factor-section.web.tsx';

export function SecuritySections() {
  const user = useCurrentUser();
  if (!user) return null;
  return (
    <>
      <TwoFactorSection />
      <PasswordSection userId={user.id} />
      <OwnSessions />
    </>
  );
}

export function OwnSecurity() {
  const user = useCurrentUser();
  return (
    <>
      <PageHeader title="Security" subtitle={user?.email} />
      <PageContent><SecuritySections /></PageContent>
    </>
  );
}
