/** Asks once whether a receipt that looks like one recorded before is another payment. */
import { useState } from 'react';
import { ApiError } from '#kit/transport.ts';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import type { FieldBinding } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';

export interface Question {
  /** Description of the suspected duplicate receipt; null while no question is open. */
  text: string | null;
  /** Notes the question of a refused call, and hands its failure on. */
  watch: <T>(work: Promise<T>) => Promise<T>;
}

export function useDuplicateQuestion(): Question {
  const [text, setText] = useState<string | null>(null);
  return {
    text,
    watch: async (work) => {
      try {
        return await work;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'payment.likely_duplicate') setText(error.message);
        throw error;
      }
    },
  };
}

export function DuplicateQuestion({ question, ...field }: { question: Question } & FieldBinding<boolean>) {
  if (question.text === null) return null;
  return (
    <Callout tone="warn" title="Already recorded?" live>
      <p>{question.text}</p>
      <Checkbox label="This is a separate payment" {...field} />
    </Callout>
  );
}
