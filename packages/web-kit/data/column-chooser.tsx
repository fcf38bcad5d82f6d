/** Chooser of a list's columns, their order and the row height; remembered for the reader (U6, U9). */
import { ChevronDown, ChevronUp, Columns3, GripVertical, Minus, Plus } from 'lucide-react';
import { useState, type KeyboardEvent } from 'react';
import { foldName } from '#kernel/text/fold.ts';
import { LatePopover } from '#web/controls/late/late-popover.tsx';
import { SegmentedControl } from '#web/controls/field/radio-group.tsx';
import { Glyph } from '#web/layout/icons.tsx';
import styles from './table-tools.module.css';

export interface ColumnChoice { id: string; label: string; shown: boolean; fixed: boolean }

/** Rows of 33 px, or of 28 as in a ledger. */
export type Density = 'comfortable' | 'dense';
const DENSITIES = [{ value: 'comfortable', label: 'Comfortable' }, { value: 'dense', label: 'Dense' }] as const;

export interface ColumnChooserProps {
  choices: readonly ColumnChoice[];
  /** Ids of those that find no room in the list as wide as it is. */
  out?: readonly string[] | undefined;
  onShow: (id: string, on: boolean) => void;
  onMove: (id: string, step: -1 | 1) => void;
  onDrop: (id: string, before: string) => void;
  onReset: () => void;
  /** The first column stays in view. */
  pinned: boolean;
  onPin: (on: boolean) => void;
  /** One press narrower or wider. */
  onWiden: ((id: string, by: -1 | 1) => void) | undefined;
  density: Density;
  onDensity: (density: Density) => void;
}

/** Setting that the two buttons of a column change. */
type Changes = 'place' | 'width';
const CHANGES = [{ value: 'place', label: 'Place' }, { value: 'width', label: 'Width' }] as const;

/** Without dragging, by one press each (WCAG 2.5.7). */
const STEPS = {
  place: [{ step: -1, words: (name: string) => `Move ${name} up`, icon: ChevronUp },
    { step: 1, words: (name: string) => `Move ${name} down`, icon: ChevronDown }],
  width: [{ step: -1, words: (name: string) => `Make ${name} narrower`, icon: Minus },
    { step: 1, words: (name: string) => `Make ${name} wider`, icon: Plus }],
} as const;

function ChoiceRow({ choice, changes, props }: {
  choice: ColumnChoice; changes: Changes; props: ColumnChooserProps;
}) {
  const press = (step: -1 | 1) => (changes === 'width' ? props.onWiden?.(choice.id, step)
    : props.onMove(choice.id, step));
  const out = props.out?.includes(choice.id) ?? false;
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    props.onMove(choice.id, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li className={styles.choice} draggable
      onDragStart={(event) => event.dataTransfer.setData('text/plain', choice.id)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => props.onDrop(event.dataTransfer.getData('text/plain'), choice.id)}>
      <button type="button" className={styles.grip} onKeyDown={onKey}
        aria-label={`Move ${choice.label}; arrow keys change the place`}>
        <Glyph icon={GripVertical} size={14} />
      </button>
      <label className={styles.choiceLabel}>
        <input type="checkbox" className={styles.check} checked={choice.shown && !out} disabled={choice.fixed}
          onChange={(event) => props.onShow(choice.id, event.currentTarget.checked)} />
        {choice.label}
        {out && <span className={styles.out}>no room</span>}
      </label>
      {(changes === 'place' || (choice.shown && !out)) && STEPS[changes].map(({ step, words, icon }) => (
        <button key={step} type="button" className={styles.step} aria-label={words(choice.label)}
          onClick={() => press(step)}><Glyph icon={icon} size={14} /></button>
      ))}
    </li>
  );
}

export function ColumnChooser(props: ColumnChooserProps) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState('');
  const [changes, setChanges] = useState<Changes>('place');
  const found = props.choices.filter((choice) => foldName(choice.label).includes(foldName(text)));
  const out = props.out?.length ?? 0;
  const shown = props.choices.filter((choice) => choice.shown).length;
  return (
    <LatePopover open={open} onOpen={setOpen} position="bottom-end" width={out > 0 ? 264 : 228} label="Columns"
      className={styles.popover} openerClass={styles.tool} opener={(
        <>
          <Glyph icon={Columns3} size={15} />Columns
          {out > 0 && <small>{`${shown - out} of ${shown}`}</small>}
        </>
      )}>
      <div className={styles.popoverHead}>
        <strong>Columns</strong>
        <button type="button" className={styles.reset} onClick={props.onReset}>Reset</button>
      </div>
      <input type="search" className={styles.find} placeholder="Find a column" aria-label="Find a column"
        data-autofocus value={text} onChange={(event) => setText(event.target.value)} />
      <ul className={styles.choices}>
        {found.map((choice) => <ChoiceRow key={choice.id} choice={choice} changes={changes} props={props} />)}
      </ul>
      {out > 0 && (
        <p className={styles.outHint}>
          The list is too narrow for {out === 1 ? 'one column' : `${out} columns`}. Tick one to see it: the list then
          scrolls sideways.
        </p>
      )}
      <label className={`${styles.choiceLabel} ${styles.pin}`}>
        <input type="checkbox" className={styles.check} checked={props.pinned}
          onChange={(event) => props.onPin(event.currentTarget.checked)} />
        Keep the first in view
      </label>
      {props.onWiden && (
        <div className={styles.density} data-table-only>
          <SegmentedControl label="Buttons change" value={changes} onChange={setChanges} choices={CHANGES} />
        </div>
      )}
      <div className={styles.density}>
        <SegmentedControl label="Rows" value={props.density} onChange={props.onDensity} choices={DENSITIES} />
      </div>
    </LatePopover>
  );
}
