/**
 * A mail as it came in, read in a thread of its own with limits on size, memory and time: text without markup, files,
 * the addresses it was sent to, and whether a person wrote it.
 */
import { Worker } from 'node:worker_threads';
import { MIB } from '#kit/endpoint.ts';

/** A mail with a 40 MB file is 55 MB on its way; the file is refused, the message kept. */
export const MOST_MAIL_BYTES = 64 * MIB;
const MEMORY_MB = 768;
const PATIENCE_MS = 60_000;

export interface MailFile { name: string; mime_type: string; content: Uint8Array }

export interface MailReport {
  /** Addresses that the mail server gave up on, with its words. */
  failed: { address: string; reason: string }[];
  /** Message-ID of the mail that was returned. */
  message_id: string | null;
}

export interface InboundMail {
  message_id: string | null;
  /** Message-IDs of In-Reply-To and References. */
  answers: string[];
  from: { name: string; address: string };
  /** Headers that name recipients, as text. */
  recipients: string;
  subject: string;
  text: string;
  files: MailFile[];
  /** Not written by a person: an out-of-office note, a list, a mail server. */
  automatic: boolean;
  /** The receiving server says that the sender's domain disowns it. */
  disowned: boolean;
  report: MailReport | null;
}

export class UnreadableMail extends Error {}

export function readMail(raw: Buffer): Promise<InboundMail> {
  const worker = new Worker(new URL('./inbound-mail-thread.ts', import.meta.url),
    { workerData: raw, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  return new Promise((resolve, reject) => {
    const slow = setTimeout(() => { void worker.terminate(); }, PATIENCE_MS);
    const refuse = (): void => reject(new UnreadableMail('This is no email that can be read.'));
    worker.on('message', (mail: InboundMail | null) => {
      if (mail) resolve(mail);
      else refuse();
    });
    worker.on('error', refuse);
    worker.on('exit', () => {
      clearTimeout(slow);
      refuse();
    });
  });
}
