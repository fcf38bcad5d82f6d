/** The back office's frame with what this person may open, and their menu. */
import { LogOut, UserRound } from 'lucide-react';
import { useMemo, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { PageRow } from '#kit/page.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Avatar } from '#web/data/avatar.tsx';
import { HelpButton, lazyHelp } from '#web/help/help-button.tsx';
import { StaffShell, type Crumb, type NavGroup } from '#web/layout/staff-shell.tsx';
import { useAddress } from '#web/navigation/navigation.tsx';
import { useCurrentUser, visitorOf } from '#web/query/current-user.ts';
import { allowedGroups, staffFoot, staffNavigation } from './navigation.ts';
import { pageTable, type Screen } from './page-table.ts';
import { signOut } from './sign-out.ts';
import styles from './frames.module.css';

const StaffHelp = lazyHelp(() => import('./help/staff-help.ts').then((file) => file.help));

/** The path of the page as words: its section of the navigation, then its own title. */
export function crumbsOf(groups: readonly NavGroup[], page: PageRow<Screen> | undefined, path: string): Crumb[] {
  const section = groups.flatMap((group) => group.items).find((item) => {
    const starts = [item.href, ...(item.also ?? [])];
    return item.href !== '/admin' && starts.some((start) => path === start || path.startsWith(`${start}/`));
  });
  const title = page?.title ?? 'Grand Rights';
  if (!section || path === section.href || section.label === title) return [{ label: section?.label ?? title }];
  return [{ label: section.label, href: section.href }, { label: title }];
}

export function StaffFrame({ page, children }: { page: PageRow<Screen> | undefined; children: ReactNode }) {
  const user = useCurrentUser();
  const client = useQueryClient();
  const { path } = useAddress();
  const [groups, foot] = useMemo(() => {
    const visitor = visitorOf(user ?? null);
    if (!visitor) return [[], []] as const;
    const feet = allowedGroups([{ label: null, items: staffFoot }], pageTable, visitor);
    return [allowedGroups(staffNavigation, pageTable, visitor), feet[0]?.items ?? []] as const;
  }, [user]);
  const name = user ? `${user.first_name} ${user.last_name}` : '';
  const profile = user ? `/admin/staff/${user.id}/profile` : '';
  return (
    <StaffShell groups={groups} foot={foot} crumbs={crumbsOf(staffNavigation, page, path)} user={{ name }}
      tools={<HelpButton panel={StaffHelp} />}
      userMenu={user && (
        <ActionMenu label="Your account" heading={<><strong>{name}</strong><br />{user.email}</>}
          target={(
            <button type="button" className={styles.menuButton}>
              <span className="gr-hidden">Your account, {name}</span>
              <Avatar name={name} url={user.avatar_url} />
            </button>
          )}
          actions={[
            ...(pageTable.some((row) => row.path === '/admin/staff/:id/profile')
              ? [{ label: 'Profile and settings', icon: UserRound, href: profile }] : []),
            { label: 'Sign out', icon: LogOut, onSelect: () => void signOut(client) },
          ]} />
      )}>
      {children}
    </StaffShell>
  );
}
