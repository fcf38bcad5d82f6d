// cspell:ignore gnol Łódź שלום
/** Names and titles, wherever a call takes one: one line that a person can see. Read from the contracts. */
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { field } from '#kit/field.ts';
import { routes } from '#apps/server/src/routes.ts';

/** Fields that name something. */
const NAMES = /^(name|title|legal_name|pen_name|first_name|last_name|sort_title|contact_name)$/;
const WRONG = ['Two\nlines', 'Bell\u0007', 'Turned \u202egnol', '\u200b\u200b', '\u3164', 'a\u2028b'];

type Shape = Record<string, z.ZodType>;
const shapeOf = (schema: unknown): Shape => (schema as { shape?: Shape } | null | undefined)?.shape ?? {};
const named = routes.map(({ endpoint }) => endpoint).filter(({ method }) => method !== 'GET')
  .flatMap(({ method, path, body }) => Object.entries(shapeOf(body)).filter(([key]) => NAMES.test(key))
    .map(([key, schema]) => ({ label: `${method} ${path} ${key}`, schema })))
  .filter(({ schema }) => schema.safeParse('Ada Winslow').success);

describe('names of one line', () => {
  it('refuse line breaks, control and direction characters, and what cannot be seen', () => {
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter(({ schema }) => WRONG.some((text) => schema.safeParse(text).success)).map(({ label }) => label))
      .toEqual([]);
  });

  it('take every script and every sign', () => {
    const { schema } = field.text('Name');
    for (const text of ['Łódź', '漢字', 'שלום', '?', '!!!', 'É́', '100%', 'Ok 👍']) {
      expect(schema.safeParse(text).success, text).toBe(true);
    }
  });
});
