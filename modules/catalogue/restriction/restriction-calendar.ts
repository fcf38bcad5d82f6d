/** Restrictions as days: what a month looks like to someone who plans a run. Pure, shared by server and screen. */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { CalendarDay, DayVerdict, RestrictionInput, RestrictionRow } from './restriction.contract.ts';

/** Parameters of a calendar query; absent means anyone or anywhere. */
export interface CalendarQuery {
  readonly from: string;
  readonly to: string;
  readonly division?: string | undefined;
  readonly category?: string | undefined;
  readonly country?: string | undefined;
  readonly medium?: string | undefined;
}

const SEVERITY: Record<DayVerdict, number> = { clear: 0, partly: 1, limited: 2, needs_clearance: 3, blocked: 4 };

/** Scope of a rule, in words: "Pro · US division · FR · within 80 km · evenings from 18:00". */
export function scopeInWords(
  rule: RestrictionInput & { classification_name?: string | null },
): string {
  const parts = [
    rule.categories.join(' and '),
    rule.classification_name ?? '',
    rule.division === null ? '' : `${rule.division === 'PROD' ? 'Production' : rule.division} division`,
    [rule.region, rule.country].filter(Boolean).join(', '),
    rule.radius_km === null ? '' : `within ${rule.radius_km} km of ${rule.lat}, ${rule.lng}`,
    rule.media.join(' and '),
    hoursInWords(rule),
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Everywhere, for everyone' : parts.join(' · ');
}

function hoursInWords({ starts_from: from, starts_before: before }: RestrictionInput): string {
  const short = (time: string): string => time.slice(0, 5);
  if (from && before) return `starting from ${short(from)} to ${short(before)}`;
  if (from) return `starting from ${short(from)} on`;
  return before ? `starting before ${short(before)}` : '';
}

/** Each day from `from` to `to`, inclusive, with the worst of its rules first. */
export function restrictionCalendar(rules: readonly RestrictionRow[], query: CalendarQuery): CalendarDay[] {
  const days: CalendarDay[] = [];
  for (let date = query.from; date <= query.to; date = addDays(date, 1)) days.push(dayOf(date, rules, query));
  return days;
}

function dayOf(date: string, rules: readonly RestrictionRow[], query: CalendarQuery): CalendarDay {
  const found = rules
    .filter((rule) => rule.date_from <= date && (rule.date_to === null || date <= rule.date_to))
    .flatMap((rule) => {
      const verdict = verdictOf(rule, query);
      return verdict === null ? [] : [{ rule, verdict }];
    })
    .sort((a, b) => SEVERITY[b.verdict] - SEVERITY[a.verdict] || a.rule.id - b.rule.id);
  return {
    date, verdict: found[0]?.verdict ?? 'clear',
    reasons: found.map(({ rule }) => ({ restriction_id: rule.id, kind: rule.kind, scope: rule.scope,
      reason_public: rule.reason_public, reason_internal: rule.reason_internal })),
  };
}

/** null: the rule does not concern the question; `partly`: it concerns a part of it. */
function verdictOf(rule: RestrictionRow, query: CalendarQuery): DayVerdict | null {
  const parts = [
    against(rule.division === null ? [] : [rule.division], query.division),
    against(rule.country === null ? [] : [rule.country], query.country),
    against(rule.categories, query.category),
    against(rule.media, query.medium),
  ];
  if (parts.includes('no')) return null;
  const narrow = parts.includes('partly') || rule.region !== null || rule.radius_km !== null
    || rule.customer_classification_id !== null || rule.starts_from !== null || rule.starts_before !== null;
  if (narrow) return 'partly';
  return rule.kind === 'max_n' ? 'limited' : rule.kind;
}

function against(wanted: readonly string[], asked: string | undefined): 'yes' | 'no' | 'partly' {
  if (wanted.length === 0) return 'yes';
  if (asked === undefined) return 'partly';
  return wanted.includes(asked) ? 'yes' : 'no';
}
