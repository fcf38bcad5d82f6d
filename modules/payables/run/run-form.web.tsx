/** A new run, or a change of one: the account, the method, the days, and what is paid; what is due is chosen. */
import { useState } from 'react';
import { addDays } from '#kernel/calendar/calendar.ts';
import { bankAccountLabel } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { bankAccountEndpoints } from '#modules/banking/bank-account/bank-account.contract.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { today } from '#web/data/local-day.ts';
import { formatDay } from '#web/data/date-text.tsx';
import { formatAmount, Money } from '#web/data/money.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { StatStrip } from '#web/layout/stat-strip.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { dueChoice, dueRoyalties, faultOf, onValueDate, partsError, partsOf, royaltyKey, totalsOf, type Choice,
  type RoyaltyChoice, type Totals } from './run-choice.web.ts';
import { RunItems, withheldNote } from './run-items.web.tsx';
import { RunRoyalties } from './run-royalties.web.tsx';
import { METHOD_WORDS } from './run-words.web.tsx';
import { runEndpoints, type RunDetail, type RunPayables, type RunRow } from './payment-run.contract.ts';

interface RunSelection { account: number | null; method: RunRow['method'] | null; due_by: string;
  value_on: string; same_day: boolean }

function usePayables(asked: RunSelection, row: RunDetail | null) {
  const read = useEndpoint(runEndpoints.payables, { query: { bank_account_id: asked.account ?? 0,
    due_by: asked.due_by, value_on: asked.value_on, same_day: String(asked.same_day),
    ...(asked.method === null ? {} : { method: asked.method }),
    ...(row === null ? {} : { run_id: row.id }) } }, { enabled: asked.account !== null });
  return { read, answer: read.data?.data };
}

/** Items a run already holds. */
function heldBy(row: RunDetail): Choice {
  return Object.fromEntries(row.payments.filter((one) => one.status !== 'void').flatMap((one) => one.parts)
    .flatMap(({ open_item_id, amount_minor: amount, discount_minor: discount, discount_reason: reason }) =>
      (open_item_id === null ? [] : [[open_item_id, { amount, discount, reason,
        isWhole: discount > 0 && reason === '' }]])));
}

const royaltiesOf = (row: RunDetail): RoyaltyChoice => new Set(row.payments.filter((one) => one.status !== 'void')
  .flatMap((one) => one.parts).filter((part) => part.open_item_id === null)
  .map((part) => royaltyKey(part.document_kind === 'statement'
    ? { statement_id: part.document_id, advance_id: null } : { statement_id: null, advance_id: part.document_id })));

function useChoices(row: RunDetail | null, answer: RunPayables | undefined) {
  /** Null until the person chooses: what is due, or what the run holds. */
  const [own, setOwn] = useState<Choice | null>(row === null ? null : heldBy(row));
  const [ownRoyalties, setRoyalties] = useState<RoyaltyChoice | null>(row === null ? null : royaltiesOf(row));
  const payees = answer?.payees ?? [];
  return { choice: own === null ? dueChoice(payees) : onValueDate(own, payees), setOwn, setRoyalties,
    royalties: ownRoyalties ?? dueRoyalties(answer?.royaltors ?? []) };
}

const firstSelection = (row: RunDetail | null): RunSelection => ({ account: row?.bank_account_id ?? null,
  method: row?.method ?? null, due_by: row?.due_by ?? addDays(today(), 7),
  value_on: row?.value_on ?? addDays(today(), 1), same_day: row?.same_day ?? false });

