/** Acting for a customer: the strip that says so, the way out of it, and the choice of the customer. */
import { useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { ActionButton } from '#web/controls/action-button.tsx';
import { SearchInput } from '#web/controls/search-input.tsx';
import { formatInstant } from '#web/data/date-text.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { AppLink, useNavigation } from '#web/navigation/navigation.tsx';
import { ensureUser, forgetUser, type Person } from '#web/query/current-user.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { actingEndpoints, ACTING_MINUTES } from './acting.contract.ts';
import styles from './acting.module.css';

/** What was read before belongs to other rights: it is forgotten before the next screen is drawn. */
function useMove(): (href: string) => Promise<void> {
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
    <div className={styles.banner} role="status">
      <Glyph icon={Eye} size={17} />
      <p>You are acting for <strong>{acting.name}</strong> until {formatInstant(acting.until).split(', ').at(-1)}.
        {' '}Both names are recorded; nothing you do here signs or pays.</p>
      <ActionButton size="small" action={() => call(actingEndpoints.stop, {})} onDone={() => void move(home)}>
        Stop acting</ActionButton>
    </div>
  );
}

function ActForButton({ customer, label = 'Act for' }: { customer: { id: number; name: string }; label?: string }) {
  const move = useMove();
  return (
    <ActionButton size="small" action={() => call(actingEndpoints.start, { body: { customer_id: customer.id } })}
      onDone={() => void move(`/customer/${customer.id}`)}>
      <span>{label}<span className="gr-hidden"> {customer.name}</span></span></ActionButton>
  );
}

const SHOWN = 8;

/** The customers that a system administrator may act for, found by name. */
export function ActForChooser() {
  const [search, setSearch] = useState('');
  const read = useEndpoint(customerEndpoints.list,
    { query: { per_page: SHOWN, ...(search.trim() === '' ? {} : { search: search.trim() }) } });
  const rows = read.data?.data;
  return (
    <section className={styles.chooser} aria-label="Act for a customer">
      <SearchInput label="Find a customer" value={search} onChange={setSearch} placeholder="Name or number" />
      {read.isError && !rows && (
        <EmptyState role="alert" title="The customers did not load" text={read.error.message} />
      )}
      {!rows && !read.isError && (
        <div className={styles.waiting} aria-busy="true">
          {[280, 220, 250].map((width) => <Skeleton key={width} width={width} height={16} />)}
        </div>
      )}
      {rows?.length === 0 && <EmptyState role="status" title="No customer of that name" />}
      {rows && rows.length > 0 && (
        <ul className={styles.rows}>
          {rows.map((row) => (
            <li key={row.id}><span><strong>{row.name}</strong><small>{row.number}</small></span>
              <ActForButton customer={row} /></li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** In place of a portal's screen while the administrator does not act for that customer. */
export function ActForFirst({ customerId }: { customerId: number }) {
  const read = useEndpoint(customerEndpoints.show, { params: { id: customerId } });
  const customer = read.data?.data;
  return (
    <div className={styles.first}>
      <h1 tabIndex={-1}>{customer?.name ?? (read.isError ? 'There is no such customer' : 'A customer’s portal')}</h1>
      <p>{`A portal belongs to its customer. To see what its people see, act for them: for ${ACTING_MINUTES} minutes at
        most, with both names in the audit trail, without signing or paying.`}</p>
      {customer && <ActForButton customer={customer} label="Act for" />}
    </div>
  );
}

/** In place of an office screen while acting: the office answers nobody who acts for a customer. */
export function StopFirst({ acting }: { acting: NonNullable<Person['acting_customer']> }) {
  return (
    <div className={styles.office}>
      <h1 tabIndex={-1}>You are acting for {acting.name}</h1>
      <p>Whoever acts for a customer has that customer’s rights and not those of the office. Stop acting to go on
        here, or go back to <AppLink href={`/customer/${acting.id}`} className="gr-link">their portal</AppLink>.</p>
    </div>
  );
}
