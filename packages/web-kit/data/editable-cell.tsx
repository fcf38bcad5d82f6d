/**
 * A cell that is changed where it stands (U10). Its pencil (or F2) opens a field: Enter saves, Escape gives up, Tab
 * saves and goes to the next such cell, Shift+Tab to the one before. Nothing typed is lost: what the server refuses
 * stays in the field with its reason; where somebody else was faster, what stands there now is told and Enter
 * decides; leaving the page or turning over the list asks first. What was saved can be undone for eight seconds.
 */
import { Check, X } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from '#web/controls/button/button.tsx';
import { FieldFrame } from '#web/controls/field/field-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { UnsavedGuard } from '#web/controls/form/unsaved-guard.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import { readFailure } from '#web/query/use-action.ts';
import { CELL_HINTS, cellText, readCell } from './cell-text.ts';
import type { ColumnEdit, EditValue, RowEdits } from './column.ts';
import { undoable } from './toast.tsx';
import fields from '#web/controls/field/field-frame.module.css';
import styles from './editable-cell.module.css';

interface CellProps<Row> {
  row: Row;
  edit: ColumnEdit<Row>;
  edits: RowEdits<Row>;
  /** 'Phone of Savoy Theatre' */
  label: string;
}

/** Target of the focus when a field is closed: back to its pencil, or on to another cell. */
type Leave = 'stay' | 'next' | 'before';

export function EditableCell<Row>({ children, ...props }: CellProps<Row> & { children: ReactNode }) {
  const [open, setOpen] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const back = useRef(false);
  useEffect(() => {
    if (!open && back.current) pencil.current?.focus();
    back.current = open;
  }, [open]);
  if (!open) {
    return (
      <>
        {children}
        <button ref={pencil} type="button" className={styles.pencil} data-edit aria-label={`Edit ${props.label}`}
          aria-keyshortcuts="F2" onClick={() => setOpen(true)}
          onKeyDown={(event) => { if (event.key === 'F2') { event.preventDefault(); setOpen(true); } }} />
      </>
    );
  }
  return <CellEditor {...props} close={(from, leave) => {
    const other = leave === 'stay' ? undefined : neighbour(from, leave === 'next' ? 1 : -1);
    if (other) back.current = false;
    setOpen(false);
    if (other) requestAnimationFrame(() => other.querySelector<HTMLElement>('[data-edit]')?.click());
  }} />;
}

/** The next cell of the table that can be changed. */
function neighbour(from: Element, step: 1 | -1): Element | undefined {
  const cells = [...from.closest('table')?.querySelectorAll('td[data-editable]') ?? []];
  const at = cells.findIndex((cell) => cell.contains(from));
  return cells[at + step];
}

/** Sends one value of a row; answers false where it stays in the field with `problem`. */
function useCellSave<Row>({ row, edit, edits, label }: CellProps<Row>) {
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState('');
  /** The row was changed by somebody else; what stands there now comes with the next reading. */
  const [overtaken, setOvertaken] = useState(false);
  const key = useRef<string | null>(null);
  const now = cellText(edit, edit.value(row));
  const send = async (value: EditValue): Promise<boolean> => {
    const before = edit.value(row);
    key.current ??= crypto.randomUUID();
    setPending(true);
    setProblem('');
    setOvertaken(false);
    try {
      const saved = await edits.save(row, { [edit.field]: value }, key.current);
      undoable(`${label} saved`, () => edits.save(saved, { [edit.field]: before }, crypto.randomUUID()));
      return true;
    } catch (caught) {
      const failure = readFailure(caught);
      // Without an answer the same key asks again: nothing is written twice.
      if (failure.status >= 400 && failure.status < 500) key.current = null;
      if (failure.kind === 'stale') {
        await edits.reread();
        setOvertaken(true);
      } else {
        const [said = failure.message] = [failure.fields[edit.field] ?? Object.values(failure.fields)[0]].flat();
        setProblem(said);
      }
      return false;
    } finally {
      setPending(false);
    }
  };
  return {
    send, pending, setProblem,
    problem: overtaken ? `Changed meanwhile; it is now ${now === '' ? 'empty' : `"${now}"`}. Enter saves yours, Escape `
      + 'leaves it.' : problem,
  };
}

function CellEditor<Row>(props: CellProps<Row> & { close: (from: Element, leave: Leave) => void }) {
  const { row, edit, label } = props;
  const [text, setText] = useState(() => cellText(edit, edit.value(row)));
  const [opened] = useState(text);
  const frame = useRef<HTMLSpanElement>(null);
  const saving = useCellSave(props);
  useEffect(() => {
    const field = frame.current?.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
    field?.focus();
    if (field instanceof HTMLInputElement) field.select();
  }, []);
  const close = (leave: Leave) => { if (frame.current) props.close(frame.current, leave); };
  const save = async (leave: Leave) => {
    if (saving.pending) return;
    const value = readCell(edit, text);
    if (value === undefined) saving.setProblem(CELL_HINTS[edit.as]);
    else if (value === edit.value(row) || await saving.send(value)) close(leave);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The keys of the list are not for whoever types.
    event.stopPropagation();
    const onButton = event.target instanceof HTMLButtonElement;
    if (event.key === 'Escape') close('stay');
    else if (event.key === 'Enter' && !onButton) void save('stay');
    else if (event.key === 'Tab' && !onButton) void save(event.shiftKey ? 'before' : 'next');
    else return;
    event.preventDefault();
  };
  const field = { label, hideLabel: true, error: saving.problem };
  return (
    <span ref={frame} className={styles.editor} data-cell-editor aria-busy={saving.pending || undefined}
      onKeyDown={onKeyDown}>
      {edit.as === 'select' ? <Choice {...field} edit={edit} value={text} onChange={setText} />
        : <TextField {...field} value={text} onChange={setText} readOnly={saving.pending}
            numeric={edit.as === 'money' || edit.as === 'number'}
            inputMode={edit.as === 'money' ? 'decimal' : edit.as === 'number' ? 'numeric' : undefined} />}
      <IconButton label="Save" size="small" plainTip pending={saving.pending} icon={<Glyph icon={Check} />}
        onClick={() => void save('stay')} />
      <IconButton label="Give up" size="small" plainTip icon={<Glyph icon={X} />} onClick={() => close('stay')} />
      <UnsavedGuard dirty={text !== opened && !saving.pending} inList />
    </span>
  );
}

function Choice<Row>({ edit, value, onChange, ...field }: { label: string; hideLabel: boolean; error: string;
  edit: ColumnEdit<Row>; value: string; onChange: (value: string) => void }) {
  return (
    <FieldFrame {...field}>
      {({ 'aria-required': _required, ...aria }) => (
        <select {...aria} className={`${fields.input} ${styles.choice}`} value={value}
          onChange={(event) => onChange(event.currentTarget.value)}>
          {edit.optional && <option value="">None</option>}
          {edit.options?.map((option) => <option key={option.value} value={option.value}>{option.label}</option>)}
        </select>
      )}
    </FieldFrame>
  );
}
