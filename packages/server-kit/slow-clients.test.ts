/** Slowloris: connections that never finish their request do not keep the server from the others (reliability.md 4). */
import { connect, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testApp } from '#tests/support/app.ts';

const test = testApp();
const SLOW = 300;
let port = 0;
const sockets: Socket[] = [];
beforeAll(async () => {
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  port = (test.app.server.address() as AddressInfo).port;
});
afterAll(() => { for (const socket of sockets) socket.destroy(); });

function slow(text: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => { socket.write(text); resolve(socket); });
    socket.on('error', reject);
    sockets.push(socket);
  });
}

it('300 slow connections, in the headers and in the body, and the server answers the next one', async () => {
  const headers = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const body = 'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    + 'Content-Length: 1000\r\n\r\n{"email":';
  await Promise.all(Array.from({ length: SLOW }, (_, n) => slow(n % 2 ? headers : body)));
  // The system accepts them one after the other.
  await expect.poll(() => new Promise<number>((resolve, reject) => {
    test.app.server.getConnections((error, count) => { if (error) reject(error); else resolve(count); });
  }), { timeout: 15_000 }).toBeGreaterThanOrEqual(SLOW);
  const answers = await Promise.all(['/health/live', '/sanctum/csrf-cookie', '/api/users/me'].map((path) =>
    fetch(`http://127.0.0.1:${port}${path}`)));
  expect(answers.map((answer) => answer.status)).toEqual([200, 204, 401]);
});

it('headers have 15 seconds, a whole request 30, and the server looks every five', () => {
  const { headersTimeout, requestTimeout } = test.app.server;
  expect({ headersTimeout, requestTimeout }).toEqual({ headersTimeout: 15_000, requestTimeout: 30_000 });
});
