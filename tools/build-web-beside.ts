/** Builds the web app in a thread of its own, so that a first start loads the demo season meanwhile. */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build-web.ts';

type Message = { say: string } | { folder: string | null };

/** As buildWeb; `say` is heard while the caller goes on with other work. */
export function buildWebBeside(say: (line: string) => void): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url));
    worker.on('message', (message: Message) => {
      if ('say' in message) say(message.say);
      else resolve(message.folder);
    });
    worker.on('error', reject);
    // after an answer this says nothing any more
    worker.on('exit', (code) => reject(new Error(`The build of the web app ended without an answer (${code}).`)));
  });
}

if (!isMainThread) {
  const folder = await buildWeb((line) => parentPort?.postMessage({ say: line } satisfies Message));
  parentPort?.postMessage({ folder } satisfies Message);
}
