/** Head and tabs of one's own account. */
import type { ReactNode } from 'react';
import { useCurrentUser } from '#web/query/current-user.ts';
import { PortalHead, usePortal } from './portal-parts.web.tsx';

export function AccountFrame({ children }: { children: ReactNode }) {
  const { base } = usePortal();
  const user = useCurrentUser();
  const tabs = [
    { id: 'profile', text: 'Profile', href: `${base}/account/profile` },
    { id: 'security', text: 'Security', href: `${base}/account/security` },
    { id: 'notification', text: 'Notifications', href: `${base}/account/notification` },
  ];
  return (
    <>
      <PortalHead title="Your account" facts={[user && `Signed in as ${user.email}`]}
        tabs={tabs} />
      {children}
    </>
  );
}
