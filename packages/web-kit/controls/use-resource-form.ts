/**
 * The form hook of the house: values, validation with the contract's own schema, the server's 422 messages at their
 * fields, first wrong field focused, unsaved changes known, draft kept in session storage where asked for.
 *
 * A thin layer over @mantine/form (frontend.md 1). Paths are dot notation (`lines.0.amount`), the same on the wire.
 * Nothing typed is ever lost: a refused or failed save leaves the values as they are (U18).
 *
 *   const form = useResourceForm({ initial: row, schema: warehouse.body, submit: (values) => call(update, values) });
 *   <FormFrame form={form}><TextField label="Name" required {...form.field('name')} /></FormFrame>
 */
import { schemaResolver, useForm } from '@mantine/form';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { dropDraft, keepDraft, readDraft } from './form-draft.ts';
import { failureFields, failureText, type FieldErrors } from './failure.ts';

type Schema = Parameters<typeof schemaResolver>[0];

export type ResourceFormInput<Values extends Record<string, unknown>, Result> = {
  initial: Values;
  /** zod schema of the contract (any Standard Schema). Checked on submit, and again as the field changes after that. */
  schema?: Schema | undefined;
  submit: (values: Values) => Promise<Result>;
  onSaved?: ((result: Result, values: Values) => void) | undefined;
  /** Keeps a draft of unsaved values under this key of session storage, offered again after a reload. */
  draftKey?: string | undefined;
};

/** What a control gets from `form.field(path)`; the value has the type of the control it is spread into. */
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
  /** Back to the initial values, or to new ones (the row as the server answered it). */
  reset: (values?: Values) => void;
  draft: { found: Values | null; restore: () => void; discard: () => void };
  formRef: RefObject<HTMLFormElement | null>;
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

export function useResourceForm<Values extends Record<string, unknown>, Result = unknown>(
  input: ResourceFormInput<Values, Result>,
): ResourceForm<Values> {
  const check = input.schema ? schemaResolver(input.schema) : async () => ({});
  const form = useForm<Values>({ mode: 'controlled', initialValues: input.initial, validate: check });
  const formRef = useRef<HTMLFormElement>(null);
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState('');
  const [found, setFound] = useState<Values | null>(() => (input.draftKey ? readDraft<Values>(input.draftKey) : null));
  const running = useRef(false);
  const dirty = form.isDirty();

  useEffect(() => {
    if (!input.draftKey || !dirty) return;
    return keepDraft(input.draftKey, form.values);
  }, [input.draftKey, dirty, form.values]);
  function refuse(errors: FieldErrors, text: string) {
    form.setErrors(errors);
    setFailure(text);
    setTimeout(() => focusFirst(formRef.current, errors));
  }
  function discard() {
    if (input.draftKey) dropDraft(input.draftKey);
    setFound(null);
  }
  async function submit() {
    if (running.current) return;
    const unreadable = formRef.current?.querySelector<HTMLElement>('[data-unreadable]');
    if (unreadable) { unreadable.focus(); return; }
    running.current = true;
    setPending(true);
    setFailure('');
    try {
      const checked = await form.validate();
      if (checked.hasErrors) { refuse(textErrors(checked.errors), ''); return; }
      const values = form.getValues();
      const result = await input.submit(values);
      form.setInitialValues(values);
      form.resetDirty(values);
      discard();
      input.onSaved?.(result, values);
    } catch (caught) {
      const errors = failureFields(caught);
      refuse(errors, Object.keys(errors).length > 0 ? '' : failureText(caught));
    } finally {
      running.current = false;
      setPending(false);
    }
  }
  return {
    values: form.values,
    field: (path) => ({
      name: path,
      value: valueAt(form.values, path) as ValueAt<Values, typeof path>,
      onChange: (value) => form.setFieldValue(path as never, value as never), error: textErrors(form.errors)[path],
    }),
    set: (path, value) => form.setFieldValue(path as never, value as never),
    errors: textErrors(form.errors),
    setErrors: (errors) => form.setErrors(errors),
    failure, dirty, pending, submit,
    reset: (values) => {
      if (values) { form.setInitialValues(values); form.setValues(values); form.resetDirty(values); } else form.reset();
      form.clearErrors();
      setFailure('');
      discard();
    },
    draft: { found, restore: () => { if (found) form.setValues(found); setFound(null); }, discard },
    formRef,
  };
}

/** Reads a dot path: `valueAt({ lines: [{ amount: 5 }] }, 'lines.0.amount')` is 5. */
export function valueAt(values: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined), values,
  );
}
