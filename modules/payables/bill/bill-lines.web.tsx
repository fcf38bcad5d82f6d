/** Lines of a bill as they are typed: account, words, amount, tax, and what each is for. */
import { Plus, Trash2 } from 'lucide-react';
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { spell } from '#kernel/text/english.ts';
import { showEndpoints } from '#modules/catalogue/show/show.contract.ts';
import { materialEndpoints } from '#modules/catalogue/material/material.contract.ts';
import { licenseEndpoints } from '#modules/licensing/licenses/license.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import type { FieldErrors } from '#web/controls/failure/failure.ts';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import { PercentField } from '#web/controls/field/percent-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { goodsReceivedEndpoints } from '../goods-received/goods-received.contract.ts';
import { emptyLine, taxOf, type LineDraft } from './bill-draft.web.ts';
import type { BillChoices, BillDetail } from './bill.contract.ts';
import styles from './bill-form.module.css';

export interface BillLinesProps {
  lines: readonly LineDraft[];
  currency: BillDetail['currency'];
  errors: FieldErrors;
  choices: BillChoices;
  onChange: (lines: LineDraft[]) => void;
  /** Lines may take goods received from this vendor in this division. */
  receiptsOf?: { vendor_id: number; division: BillDetail['division'] } | null | undefined;
}

export function BillLines(props: BillLinesProps) {
  const { lines, errors, onChange } = props;
  return (
    <>
      <div>{lines.map((_, k) => (
        // oxlint-disable-next-line no-array-index-key -- a line that is typed has no identity but its place
        <Line key={k} {...props} k={k} />
      ))}</div>
      {errors.lines && <p role="alert" className={styles.missing}>{errors.lines}</p>}
      <Button className={styles.add} icon={<Plus size={15} aria-hidden="true" />}
        onClick={() => onChange([...lines, emptyLine()])}>Add line</Button>
    </>
  );
}

const shows = optionsFrom(showEndpoints.list, (row) => ({ value: row.id, label: row.title, children: row.show_code }));
const licenses = optionsFrom(licenseEndpoints.list, (row) => ({ value: row.id, label: numbersInWords(row),
  children: row.title_on_license }));

const materials = optionsFrom(materialEndpoints.list, (row) => ({ value: row.id, label: row.name,
  children: row.item_number }));

function Line({ k, lines, currency, errors, choices, onChange, receiptsOf }: BillLinesProps & { k: number }) {
  const line = lines[k]!;
  const change = (part: Partial<LineDraft>) => onChange(lines.map((one, n) => (n === k ? { ...one, ...part } : one)));
  const at = (name: string) => ({ name: `lines.${k}.${name}`, error: errors[`lines.${k}.${name}`] });
  return (
    <div className={styles.line} role="group" aria-label={`Line ${k + 1}`}>
      <div className={styles.top}>
        <AsyncSelect<number> label="Account" required value={line.ledger_account_id} {...at('ledger_account_id')}
          options={choices.accounts.map((one) => ({ value: one.id, label: `${one.code} ${one.name}` }))}
          onChange={(ledger_account_id) => change({ ledger_account_id })} />
        <TextField label="Description" required maxLength={500} value={line.description} {...at('description')}
          onChange={(description) => change({ description })} />
        <IconButton className={styles.remove} label={`Remove line ${k + 1}`} icon={<Trash2 size={16} />}
          onClick={() => onChange(lines.filter((_, n) => n !== k))} />
      </div>
      {receiptsOf && <Receipt of={receiptsOf} line={line} choices={choices} change={change} at={at} />}
      <Figures currency={currency} line={line} choices={choices} change={change} at={at} />
      <div className={styles.figures}>
        <AsyncSelect<number> label="Show" clearable source={shows} selectedLabel={line.show_title ?? undefined}
          value={line.show_id} {...at('show_id')} onChange={(show_id) => change({ show_id })} />
        <AsyncSelect<number> label={spell`License`} clearable source={licenses}
          selectedLabel={line.license_number ?? undefined} value={line.license_id} {...at('license_id')}
          onChange={(license_id) => change({ license_id })} />
        {line.goods_receipt_line_id === null && (
          <AsyncSelect<number> label="Stock item" clearable source={materials}
            selectedLabel={line.material_name ?? undefined} value={line.material_id} {...at('material_id')}
            onChange={(material_id) => change({ material_id })} />)}
        <NumberField label="Quantity" required={line.goods_receipt_line_id !== null} value={line.quantity}
          {...at('quantity')} onChange={(quantity) => change({ quantity })} />
      </div>
    </div>
  );
}

