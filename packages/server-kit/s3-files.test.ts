/** Files on S3-compatible storage, against a small server that keeps what it is sent. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { s3Files } from './s3-files.ts';
import { SettingError } from './settings.ts';

const kept = new Map<string, Buffer>();
let server: Server;
let endpoint = '';

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  server = createServer((request, response) => {
    const path = request.url!.replace(/\?.*$/, '');
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256')) return response.writeHead(403).end();
      if (request.method === 'PUT') kept.set(path, Buffer.concat(parts));
      if (request.method === 'DELETE') kept.delete(path);
      const found = kept.get(path);
      if (request.method !== 'GET') return response.writeHead(request.method === 'PUT' ? 200 : 204).end();
      return found ? response.writeHead(200).end(found) : response.writeHead(404).end();
    });
  });
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
});

it('keeps the bytes below bucket and folder, gives them back and removes them', async () => {
  const files = s3Files(`s3://rights/house?endpoint=${endpoint}`);
  const content = Buffer.from([0, 1, 2, 250, 13, 10]);
  const { storage_key, size } = await files.put(content);
  expect(size).toBe(6);
  expect(kept.get(`/rights/house/${storage_key}`)).toEqual(content);
  expect(await files.get(storage_key)).toEqual(content);
  await files.remove(storage_key);
  expect(kept.size).toBe(0);
  await expect(files.get(storage_key)).rejects.toThrow();
});

it('refuses an address that names no bucket', () => {
  expect(() => s3Files('https://bucket.example')).toThrow(SettingError);
  expect(() => s3Files('bucket')).toThrow(SettingError);
});
