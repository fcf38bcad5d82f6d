/** Portal navigation, in its own file so that customers do not load the office icons. */
import { Clapperboard, CreditCard, FileText, House, Theater, UserRound } from 'lucide-react';
import type { PortalItem } from '#web/layout/portal-shell.tsx';

/** The portal's sections for one customer. */
export function portalNavigation(customerId: string): readonly PortalItem[] {
  const base = `/customer/${customerId}`;
  return [
    { label: 'Home', href: base, icon: House, exact: true },
    { label: 'Productions', href: `${base}/productions`, icon: Clapperboard },
    { label: 'Shows', href: `${base}/shows`, icon: Theater,
      also: [`${base}/perusals`, `${base}/shop`, `${base}/orders`] },
    { label: 'Documents', href: `${base}/documents`, icon: FileText },
    { label: 'Payments', href: `${base}/transactions`, icon: CreditCard },
    { label: 'Users', href: `${base}/users`, icon: UserRound },
  ];
}
