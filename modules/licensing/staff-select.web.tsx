/** Chooses a person of the staff, for representatives and assignees; who may not read staff can choose themselves. */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { endpoint, listQuery, many } from '#kit/endpoint.ts';
import { AsyncSelect, type AsyncSelectProps } from '#web/controls/select/async-select.tsx';
import { useCurrentUser, useMay } from '#web/query/current-user.ts';
import { optionsFrom } from '#web/query/options-from.ts';

/** The part of the staff list that a choice needs; its contract is identity's. */
const people = endpoint({
  method: 'GET', path: '/api/admin/staff/users', auth: staff('user.show'), summary: 'People of the staff',
  query: listQuery({ filters: {}, sort: ['last_name'] }),
  response: many(z.object({ id: z.int(), first_name: z.string(), last_name: z.string(), email: z.string() })),
});

const source = optionsFrom(people, (one) => ({ value: one.id, label: `${one.first_name} ${one.last_name}`,
  children: one.email }));

export type StaffSelectProps = Pick<AsyncSelectProps<number>, 'label' | 'value' | 'onChange' | 'error' | 'name'
  | 'selectedLabel' | 'required' | 'caption' | 'clearable'>;

export function StaffSelect(props: StaffSelectProps) {
  const user = useCurrentUser();
  const may = useMay();
  if (may('user.show')) return <AsyncSelect {...props} source={source} />;
  const self = user ? [{ value: user.id, label: `${user.first_name} ${user.last_name}`, children: user.email }] : [];
  return <AsyncSelect {...props} options={self} />;
}
