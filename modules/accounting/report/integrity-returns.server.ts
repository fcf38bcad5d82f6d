/** Returns against days: what box office may bill of a performance and of a week (domain.md 1.4, 2.4). */
import { spell } from '#kernel/text/english.ts';
import { sql } from '#server/sql.ts';
import type { Invariant } from './integrity-types.ts';

export const RETURN_INVARIANTS: readonly Invariant[] = [
  {
    key: 'returns_of_performances', title: 'No performance is billed by two returns that count.',
    violations: sql`
      select p.license_id, p.id as performance_id, p.local_date, array_agg(b.id order by b.id) as report_ids
      from performances p join box_office_reports b on b.license_id = p.license_id
        and (b.license_venue_id is null or b.license_venue_id = p.license_venue_id)
        and case when b.performance_id is null then p.local_date between b.period_from and b.period_to
          else b.performance_id = p.id end
        and b.status <> 'estimated' and return_counts(b.status, b.held, b.added, b.replaces_report_id)
      where p.status in ('planned', 'performed') group by p.id having count(*) > 1`,
  },
  {
    key: 'held_returns', title: 'A return that is held has computed nothing.',
    violations: sql`
      select id as report_id, license_id, earned_minor from box_office_reports
      where held and (status not in ('submitted', 'queried') or (earned_minor is not null and not estimated))`,
  },
  {
    key: 'weeks_of_licenses',
    title: spell`A week of a license was charged its percentage or its minimum, once, for all venues and returns.`,
    // Computed again here, in other words than the kernel's. Steps of the gross have no fee of a week by itself.
    violations: sql`
      select x.license_id, x.week_on, x.charged_minor, x.fee_minor from (
        select w.license_id, w.week_on, sum(w.charged_minor)::bigint as charged_minor,
          greatest(round(sum(w.base_minor) * l.rate_ppm / 1000000.0), case when bool_or(b.minimum_pending) then 0
            when sum(w.performances_held) > 0 then greatest(
              case when l.full_week_performances is null then l.min_per_week_minor
                else round(l.min_per_week_minor * least(sum(w.performances_held), l.full_week_performances)
                  / l.full_week_performances::numeric) end,
              l.min_per_performance_minor * sum(w.performances_held))
            when l.empty_week_owes_minimum then l.min_per_week_minor else 0 end)::bigint as fee_minor,
          bool_or(b.minimum_pending) as waits
        from box_office_weeks w join box_office_reports b on b.id = w.box_office_report_id
          and b.status in ('accepted', 'estimated')
          join licenses l on l.id = w.license_id
        where jsonb_array_length(coalesce(l.fee_terms -> 'gross_tiers', '[]')) = 0
        group by w.license_id, w.week_on, l.id) x
      where x.charged_minor < x.fee_minor or (x.charged_minor > x.fee_minor and not x.waits)`,
  },
];