export function RunForm({ row, onSaved }: { row: RunDetail | null; onSaved: (row: RunDetail) => void }) {
  const [key] = useState(() => crypto.randomUUID());
  const [asked, setAsked] = useState<RunSelection>(() => firstSelection(row));
  const { read, answer } = usePayables(asked, row);
  const { choice, royalties, setOwn, setRoyalties } = useChoices(row, answer);
  const [ownDay, setOwnDay] = useState<string | null | undefined>(row?.value_on);
  // Until a person chooses a day, the first one on which the file of today can settle.
  const valueOn = ownDay === undefined ? answer?.value_on ?? asked.value_on : ownDay;
  const form = useResourceForm({
    record: row && { entity: 'payment_run', id: row.id, version: row.version, read: runEndpoints.show },
    initial: { bank_account_id: asked.account, method: asked.method, due_by: asked.due_by as string | null,
      value_on: firstSelection(row).value_on as string | null, same_day: row?.same_day ?? false,
      memo: row?.memo ?? '', parts: [] as object[], statement_ids: [] as number[] },
    submit: (values) => {
      const more = { ...partsOf(answer!, choice, royalties), due_by: asked.due_by, value_on: valueOn ?? '',
        same_day: values.same_day, memo: values.memo };
      return row === null ? call(runEndpoints.create, { body: { ...more, bank_account_id: asked.account ?? 0,
        method: asked.method ?? answer?.method ?? 'wire' } }, { idempotencyKey: key })
        : call(runEndpoints.update, { params: { id: row.id }, body: { ...more, version: row.version } });
    },
    onSaved: ({ data }) => onSaved(data),
  });
  const ask = (more: Partial<RunSelection>) => {
    setAsked({ ...asked, ...more });
    if (row === null) { setOwn(null); setRoyalties(null); }
  };
  const options = useEndpoint(bankAccountEndpoints.options, { query: {} }).data?.data ?? [];
  const account = row ?? options.find((one) => one.id === asked.account);
  const currency = account?.currency ?? 'USD';
  const method = asked.method ?? answer?.method ?? null;
  const fault = faultOf(answer, choice, royalties);
  const totals = totalsOf(answer, choice, valueOn, royalties);
  const wrong = partsError(form.errors) ?? form.field('statement_ids').error;
  return (
    <FormFrame form={form} aria-label="Payment run">
      <FormGrid>
        <AsyncSelect<number> label="Bank account" required {...form.field('bank_account_id')} value={asked.account}
          disabled={row !== null} options={options.map((one) => ({ value: one.id, label: bankAccountLabel(one),
            children: `${one.division} ${one.currency}` }))}
          onChange={(id) => { form.set('bank_account_id', id); ask({ account: id, method: null }); }} />
        <AsyncSelect label="Method" required {...form.field('method')} value={method} disabled={row !== null}
          options={(answer?.methods ?? []).map((way) => ({ value: way, label: METHOD_WORDS[way] }))}
          onChange={(way) => { form.set('method', way); ask({ method: way }); }} />
        <DateField label="Due by" required {...form.field('due_by')} value={asked.due_by}
          onChange={(on) => { form.set('due_by', on); if (on) ask({ due_by: on }); }} />
        <DateField label="Value date" required {...form.field('value_on')} value={valueOn}
          onChange={(on) => { setOwnDay(on); form.set('value_on', on); if (on) setAsked({ ...asked, value_on: on }); }}
          caption={dayNote(answer, valueOn)} />
      </FormGrid>
      {method === 'ach' && <Checkbox label="Same-day ACH" {...form.field('same_day')}
        onChange={(on) => { form.set('same_day', on); setAsked({ ...asked, same_day: on }); }} />}
      {asked.account !== null && <Waiting read={read} />}
      {answer && (
        <>
          <Cash answer={answer} currency={currency} totals={totals} />
          {account && <OnHold answer={answer} account={account} dueBy={asked.due_by} />}
          <RunItems payees={answer.payees} {...{ currency, choice }} on={valueOn} onChoose={setOwn}
            also={answer.royaltors.length > 0} />
          <RunRoyalties royaltors={answer.royaltors} currency={currency} chosen={royalties} onChoose={setRoyalties} />
        </>)}
      {wrong && <Callout tone="error">{wrong}</Callout>}
      <TextField label="Note" {...form.field('memo')} maxLength={1000} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending} reason={fault ?? undefined}>
          {[row ? 'Save run' : 'Create run', answer && formatAmount(totals.cash, currency)].filter(Boolean).join(', ')}
        </Button>
      </FormActions>
    </FormFrame>
  );
}

function Waiting({ read }: { read: ReturnType<typeof usePayables>['read'] }) {
  if (read.isLoading) return <Skeleton height={120} />;
  return read.error && (
    <Callout tone="error" title="Items due could not be loaded"
      action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
      {read.error.message}
    </Callout>
  );
}

/** The day the money arrives, and the last one for its file. */
function dayNote(answer: RunPayables | undefined, chosen: string | null): string | undefined {
  if (!answer?.hand_in_by) return undefined;
  const byDay = `The bank needs the file by ${formatDay(answer.hand_in_by)}.`;
  if (chosen === answer.value_on || answer.value_moved === null) return byDay;
  return `Becomes ${formatDay(answer.value_on)}. ${answer.value_moved} ${byDay}`;
}

function OnHold({ answer, account: { division, currency }, dueBy }: { answer: RunPayables;
  account: { division: string; currency: string }; dueBy: string }) {
  const may = useMay();
  const { count, total_minor: total } = answer.on_hold;
  if (count === 0) return null;
  const shown = new URLSearchParams({ on_hold: 'true', due_by: dueBy, division, currency });
  return (
    <Callout tone="info"
      title={`${count === 1 ? '1 bill' : `${count} bills`} on hold, ${formatAmount(total, currency)}, not proposed`}
      action={may('bill.list') && <ButtonLink size="small" href={`/admin/accounting/bills?${shown}`}>
        Show bills on hold</ButtonLink>} />
  );
}

function Cash({ answer, currency, totals }: { answer: RunPayables; currency: string; totals: Totals }) {
  const left = answer.balance_minor - answer.promised_minor - totals.cash;
  return (
    <StatStrip label="Cash of the account" stats={[
      { label: `On the account, ${currency}`, value: <Money minor={answer.balance_minor} /> },
      { label: 'Other payments waiting', sign: '−', value: <Money minor={answer.promised_minor} /> },
      { label: 'This run', sign: '−', value: <Money minor={totals.cash} />, ...withheldNote(totals, currency) },
      { label: 'Left afterwards', sign: '=', strong: true, value: <Money minor={left} />,
        ...(left < 0 ? { note: 'The account would be overdrawn' } : {}) },
    ]} />
  );
}
