/** The rights check for somebody whom we do not know: a verdict and nothing else (domain.md 1.5). */
import type { Verdict } from '#kernel/licensing/availability.ts';
import type { Division } from '#kernel/money/division.ts';
import type { WorkContext } from '#server/context.ts';
import { areaPoint } from './area-point.server.ts';
import { checkRights } from './check-availability.server.ts';

export interface PublicDates {
  show_id: number; division: Division; category: 'Amateur' | 'Pro'; country: string; postal_code: string;
  from: string; to: string;
}

export async function checkPublicDates(ctx: WorkContext, asked: PublicDates): Promise<Verdict> {
  const point = await areaPoint(ctx, asked.country, asked.postal_code);
  const { verdict } = await checkRights(ctx, { show_id: asked.show_id, division: asked.division,
    category: asked.category, classification_id: null, media: ['stage'], license_id: null,
    venues: [{ name: null, country: asked.country, region: null, point,
      first_performance_on: asked.from, last_performance_on: asked.to }] });
  return verdict;
}
