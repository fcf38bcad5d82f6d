/** Prices and days while typing: one request 300 ms after the last change, the last answer stays until the next. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { call } from '#kit/client.ts';
import type { BodyIn } from '#kit/endpoint.ts';
import { availabilityEndpoints } from '#modules/licensing/availability/availability.contract.ts';
import { pricingEndpoints } from '#modules/licensing/licenses/pricing/pricing.contract.ts';

const PAUSE = 300;

/** `value` once it has rested for `PAUSE` ms. */
export function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(JSON.parse(key) as T), PAUSE);
    return () => clearTimeout(timer);
  }, [key]);
  return rested;
}

export type PriceQuestion = BodyIn<typeof pricingEndpoints.customerPreview>;

/** null asks nothing: something that a price needs is still missing. */
export function useLivePrice(customerId: number, question: PriceQuestion | null) {
  const body = useRested(question);
  return useQuery({
    queryKey: ['POST price preview', customerId, body],
    queryFn: ({ signal }) => call(pricingEndpoints.customerPreview, {
      params: { id: customerId }, body: body as PriceQuestion,
    }, { signal }),
    enabled: body !== null, placeholderData: keepPreviousData,
  });
}

export interface Place { venue_id?: number; country_code?: string; region?: string; postal_code?: string }

export function useBlockedDays(customerId: number, showId: number, from: string, to: string, place: Place) {
  const query = { from, to, ...useRested(place) };
  return useQuery({
    queryKey: ['GET availability days', customerId, showId, query],
    queryFn: ({ signal }) => call(availabilityEndpoints.customerDays, { params: { id: customerId, showId }, query },
      { signal }),
    placeholderData: keepPreviousData,
  });
}

/** Whether the whole run is free, with other dates where it is not. */
export function useRunCheck(customerId: number, showId: number, from: string, to: string, place: Place) {
  const query = useRested({ from, to, ...place });
  return useQuery({
    queryKey: ['GET availability', customerId, showId, query],
    queryFn: ({ signal }) => call(availabilityEndpoints.customerCheck, { params: { id: customerId, showId }, query },
      { signal }),
    enabled: query.from !== '', placeholderData: keepPreviousData,
  });
}
