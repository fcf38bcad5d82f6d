/** Clauses of a contract text: headings and paragraphs, each with the licences it applies to. */
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import {
  CERTAIN_WORDS, CONDITIONS, POSSIBLE_WORDS, TABLES, type ContractCondition,
} from '#kernel/licensing/contract-form.ts';
import { call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button, IconButton } from '#web/controls/button/button.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { optionsOf } from '#web/controls/form/resource-fields.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm, type ResourceForm } from '#web/controls/form/use-resource-form.ts';
import { toast } from '#web/data/toast.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { Section } from '#web/layout/page-content.tsx';
import { useRefresh } from '#web/query/use-refresh.ts';
import { contractTemplateEndpoints, type ContractTemplateDetail } from './contract-template.contract.ts';
import styles from './contracts.module.css';

interface Paragraph { when: ContractCondition; text: string }
interface Clause { heading: string; paragraphs: Paragraph[] }
interface Values extends Record<string, unknown> { clauses: Clause[]; note: string }
type Form = ResourceForm<Values>;

const conditions = optionsOf(CONDITIONS);

export function ClausesForm({ row }: { row: ContractTemplateDetail }) {
  const refresh = useRefresh([contractTemplateEndpoints.list]);
  const form = useResourceForm<Values>({
    initial: { clauses: row.clauses, note: row.note },
    record: { entity: 'contract_template', id: row.id, version: row.version, read: contractTemplateEndpoints.show },
    submit: (values) => call(contractTemplateEndpoints.update, { params: { id: row.id },
      body: { ...values, version: row.version } }),
    onSaved: () => { toast('Contract text saved'); void refresh(); },
  });
  const { clauses } = form.values;
  const change = (next: Clause[]) => form.set('clauses', next);
  return (
    <FormFrame form={form} labels={labelsOf(clauses)} aria-label="Contract text">
      <Section title="Clauses" description="Numbers follow from the order. A paragraph whose placeholder is empty is
        left out, and so is a clause without paragraphs.">
        <Placeholders />
        <TextField label="Note" caption="Changes in this version; only staff see this" maxLength={500}
          {...form.field('note')} />
        {clauses.map((clause, index) => (
          <ClauseFields key={index} form={form} clause={clause} index={index} last={index === clauses.length - 1}
            onMove={(to) => change(moved(clauses, index, to))}
            onRemove={() => change(clauses.filter((_one, other) => other !== index))} />
        ))}
        <Button type="button" icon={<Glyph icon={Plus} size={14} />} onClick={() => change([...clauses,
          { heading: '', paragraphs: [{ when: 'always', text: '' }] }])}>Add clause</Button>
      </Section>
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}>Save text</Button>
      </FormActions>
    </FormFrame>
  );
}

function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = list.filter((_one, index) => index !== from);
  next.splice(to, 0, list[from]!);
  return next;
}

function labelsOf(clauses: readonly Clause[]): Record<string, string> {
  return Object.fromEntries(clauses.flatMap((clause, index) => [
    [`clauses.${index}.heading`, `Clause ${index + 1}, heading`],
    [`clauses.${index}.paragraphs`, `Clause ${index + 1}`],
    ...clause.paragraphs.map((_paragraph, at) => [`clauses.${index}.paragraphs.${at}.text`,
      `Clause ${index + 1}, paragraph ${at + 1}`]),
  ]));
}

