/** Expands collapsed content for print: nobody can unfold a printout. */
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';

/** Calls `unfold` before the page is printed; what it changes is drawn before the picture is taken. */
export function useOnPaper(unfold: () => void): void {
  const latest = useRef(unfold);
  useEffect(() => { latest.current = unfold; });
  useEffect(() => {
    const onPrint = () => flushSync(() => latest.current());
    window.addEventListener('beforeprint', onPrint);
    return () => window.removeEventListener('beforeprint', onPrint);
  }, []);
}
