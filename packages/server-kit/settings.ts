/**
 * Settings come from the environment only, are read once by the composition root and are documented in
 * docs/operating/settings.md. A value that makes no sense stops the start with a sentence that says so.
 */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { defaultDataDir } from './embedded-postgres-place.ts';

export interface Settings {
  host: string;
  port: number;
  /** null: the embedded PostgreSQL under {@link data_dir}. */
  database_url: string | null;
  /** Logins of the unprivileged roles; without them the one login of database_url becomes each role by SET ROLE. */
  database_url_app: string | null;
  database_url_portal: string | null;
  database_url_counter: string | null;
  data_dir: string;
  demo: boolean;
  /** DEMO was named in the environment, not only the default. */
  demo_asked: boolean;
  mail_url: string | null;
  /** Mail that comes in; null: off. */
  mail_in: MailInSettings | null;
  files_url: string | null;
  metrics_token: string | null;
  /** Origins that may send unsafe requests besides the one the server is reached at. */
  app_origins: readonly string[];
  trust_proxy: readonly string[];
  log_level: string;
  prepare: boolean;
  /** Limits of sign-in and mail; off only for scanners and load tests. */
  rate_limits: boolean;
  /** `npm start` starts a server that died again (tools/bootstrap.mjs). */
  restart: boolean;
  production: boolean;
  /** Encrypts bank details and tax ids; derived from DATA_DIR's own key file where it is not given. */
  encryption_key: string | null;
  /** Browser key of the maps service: address suggestions and the map of venues. */
  maps_key: string | null;
  /** HMRC's VAT (Making Tax Digital) API; null: figures are copied by hand. */
  hmrc: HmrcSettings | null;
  admin_email: string | null;
  admin_password: string | null;
  /** Accounts with the card processor; null: none, and nobody is offered to pay by card. */
  stripe: StripeSettings | null;
  /** The tax service's v2 API; null: answers come from our own tables. */
  tax_service: { url: string; key: string } | null;
  /** Public registers of VAT numbers. */
  vat_registers: VatRegisterSettings;
}

export interface VatRegisterSettings {
  /** Address of the European Commission's register; null: it is not asked. */
  vies_url: string | null;
  /** HMRC's register, with the credentials of {@link HmrcSettings}. */
  hmrc: boolean;
  /** Age in days from which a register's answer is asked for again when a document is made. */
  proof_days: number;
}

/** Answers to messages come to `local+token@domain`; whoever delivers them here knows the secret. */
export interface MailInSettings {
  local: string;
  domain: string;
  secret: string;
}

/** Every division has an account of its own: what is paid there is the money of its legal entity. */
export interface StripeSettings {
  /** Address of the API; null for the processor's own address. */
  api_url: string | null;
  keys: ReadonlyMap<string, string>;
  /** Several while one replaces another. */
  webhook_secrets: ReadonlyMap<string, readonly string[]>;
}

export interface HmrcSettings {
  client_id: string;
  client_secret: string;
  /** Returns sent to the sandbox reach nobody. */
  environment: 'sandbox' | 'production';
  /** Address of the API, without a trailing slash. */
  url: string;
  /** Page where people sign in and grant the authorization. */
  sign_in_url: string;
  /** Address of this installation on the internet, for HMRC's fraud prevention. */
  public_ip: string | null;
}

export class SettingError extends Error {}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1']);

