/** The own security page, the same for customers and staff: second factors, password, sessions (XR15, XR17). */
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
