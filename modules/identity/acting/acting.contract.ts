/** X188, X189: a system administrator looks after a customer in its portal, for an hour at most. */
import * as z from 'zod';
import { signedIn } from '#kit/auth.ts';
import { endpoint, one } from '#kit/endpoint.ts';
import { id } from '#kit/field.ts';

export const ACTING_MINUTES = 60;

export const actingEndpoints = {
  start: endpoint({ method: 'POST', path: '/api/auth/acting-as', auth: signedIn,
    summary: 'Act for a customer (system administrators)', body: z.strictObject({ customer_id: id }),
    response: one(z.object({ customer: z.object({ id: z.int(), name: z.string() }), until: z.string() })) }),
  stop: endpoint({ method: 'DELETE', path: '/api/auth/acting-as', auth: signedIn,
    summary: 'Stop acting for the customer', response: one(z.object({ stopped: z.boolean() })) }),
};
