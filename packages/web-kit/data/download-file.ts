/**
 * A file of the server, kept from where one is: a refusal is said in its own words, and the page stays. A link would
 * put the refusal in its place.
 */
import { saveFile } from './csv-file.ts';
import { toast } from './toast.tsx';

/** 'attachment; filename="returns.csv"'; the extended form has the name in UTF-8. */
function nameIn(disposition: string | null): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return extended === undefined ? /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1] ?? 'file'
    : decodeURIComponent(extended);
}

async function messageOf(response: Response): Promise<string> {
  const body = await response.json().catch(() => null) as { message?: unknown } | null;
  return typeof body?.message === 'string' ? body.message : 'The file could not be made. Try again.';
}

export async function downloadFile(href: string): Promise<void> {
  try {
    const response = await fetch(href, { credentials: 'same-origin' });
    if (!response.ok) {
      toast(await messageOf(response), { tone: 'error' });
      return;
    }
    saveFile(nameIn(response.headers.get('content-disposition')), await response.blob(),
      response.headers.get('content-type') ?? 'application/octet-stream');
  } catch {
    toast('The server did not answer. Check the connection and try again.', { tone: 'error' });
  }
}
