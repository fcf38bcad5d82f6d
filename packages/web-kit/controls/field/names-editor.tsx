/**
 * Other names of a record, one per line, saved on their own. What is typed stays when the record is read again: names
 * that somebody else added or took away meanwhile are taken over into it, so that neither is lost.
 */
import { useState } from 'react';
import { Section } from '../../layout/page-content.tsx';
import { Button } from '../button/button.tsx';
import { FormActions } from '../form/form-frame.tsx';
import { mergedNames, namesOf } from './names-text.ts';
import { TextField } from './text-field.tsx';
import { UnsavedGuard } from '../form/unsaved-guard.tsx';

export interface NamesEditorProps {
  title: string;
  description: string;
  /** As they are saved. */
  names: readonly string[];
  mayWrite: boolean;
  pending: boolean;
  error?: string | undefined;
  /** Answers whether they were saved. */
  onSave: (names: string[]) => Promise<boolean>;
}

export function NamesEditor({ title, description, names, mayWrite, pending, error, onSave }: NamesEditorProps) {
  const saved = names.join('\n');
  const [draft, setDraft] = useState<{ text: string; over: string } | null>(null);
  const text = draft === null ? saved : draft.over === saved ? draft.text
    : mergedNames(namesOf(draft.over), namesOf(draft.text), names).join('\n');
  const changed = namesOf(text).join('\n') !== saved;
  const save = async (): Promise<void> => {
    if (await onSave(namesOf(text))) setDraft(null);
  };
  return (
    <Section title={title} count={names.length || undefined} description={description}>
      <TextField label="Names, one per line" rows={4} value={text} disabled={!mayWrite} error={error}
        onChange={(value) => setDraft({ text: value, over: saved })} />
      {mayWrite && (
        <FormActions>
          <Button pending={pending} reason={changed ? undefined : 'Nothing changed'} onClick={() => void save()}>
            Save names
          </Button>
        </FormActions>
      )}
      <UnsavedGuard dirty={mayWrite && changed} />
    </Section>
  );
}
