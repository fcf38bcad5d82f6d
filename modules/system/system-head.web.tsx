/** The head that every page of the system area shares, with its tabs. */
import type { ReactNode } from 'react';
import { PageHeader } from '#web/layout/page-header.tsx';

const TABS = [['', 'Overview'], ['/health', 'Health'], ['/integrity', 'Integrity'], ['/divisions', 'Divisions'],
  ['/jobs', 'Jobs'], ['/audit', 'Audit'], ['/mail', 'Outbox'], ['/settings', 'Settings']] as const;

export function SystemHead({ title, here, waiting, subtitle, badges, children }: {
  title: string; here: (typeof TABS)[number][0]; waiting?: boolean | undefined; subtitle?: string | undefined;
  badges?: ReactNode; children?: ReactNode;
}) {
  return (
    <PageHeader title={title} waiting={waiting} subtitle={subtitle} badges={badges}
      tabs={TABS.map(([path, text]) => ({ id: text, text, href: `/system${path}`, active: path === here }))}>
      {children}
    </PageHeader>
  );
}
