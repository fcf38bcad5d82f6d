/**
 * Keeps the page in the reader's language. Texts are spelled when their module is loaded, so another language loads the
 * page anew, with the cookie that has the server send it in that language.
 */
import { useEffect } from 'react';
import { LANGUAGES, type Language } from '#kernel/money/division.ts';

const YEAR_SECONDS = 31_536_000;
const kept = (): Language =>
  LANGUAGES.find((one) => document.cookie.split('; ').includes(`language=${one}`)) ?? 'en-US';

/** `language` is undefined while the person is read. */
export function useReaderLanguage(language: Language | undefined): void {
  useEffect(() => {
    if (language === undefined || language === kept()) return;
    document.cookie = `language=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
    // A browser that keeps no cookies is not loaded again and again.
    if (kept() === language) window.location.reload();
  }, [language]);
}
