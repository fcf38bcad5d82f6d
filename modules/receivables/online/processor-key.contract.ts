/** Keys of the card processor by division, for system administrators alone; no answer holds one. */
import * as z from 'zod';
import { system } from '#kit/auth.ts';
import { all, endpoint, one } from '#kit/endpoint.ts';
import { currencyCode, divisionCode, oneLine } from '#kit/field.ts';

export const processorKeyRow = z.object({
  division: divisionCode, name: z.string(), currency: currencyCode,
  /** Entered here, set where the server is started, of the test processor, or nowhere. */
  source: z.enum(['settings', 'environment', 'test', 'none']),
  last4: z.string().nullable(), is_test: z.boolean(),
  /** Address for the webhook of the account. */
  webhook_url: z.string(), changed_by_name: z.string().nullable(), changed_at: z.string().nullable(),
  /** 0: none is entered here. */
  version: z.int(),
});
export type ProcessorKeyRow = z.infer<typeof processorKeyRow>;

const path = '/api/admin/system/processor_keys';
const secretText = (label: string) => oneLine(label, z.string().trim().max(300)).transform((text) => text || null)
  .nullable().default(null);

export const processorKeyEndpoints = {
  list: endpoint({ method: 'GET', path, auth: system, summary: 'Whether each division has a key of the card processor',
    response: all(processorKeyRow) }),
  save: endpoint({ method: 'PUT', path: `${path}/{division}`, auth: system, confirm: true, secret: true,
    summary: 'Enter, change or remove the key of the card processor', params: z.object({ division: divisionCode }),
    response: one(processorKeyRow), body: z.strictObject({
      /** Empty keeps what is there. */
      key: secretText('Secret key'), webhook_secret: secretText('Webhook secret'),
      remove: z.boolean().default(false), version: z.int().min(0) }) }),
};
