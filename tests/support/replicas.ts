/** Several app processes on one database behind a plain proxy, round robin: what an operator runs (issue 3). */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface Replicas {
  /** Address of the proxy. */
  url: string;
  /** Addresses of the processes behind it. */
  direct: string[];
  stop(): Promise<void>;
}

type Logins = Record<'app_rw' | 'app_portal' | 'app_counter', string>;

interface Options {
  logins: Logins;
  count?: number;
  /** Port the proxy listens on; any free one by default. */
  port?: number;
  env?: Record<string, string>;
}

export async function startReplicas({ logins, count = 2, port = 0, env = {} }: Options): Promise<Replicas> {
  const processes = Array.from({ length: count }, () => spawn(process.execPath,
    [fileURLToPath(new URL('replica.ts', import.meta.url))], { stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'error', TRUST_PROXY: '127.0.0.1', ...env,
        DATABASE_URL_APP: logins.app_rw, DATABASE_URL_PORTAL: logins.app_portal,
        DATABASE_URL_COUNTER: logins.app_counter } }));
  const ports = await Promise.all(processes.map(portOf));
  const proxy = await startProxy(ports, port);
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    direct: ports.map((one) => `http://127.0.0.1:${one}`),
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => { proxy.close(resolve); });
      await Promise.all(processes.map(ended));
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const port = /^port (\d+)$/m.exec(said)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code} before it listened: ${said}`)));
  });
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}

/** Hands every request to the next process in turn and says which in `x-replica`; streams pass as they come. */
function startProxy(ports: readonly number[], listenAt: number): Promise<Server> {
  let turn = 0;
  const server = createServer((incoming, answer) => {
    const index = turn++ % ports.length;
    const onward = ask({
      host: '127.0.0.1', port: ports[index], method: incoming.method, path: incoming.url,
      headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' },
    }, (received) => {
      answer.writeHead(received.statusCode ?? 502, { ...received.headers, 'x-replica': String(index) });
      received.pipe(answer);
    });
    onward.on('error', () => { if (answer.headersSent) answer.destroy(); else answer.writeHead(502).end(); });
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return new Promise((resolve) => { server.listen(listenAt, '127.0.0.1', () => resolve(server)); });
}
