/**
 * Forty royaltors of three divisions with what a quarter brought them: story 6. Each of the twenty in the US earns
 * 300.00, of the ten in the UK 200.00, of the ten in the EU 250.00; one of the US earns 300.00 by another show as well.
 */
import { issueInvoice } from '#modules/receivables/receivables.public.server.ts';
import { makeDeal } from '#modules/royalties/testing/royalty-fixtures.ts';
import type { Stage } from './story.ts';
import { AuthorMaker, HOUSES, PEOPLE, type House } from './quarter-people.ts';
import { command, makeCustomer } from './receivables.ts';

export interface Quarter {
  /** Royaltors and agents by their names. */
  ids: ReadonlyMap<string, number>;
  /** Agreement of the royaltor in the cross-collateral group, by which its advance is promised. */
  group: number;
}

/** Billed on 10 February for a performance on the first: earned and due on that day. */
async function bill({ test }: Stage, house: House, of: { show_id: number; show_code: string }, net_minor: number):
Promise<void> {
  const { db } = test.database;
  const customer_id = await makeCustomer(db, house);
  const deal = await makeDeal(db, of, { customer_id, division: house, performances: ['2026-02-01'] });
  const { currency } = HOUSES[house];
  await command(test.ports, (ctx) => issueInvoice(ctx, { license_id: deal.license_id, customer_id,
    division: house, currency, issued_on: '2026-02-10', lines: [{ kind: 'royalty',
      item_class: 'performing_licence', description: 'Royalty', net_minor, royalty_bearing: true }] }));
}

export async function makeQuarter(stage: Stage): Promise<Quarter> {
  const maker = new AuthorMaker(stage);
  for (const house of ['US', 'UK', 'EU'] as const) {
    for (const person of PEOPLE[house]) await maker.person(house, person.name, person);
    const main = await maker.show(house, `The ${house} Quarter`, PEOPLE[house]);
    await bill(stage, house, main, HOUSES[house].income);
    for (const person of PEOPLE[house].filter((one) => one.group)) {
      const other = await maker.show(house, 'The Other Road', [person]);
      await bill(stage, house, other, 50_000);
    }
  }
  return { ids: maker.ids, group: maker.group };
}
