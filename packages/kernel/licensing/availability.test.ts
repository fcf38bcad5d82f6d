import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkAvailability, distanceKm, worst, type AvailabilityQuery, type ShowRestriction, type StandingLicense,
} from './availability.ts';

const leeds = { lat: 53.8008, lng: -1.5491 };
const york = { lat: 53.9590, lng: -1.0815 };
const london = { lat: 51.5074, lng: -0.1278 };
const query: AvailabilityQuery = {
  show_code: 'GYP', division: 'UK', category: 'Amateur', classification_id: 4, media: ['stage'], country: 'GB',
  region: null, point: leeds, first_performance_on: '2026-10-05', last_performance_on: '2026-10-10', license_id: 1,
};
const restriction: ShowRestriction = {
  id: 7, show_code: 'GYP', division: null, country: 'GB', region: null, centre: null, radius_km: null, date_from: null,
  date_to: '2026-12-31', categories: ['Amateur'], classifications: [], media: ['stage'], kind: 'blocked', max_n: null,
  reason_internal: 'West End run of Acme Ltd', reason_public: '',
};
const other: StandingLicense = {
  id: 2, number: 'L-UK-2026-000002', show_code: 'GYP', phase: 'sent', division: 'UK', category: 'Amateur',
  classification_id: null, country: 'GB', region: null, point: york, first_performance_on: '2026-12-01',
  last_performance_on: '2026-12-05',
};
const verdict = (
  rule: Partial<ShowRestriction>, q: Partial<AvailabilityQuery> = {}, standing: StandingLicense[] = [],
) => checkAvailability({ ...query, ...q }, [{ ...restriction, ...rule }], standing, null).verdict;
const near = (o: Partial<StandingLicense>, q: Partial<AvailabilityQuery> = {}) =>
  checkAvailability({ ...query, ...q }, [], [{ ...other, ...o }]).verdict;

describe('restrictions (1.5)', () => {
  it('is clear without a rule, and the worst of the matching rules with several', () => {
    expect(checkAvailability(query, [], [])).toEqual({ verdict: 'clear', reasons: [] });
    const both = checkAvailability(query, [{ ...restriction, id: 8, kind: 'needs_clearance' }, restriction], []);
    expect([both.verdict, both.reasons.map((r) => r.restriction_id)]).toEqual(['blocked', [7, 8]]);
    expect(worst([checkAvailability(query, [], []), both]).verdict).toBe('blocked');
  });

  it('matches by every dimension, an empty one is any', () => {
    expect(verdict({})).toBe('blocked');
    const misses: Partial<ShowRestriction>[] = [
      { show_code: 'CAB' }, { division: 'US' }, { country: 'US' }, { region: 'ENG' }, { date_from: '2026-10-11' },
      { date_to: '2026-10-04' }, { categories: ['Pro'] }, { classifications: [5] }, { media: ['stream'] },
    ];
    expect(misses.map((rule) => verdict(rule))).toEqual(misses.map(() => 'clear'));
    expect(verdict({ date_from: '2026-10-10', date_to: '2026-10-10', categories: [], classifications: [4], media: [] }))
      .toBe('blocked');
  });

  it('a radius is a great circle; a venue without a position needs a person', () => {
    expect([distanceKm(leeds, london), distanceKm(leeds, york), distanceKm(leeds, leeds)].map(Math.round))
      .toEqual([272, 35, 0]);
    expect(verdict({ centre: london, radius_km: 271 })).toBe('clear');
    expect(verdict({ centre: london, radius_km: 273 })).toBe('blocked');
    expect(verdict({ centre: london, radius_km: 10 }, { point: null })).toBe('needs_clearance');
  });

  it('at most n licences at a time, other than the one that asks', () => {
    const stand = (max_n: number, id = 2) => verdict({ kind: 'max_n', max_n }, {}, [{ ...other, id }]);
    expect([stand(2), stand(1), stand(1, 1)]).toEqual(['clear', 'blocked', 'clear']);
  });

  it('tells the customer why without naming anybody', () => {
    const [reason] = checkAvailability(query, [restriction], []).reasons;
    expect(reason!.reason_public).toBe('The rights are not available for these dates and this place. '
      + 'The restriction ends on December 31, 2026.');
    expect(reason!.reason_internal).toBe('West End run of Acme Ltd');
  });
});

describe('proximity (1.5)', () => {
  it('80 km and three months on each side need a clearance', () => {
    expect(near({})).toBe('needs_clearance');
    expect(near({ point: london })).toBe('clear');
    const from = (day: string) => near({ first_performance_on: day, last_performance_on: '2027-02-01' });
    expect([from('2027-01-10'), from('2027-01-11')]).toEqual(['needs_clearance', 'clear']);
    expect(near({ first_performance_on: '2026-06-01', last_performance_on: '2026-07-04' })).toBe('clear');
    expect(near({ first_performance_on: '2026-06-01', last_performance_on: '2026-07-05' })).toBe('needs_clearance');
  });

  it('counts offers and licences that hold the rights, of the same show, never itself', () => {
    const phases = ['draft', 'sent', 'accepted', 'licensed', 'in_production', 'closed', 'cancelled'] as const;
    expect(phases.filter((phase) => near({ phase }) !== 'clear')).toEqual(phases.slice(1, 5));
    expect([near({ show_code: 'CAB' }), near({ id: 1 })]).toEqual(['clear', 'clear']);
  });

  it('an unknown position in the same country needs a person; the public reason names nobody', () => {
    expect([near({ point: null }), near({ point: null, country: 'US' })]).toEqual(['needs_clearance', 'clear']);
    const [reason] = checkAvailability(query, [], [other]).reasons;
    expect(reason!.reason_public).not.toMatch(/L-UK|York|\d/);
    expect(reason!.reason_internal).toBe('L-UK-2026-000002 (sent), 35 km away, December 1, 2026 to December 5, 2026');
  });

  it('is symmetric: who asks first does not matter (property)', () => {
    const point = fc.record({ lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lng: fc.double({ min: -179, max: 179, noNaN: true }) });
    fc.assert(fc.property(point, point, (a, b) => {
      expect(Math.abs(distanceKm(a, b) - distanceKm(b, a))).toBeLessThan(1e-6);
      expect(near({ point: a }, { point: b })).toBe(near({ point: b }, { point: a }));
    }));
  });
});
