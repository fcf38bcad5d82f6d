/** Text to the clipboard; says so where the browser refuses, or has none to offer (pages without https). */
import { toast } from '#web/data/toast.tsx';

/** Answers whether it was copied. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast('The browser refused to copy', { tone: 'error' });
    return false;
  }
}
