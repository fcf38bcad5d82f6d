/**
 * A passkey in memory: makes credentials and signs challenges as a device does (WebAuthn level 3, attestation "none",
 * ES256), so that the server's side is tested without a browser. What it says can be bent to lie.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

interface Lie { origin?: string; rpId?: string; counter?: number; flags?: number; challenge?: string }

const PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;
const b64 = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** The few shapes of CBOR that a passkey speaks. */
function cbor(value: unknown): Buffer {
  const head = (major: number, n: number): Buffer => n < 24 ? Buffer.from([major << 5 | n])
    : n < 256 ? Buffer.from([major << 5 | 24, n]) : Buffer.from([major << 5 | 25, n >> 8, n & 255]);
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  const map = value as Map<unknown, unknown>;
  return Buffer.concat([head(5, map.size), ...[...map].flatMap(([key, one]) => [cbor(key), cbor(one)])]);
}

export class Authenticator {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private counter = 0;
  private readonly origin: string;
  constructor(origin: string) { this.origin = origin; }

  private data(flags: number, lie: Lie, extra = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lie.counter ?? this.counter);
    const rp = lie.rpId ?? new URL(this.origin).hostname;
    return Buffer.concat([sha256(rp), Buffer.from([lie.flags ?? flags]), counter, extra]);
  }

  private client(type: string, challenge: string, lie: Lie): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge: lie.challenge ?? challenge, origin: lie.origin ?? this.origin,
      crossOrigin: false }));
  }

  /** Answers the options of POST /api/users/me/passkeys. */
  make(options: { challenge: string }, lie: Lie = {}): object {
    const id = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id,
      coseKey(this.keys.publicKey)]);
    const authData = this.data(PRESENT_AND_VERIFIED | HAS_CREDENTIAL, lie, id);
    const attestationObject = cbor(new Map<string, unknown>([['fmt', 'none'], ['attStmt', new Map()],
      ['authData', authData]]));
    return { id: b64(this.id), rawId: b64(this.id), type: 'public-key', clientExtensionResults: {},
      response: { clientDataJSON: b64(this.client('webauthn.create', options.challenge, lie)),
        attestationObject: b64(attestationObject), transports: ['internal'] } };
  }

  /** Answers the options of POST /api/auth/passkey-options. */
  answer(options: { challenge: string }, lie: Lie = {}): object {
    this.counter += 1;
    const authenticatorData = this.data(PRESENT_AND_VERIFIED, lie);
    const clientDataJSON = this.client('webauthn.get', options.challenge, lie);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.keys.privateKey);
    return { id: b64(this.id), rawId: b64(this.id), type: 'public-key', clientExtensionResults: {},
      response: { clientDataJSON: b64(clientDataJSON), authenticatorData: b64(authenticatorData),
        signature: b64(signature) } };
  }
}

function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return cbor(new Map<number, unknown>([[1, 2], [3, -7], [-1, 1], [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')]]));
}
