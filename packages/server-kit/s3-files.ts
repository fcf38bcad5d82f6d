/**
 * The file port on S3-compatible storage: FILES_URL is `s3://bucket/folder?endpoint=https://…&region=…`. Key and
 * secret come from the AWS variables of the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or the
 * machine's role.
 */
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { factsOf, newStorageKey, sha256, type FileStore } from './files.ts';
import { SettingError } from './settings.ts';

interface Place {
  bucket: string;
  /** Before every key, with its slash; empty at the top of the bucket. */
  prefix: string;
  endpoint: string | null;
  region: string;
}

function placeOf(filesUrl: string): Place {
  const url = URL.canParse(filesUrl) ? new URL(filesUrl) : null;
  if (url?.protocol !== 's3:' || url.hostname === '') {
    throw new SettingError('FILES_URL is s3://bucket?endpoint=https://…, the endpoint left out for AWS.');
  }
  const folder = url.pathname.replace(/^\/|\/$/g, '');
  return {
    bucket: url.hostname, prefix: folder === '' ? '' : `${folder}/`,
    endpoint: url.searchParams.get('endpoint'), region: url.searchParams.get('region') ?? 'us-east-1',
  };
}

/** Throws {@link SettingError} where the address makes no sense; the storage itself is asked at the first file. */
export function s3Files(filesUrl: string): FileStore {
  const { bucket, prefix, endpoint, region } = placeOf(filesUrl);
  // Stores that are not AWS rarely have a host name for each bucket, nor its newer checksums.
  const client = new S3Client({ region, requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED', ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }) });
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });
  return {
    async put(content) {
      const storage_key = newStorageKey();
      await client.send(new PutObjectCommand({ ...at(storage_key), Body: content }));
      return { storage_key, sha256: sha256(content), size: content.length };
    },
    async putFile(path) {
      const storage_key = newStorageKey();
      const facts = await factsOf(path);
      await client.send(new PutObjectCommand({ ...at(storage_key), Body: createReadStream(path),
        ContentLength: facts.size }));
      return { storage_key, ...facts };
    },
    async read(key) {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (!(Body instanceof Readable)) throw new Error(`the storage has no content for ${key}`);
      return Body;
    },
    async get(key) {
      const { Body } = await client.send(new GetObjectCommand(at(key)));
      if (!Body) throw new Error(`the storage has no content for ${key}`);
      return Buffer.from(await Body.transformToByteArray());
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
  };
}
