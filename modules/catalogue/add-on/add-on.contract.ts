/** Add-ons: priced options of a show, from rehearsal tracks to the streaming licence (domain.md 4 and 7). */
import { bulk, restoring, switching, trashing } from '#kit/bulk.ts';
import * as z from 'zod';
import { staff } from '#kit/auth.ts';
import { all, endpoint } from '#kit/endpoint.ts';
import { divisionCode, field, id, version } from '#kit/field.ts';
import { resource } from '#kit/resource.ts';
import { spell } from '#kernel/text/english.ts';
import { CATEGORIES } from '../rate-card/rate-card.contract.ts';
import { DIVISION_CHOICES } from '../show/show.contract.ts';

export const ADD_ON_KINDS = ['performance_tracks', 'rehearsal_tracks', 'logo_pack', 'streaming_license',
  'video_archival', 'scenic_projection', 'study_guide', 'transposition', 'digital_script_app', 'choreography_guide',
  'extra_weeks'] as const;
export const PRICING_MODELS = ['flat', 'per_performance', 'per_week', 'percent_stream_gross', 'per_user'] as const;
export const ADD_ON_CLASSES = ['performing_licence', 'rental', 'printed_script', 'printed_music', 'e_publication',
  'digital_music', 'tracks', 'logo', 'merchandise', 'fee'] as const;
export const ADD_ON_INCOME = ['add_on', 'streaming', 'video', 'digital', 'rental'] as const;

export const addOn = resource({
  name: 'add_on', path: '/api/admin/staff/add_ons', label: ['add-on', 'add-ons'],
  fields: {
    show_id: field.ref('Show', '/api/admin/staff/shows', { immutable: true }),
    name: field.text('Name', { max: 120 }),
    key: field.text('Key', { max: 60, pattern: /^[a-z0-9_]+$/, message: 'Small letters, digits and underscores',
      caption: 'Used by the API to identify this add-on.' }),
    kind: field.choice('Kind', ADD_ON_KINDS, { initial: 'performance_tracks' }),
    description: field.longText('Description', { max: 5000 }),
    divisions: field.choices('Divisions', DIVISION_CHOICES, { initial: ['US', 'EU', 'UK', 'PROD'] }),
    categories: field.choices('Categories', CATEGORIES, { caption: 'Leave empty for every category.' }),
    available_from: field.optionalDate('Offered from'),
    available_to: field.optionalDate('Offered until'),
    requires_clearance: field.bool('Needs clearance by the rights holder'),
    pricing_model: field.choice('Priced', PRICING_MODELS, { initial: 'flat' }),
    price_usd_minor: field.optionalMinor('Price in USD', { caption: 'Leave empty if not offered in this currency.' }),
    price_eur_minor: field.optionalMinor('Price in EUR'),
    price_gbp_minor: field.optionalMinor('Price in GBP'),
    rate_ppm: field.optionalPpm('Share of the stream gross'),
    item_class: field.choice('Kind of goods', ADD_ON_CLASSES, { initial: 'tracks', caption: 'Decides the tax.' }),
    income_type: field.choice('Income', ADD_ON_INCOME, { initial: 'add_on' }),
    royalty_bearing: field.bool('Royalty-bearing'),
    grace_days: field.integer('Days of use after the last performance', { min: 0, max: 3650, initial: 14,
      caption: 'Files and use end this many days after the run.' }),
    terms_text: field.longText('Terms', { max: 5000 }),
    mandatory_program_text: field.longText(spell`Text for the program`, { max: 5000 }),
    active: field.bool('Active', { initial: true }),
  },
  extra: { show_title: z.string(), show_code: z.string() },
  filters: { show_id: z.coerce.number().int().min(1).optional(), active: z.stringbool().optional(),
    kind: z.enum(ADD_ON_KINDS).optional(), division: divisionCode.optional() },
  sort: ['name', 'updated_at', 'kind'],
  permissions: { list: 'material.list', show: 'material.show', create: 'material.create', update: 'material.update',
    remove: 'material.delete' },
});

const addOnMaterial = z.object({ id: z.int(), item_number: z.string(), name: z.string(), active: z.boolean(),
  /** Files that can be downloaded from it. */
  files: z.int() });
export type AddOnMaterial = z.infer<typeof addOnMaterial>;
const materialsPath = '/api/admin/staff/add_ons/{id}/materials';

export const addOnEndpoints = { ...addOn.endpoints,
  materials: endpoint({ method: 'GET', path: materialsPath, auth: staff('material.show'),
    summary: 'The materials whose files an add-on brings', response: all(addOnMaterial) }),
  setMaterials: endpoint({ method: 'PUT', path: materialsPath, auth: staff('material.update'),
    summary: 'Choose the materials whose files an add-on brings', response: all(addOnMaterial),
    body: z.strictObject({ version, material_ids: z.array(id).max(100, 'At most 100 materials') }) }),
};
export type AddOnRow = z.infer<typeof addOn.row>;

const ADD_ON_WORDS = { noun: ['add-on', 'add-ons'], href: '/admin/add-ons/{id}' } as const;
export const addOnBulk = bulk(addOnEndpoints.list, ADD_ON_WORDS, [
  ...switching(addOnEndpoints.update, 'active', ['Offer', 'Offer no longer']), trashing(addOnEndpoints),
]);
export const addOnTrashBulk = bulk(addOnEndpoints.trash, { ...ADD_ON_WORDS, href: null }, [restoring(addOnEndpoints)]);
