/**
 * The language of the person whose request is answered. The browser keeps it in a cookie, so that pages, calls and
 * downloads agree; every text made while the request is answered takes it (`spell`). Jobs and mails have no reader.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { LANGUAGES, type Language } from '#kernel/money/division.ts';
import { setReaderLanguage } from '#kernel/text/english.ts';

const reader = new AsyncLocalStorage<Language>();
setReaderLanguage(() => reader.getStore() ?? 'en-US');

/** American where the browser names none. */
export function languageOf(request: { cookies?: Record<string, string | undefined> }): Language {
  return LANGUAGES.find((one) => one === request.cookies?.language) ?? 'en-US';
}

export function inLanguage<T>(language: Language, work: () => T): T {
  return reader.run(language, work);
}
