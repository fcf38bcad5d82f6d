/** Acting for a customer: the strip that says so and the way out of it. Both frames carry it. */
import { useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { call } from '#kit/client.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { ensureUser, forgetUser, type Person } from '#web/query/current-user.ts';
import { actingEndpoints } from './acting.contract.ts';
import styles from './acting.module.css';

/** Clears data read with other rights before the next screen is drawn. */
export function useMove(): (href: string) => Promise<void> {
  const client = useQueryClient();
  const { go } = useNavigation();
  return async (href) => {
    forgetUser(client);
    await ensureUser(client);
    go(href, { replace: true });
  };
}

/** Over every screen while acting: for whom, until when, what is not possible, the way out. */
export function ActingBanner({ acting, home = '/select-portal' }: {
  acting: NonNullable<Person['acting_customer']>; home?: string;
}) {
  const move = useMove();
  return (
    <div className={styles.banner} role="status" data-print="hide">
      <Glyph icon={Eye} size={17} />
      <p>You are acting for <strong>{acting.name}</strong> until {formatInstant(acting.until).split(', ').at(-1)}.
        {' '}Both names are recorded; nothing you do here signs or pays.</p>
      <ActionButton size="small" action={() => call(actingEndpoints.stop, {})} onDone={() => void move(home)}>
        Stop acting</ActionButton>
    </div>
  );
}

/** In place of an office screen while acting: the office answers nobody who acts for a customer. */
export function StopFirst({ acting }: { acting: NonNullable<Person['acting_customer']> }) {
  return (
    <div className={styles.office}>
      <h1 tabIndex={-1}>You are acting for {acting.name}</h1>
      <p>You have the customer’s permissions while you act for them, not your own. Stop acting to go on
        here, or go back to <AppLink href={`/customer/${acting.id}`} className="gr-link">their portal</AppLink>.</p>
    </div>
  );
}
