/**
 * The form hook of the house: values, the server's 422 messages at their fields, first wrong field focused, unsaved
 * changes known, draft kept in session storage where asked for. The contract's schema is checked by the server alone,
 * so that no page carries what checks (docs/decisions/0020): send what is empty as it is, and the server says so.
 *
 * A thin layer over @mantine/form (frontend.md 1). Paths are dot notation (`lines.0.amount`), the same on the wire.
 * Nothing typed is ever lost: a refused or failed save leaves the values as they are (U18), and what somebody else
 * changed in the record meanwhile is merged with them (U27, use-record-merge.ts), where the form names its `record`.
 * Without a connection the save waits for it (U28, use-waiting.ts).
 *
 *   const form = useResourceForm({ initial: row, submit: (values) => call(update, values) });
 *   <FormFrame form={form}><TextField label="Name" required {...form.field('name')} /></FormFrame>
 */
import { useForm } from '@mantine/form';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dropDraft, keepDraft, readDraft, type Draft } from './form-draft.ts';
import { valueAt } from '../field/field-path.ts';
import { failureFields, failureStatus, failureText, type FieldErrors } from '../failure/failure.ts';
import { isAnswered, mayWait, tryAgain, useWaiting } from '../button/use-waiting.ts';
import { useRecordMerge, type OpenRecord, type RecordMerge } from './use-record-merge.ts';

/** Somebody changed the record since it was read. */
const STALE = 412;

export type ResourceFormInput<Values extends Record<string, unknown>, Result> = {
  initial: Values;
  /**
   * `sending` has the key of this command, the same until it was answered: pass it on where something is made
   * (`call(create, { body }, sending)`), and a save without a connection waits and is sent by itself.
   */
  submit: (values: Values, sending: { idempotencyKey: string }) => Promise<Result>;
  onSaved?: ((result: Result, values: Values) => void) | undefined;
  /**
   * Keeps a draft of unsaved values under this key of session storage, offered again after a reload. The form of a
   * record that has a name in the audit trail keeps one without being asked.
   */
  draftKey?: string | undefined;
  /** The record that the form changes; null for a new one. `initial` follows it, so a merge has all three sides. */
  record?: OpenRecord | null | undefined;
};

/** Props a control gets from `form.field(path)`; the value has the type of the control it is spread into. */
export type FieldBinding<T> = {
  name: string;
  value: T;
  onChange: (value: T) => void;
  error: string | undefined;
};

/** Type behind a path: a key of the values, or any deeper dot path (unchecked, as `never`-friendly `unknown`). */
export type ValueAt<Values, Path extends string> = Path extends keyof Values ? Values[Path]
  : Path extends `${infer Head}.${infer Rest}`
    ? Head extends keyof Values ? ValueAt<Values[Head], Rest>
      : Values extends readonly (infer Item)[] ? ValueAt<Item, Rest> : unknown
    : Values extends readonly (infer Item)[] ? Item : unknown;

export type ResourceForm<Values extends Record<string, unknown>> = {
  values: Values;
  field: <Path extends string>(path: Path) => FieldBinding<ValueAt<Values, Path>>;
  set: <Path extends string>(path: Path, value: ValueAt<Values, Path>) => void;
  errors: FieldErrors;
  setErrors: (errors: FieldErrors) => void;
  /** Message of a failure that belongs to no field on screen; empty when there is none. */
  failure: string;
  dirty: boolean;
  pending: boolean;
  submit: () => Promise<void>;
  /** The save waits for the connection; `callOff` keeps the values and sends nothing. */
  waiting: boolean;
  callOff: () => void;
  /** Back to the initial values, or to new ones (the row as the server answered it). */
  reset: (values?: Values) => void;
  draft: { found: Values | null; restore: () => void; discard: () => void };
  formRef: RefObject<HTMLFormElement | null>;
  /** Changes others made meanwhile. */
  merge: RecordMerge<Values>;
  /** Words of values by path, where a declaration knows them (`fieldsOf`). */
  words: RefObject<Record<string, (value: unknown) => string | undefined>>;
};

function textErrors(errors: Record<string, unknown>): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([, text]) => Boolean(text)).map(([k, v]) => [k, String(v)]));
}

/** Moves the focus to the control of the first field, in the order of the page, that has an error. */
function focusFirst(form: HTMLFormElement | null, errors: FieldErrors): void {
  const named = form?.querySelectorAll<HTMLElement>('[name], [data-path]') ?? [];
  for (const control of named) {
    const path = control.getAttribute('name') ?? control.dataset.path ?? '';
    if (path in errors && !control.hasAttribute('disabled')) {
      control.focus();
      return;
    }
  }
}

type MantineForm<Values extends Record<string, unknown>> = ReturnType<typeof useForm<Values>>;

/** The record's values become those that the form starts from; what is shown may differ. */
function take<Values extends Record<string, unknown>>(form: MantineForm<Values>, record: Values, shown: Values): void {
  form.setInitialValues(record);
  form.resetDirty(record);
  form.setValues(shown);
}

/** A record may have several forms: the first field tells them apart. */
function draftKeyOf(
  { record, initial }: Pick<ResourceFormInput<Record<string, unknown>, never>, 'record' | 'initial'>,
): string | undefined {
  const [first = ''] = Object.keys(initial);
  return record?.entity !== undefined && record.id !== undefined ? `${record.entity}/${record.id}/${first}` : undefined;
}

