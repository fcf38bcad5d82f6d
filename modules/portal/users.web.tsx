/** The people of the organisation: who belongs, as what. Its admins invite, decide about requests, change, detach. */
import { UserMinus, UserRoundCog } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { CUSTOMER_ROLES, type CustomerRole } from '#kit/auth.ts';
import type { ResponseOf } from '#kit/endpoint.ts';
import { spell } from '#kernel/text/english.ts';
import { peopleEndpoints } from '#modules/customers/people/people.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { SearchInput } from '#web/controls/field/search-input.tsx';
import { ActionMenu, type MenuAction } from '#web/data/action-menu.tsx';
import { Avatar } from '#web/data/avatar.tsx';
import { Badge } from '#web/data/badge.tsx';
import { EmptyState } from '#web/data/empty-state.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { useQueryValues } from '#web/navigation/navigation.tsx';
import { useCurrentUser } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { CardsSkeleton, CardSkeleton, Pager, PortalHead, QueryBoundary, usePortal } from './portal-parts.web.tsx';
import { askingWords, roleName } from './people-words.web.ts';
import styles from './portal.module.css';

/** Loaded lazily: the list of people is read first, the cards around it come with their form. */
const cards = () => import('./users-cards.web.tsx');
const JoinRequests = lazy(() => cards().then((file) => ({ default: file.JoinRequests })));
const PeopleEvents = lazy(() => cards().then((file) => ({ default: file.PeopleEvents })));
const Invitations = lazy(() => cards().then((file) => ({ default: file.Invitations })));
const RolesExplained = lazy(() => cards().then((file) => ({ default: file.RolesExplained })));

type Member = ResponseOf<typeof peopleEndpoints.users>['data'][number];
/** More people than this and a search stands above them. */
const FEW = 8;
const PER_PAGE = 20;

interface RoleChange { person: Member; role: CustomerRole | null }

function actionsOf(person: Member, lastAdmin: boolean, ask: (asked: RoleChange) => void): MenuAction[] {
  const reason = lastAdmin ? 'The only admin stays. Make someone else admin first.' : undefined;
  const roles = CUSTOMER_ROLES.filter((role) => role !== person.role).map((role): MenuAction => ({
    label: `Make ${roleName(role).toLowerCase()}`, icon: UserRoundCog, reason,
    onSelect: () => ask({ person, role }),
  }));
  return [...roles, { label: spell`Take out of the organization`, icon: UserMinus, danger: true, divided: true, reason,
    onSelect: () => ask({ person, role: null }) }];
}

function PersonRow({ person, own, actions }: { person: Member; own: boolean; actions: MenuAction[] }) {
  const name = `${person.first_name} ${person.last_name}`;
  return (
    <li className={`${styles.item} ${styles.person}`}>
      <Avatar name={name} size="md" />
      <span className={styles.itemText}>
        <strong>{name}{own && <span className={styles.aside}> (you)</span>}</strong>
        <span>{person.email}</span>
      </span>
      <span className={styles.itemSide}>
        <Badge tone={person.role === 'admin' ? 'brass' : 'outline'}>{roleName(person.role)}</Badge>
        <ActionMenu label={`Change ${name}`} actions={actions} />
      </span>
    </li>
  );
}

function wordsOf({ person, role }: RoleChange, own: boolean): { title: string; text: string; confirm: string } {
  const name = `${person.first_name} ${person.last_name}`;
  if (role === null) {
    return { title: own ? spell`Leave this organization?` : `Take ${name} out?`, confirm: own ? 'Leave' : 'Take out',
      text: own ? 'You no longer see its productions, invoices and documents. An admin can invite you again.'
        : 'The account stays, but no longer sees your productions, invoices and documents. We tell them by mail.' };
  }
  const may = { admin: 'They may apply, sign, pay, and decide who belongs here.',
    signer: 'They may apply, sign and pay, and no longer decide who belongs here.',
    member: 'They may read everything and prepare applications, but neither sign nor pay.' }[role];
  return { title: `Make ${own ? 'yourself' : name} ${roleName(role).toLowerCase()}?`, text: own
    ? 'You no longer decide who belongs here. Another admin can change it back.' : `${may} We tell them by mail.`,
  confirm: `Make ${roleName(role).toLowerCase()}` };
}

