/** The lines of a BOM template: which material, by which rule, with which group, in which place. */
import { NotebookPen } from 'lucide-react';
import { useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { IconButton } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { NumberField } from '#web/controls/field/number-field.tsx';
import type { OptionSource } from '#web/controls/select/option.ts';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import type { ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Glyph } from '#web/layout/icons.tsx';
import { optionsFrom } from '#web/query/options-from.ts';
import styles from '../catalogue.module.css';
import { materialEndpoints } from '../material/material.contract.ts';
import { RowsEditor } from '../rows-editor.web.tsx';
import { SHIP_GROUP_LABELS, type BomLineInput } from './bom-template.contract.ts';
import { RULE_LABELS } from './bom-words.web.ts';

/** A line as it is edited, with the words of its material where they are known. */
export type DraftLine = Omit<BomLineInput, 'material_id'> & { material_id: number | null; name?: string | undefined };

const RULES = optionsOf(RULE_LABELS);
const GROUPS = optionsOf(SHIP_GROUP_LABELS);
const PPM = 1_000_000;

export const blankLine = (last: DraftLine | undefined): DraftLine => ({ material_id: null, qty_rule: 'fixed',
  quantity: 1, factor_ppm: PPM, constant: 0, optional: false, ship_group: last?.ship_group ?? 'main', lead_days: 0,
  substitution_group: '', substitution_rank: 1, note: '' });

/** Active materials of the show; those of no show are found by their words. */
const materialSource = (showCode: string | null) => optionsFrom(materialEndpoints.list,
  (row) => ({ value: row.id, label: row.name, children: row.item_number }),
  { query: { active: 'true', ...(showCode ? { show_code: showCode } : {}) } });

export function BomLines({ form, disabled }: { form: ResourceForm<Record<string, unknown>>; disabled: boolean }) {
  const lines = form.values.lines as DraftLine[];
  const source = materialSource((form.values.show_code as string) || null);
  const set = (index: number, change: Partial<DraftLine>) =>
    form.set('lines', lines.map((line, at) => (at === index ? { ...line, ...change } : line)));
  return (
    <RowsEditor label="Lines" rows={lines} add="Add line" blank={blankLine} error={form.errors.lines}
      disabled={disabled} aligned
      caption="Days ahead: how many days before the opening it ships; 0 ships with its group. Lines of one substitution
        group replace each other, the lowest rank first."
      onChange={(rows) => form.set('lines', rows)}>
      {(index) => (
        <LineFields line={lines[index]!} source={source} disabled={disabled} onChange={(change) => set(index, change)}
          path={`lines.${index}`} errors={form.errors} />
      )}
    </RowsEditor>
  );
}

interface LineFieldsProps {
  line: DraftLine;
  source: OptionSource<number>;
  disabled: boolean;
  onChange: (change: Partial<DraftLine>) => void;
  path: string;
  errors: Readonly<Record<string, string>>;
}

function LineFields({ line, source, disabled, onChange, path, errors }: LineFieldsProps) {
  const at = (name: string) => ({ name: `${path}.${name}`, error: errors[`${path}.${name}`], disabled });
  const [noting, setNoting] = useState(line.note !== '');
  const inGroup = line.substitution_group !== '';
  return (
    <>
      <AsyncSelect<number> label="Material" required source={source} {...at('material_id')} value={line.material_id}
        selectedLabel={line.name} onChange={(value, option) => onChange({ material_id: value, name: option?.label })} />
      <AsyncSelect label="Quantity" options={RULES} {...at('qty_rule')} value={line.qty_rule}
        onChange={(value) => value && onChange({ qty_rule: value })} />
      {line.qty_rule === 'fixed' ? (
        <>
          <NumberField label="Copies" {...at('quantity')} value={line.quantity}
            onChange={(value) => onChange({ quantity: value ?? 0 })} />
          <span className={styles.noField} aria-hidden>And spare</span>
        </>
      ) : (
        <>
          <NumberField label="Copies each" decimals={4} {...at('factor_ppm')} value={line.factor_ppm / PPM}
            onChange={(value) => onChange({ factor_ppm: Math.round((value ?? 0) * PPM) })} />
          <NumberField label="And spare" {...at('constant')} value={line.constant}
            onChange={(value) => onChange({ constant: value ?? 0 })} />
        </>
      )}
      <AsyncSelect label="Sent" options={GROUPS} {...at('ship_group')} value={line.ship_group}
        onChange={(value) => value && onChange({ ship_group: value })} />
      <NumberField label="Days ahead" {...at('lead_days')} value={line.lead_days}
        onChange={(value) => onChange({ lead_days: value ?? 0 })} />
      <TextField label="Substitution group" {...at('substitution_group')} value={line.substitution_group}
        onChange={(value) => onChange({ substitution_group: value })} />
      {inGroup ? (
        <NumberField label="Rank" {...at('substitution_rank')} value={line.substitution_rank}
          onChange={(value) => onChange({ substitution_rank: value ?? 1 })} />
      ) : <span className={styles.noField} aria-hidden>Rank</span>}
      <div className={styles.noLabel}>
        <span className={styles.columnName} aria-hidden>Optional</span>
        <Checkbox label="Optional" disabled={disabled} value={line.optional}
          onChange={(value) => onChange({ optional: value })} />
        {!disabled && !noting && (
          <IconButton label="Add a note" icon={<Glyph icon={NotebookPen} size={15} />} size="small" type="button"
            variant="quiet" onClick={() => setNoting(true)} />
        )}
      </div>
      {noting && (
        <div className={styles.wholeRow}>
          <TextField label="Note" maxLength={200} {...at('note')} value={line.note}
            caption={spell`Stands beside it on the license.`} onChange={(note) => onChange({ note })} />
        </div>
      )}
    </>
  );
}
