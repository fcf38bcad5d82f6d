/** Acting for a customer: the choice of the customer. What stands over every screen: acting-banner.web.tsx. */
import { useState } from 'react';
import { call } from '#kit/client.ts';
import { customerEndpoints } from '#modules/customers/customer/customer.contract.ts';
import { ActionButton } from '#web/controls/button/action-button.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { actingEndpoints, ACTING_MINUTES } from './acting.contract.ts';
import { useMove } from './acting-banner.web.tsx';
import styles from './acting.module.css';

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
      {read.isError && !rows && <NotLoaded title="The customers did not load" read={read} />}
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
      <p>{`A portal belongs to its customer. To see what its people see, act for them: for ${ACTING_MINUTES} minutes `
        + 'at most, with both names in the audit trail, without signing or paying.'}</p>
      {customer && <ActForButton customer={customer} label="Act for" />}
    </div>
  );
}
