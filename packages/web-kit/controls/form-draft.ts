/**
 * Drafts of unsaved forms in session storage, so a reload or a killed tab loses nothing (U17). Written one second after
 * the last change; a full or forbidden storage costs the draft, never the form.
 */
const PREFIX = 'gr-draft:';
/** ms after the last change before the draft is written. */
export const DRAFT_DELAY = 1000;

/** Plans the writing; the answer cancels it (an effect's clean-up). */
export function keepDraft(key: string, values: unknown): () => void {
  const timer = setTimeout(() => {
    try {
      sessionStorage.setItem(PREFIX + key, JSON.stringify(values));
    } catch (caught) {
      console.warn('The draft could not be kept', caught);
    }
  }, DRAFT_DELAY);
  return () => clearTimeout(timer);
}

export function readDraft<Values>(key: string): Values | null {
  try {
    const text = sessionStorage.getItem(PREFIX + key);
    return text === null ? null : JSON.parse(text) as Values;
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
