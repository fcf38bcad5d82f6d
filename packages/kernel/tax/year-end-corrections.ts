/**
 * Corrections that a later preparation of a year adds to filed forms (General Instructions for Certain Information
 * Returns, part H): a wrong amount is corrected on one form; a wrong name or tax id takes two, the old form with
 * zeros and a new one.
 */
import { payeeKey, type Boxes, type FormDraft } from './year-end-forms.ts';

export interface FiledForm {
  readonly id: number;
  readonly corrects_id: number | null;
  /** Keys of the payees. */
  readonly members: readonly string[];
  readonly name: string;
  readonly tax_id: string | null;
  readonly rate_ppm: bigint | null;
  readonly boxes: Boxes;
}

export type NextForm =
  | { readonly kind: 'original'; readonly draft: FormDraft }
  | { readonly kind: 'correction'; readonly corrects_id: number; readonly draft: FormDraft }
  /** Nothing is to be reported any more on the form that was filed. */
  | { readonly kind: 'zero'; readonly corrects_id: number };

const sameBoxes = (a: Boxes, b: Boxes): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((box) => (a[box] ?? 0n) === (b[box] ?? 0n));

/** Filed forms that nothing corrected and that report something. */
export function standing<Form extends FiledForm>(filed: readonly Form[]): Form[] {
  const corrected = new Set(filed.map((form) => form.corrects_id));
  return filed.filter((form) => !corrected.has(form.id) && Object.values(form.boxes).some((minor) => minor !== 0n));
}

/** One of the forms left that is the draft's: by tax id, else by a payee of it. */
function matchOf(draft: FormDraft, left: readonly FiledForm[]): FiledForm | undefined {
  const rate = left.filter((form) => form.rate_ppm === draft.rate_ppm);
  const { tax_id } = draft.recipient;
  const keys = [...draft.members, payeeKey(draft.recipient)];
  return (tax_id === null ? undefined : rate.find((form) => form.tax_id === tax_id))
    ?? rate.find((form) => form.members.some((key) => keys.includes(key)));
}

export function nextForms(filed: readonly FiledForm[], drafts: readonly FormDraft[]): NextForm[] {
  const left = new Map(standing(filed).map((form) => [form.id, form]));
  const next: NextForm[] = [];
  for (const draft of drafts) {
    const match = matchOf(draft, [...left.values()]);
    if (!match) {
      next.push({ kind: 'original', draft });
      continue;
    }
    left.delete(match.id);
    const sameRecipient = match.name === draft.recipient.name && match.tax_id === draft.recipient.tax_id;
    if (!sameRecipient) next.push({ kind: 'zero', corrects_id: match.id }, { kind: 'original', draft });
    else if (!sameBoxes(match.boxes, draft.boxes)) next.push({ kind: 'correction', corrects_id: match.id, draft });
  }
  return [...next, ...[...left.keys()].map((corrects_id) => ({ kind: 'zero' as const, corrects_id }))];
}
