/** Royaltors from a list: the same person is not made twice, one who may be the same is asked about. */
import type * as z from 'zod';
import type { WorkContext } from '#server/context.ts';
import { DIVISIONS } from '#kit/field.ts';
import { IMPORT_COLUMNS } from '#kit/import-columns.ts';
import { sql } from '#server/sql.ts';
import { createRoyaltor, rehearseRoyaltors, updateRoyaltor } from '#modules/catalogue/catalogue.public.server.ts';
import {
  FREQUENCIES, PAYMENT_METHODS, royaltor, ROYALTOR_KINDS,
} from '#modules/catalogue/royaltor/royaltor.contract.ts';
import { aliasIsFree, nameStandsFor } from '../aliases.server.ts';
import { SIMILAR_RECORD, type SourceRow } from '../import-work.server.ts';
import type { Cells } from './cells.ts';
import { pathsOf } from './differences.ts';
import { People, type Person } from './people.server.ts';
import { recordWork, type Verdict } from './record-work.server.ts';
import { wholePostalCode } from './united-states.ts';
import { ROYALTOR_FIELDS } from './royaltors.contract.ts';

type Input = z.output<typeof royaltor.create>;

/** `renamed`: somebody said that the name of the row is another one of his. */
interface Payee extends Person { renamed?: boolean }

function read(cells: Cells): Input {
  const country = cells.text('residence_country') === '' ? 'US' : cells.country('residence_country');
  const parts = ['thoroughfare', 'locality', 'administrative_area', 'postal_code'] as const;
  const address = parts.every((part) => cells.text(part) === '') ? null : {
    country_code: country, ...Object.fromEntries(parts.map((part) => [part, cells.text(part)])),
    postal_code: wholePostalCode({ country, state: cells.text('administrative_area'),
      code: cells.text('postal_code') }),
    ...(cells.text('premise') === '' ? {} : { premise: cells.text('premise') }) };
  const divisions = cells.choices('divisions', DIVISIONS);
  return cells.checked(royaltor.create, {
    name: cells.required('name'), kind: cells.choice('kind', ROYALTOR_KINDS, 'person'),
    legal_name: cells.optional('legal_name'), pen_name: cells.optional('pen_name'), email: cells.optional('email'),
    phone: cells.optional('phone'), address, agent_royaltor_id: null,
    ...(divisions.length === 0 ? {} : { divisions }), currency: cells.currency('currency'),
    payment_method: cells.choice('payment_method', PAYMENT_METHODS, 'check'),
    statement_frequency: cells.choice('statement_frequency', FREQUENCIES, 'quarterly'), residence_country: country,
    min_payout_tier2_minor: null, tax_form_expires_on: null, wht_override_ppm: null, treaty_article: null,
    vat_no: null, self_billing_from: null, self_billing_expires_on: null,
  });
}

function judge(input: Input, source: SourceRow, people: People): Verdict<Payee> {
  const mine: Payee = { id: null, label: input.name, name: input.name, email: input.email };
  if (source.decision === 'same' && source.target_id) {
    return { outcome: 'duplicate', known: { ...mine, id: source.target_id, renamed: true } };
  }
  const known = people.find(input.name);
  if (known) return { outcome: 'duplicate', known };
  const alike = source.decision === 'new' ? undefined : people.alike(input.name);
  if (alike) {
    return { outcome: 'refused', problem: { reason_code: SIMILAR_RECORD, field: 'name', value: input.name,
      proposed: alike, reason: `${input.name} may be ${alike.name}: one person, or two?` } };
  }
  people.add(mine);
  return { outcome: 'ready', known: mine };
}

export const royaltorWork = recordWork<Input, People, Payee>({
  entity: 'royaltor', fields: ROYALTOR_FIELDS, read, judge,
  async book(db, reads, before) {
    const people = before ?? new People();
    await people.learn(db, reads.map((input) => input.name));
    return people;
  },
  write: async (ctx: WorkContext, input) => (await createRoyaltor(ctx, input)).id,
  async merge(ctx, input, person) {
    if (person.renamed && await aliasIsFree(ctx.db, 'royaltor', input.name)) {
      await nameStandsFor(ctx, 'royaltor', input.name, person.id!, null);
    }
  },
  rehearse: rehearseRoyaltors,
  changing: {
    paths: pathsOf(IMPORT_COLUMNS['staff/royaltors'], ROYALTOR_FIELDS, ['name']),
    said: (input) => input,
    now: (db, ids) => db.query(sql`
      select id, version, kind, legal_name, pen_name, email, phone, address, residence_country, divisions, currency,
        payment_method, statement_frequency from royaltors where id = any(${ids}::bigint[])`),
    update: updateRoyaltor,
  },
  words: (input) => ({ title: input.name, detail: [input.kind, input.email].filter(Boolean).join(', ') }),
});
