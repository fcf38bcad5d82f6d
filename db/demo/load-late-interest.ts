/** The office bills the statutory interest on one overdue invoice, and waives it on another. */
import type { DemoClient } from './client.ts';

const INVOICES = '/api/admin/staff/invoices';
/** Eight points above the rates of the Bank of England and the European Central Bank at the beginning of 2026. */
const RATES: Readonly<Record<string, number>> = { UK: 117_500, EU: 101_500 };

export async function setStatutoryInterest(system: DemoClient): Promise<void> {
  const base = '/api/admin/system/divisions';
  for (const { code, version } of (await system.get(base)).data) {
    const rate = RATES[code as string];
    if (rate) await system.put(`${base}/${code}`, { statutory_interest_ppm_per_year: rate, version });
  }
}

export async function billLateInterest(eleanor: DemoClient): Promise<void> {
  const late: { path: string; amount_minor: number; to_on: string }[] = [];
  for (const division of Object.keys(RATES)) {
    const { data } = await eleanor.get(`${INVOICES}?division=${division}&due=overdue&kind=invoice&per_page=20`);
    for (const { id } of data as { id: number }[]) {
      const path = `${INVOICES}/${id}/late_interest`;
      const { amount_minor, to_on } = (await eleanor.get(path)).data;
      if (amount_minor > 0) late.push({ path, amount_minor, to_on });
    }
  }
  const [first, second] = late.toSorted((a, b) => b.amount_minor - a.amount_minor || a.path.localeCompare(b.path));
  if (first) await eleanor.post(first.path, { to_on: first.to_on, amount_minor: first.amount_minor });
  if (second) {
    await eleanor.post(`${second.path}/waive`, { to_on: second.to_on, amount_minor: second.amount_minor,
      reason: 'Their treasurer is ill and asked for a week' });
  }
}
