/**
 * Advances paid to royaltors on future royalties: paid by a batch when due, recouped by the statements that followed.
 * The first is recouped in part, the next not at all; the third is sent to the bank for its date, which is still to
 * come, and the last waits.
 */
import { addDays } from '#kernel/calendar/calendar.ts';
import type { Body } from './client.ts';
import type { SeasonContext } from './load-licenses.ts';
import { BATCHES, decideAndPay } from './load-royalties.ts';

const API = '/api/admin/staff';
/** Between the promise and the day it is due. */
const NOTICE_DAYS = 60;

/** The bank takes a payment so many days before it is made. */
const SENT_AHEAD_DAYS = 7;

interface Promised {
  royaltor: string;
  show: string;
  amount_minor: number;
  /** Days from the season's last day, below zero before it. */
  due_in: number;
}
const PROMISED: readonly Promised[] = [
  { royaltor: 'Adela Fenwick', show: 'PIRATES', amount_minor: 400_000, due_in: -740 },
  { royaltor: 'Ignatius Dell', show: 'LAMPLIGHT', amount_minor: 500_000, due_in: -300 },
  { royaltor: 'Adela Fenwick', show: 'PIRATES', amount_minor: 80_000, due_in: SENT_AHEAD_DAYS },
  { royaltor: 'Gideon Abara', show: 'WINTERDEBT', amount_minor: 150_000, due_in: 40 },
];

/** Plans each promise and, where it is due by the season's last day, its payment. */
export function planAdvances(season: SeasonContext): void {
  for (const promised of PROMISED) {
    const due = addDays(season.today, promised.due_in);
    season.calendar.add(addDays(due, -NOTICE_DAYS), () => promise(season, promised, due));
  }
}

async function promise(season: SeasonContext, { royaltor, show, amount_minor }: Promised, due: string): Promise<void> {
  const { staff } = season;
  const { data: agreements } = await staff.get(`${API}/show_royaltors?show_id=${season.works.get(show)!.id}`);
  const agreement: Body = agreements.find((one: Body) => one.royaltor_name === royaltor);
  const { data: advance } = await staff.post(`${API}/royalty_advances`, { show_royaltor_id: agreement.id, amount_minor,
    currency: agreement.currency, due_event: 'date', due_on: due });
  const sentOn = due <= season.today ? due : addDays(due, -SENT_AHEAD_DAYS);
  if (sentOn <= season.today) season.calendar.add(sentOn, () => pay(season, advance, { sentOn, due }));
}

async function pay(season: SeasonContext, advance: Body, on: { sentOn: string; due: string }): Promise<void> {
  const { data: batch } = await season.staff.post(BATCHES, { division: advance.division,
    currency: advance.pay_currency, method: 'wire', pay_on: on.due, statement_ids: [], advance_ids: [advance.id] });
  await decideAndPay(season, batch, on.sentOn);
}
