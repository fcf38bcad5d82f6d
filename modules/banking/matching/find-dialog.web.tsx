/** Find and match: every open document and ledger entry, several at once, with a fee or the rest on account. */
import { useState } from 'react';
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/async-select.tsx';
import { Button } from '#web/controls/button.tsx';
import { Checkbox } from '#web/controls/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form-frame.tsx';
import { MoneyField } from '#web/controls/money-field.tsx';
import { optionsOf } from '#web/controls/resource-fields.tsx';
import { TextField } from '#web/controls/text-field.tsx';
import { useResourceForm } from '#web/controls/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { useSettled } from '#web/query/use-settled.ts';
import type { MatchDialogProps } from './create-dialog.web.tsx';
import { atBank, KIND_WORDS, partsBody, partTitle } from './matching-words.web.ts';
import { matchingEndpoints, type MatchableLine, type SidePart } from './matching.contract.ts';
import styles from './matching.module.css';

type Rest = 'fee' | 'on_account';
const keyOf = (part: SidePart): string => `${part.kind} ${part.id}`;
const sumOf = (parts: readonly SidePart[]): number => parts.reduce((all, one) => all + atBank(one), 0);
/** Paid in part where the line is smaller; everything else is matched whole. */
const mayBePart = ({ kind }: SidePart): boolean => ['invoice', 'bill', 'vendor_credit'].includes(kind);
/** -1 for a document that money leaves for. */
const signOf = ({ amount_minor }: SidePart): number => (amount_minor < 0 ? -1 : 1);

/** The one customer of all chosen documents; null where there are several, or none. */
function customerOf(parts: readonly SidePart[]): number | null {
  const [first] = parts;
  return first?.customer_id != null && parts.every((part) => part.kind !== 'ledger_line'
    && part.customer_id === first.customer_id) ? first.customer_id : null;
}

/** Options for the remainder: a fee if less arrived, money on account if more did. */
function restsFor(parts: readonly SidePart[], left: number): Record<string, string> {
  return { ...(left < 0 && parts.length > 0 ? { fee: `Bank fee of ${formatAmount(-left)}` } : {}),
    ...(left > 0 && customerOf(parts) !== null ? { on_account: `${formatAmount(left)} on account` } : {}) };
}

function bodyOf(line: MatchableLine, parts: readonly SidePart[], rest: Rest | null) {
  const left = line.amount_minor - sumOf(parts);
  const customer_id = customerOf(parts);
  return { line_ids: [line.id], parts: partsBody(parts), fee_minor: rest === 'fee' && left < 0 ? -left : 0,
    on_account: rest === 'on_account' && left > 0 && customer_id !== null ? { customer_id, amount_minor: left }
      : null };
}

/** A document in another currency is paid whole with the rest of the line, until somebody types other amounts. */
function added(part: SidePart, line: MatchableLine, left: number): SidePart {
  const sign = signOf(part);
  const rest = sign * left;
  if (part.currency !== line.currency) return { ...part, bank_minor: rest > 0 ? left : part.bank_minor ?? 0 };
  return mayBePart(part) && rest > 0 ? { ...part, amount_minor: sign * Math.min(part.open_minor, rest) } : part;
}

function PaidOn({ part, line, onChange }: {
  part: SidePart; line: MatchableLine; onChange: (part: SidePart) => void;
}) {
  const sign = signOf(part);
  return (
    <>
      {mayBePart(part) && (
        <MoneyField label={`Paid on ${part.label}`} currency={part.currency}
          value={Math.abs(part.amount_minor)}
          onChange={(minor) => onChange({ ...part, amount_minor: sign * (minor ?? 0) })} />
      )}
      {part.bank_minor !== null && (
        <MoneyField label={`Bank amount for ${part.label}`} currency={line.currency}
          value={Math.abs(part.bank_minor)}
          onChange={(minor) => onChange({ ...part, bank_minor: sign * (minor ?? 0) })} />
      )}
    </>
  );
}

