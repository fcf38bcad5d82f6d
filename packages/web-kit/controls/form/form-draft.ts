/**
 * Drafts of unsaved forms in session storage, so a reload or a killed tab loses nothing (U17). Written one second after
 * the last change; a full or forbidden storage costs the draft, never the form.
 */

/** Unsaved input, and the record it was typed on, which may have changed since. */
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

/** Key of session storage: the person whose drafts these are. */
const OWNER = 'gr-drafts-of';

/** All drafts of this tab, when somebody signs out. */
export function dropDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX) || key === OWNER) sessionStorage.removeItem(key);
    }
  } catch (caught) {
    console.warn('The drafts could not be removed', caught);
  }
}

/** Before a page is drawn: who signs in anew finds what they typed when their session ended, somebody else nothing. */
export function claimDrafts(person: number): void {
  try {
    if (sessionStorage.getItem(OWNER) !== String(person)) dropDrafts();
    sessionStorage.setItem(OWNER, String(person));
  } catch (caught) {
    console.warn('The drafts could not be claimed', caught);
  }
}