function useAsked(customerId: number) {
  const [asked, setAsked] = useState<RoleChange | null>(null);
  const change = useAction(peopleEndpoints.changeRole, { done: 'Role changed' });
  const detach = useAction(peopleEndpoints.detach, { done: spell`Taken out of the organization` });
  function confirm(): void {
    if (!asked) return;
    const params = { id: customerId, userId: asked.person.id };
    setAsked(null);
    if (asked.role === null) void detach.run({ params });
    else void change.run({ params, body: { role: asked.role } });
  }
  return { asked, ask: setAsked, confirm };
}

function usePeople() {
  const { customerId } = usePortal();
  const { values } = useQueryValues();
  const search = values.get('search') ?? '';
  return useEndpoint(peopleEndpoints.users, { params: { id: customerId },
    query: { page: Number(values.get('page') ?? 1) || 1, per_page: PER_PAGE, ...(search && { search }) } });
}

/** `after` comes with the people: it does not stand there first, to be pushed down by them. */
function People({ manages, read, after }: { manages: boolean; read: ReturnType<typeof usePeople>; after: ReactNode }) {
  const { customerId } = usePortal();
  const user = useCurrentUser();
  const { values, set } = useQueryValues();
  const search = values.get('search') ?? '';
  const { asked, ask, confirm } = useAsked(customerId);
  const words = asked ? wordsOf(asked, asked.person.id === user?.id) : { title: '', text: '', confirm: 'Change' };
  return (
    <QueryBoundary read={read}>
      {({ data, meta }) => {
        const admins = data.filter((person) => person.role === 'admin');
        const whole = meta.last_page === 1 && !search;
        return (
          <>
            <Card title="People">
              {(meta.total > FEW || search) && (
                <SearchInput label="Search by name or email" value={search}
                  onChange={(text) => set({ search: text || null, page: null })} />
              )}
              {data.length === 0
                ? <EmptyState title="Nobody matches" text="Try another name or address."
                    action={<Button onClick={() => set({ search: null, page: null })}>Show everyone</Button>} />
                : (
                  <ul className={styles.list}>
                    {data.map((person) => (
                      <PersonRow key={person.id} person={person} own={person.id === user?.id}
                        actions={manages
                          ? actionsOf(person, whole && admins.length === 1 && person.role === 'admin', ask) : []} />
                    ))}
                  </ul>
                )}
              <Pager meta={meta} />
              <ConfirmDialog open={asked !== null} danger={asked?.role === null} {...words}
                onCancel={() => ask(null)} onConfirm={confirm} />
            </Card>
            {after}
          </>
        );
      }}
    </QueryBoundary>
  );
}

export default function Users() {
  const { customerId, role, held } = usePortal();
  const manages = role === 'admin' || held !== undefined;
  const requests = useEndpoint(peopleEndpoints.joinRequests, { params: { id: customerId } }, { enabled: manages });
  const people = usePeople();
  const asking = requests.data?.data.length ?? 0;
  const head = (
    <PortalHead title="Users" facts={[manages ? spell`People in your organization and their roles`
      : spell`People in your organization. Admins add and remove members.`]} />
  );
  // Join requests are at the top: nothing is rendered until it is known whether there are any.
  if (manages && !requests.isFetched) return <>{head}<CardsSkeleton cards={1} /></>;
  return (
    <>
      {head}
      {manages && (asking > 0 || !requests.data) && (
        <Suspense fallback={<CardSkeleton title={askingWords(asking)}
          lines={Array.from({ length: Math.max(asking, 1) }, () => 44)} />}>
          <JoinRequests customerId={customerId} read={requests} />
        </Suspense>
      )}
      <div className={styles.wideSplit}>
        <div className={styles.stack}>
          <People manages={manages} read={people} after={manages && (
            <Suspense fallback={<CardSkeleton title="Changes" lines={[44, 44]} />}>
              <PeopleEvents customerId={customerId} />
            </Suspense>
          )} />
        </div>
        {/* Below the people on a phone, where they would push it down. */}
        {!people.isPending && (
          <div className={styles.stack}>
            <Suspense fallback={manages ? <CardSkeleton title="Invite someone" lines={[70, 226, 46]} />
              : <CardSkeleton title="Roles" lines={[60, 60, 60]} />}>
              {manages ? <Invitations customerId={customerId} /> : <RolesExplained />}
            </Suspense>
          </div>
        )}
      </div>
    </>
  );
}