export function FindDialog({ line, onMatched, onClose }: MatchDialogProps) {
  const [key] = useState(() => crypto.randomUUID());
  const [parts, setParts] = useState<readonly SidePart[]>([]);
  const refresh = useRefresh([matchingEndpoints.lines]);
  const form = useResourceForm({ initial: { rest: null as Rest | null },
    submit: ({ rest }) => call(matchingEndpoints.create, { body: bodyOf(line, parts, rest) }, { idempotencyKey: key }),
    onSaved: ({ data }) => { void refresh(); onMatched(data.id, [line.id]); } });
  const left = line.amount_minor - sumOf(parts);
  const rests = restsFor(parts, left);
  const { rest } = form.values;
  const settled = left === 0 || (rest !== null && rests[rest] !== undefined);
  const toggle = (part: SidePart) => setParts(parts.some((one) => keyOf(one) === keyOf(part))
    ? parts.filter((one) => keyOf(one) !== keyOf(part))
    : [...parts, added(part, line, left)]);
  return (
    <Modal open onClose={onClose} width={680}
      title={`Find and match ${formatAmount(line.amount_minor, line.currency)}`}>
      <FormFrame form={form} aria-label="Find and match" labels={{ parts: 'Documents' }}>
        <Results line={line} chosen={parts} onToggle={toggle} />
        {parts.filter((part) => mayBePart(part) || part.bank_minor !== null).map((part) => (
          <PaidOn key={keyOf(part)} part={part} line={line} onChange={(changed) =>
            setParts(parts.map((one) => (keyOf(one) === keyOf(part) ? changed : one)))} />
        ))}
        {Object.keys(rests).length > 0 && (
          <AsyncSelect<Rest> label="Difference" clearable {...form.field('rest')}
            options={optionsOf(rests) as { value: Rest; label: string }[]} />
        )}
        <p className={styles.sum} role="status">
          <span>Chosen {formatAmount(sumOf(parts), line.currency)}</span>
          <strong>{left === 0 ? 'No difference' : `Difference ${formatAmount(left)}`}</strong>
        </p>
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending} reason={parts.length === 0
            ? 'Choose a document' : settled ? undefined : 'Both sides must come to the same amount'}>Match</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

/** Those chosen stay in view whatever is searched next. */
function Results({ line, chosen, onToggle }: {
  line: MatchableLine; chosen: readonly SidePart[]; onToggle: (part: SidePart) => void;
}) {
  const [text, setText] = useState('');
  const [kind, setKind] = useState<string | null>(null);
  const [currency, setCurrency] = useState<Currency | null>(null);
  const search = useSettled(text, 300);
  const read = useEndpoint(matchingEndpoints.items, { params: { id: line.id },
    query: { search, ...(kind === null ? {} : { kind }), ...(currency === null ? {} : { currency }) } });
  const keys = new Set(chosen.map((part) => keyOf(part)));
  const others = (read.data?.data ?? []).filter((part) => !keys.has(keyOf(part))).slice(0, 30);
  return (
    <>
      <FormGrid>
        <TextField label="Search" value={text} onChange={setText} placeholder="Customer, vendor, number or reference" />
        <AsyncSelect label="Kind" clearable value={kind} onChange={setKind} options={optionsOf(KIND_WORDS)} />
        <AsyncSelect<Currency> label="Currency" clearable value={currency} onChange={setCurrency}
          options={CURRENCIES.map((one) => ({ value: one, label: one }))} />
      </FormGrid>
      {read.isError && <Callout tone="error" title="This did not load">{read.error.message}</Callout>}
      {!read.data && !read.isError && <p aria-busy="true"><Skeleton width={280} height={16} /></p>}
      {read.data && chosen.length + others.length === 0 && <p>Nothing open was found.</p>}
      <ul className={styles.list} aria-label="Open documents">
        {[...chosen, ...others].map((part) => (
          <li key={keyOf(part)}>
            <Checkbox value={keys.has(keyOf(part))} disabled={part.refusal !== null} onChange={() => onToggle(part)}
              label={`${partTitle(part)}, ${formatAmount(part.kind === 'ledger_line' ? part.amount_minor
                : signOf(part) * part.open_minor, part.currency)}`}
              caption={[`${KIND_WORDS[part.kind] ?? part.kind}, ${formatDay(part.document_on)}`, part.refusal]
                .filter((one) => one !== null).join('. ')} />
          </li>
        ))}
      </ul>
    </>
  );
}
