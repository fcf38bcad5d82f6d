/** Subscriber to events of customers: the context that keeps records of them. */
import { licensingCustomers } from '#modules/licensing/licensing.public.server.ts';
import type { WorkContext } from '#server/context.ts';
import type { CustomerEvents } from '#server/customer-events.ts';

export const customerEvents: CustomerEvents<WorkContext> = licensingCustomers;