function ClauseFields({ form, clause, index, last, onMove, onRemove }: {
  form: Form; clause: Clause; index: number; last: boolean; onMove: (to: number) => void; onRemove: () => void;
}) {
  const path = `clauses.${index}`;
  const paragraphs = (next: Paragraph[]) => form.set(`${path}.paragraphs`, next);
  return (
    <fieldset className={styles.clause}>
      <legend>Clause {index + 1}</legend>
      <div className={styles.head}>
        <TextField label="Heading" required maxLength={120} name={`${path}.heading`} value={clause.heading}
          error={form.errors[`${path}.heading`]} onChange={(value) => form.set(`${path}.heading`, value)} />
        <IconButton type="button" variant="quiet" label={`Move clause ${index + 1} up`} disabled={index === 0}
          icon={<Glyph icon={ArrowUp} />} onClick={() => onMove(index - 1)} />
        <IconButton type="button" variant="quiet" label={`Move clause ${index + 1} down`} disabled={last}
          icon={<Glyph icon={ArrowDown} />} onClick={() => onMove(index + 1)} />
        <IconButton type="button" variant="quiet" label={`Remove clause ${index + 1}`} icon={<Glyph icon={X} />}
          onClick={onRemove} />
      </div>
      {clause.paragraphs.map((paragraph, at) => (
        <ParagraphFields key={at} form={form} paragraph={paragraph} path={`${path}.paragraphs.${at}`}
          name={`paragraph ${at + 1} of clause ${index + 1}`}
          onRemove={() => paragraphs(clause.paragraphs.filter((_one, other) => other !== at))} />
      ))}
      {form.errors[`${path}.paragraphs`] && (
        <p role="alert" className={styles.error}>{form.errors[`${path}.paragraphs`]}</p>)}
      <Button type="button" size="small" icon={<Glyph icon={Plus} size={14} />}
        onClick={() => paragraphs([...clause.paragraphs, { when: 'always', text: '' }])}>
        <span>Add paragraph<span className="gr-hidden"> to clause {index + 1}</span></span></Button>
    </fieldset>
  );
}

function ParagraphFields({ form, paragraph, path, name, onRemove }: {
  form: Form; paragraph: Paragraph; path: string; name: string; onRemove: () => void;
}) {
  return (
    <div className={styles.paragraph}>
      <TextField label={`Text, ${name}`} hideLabel required rows={paragraph.text.length > 160 ? 4 : 2} maxLength={4000}
        name={`${path}.text`} value={paragraph.text} error={form.errors[`${path}.text`]}
        onChange={(value) => form.set(`${path}.text`, value)} />
      <AsyncSelect label={`Applies to, ${name}`} hideLabel name={`${path}.when`} options={conditions}
        value={paragraph.when} error={form.errors[`${path}.when`]}
        onChange={(value) => { if (value) form.set(`${path}.when`, value); }} />
      <IconButton type="button" variant="quiet" label={`Remove ${name}`} icon={<Glyph icon={X} />} onClick={onRemove} />
    </div>
  );
}

function Placeholders() {
  const group = (title: string, list: Readonly<Record<string, string>>) => (
    <>
      <h3>{title}</h3>
      <dl className={styles.words}>
        {Object.entries(list).map(([name, text]) => (
          <div key={name}><dt><code>{`{${name}}`}</code></dt><dd>{text}</dd></div>
        ))}
      </dl>
    </>
  );
  return (
    <details className={styles.placeholders}>
      <summary>Placeholders</summary>
      {group('Always available', CERTAIN_WORDS)}
      {group('May be empty: the paragraph is then left out', POSSIBLE_WORDS)}
      {group('Tables, in a paragraph of their own', TABLES)}
    </details>
  );
}

/** A version that is in use or was: to be read. */
export function ClausesText({ clauses }: { clauses: readonly Clause[] }) {
  return (
    <Section title="Clauses" description="This version no longer changes. Start a new version to edit the text.">
      <ol className={styles.text}>
        {clauses.map((clause, index) => (
          <li key={index}>
            <h3>{clause.heading}</h3>
            {clause.paragraphs.map((paragraph, at) => (
              <p key={at}>
                {paragraph.when !== 'always' && <span className={styles.when}>{CONDITIONS[paragraph.when]}: </span>}
                {paragraph.text}
              </p>
            ))}
          </li>
        ))}
      </ol>
    </Section>
  );
}
