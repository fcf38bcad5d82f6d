/** Find and match: every open document and ledger entry, several at once, with a fee or the rest on account. */
import { useRef, useState } from 'react';
import { CURRENCIES, type Currency } from '#kernel/money/money.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { formatDay } from '#web/data/date-text.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { useSettled } from '#web/query/use-settled.ts';
import type { MatchDialogProps } from './create-dialog.web.tsx';
import {
  added, bodyOf, customerOf, discounted, keyOf, mayBePart, openDiscount, signOf, sumOf, together, typed, type Rest,
} from './find-parts.web.ts';
import { isPosted, KIND_WORDS, partTitle } from './matching-words.web.ts';
import { matchingEndpoints, type MatchableLine, type SidePart } from './matching.contract.ts';
import styles from './matching.module.css';

/** Options for the remainder: a fee if less arrived, money on account if more did. */
function restsFor(parts: readonly SidePart[], left: number): Record<string, string> {
  return { ...(left < 0 && parts.length > 0 ? { fee: `Bank fee of ${formatAmount(-left)}` } : {}),
    ...(left > 0 && customerOf(parts) !== null ? { on_account: `${formatAmount(left)} on account` } : {}) };
}

function PaidOn({ part, line, onChange }: {
  part: SidePart; line: MatchableLine; onChange: (part: SidePart) => void;
}) {
  const sign = signOf(part);
  const discount = openDiscount(part, line);
  return (
    <>
      {mayBePart(part) && (
        <MoneyField label={`Paid on ${part.label}`} currency={part.currency}
          value={Math.abs(part.amount_minor)}
          onChange={(minor) => onChange(typed(part, minor ?? 0))} />
      )}
      {discount > 0 && (
        <Checkbox label={`Discount of ${formatAmount(discount, part.currency)} on ${part.label}`}
          caption={`Agreed for payment by ${formatDay(part.discount!.until)}; the line is of ${
            formatDay(line.booked_on)}`}
          value={part.discount_minor > 0}
          onChange={(on) => onChange(discounted(part, on ? discount : 0))} />
      )}
      {part.bank_minor !== null && (
        <MoneyField label={`Bank amount for ${part.label}`} currency={line.currency}
          value={Math.abs(part.bank_minor)}
          onChange={(minor) => onChange({ ...part, bank_minor: sign * (minor ?? 0) })} />
      )}
    </>
  );
}

/** More lines of the same bank account, for one match. */
function MoreLines({ line, more, onChange }: {
  line: MatchableLine; more: readonly MatchableLine[]; onChange: (more: readonly MatchableLine[]) => void;
}) {
  const found = useRef(new Map<number, MatchableLine>());
  const source = async (search: string, page: number, signal: AbortSignal) => {
    const { data, meta } = await call(matchingEndpoints.lines, { query: { page, per_page: 25, matched: 'false',
      bank_account_id: line.bank_account_id, ...(search ? { search } : {}) } }, { signal });
    const taken = new Set([line.id, ...more.map(({ id }) => id)]);
    for (const one of data) found.current.set(one.id, one);
    return { meta, data: data.filter(({ id }) => !taken.has(id)).map((one) => ({ value: one.id,
      label: lineLabel(one) })) };
  };
  return (
    <>
      {more.map((one) => (
        <Checkbox key={one.id} value label={lineLabel(one)} onChange={() => onChange(more.filter((x) => x !== one))} />
      ))}
      <AsyncSelect<number> label="Add a bank line" clearable value={null} source={source}
        caption="What the bank debited and credited back, or booked in parts, is matched together"
        onChange={(id) => {
          const one = id === null ? undefined : found.current.get(id);
          if (one) onChange([...more, one]);
        }} />
    </>
  );
}

const lineLabel = (line: MatchableLine): string => `${formatAmount(line.amount_minor, line.currency)}, ${
  formatDay(line.booked_on)}, ${[line.name, line.memo].filter((one) => one !== '').join(' ')}`;

export function FindDialog({ line: first, onMatched, onClose }: MatchDialogProps) {
  const [more, setMore] = useState<readonly MatchableLine[]>([]);
  const line = together(first, more);
  const [key] = useState(() => crypto.randomUUID());
  const [parts, setParts] = useState<readonly SidePart[]>([]);
  const refresh = useRefresh([matchingEndpoints.lines]);
  const form = useResourceForm({ initial: { rest: null as Rest | null },
    submit: ({ rest }) => call(matchingEndpoints.create, { body: bodyOf(line, parts, rest) }, { idempotencyKey: key }),
    onSaved: ({ data }) => { void refresh(); onMatched(data.id, line.ids); } });
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
        <MoreLines line={first} more={more} onChange={setMore} />
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

/** The reason why a discount is proposed, or is not any more. */
function discountWords(part: SidePart, line: MatchableLine): string | null {
  if (part.discount === null) return null;
  const day = formatDay(part.discount.until);
  const amount = formatAmount(part.discount.amount_minor);
  return openDiscount(part, line) > 0 ? `Discount of ${amount} until ${day}`
    : `The discount of ${amount} ended on ${day}`;
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
              label={`${partTitle(part)}, ${formatAmount(isPosted(part) ? part.amount_minor
                : signOf(part) * part.open_minor, part.currency)}`}
              caption={[`${KIND_WORDS[part.kind] ?? part.kind}, ${formatDay(part.document_on)}`,
                discountWords(part, line), part.refusal].filter((one) => one !== null).join('. ')} />
          </li>
        ))}
      </ul>
    </>
  );
}
