/** Opens an article of the help panel from anywhere on the page: Read More beside a field. */
import type { FieldHelpContent } from '#web/controls/field/field-help.tsx';

const OPEN = 'grand-rights-help';

export function openArticle(id: string): void {
  window.dispatchEvent(new CustomEvent(OPEN, { detail: id }));
}

/** Calls back with the id of each article that is asked for; answers how to stop. */
export function onOpenArticle(opened: (id: string) => void): () => void {
  const listen = (event: Event): void => opened(String((event as CustomEvent<unknown>).detail));
  window.addEventListener(OPEN, listen);
  return () => window.removeEventListener(OPEN, listen);
}

/** Help of a field whose Read More opens the article. */
export function helpWith(text: string, article: string): FieldHelpContent {
  return { text, onReadMore: () => openArticle(article) };
}
