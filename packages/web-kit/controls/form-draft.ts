/**
 * Drafts of unsaved forms in session storage, so a reload or a killed tab loses nothing (U17). Written one second after
 * the last change; a full or forbidden storage costs the draft, never the form.
 */

/** What was typed, and what it was typed on: the record may have moved on since. */
export interface Draft<Values> { loaded: Values; values: Values }

const PREFIX = 'gr-draft:';
/** ms after the last change before the draft is written. */
export const DRAFT_DELAY = 1000;

/** Plans the writing; the answer cancels it (an effect's clean-up). */
export function keepDraft(key: string, draft: Draft<unknown>): () => void {
  const timer = setTimeout(() => {
    try {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(draft));
    } catch (caught) {
      console.warn('The draft could not be kept', caught);
    }
  }, DRAFT_DELAY);
  return () => clearTimeout(timer);
}

export function readDraft<Values>(key: string): Draft<Values> | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key);
    const draft = text === null ? null : JSON.parse(text) as Partial<Draft<Values>>;
    return draft?.values && draft.loaded ? draft as Draft<Values> : null;
  } catch {
    return null;
  }
}

export function dropDraft(key: string): void {
  try {
    sessionStorage.removeItem(PREFIX + key);
  } catch (caught) {
    console.warn('The draft could not be removed', caught);
  }
}