interface ReceiptProps {
  of: { vendor_id: number; division: BillDetail['division'] }; line: LineDraft; choices: BillChoices;
  change: (part: Partial<LineDraft>) => void; at: (name: string) => { name: string; error: string | undefined };
}

/** Goods that came before the bill fill in the line: account 2010, what is on no bill yet, and its cost. */
function Receipt({ of, line, choices, change, at }: ReceiptProps) {
  const rows = useEndpoint(goodsReceivedEndpoints.list, { query: { ...of, free: 'true', per_page: 100 } })
    .data?.data ?? [];
  const own = line.goods_receipt_line_id;
  if (rows.length === 0 && own === null) return null;
  const options = rows.map((row) => ({ value: row.id, label: `${row.number}, ${row.item_name}`,
    children: `${row.free_quantity} at ${formatAmount(row.unit_cost_minor)}` }));
  const take = (id: number | null): void => {
    const row = rows.find((one) => one.id === id);
    if (!row) {
      change({ goods_receipt_line_id: id, ...(id === null ? { ledger_account_id: null } : {}) });
      return;
    }
    change({ goods_receipt_line_id: id, receipt: `${row.number}, ${row.item_name}`, quantity: row.free_quantity,
      net_minor: row.free_quantity * row.unit_cost_minor, description: line.description || row.item_name,
      material_id: row.material_id,
      ledger_account_id: choices.accounts.find((one) => one.code === '2010')?.id ?? line.ledger_account_id });
  };
  return (
    <AsyncSelect<number> label="Goods received" clearable value={own} {...at('goods_receipt_line_id')} onChange={take}
      caption="A delivery that this line bills"
      options={own === null || rows.some((row) => row.id === own) ? options
        : [{ value: own, label: line.receipt ?? '' }, ...options]} />
  );
}

interface FiguresProps {
  currency: BillDetail['currency']; line: LineDraft; choices: BillChoices;
  change: (part: Partial<LineDraft>) => void; at: (name: string) => { name: string; error: string | undefined };
}

function Figures({ currency, line, choices, change, at }: FiguresProps) {
  const { treatment, tax_minor } = taxOf(line, choices.tax_codes);
  return (
    <div className={styles.figures}>
      <MoneyField label="Net" required currency={currency} allowNegative value={line.net_minor} {...at('net_minor')}
        onChange={(net_minor) => change({ net_minor })} />
      <AsyncSelect<number> label="Tax code" clearable value={line.tax_code_id} {...at('tax_code_id')}
        options={choices.tax_codes.map((one) => ({ value: one.id, label: one.name }))}
        onChange={(tax_code_id) => change({ tax_code_id, tax_minor: null })} />
      {choices.accounts.some((one) => one.id === line.ledger_account_id && one.pays_authority) && (
        <TextField label="Authority" required caption="As GB or US-NY" maxLength={6} value={line.jurisdiction}
          {...at('jurisdiction')} onChange={(jurisdiction) => change({ jurisdiction })} />)}
      {treatment === 'use_tax' && (
        <>
          <TextField label="State" required caption="As US-NY" maxLength={6} value={line.jurisdiction}
            {...at('jurisdiction')} onChange={(jurisdiction) => change({ jurisdiction })} />
          <PercentField label="Rate" caption="Leave blank for the rate of the state" value={line.rate_ppm}
            {...at('rate_ppm')} onChange={(rate_ppm) => change({ rate_ppm })} />
        </>
      )}
      {treatment !== 'none' && (
        <MoneyField label="Tax" currency={currency} allowNegative value={line.tax_minor}
          caption={line.tax_minor === null ? `At the rate: ${formatAmount(tax_minor)}` : undefined}
          {...at('tax_minor')} onChange={(tax) => change({ tax_minor: tax })} />
      )}
    </div>
  );
}