function useDraft<Values extends Record<string, unknown>>(
  key: string | undefined, form: MantineForm<Values>, dirty: boolean, merge: RecordMerge<Values>, loaded: Values,
) {
  const [found, setFound] = useState<Draft<Values> | null>(() => (key ? readDraft<Values>(key) : null));
  useEffect(() => {
    if (!key || !dirty) return;
    return keepDraft(key, { loaded, values: form.values });
  }, [key, dirty, loaded, form.values]);
  function discard() {
    if (key) dropDraft(key);
    setFound(null);
  }
  function restore() {
    if (found) merge.resume(found.loaded, found.values);
    setFound(null);
  }
  return { found: found?.values ?? null, restore, discard };
}

export function useResourceForm<Values extends Record<string, unknown>, Result = unknown>(
  input: ResourceFormInput<Values, Result>,
): ResourceForm<Values> {
  const form = useForm<Values>({ mode: 'controlled', initialValues: input.initial });
  const formRef = useRef<HTMLFormElement>(null);
  const words = useRef<Record<string, (value: unknown) => string | undefined>>({});
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const dirty = form.isDirty();
  const merge = useRecordMerge(input.record, input.initial, { values: form.values, dirty,
    take: (record, shown) => take(form, record, shown),
    // A path below the first level has no type of its own at Mantine.
    put: (path, value) => form.setFieldValue(path as never, value as never) });
  const draft = useDraft(input.draftKey ?? draftKeyOf(input), form, dirty, merge, merge.loaded);
  const set = (path: string, value: unknown) => {
    // A path below the first level has no type of its own at Mantine.
    form.setFieldValue(path as never, value as never);
    merge.typed(path);
  };
  const { submit, waiting } = useSubmit(input,
    { form, formRef, merge, draft, pending: setPending, failure: setFailure });
  return {
    values: form.values,
    field: (path) => ({
      name: path,
      value: valueAt(form.values, path) as ValueAt<Values, typeof path>,
      onChange: (value) => set(path, value), error: textErrors(form.errors)[path],
    }),
    set,
    errors: textErrors(form.errors),
    setErrors: (errors) => form.setErrors(errors),
    failure, dirty, pending, submit, waiting: waiting.on, callOff: waiting.end,
    reset: (values) => {
      if (values) take(form, values, values); else form.reset();
      form.clearErrors();
      waiting.end();
      setFailure('');
      draft.discard();
    },
    draft, formRef, merge, words,
  };
}

interface SubmitParts<Values extends Record<string, unknown>> {
  form: MantineForm<Values>;
  formRef: RefObject<HTMLFormElement | null>;
  merge: RecordMerge<Values>;
  draft: { discard: () => void };
  pending: (on: boolean) => void;
  failure: (text: string) => void;
}

function useSubmit<Values extends Record<string, unknown>, Result>(
  input: ResourceFormInput<Values, Result>, sending: SubmitParts<Values>,
) {
  const running = useRef(false);
  const key = useRef<string | null>(null);
  const waiting = useWaiting(() => void submit());
  // After a merge the screen has rendered again: its newest `submit` names the new version.
  const latest = useRef({ input, sending });
  latest.current = { input, sending };

  function refuse(errors: FieldErrors, text: string) {
    sending.form.setErrors(errors);
    sending.failure(text);
    setTimeout(() => focusFirst(sending.formRef.current, errors));
  }
  async function send(again: boolean): Promise<void> {
    const { input: now, sending: { form, merge, draft } } = latest.current;
    form.clearErrors();
    const values = form.getValues();
    key.current ??= crypto.randomUUID();
    try {
      const result = await now.submit(values, { idempotencyKey: key.current });
      key.current = null;
      // Text typed while the answer is in flight stays, and is unsaved.
      form.setInitialValues(values);
      form.resetDirty(values);
      merge.saved(result, values);
      draft.discard();
      now.onSaved?.(result, values);
    } catch (caught) {
      if (isAnswered(caught)) key.current = null;
      if (mayWait(caught, Boolean(now.record))) { waiting.begin(); return; }
      if (!again && isStale(caught) && await merge.reread()) { await takeUp(); return; }
      const errors = failureFields(caught);
      refuse(errors, Object.keys(errors).length > 0 ? '' : tryAgain(caught, failureText(caught)));
    }
  }
  /** Saves the changes of others merged into the form, unless there is a choice to make. */
  async function takeUp() {
    await new Promise((resolve) => { setTimeout(resolve); });
    const { merge, formRef } = latest.current.sending;
    if (merge.open) focusChoice(formRef.current);
    else await send(true);
  }
  async function submit() {
    if (running.current) return;
    const root = sending.formRef.current;
    const unreadable = root?.querySelector<HTMLElement>('[data-unreadable]');
    if (unreadable) { unreadable.focus(); return; }
    if (sending.merge.open) { focusChoice(root); return; }
    waiting.end();
    running.current = true;
    sending.merge.saving(true);
    sending.pending(true);
    sending.failure('');
    try {
      await send(false);
    } finally {
      running.current = false;
      latest.current.sending.merge.saving(false);
      sending.pending(false);
    }
  }
  return { submit, waiting };
}

function isStale(caught: unknown): boolean {
  return failureStatus(caught) === STALE;
}

/** To the first field that both changed; its question is drawn when its part of the program has arrived. */
function focusChoice(root: HTMLFormElement | null, tries = 20): void {
  const choice = root?.querySelector<HTMLElement>('[data-choose] input');
  if (choice) choice.focus();
  else if (tries > 0) setTimeout(() => focusChoice(root, tries - 1), 50);
}