export function readSettings(env: Record<string, string | undefined>, root: string): Settings {
  const host = env.HOST || '127.0.0.1';
  const database_url = env.DATABASE_URL || null;
  const demoDefault = database_url === null && LOOPBACK.has(host);
  return {
    host,
    port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
    database_url,
    database_url_app: env.DATABASE_URL_APP || null,
    database_url_portal: env.DATABASE_URL_PORTAL || null,
    database_url_counter: env.DATABASE_URL_COUNTER || null,
    data_dir: resolve(env.DATA_DIR || defaultDataDir(root)),
    demo: flag(env, 'DEMO', demoDefault),
    demo_asked: Boolean(env.DEMO),
    mail_url: env.MAIL_URL || null,
    mail_in: mailInSettings(env),
    files_url: env.FILES_URL || null,
    metrics_token: env.METRICS_TOKEN || null,
    app_origins: list(env.APP_ORIGINS),
    trust_proxy: list(env.TRUST_PROXY),
    log_level: env.LOG_LEVEL || 'info',
    prepare: flag(env, 'PREPARE', true),
    rate_limits: flag(env, 'RATE_LIMITS', true),
    restart: flag(env, 'RESTART', true),
    production: env.NODE_ENV === 'production',
    encryption_key: env.ENCRYPTION_KEY || null,
    maps_key: env.MAPS_KEY || null,
    hmrc: hmrcSettings(env),
    admin_email: env.ADMIN_EMAIL || null,
    admin_password: env.ADMIN_PASSWORD || null,
    stripe: stripeSettings(env),
    tax_service: taxServiceSettings(env),
    vat_registers: vatRegisterSettings(env),
  };
}

/** `VAT_REGISTERS=vies,hmrc`; none is asked that is not named. */
function vatRegisterSettings(env: Record<string, string | undefined>): VatRegisterSettings {
  const named = list(env.VAT_REGISTERS);
  const unknown = named.find((one) => one !== 'vies' && one !== 'hmrc');
  if (unknown !== undefined) throw new SettingError(`VAT_REGISTERS lists vies and hmrc, not "${unknown}".`);
  if (named.includes('hmrc') && !env.HMRC_CLIENT_ID) {
    throw new SettingError('VAT_REGISTERS names hmrc: HMRC_CLIENT_ID and HMRC_CLIENT_SECRET are needed for it.');
  }
  const url = (env.VIES_URL || 'https://ec.europa.eu/taxation_customs/vies/rest-api').replace(/\/+$/, '');
  if (!isSafeAddress(url)) throw new SettingError(`VIES_URL is an address that begins with https://, not "${url}".`);
  return { vies_url: named.includes('vies') ? url : null, hmrc: named.includes('hmrc'),
    proof_days: wholeNumber(env, 'VAT_PROOF_DAYS', 7, 0, 365) };
}

