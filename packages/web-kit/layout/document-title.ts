/** Names the browser tab after the screen (U15); the name before comes back when the screen goes. */
import { useEffect } from 'react';

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = `${title} · Grand Rights`;
    return () => { document.title = before; };
  }, [title]);
}
