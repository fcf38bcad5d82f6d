/** The load of bench/http.ts, in a process of its own: keep-alive clients that ask as fast as they are answered. */
import { Agent, request } from 'node:http';

interface Job {
  port: number;
  method: string;
  path: string;
  headers: Record<string, string>;
  /** Sent with every request, `#` replaced by a number that never repeats. */
  body: string | null;
  clients: number;
  seconds: number;
}

let counter = 0;

function ask(job: Job, agent: Agent): Promise<number> {
  counter += 1;
  const body = job.body?.replace('#', `${process.pid}-${counter}`) ?? null;
  const headers = body === null ? job.headers
    : { ...job.headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request({ port: job.port, host: '127.0.0.1', method: job.method, path: job.path, headers, agent },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode ?? 0));
      });
    sent.on('error', reject);
    sent.end(body ?? undefined);
  });
}

async function drive(job: Job): Promise<{ done: number; wrong: number; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: job.clients });
  let done = 0;
  let wrong = 0;
  const started = performance.now();
  const until = started + job.seconds * 1000;
  await Promise.all(Array.from({ length: job.clients }, async () => {
    while (performance.now() < until) {
      const status = await ask(job, agent);
      done += 1;
      if (status >= 300) wrong += 1;
    }
  }));
  agent.destroy();
  return { done, wrong, seconds: (performance.now() - started) / 1000 };
}

process.on('message', (job: Job) => {
  drive(job).then((result) => process.send?.(result), (error: Error) => process.send?.({ error: error.message }));
});
