/** What an application still lacks, and at which of its steps it is said. */
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { staged } from '#web/controls/stage.tsx';
import { Stepper } from '#web/layout/stepper.tsx';
import { emptyApplication, missingOf } from './apply-values.web.ts';

const begun = emptyApplication('Astoria Community Players', 7);
const whole = { ...begun, nights: [{ day: '2027-05-06', time: '19:30' }] };
const lacking = (changes: Partial<typeof begun>) => missingOf({ ...whole, ...changes });

test.each([
  ['nothing', {}, []],
  ['a place', { venue_id: null }, [{ step: 0, text: 'Say where you play' }]],
  ['its address', { venue_id: null, venue_name: 'The barn' }, [{ step: 0, text: 'Give the address of the place' }]],
  ['nights', { nights: [] }, [{ step: 0, text: 'Choose at least one night' }]],
  ['a time', { nights: [{ day: '2027-05-06', time: null }] }, [{ step: 0, text: 'Give every night its time' }]],
  ['seats', { bands: [] }, [{ step: 1, text: 'Say how many seats you sell' }]],
  ['a price', { bands: [{ key: 1, label: '', seats: 9, price: null }] },
    [{ step: 1, text: 'Say how many seats you sell' }]],
  ['who produces', { producing_organisation: ' ' }, [{ step: 2, text: 'Say who produces' }]],
])('without %s', (_, changes, missing) => { expect(lacking(changes)).toEqual(missing); });

test('a step that lacks something has no check; each leads to itself', async () => {
  const select = vi.fn<(step: number) => void>();
  await staged(<Stepper variant="numbers" onSelect={select} steps={[{ label: 'Place', state: 'past' },
    { label: 'Tickets', state: 'unfinished' }, { label: 'Review', state: 'current' }]} />);
  await expect.element(page.getByRole('button', { name: /Place.*done$/ })).toBeVisible();
  const tickets = page.getByRole('button', { name: /Tickets.*not complete$/ });
  await tickets.click();
  expect(select).toHaveBeenCalledExactlyOnceWith(1);
});
