/** Tests the changes shown in the timeline of a record. */
import { expect, test } from 'vitest';
import { changesOf, personOf } from './activity.ts';

test('a field that changed is told with its text before and after', () => {
  expect(changesOf({ name: 'Savoy', capacity: 300, version: 1 }, { name: 'Savoy', capacity: 320, version: 2 }))
    .toEqual([{ field: 'capacity', before: '300', after: '320' }]);
});

test('of a list only what went and what came', () => {
  expect(changesOf({ rights: ['a', 'b'] }, { rights: ['b', 'c'] }))
    .toEqual([{ field: 'rights', before: 'a', after: 'c' }]);
});

test('records are told by their names, a list of them as one change', () => {
  const venue = (id: number, name: string) => ({ id, name, locality: 'London' });
  expect(changesOf([venue(1, 'Savoy')], [venue(1, 'Savoy'), venue(2, 'Gaiety')]))
    .toEqual([{ field: 'all', before: '', after: 'Gaiety' }]);
  expect(changesOf({}, [venue(1, 'Savoy')])).toEqual([{ field: 'all', before: '', after: 'Savoy' }]);
  expect(changesOf({ lead: null }, { lead: venue(1, 'Savoy') }))
    .toEqual([{ field: 'lead', before: '', after: 'Savoy' }]);
});

test('rows with a label are told whole, and only those that went or came', () => {
  const row = (label: string, price: number) => ({ label, price, number_of_seats: 150, note: null });
  expect(changesOf([row('Stalls', 25), row('Balcony', 18)], [row('Stalls', 27), row('Balcony', 18)]))
    .toEqual([{ field: 'all', before: 'Stalls (price 25, number of seats 150)',
      after: 'Stalls (price 27, number of seats 150)' }]);
});

test('who wrote bank details is who did it, said once', () => {
  expect(changesOf({ bank_account_last4: null, bank_written_by_id: null },
    { bank_account_last4: '6819', bank_written_by_id: 7 }))
    .toEqual([{ field: 'bank_account_last4', before: '', after: '6819' }]);
});

test('who came, went or does something else now is named, with what they may do', () => {
  const ruth = { first_name: 'Ruth', last_name: 'Alderman', email: 'ruth@astoriaplayers.example', role: 'admin' };
  expect(personOf('attach_user', null, ruth)).toEqual([{ field: 'person', before: '', after: 'Ruth Alderman' },
    { field: 'role', before: '', after: 'admin' }]);
  expect(personOf('remove_user', ruth, null)).toEqual([{ field: 'person', before: 'Ruth Alderman', after: '' },
    { field: 'role', before: 'admin', after: '' }]);
  // The role itself is reported like any other change.
  expect(personOf('change_user_role', ruth, { ...ruth, role: 'member' }))
    .toEqual([{ field: 'person', before: '', after: 'Ruth Alderman' }]);
  expect(personOf('invite_user', null, { email: 'new@house.example', role: 'signer' })[0]?.after)
    .toBe('new@house.example');
  expect(personOf('update', null, ruth)).toEqual([]);
});
