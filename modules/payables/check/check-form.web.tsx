/** A check over what is owed to a vendor or customer; another person approves its payment before it is printed. */
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { journalEntryEndpoints } from '#modules/accounting/transaction/journal-entry.contract.ts';
import { backupWithholding } from '#kernel/tax/backup-withholding.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { PageHeader } from '#web/layout/page-header.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { payEndpoints } from '../payment/pay.contract.ts';
import { lessWithheld } from '../run/run-items.web.tsx';
import { CHECKING } from '../payables-tabs.ts';
import { CheckAccountField, useCheckAccount } from './check-account.web.tsx';
import { checkEndpoints } from './check.contract.ts';

type Kind = 'vendor' | 'customer';
const KINDS: Readonly<Record<Kind, string>> = { vendor: 'Vendor', customer: 'Customer' };

export default function CheckCreate() {
  return (
    <>
      <PageHeader title={spell`New check`} back={CHECKING} />
      <PageContent record><CheckForm /></PageContent>
    </>
  );
}

const firstValues = () => ({ bank_account_id: 0, party_id: null as number | null, on: today() as string | null,
  memo: '', check_number: '', parts: '' });

const partySource = (type: Kind) => optionsFrom(journalEntryEndpoints.parties,
  (row) => ({ value: row.id, label: row.name, children: row.note }), { params: { type } });

function useItems(account: number | null, kind: Kind, party: number | null) {
  const read = useEndpoint(checkEndpoints.payable, { query: { bank_account_id: account ?? 0, party_type: kind,
    party_id: party ?? 0 } }, { enabled: account !== null && party !== null });
  return { isRead: read.data !== undefined, items: (read.data?.data ?? []).filter((one) => one.free_minor !== 0) };
}

interface WithheldOf { account: number | undefined; kind: Kind; party: number | null; gross: number; on: string | null }

/** Backup withholding of a vendor, by the day of the check. */
function useWithheld(of: WithheldOf) {
  const read = useEndpoint(payEndpoints.payables, { query: { bank_account_id: of.account ?? 0, party_type: of.kind,
    party_id: of.party ?? 0, method: 'check' } }, { enabled: of.account !== undefined && of.party !== null });
  const withholding = read.data?.data.payee?.withholding ?? null;
  if (withholding === null || of.on === null || of.on < withholding.from) return 0;
  return Number(backupWithholding(BigInt(of.gross), BigInt(withholding.rate_ppm)));
}

function CheckForm() {
  const { go } = useNavigation();
  const refresh = useRefresh([checkEndpoints.list]);
  const [key] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState<number | null>(null);
  const [kind, setKind] = useState<Kind>('vendor');
  const [party, setParty] = useState<number | null>(null);
  const [off, setOff] = useState<ReadonlySet<number>>(new Set());
  const { account } = useCheckAccount(chosen);
  const { items, isRead } = useItems(account?.id ?? null, kind, party);
  const taken = items.filter((one) => !off.has(one.id));
  const gross = taken.reduce((all, one) => all + one.free_minor, 0);
  const form = useResourceForm({
    initial: firstValues(),
    submit: (values) => call(checkEndpoints.create, { body: { bank_account_id: account?.id ?? 0, party_type: kind,
      party_id: party ?? 0, on: values.on ?? '', memo: values.memo,
      check_number: values.check_number.trim() || null,
      parts: taken.map((one) => ({ open_item_id: one.id, amount_minor: one.free_minor })) } },
    { idempotencyKey: key }),
    onSaved: ({ data }) => {
      toast(spell`The check waits for approval`);
      void refresh();
      go(`${CHECKING}/${data.id}/information`, { replace: true });
    },
  });
  const withheld = useWithheld({ account: account?.id, kind, party, gross, on: form.values.on });
  return (
    <FormFrame form={form} aria-label={spell`Check`}>
      <Section title="Payee">
        <CheckAccountField chosen={chosen} onChange={setChosen} error={form.field('bank_account_id').error} />
        <FormGrid>
          <AsyncSelect<Kind> label="Pay to" required value={kind} options={optionsOf(KINDS)}
            onChange={(value) => { setKind(value ?? 'vendor'); setParty(null); setOff(new Set()); }} />
          <AsyncSelect<number> key={kind} label={KINDS[kind]} name="party_id" required value={party}
            error={form.field('party_id').error} source={partySource(kind)}
            onChange={(id) => { setParty(id); setOff(new Set()); }} />
        </FormGrid>
      </Section>
      <Section title="Paid documents">
        {items.map((one) => (
          <Checkbox key={one.id} name={`item-${one.id}`} value={!off.has(one.id)}
            onChange={(on) => setOff(new Set(on ? [...off].filter((id) => id !== one.id) : [...off, one.id]))}
            label={`${formatAmount(one.free_minor, account?.currency)}, ${one.description}, due ${
              formatDay(one.due_date)}`} />
        ))}
        {isRead && items.length === 0 && (
          <Callout tone="info" title="Nothing to pay">
            Nothing is owed to this payee in the division and currency of the account.
          </Callout>
        )}
        {withheld > 0 && <p>{lessWithheld(gross, withheld, account?.currency)}</p>}
        {form.field('parts').error && <Callout tone="error">{form.field('parts').error}</Callout>}
      </Section>
      <Section title={spell`Check`}>
        <FormGrid>
          <DateField label="Planned date" required {...form.field('on')} />
          <TextField label="Memo" maxLength={200} {...form.field('memo')} />
          <TextField label="Number, if written by hand" inputMode="numeric" maxLength={9}
            {...form.field('check_number')} caption="Left empty, it gets the next number when it is printed." />
        </FormGrid>
      </Section>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}
          reason={taken.length === 0 ? 'Choose what it pays' : undefined}>
          {`${spell`Create check`}, ${formatAmount(gross - withheld, account?.currency)}`}
        </Button>
      </FormActions>
    </FormFrame>
  );
}