/** Over HTTPS, or of this machine for tests. */
function isSafeAddress(url: string): boolean {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' };
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

const SHORTEST_SECRET = 24;

function mailInSettings(env: Record<string, string | undefined>): MailInSettings | null {
  const { MAIL_IN_ADDRESS: address, MAIL_IN_SECRET: secret } = env;
  if (!address && !secret) return null;
  if (!address || !secret) throw new SettingError('MAIL_IN_ADDRESS and MAIL_IN_SECRET belong together.');
  const found = /^([a-z0-9._-]{1,20})@([a-z0-9.-]{1,200})$/.exec(address.toLowerCase());
  if (!found) throw new SettingError(`MAIL_IN_ADDRESS is an address such as reply@rights.example, not "${address}".`);
  if (secret.length < SHORTEST_SECRET) {
    throw new SettingError(`MAIL_IN_SECRET has at least ${SHORTEST_SECRET} characters.`);
  }
  return { local: found[1]!, domain: found[2]!, secret };
}

/** The key alone is enough; the address is the service's own, over HTTPS, or one of this machine for tests. */
function taxServiceSettings(env: Record<string, string | undefined>): Settings['tax_service'] {
  if (!env.TAX_SERVICE_KEY) return null;
  const url = (env.TAX_SERVICE_URL || 'https://api.taxjar.com').replace(/\/+$/, '');
  if (!isSafeAddress(url)) {
    throw new SettingError(`TAX_SERVICE_URL is an address that begins with https://, not "${url}".`);
  }
  return { url, key: env.TAX_SERVICE_KEY };
}

/** `STRIPE_KEYS=US=sk_live_…,UK=sk_live_…`; each of them needs the secret of its webhook. */
function stripeSettings(env: Record<string, string | undefined>): StripeSettings | null {
  const keys = new Map(pairs(env, 'STRIPE_KEYS'));
  const secrets = pairs(env, 'STRIPE_WEBHOOK_SECRETS');
  if (keys.size === 0) return null;
  const webhook_secrets = new Map<string, string[]>();
  for (const [division, secret] of secrets) {
    webhook_secrets.set(division, [...webhook_secrets.get(division) ?? [], secret]);
  }
  for (const division of keys.keys()) {
    if (!webhook_secrets.has(division)) {
      throw new SettingError(`STRIPE_WEBHOOK_SECRETS has no secret for ${division}, which has a key in STRIPE_KEYS.`);
    }
  }
  return { api_url: env.STRIPE_API_URL || null, keys, webhook_secrets };
}

function pairs(env: Record<string, string | undefined>, key: string): [division: string, value: string][] {
  return list(env[key]).map((pair) => {
    const found = /^(US|UK|EU|PROD)=(\S+)$/.exec(pair);
    if (!found) throw new SettingError(`${key} lists DIVISION=value with US, UK, EU or PROD, separated by commas.`);
    return [found[1]!, found[2]!];
  });
}

const HMRC = {
  sandbox: { url: 'https://test-api.service.hmrc.gov.uk', sign_in_url: 'https://test-www.tax.service.gov.uk' },
  production: { url: 'https://api.service.hmrc.gov.uk', sign_in_url: 'https://www.tax.service.gov.uk' },
} as const;

/** The environment is named and never assumed: a return sent to the wrong one is not filed, or is. */
function hmrcSettings(env: Record<string, string | undefined>): HmrcSettings | null {
  const { HMRC_CLIENT_ID: client_id, HMRC_CLIENT_SECRET: client_secret, HMRC_ENVIRONMENT: environment } = env;
  if (!client_id && !client_secret) return null;
  if (!client_id || !client_secret) throw new SettingError('HMRC_CLIENT_ID and HMRC_CLIENT_SECRET belong together.');
  if (environment !== 'sandbox' && environment !== 'production') {
    throw new SettingError(`HMRC_ENVIRONMENT is sandbox or production, not "${environment ?? ''}".`);
  }
  const given = env.HMRC_URL ? env.HMRC_URL.replace(/\/+$/, '') : null;
  if (given !== null && !/^https?:\/\/[^/]/.test(given)) {
    throw new SettingError(`HMRC_URL is an address such as https://api.service.hmrc.gov.uk, not "${env.HMRC_URL}".`);
  }
  return { client_id, client_secret, environment, url: given ?? HMRC[environment].url,
    sign_in_url: given ?? HMRC[environment].sign_in_url, public_ip: env.HMRC_PUBLIC_IP || null };
}

/** An address of this installation for mail and for people: the first of APP_ORIGINS, else where the server listens. */
export function linkTo(settings: Settings, path: string): string {
  const here = `http://${settings.host === '127.0.0.1' ? 'localhost' : settings.host}:${settings.port}`;
  return `${settings.app_origins[0] ?? here}${path}`;
}

function flag(env: Record<string, string | undefined>, key: string, fallback: boolean): boolean {
  const value = env[key];
  if (value === undefined || value === '') return fallback;
  if (['1', 'true', 'on', 'yes'].includes(value.toLowerCase())) return true;
  if (['0', 'false', 'off', 'no'].includes(value.toLowerCase())) return false;
  throw new SettingError(`${key} is 1 or 0, not "${value}".`);
}

function wholeNumber(
  env: Record<string, string | undefined>, key: string, fallback: number, low: number, high: number,
): number {
  const value = env[key];
  if (value === undefined || value === '') return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < low || number > high) {
    throw new SettingError(`${key} is a whole number from ${low} to ${high}, not "${value}".`);
  }
  return number;
}

function list(value: string | undefined): string[] {
  return (value ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '');
}

/** A 32-byte key from any secret text. */
export function keyFrom(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
