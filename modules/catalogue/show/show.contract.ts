/**
 * Plays and musicals are the same records under three families of calls: `/plays`, `/musicals` and, for both kinds,
 * `/shows` (gaps G16). Fields of domain.md 7.
 */
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { DIVISIONS, divisionCode, field, version } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';

export const SHOW_TYPES = ['play', 'musical'] as const;
export type ShowType = (typeof SHOW_TYPES)[number];
export const ORCHESTRATIONS = ['full', 'reduced', 'piano', 'tracks'] as const;
export const PRESENTATIONS = ['gross', 'net'] as const;
export const DIVISION_CHOICES = DIVISIONS as unknown as readonly ['US', 'EU', 'UK', 'PROD'];

export const showFields = {
  show_code: field.text('Show code', { max: 24, pattern: /^[A-Z0-9][A-Z0-9-]*$/,
    message: 'Capital letters, digits and hyphens', caption: 'Printed on every document; fixed once used.' }),
  title: field.text('Title', { max: 200 }),
  sort_title: field.optionalText('Sorted as', { caption: 'If empty, a leading article goes to the end.' }),
  authors_credit: field.optionalText('Authors, as printed', { max: 500 }),
  synopsis: field.longText('Synopsis'),
  year: field.optionalInteger('Year', { min: 1000, max: 2200 }),
  running_time_minutes: field.optionalInteger('Running time (minutes)', { min: 1, max: 1440 }),
  cast_min: field.optionalInteger('Smallest cast', { min: 1, max: 1000 }),
  cast_max: field.optionalInteger('Largest cast', { min: 1, max: 1000 }),
  age_rating: field.optionalText('Age rating', { max: 40 }),
  orchestrations: field.choices('Orchestrations', ORCHESTRATIONS),
  divisions: field.choices('Divisions', DIVISION_CHOICES, { initial: [...DIVISIONS] }),
  active: field.bool('Active', { initial: true, caption: 'Only active shows can be applied for.' }),
  available_from: field.optionalDate('Available from'),
  royalty_presentation: field.choice('Royalties are presented', PRESENTATIONS, { initial: 'gross',
    caption: 'Gross: the whole fee is our income. Net: only our commission is.' }),
  proximity_radius_km: field.integer('Proximity radius (km)', { max: 20_040, initial: 80 }),
  proximity_months: field.integer('Proximity months, each side', { max: 60, initial: 3 }),
  billing_template: field.longText('Billing clause', { max: 5000 }),
  cast_women: field.optionalInteger('Women', { min: 0, max: 1000 }),
  cast_men: field.optionalInteger('Men', { min: 0, max: 1000 }),
  cast_any: field.optionalInteger('Any gender', { min: 0, max: 1000 }),
  content_notes: field.longText('Content notes', { max: 5000, caption: 'One note on each line.' }),
  songs: field.longText('Songs', { max: 5000, caption: 'One song on each line.' }),
  versions: field.longText('Versions', { max: 5000, caption: 'One version on each line.' }),
  excerpt: field.longText('Excerpt', { max: 20_000, caption: 'Readable without an account.' }),
  territory: field.optionalText('Licensing territory', { max: 300,
    caption: 'For instance: Worldwide, without North America.' }),
};

const extra = {
  type: z.enum(SHOW_TYPES), aliases: z.array(z.string()),
  /** The code stands on a licence or an application and no longer changes. */
  code_used: z.boolean(),
  /** Number of agreements on the show's royalties, in any state. */
  agreement_count: z.int(),
  deleted_at: z.string().nullable(),
};
const filters = { active: z.stringbool().optional(), division: divisionCode.optional() };
const sort = ['sort_title', 'updated_at', 'show_code', 'year', 'available_from'] as const;

const aliasBody = z.strictObject({
  aliases: z.array(z.string().trim().min(1, 'An alias is required').max(200)).max(100), version,
});

export const play = resource({
  name: 'play', path: '/api/admin/staff/plays', label: ['play', 'plays'], fields: showFields, extra, filters, sort,
  permissions: {
    list: ['play.list', 'show.list'], show: ['play.show', 'show.show'], create: ['play.create', 'show.create'],
    update: ['play.update', 'show.update'], remove: ['play.delete', 'show.delete'],
  },
});
export const musical = resource({
  name: 'musical', path: '/api/admin/staff/musicals', label: ['musical', 'musicals'], fields: showFields, extra,
  filters, sort,
  permissions: {
    list: ['musical.list', 'show.list'], show: ['musical.show', 'show.show'],
    create: ['musical.create', 'show.create'], update: ['musical.update', 'show.update'],
    remove: ['musical.delete', 'show.delete'],
  },
});
const { type: _type, ...extraOfShow } = extra;
export const show = resource({
  name: 'show', path: '/api/admin/staff/shows', label: ['show', 'shows'],
  fields: { ...showFields, type: field.choice('Type', SHOW_TYPES, { immutable: true }) }, extra: extraOfShow,
  filters: { ...filters, type: z.enum(SHOW_TYPES).optional() }, sort,
  permissions: { list: 'show.list', show: 'show.show', create: 'show.create', update: 'show.update',
    remove: 'show.delete' },
});

export const playEndpoints = {
  ...play.endpoints,
  aliases: endpoint({ method: 'PUT', path: `${play.path}/{id}/aliases` as const,
    auth: staff(play.permissions.update), summary: 'Replace the names under which returns know a play',
    body: aliasBody, response: one(play.row) }),
};
export const musicalEndpoints = {
  ...musical.endpoints,
  aliases: endpoint({ method: 'PUT', path: `${musical.path}/{id}/aliases` as const,
    auth: staff(musical.permissions.update), summary: 'Replace the names under which returns know a musical',
    body: aliasBody, response: one(musical.row) }),
};
export const showEndpoints = {
  ...show.endpoints,
  aliases: endpoint({ method: 'PUT', path: `${show.path}/{id}/aliases` as const, auth: staff('show.update'),
    summary: 'Replace the names under which returns know a show', body: aliasBody, response: one(show.row) }),
};

export type ShowRow = z.infer<typeof show.row>;
export type ShowInput = z.output<typeof show.create>;

/** The title as lists sort it: a leading article of the languages we license in goes to the end. */
export function sortTitle(title: string): string {
  const found = /^(the|a|an|le|la|les|der|die|das|el|los|las|il|lo)\s+(.+)$/i.exec(title.trim());
  return found ? `${found[2]}, ${found[1]}` : title.trim();
}

const PLAYS = { noun: ['play', 'plays'], href: '/admin/plays/{id}/information', named: ['title'] } as const;
export const playBulk = bulk(playEndpoints.list, PLAYS, [
  ...switching(playEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(playEndpoints),
]);
export const playTrashBulk = bulk(playEndpoints.trash, { ...PLAYS, href: null }, [restoring(playEndpoints)]);

const MUSICALS = { noun: ['musical', 'musicals'], href: '/admin/musicals/{id}/information', named: ['title'] } as const;
export const musicalBulk = bulk(musicalEndpoints.list, MUSICALS, [
  ...switching(musicalEndpoints.update, 'active', ['Activate', 'Deactivate']), trashing(musicalEndpoints),
]);
export const musicalTrashBulk = bulk(musicalEndpoints.trash, { ...MUSICALS, href: null },
  [restoring(musicalEndpoints)]);
