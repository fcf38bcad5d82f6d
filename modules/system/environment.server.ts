/**
 * Environment of this server, for system administrators to read: each variable of docs/operating/settings.md with its
 * value here, in words. Passwords, tokens and keys are never part of it: for a secret it only says whether there is
 * one, for an address it gives only the host, for a bucket only its name.
 */
import { UPLOAD_LIMIT, MIB } from '#kit/endpoint.ts';
import { linkTo, type Settings } from '#server/settings.ts';
import type { EnvironmentRow } from './system.contract.ts';

/** Host, and what stands behind it, of an address that may hold a password; an odd one is only said to be set. */
function hostOf(url: string, withPath = true): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || 'a local socket'}${withPath && pathname !== '/' ? pathname : ''}`;
  } catch {
    return 'an address';
  }
}

const onOff = (on: boolean): string => (on ? 'On' : 'Off');
const listed = (values: readonly string[], none: string): string => (values.length === 0 ? none : values.join(', '));
const login = (url: string | null, role: string): string =>
  (url === null ? `The login of DATABASE_URL becomes ${role}` : `A login of its own at ${hostOf(url)}`);

function registersOf({ vat_registers: { vies_url, hmrc, proof_days } }: Settings): string {
  const asked = [...vies_url === null ? [] : [`VIES at ${hostOf(vies_url, false)}`], ...hmrc ? ['HMRC'] : []];
  return asked.length === 0 ? 'None: format and check digit decide'
    : `${asked.join(' and ')}, asked again after ${proof_days} ${proof_days === 1 ? 'day' : 'days'}`;
}

function network(settings: Settings): EnvironmentRow[] {
  const { host, port, app_origins, trust_proxy } = settings;
  return [
    { names: ['HOST', 'PORT'], label: 'Listens on', value: `${host}:${port}` },
    { names: ['APP_ORIGINS'], label: 'Address of the app', value: app_origins.length === 0
      ? `${linkTo(settings, '')}, nowhere else` : `${listed(app_origins, '')}; links in mail lead to the first` },
    { names: ['TRUST_PROXY'], label: 'Trusted proxies', value: listed(trust_proxy, 'None') },
    { names: ['NODE_ENV'], label: 'Cookies', value: settings.production ? 'Over HTTPS only' : 'Also without HTTPS' },
    { names: ['RATE_LIMITS'], label: 'Limits of sign-in and mail', value: onOff(settings.rate_limits),
      warning: settings.rate_limits ? undefined : 'Passwords can be guessed without end' },
  ];
}

function stores(settings: Settings): EnvironmentRow[] {
  const { database_url, mail_url, files_url } = settings;
  return [
    { names: ['DATABASE_URL'], label: 'Database', value: database_url === null
      ? 'The PostgreSQL that comes with the product' : `PostgreSQL at ${hostOf(database_url)}` },
    ...database_url === null ? [] : [
      { names: ['DATABASE_URL_APP'], label: 'Role of staff', value: login(settings.database_url_app, 'app_rw') },
      { names: ['DATABASE_URL_PORTAL'], label: 'Role customers read with',
        value: login(settings.database_url_portal, 'app_portal') },
      { names: ['DATABASE_URL_COUNTER'], label: 'Role customers act with',
        value: login(settings.database_url_counter, 'app_counter') },
    ],
    { names: ['DATA_DIR'], label: 'Folder of this server', value: settings.data_dir },
    { names: ['MAIL_URL'], label: 'Mail', value: mail_url === null
      ? 'Kept in the outbox; nothing is sent' : `Through ${hostOf(mail_url, false)}` },
    { names: ['MAIL_IN_ADDRESS', 'MAIL_IN_SECRET'], label: 'Answers by mail', value: settings.mail_in === null ? 'Off'
      : `To ${settings.mail_in.local}@${settings.mail_in.domain}` },
    { names: ['FILES_URL'], label: 'Files', value: files_url === null
      ? 'In the folder of this server' : `In the bucket ${hostOf(files_url)}` },
    { names: ['ENCRYPTION_KEY'], label: 'Key of bank details and tax ids', value: settings.encryption_key === null
      ? 'Made in the folder of this server' : 'Given' },
  ];
}

function rest(settings: Settings): EnvironmentRow[] {
  return [
    { names: ['DEMO'], label: 'Demo season', value: settings.demo ? 'Loaded into an empty database' : 'Off' },
    { names: ['MAPS_KEY'], label: 'Maps and address suggestions', value: onOff(settings.maps_key !== null) },
    { names: ['HMRC_CLIENT_ID', 'HMRC_CLIENT_SECRET', 'HMRC_ENVIRONMENT', 'HMRC_URL', 'HMRC_PUBLIC_IP'],
      label: 'VAT returns to HMRC', value: settings.hmrc === null ? 'Figures are copied by hand'
        : `${settings.hmrc.environment === 'sandbox' ? 'To the sandbox' : 'To HMRC'} at ${hostOf(settings.hmrc.url)}`,
      warning: settings.hmrc?.environment === 'sandbox' ? 'Returns sent to the sandbox reach nobody' : undefined },
    { names: ['STRIPE_KEYS', 'STRIPE_WEBHOOK_SECRETS', 'STRIPE_API_URL'], label: 'Payments by card',
      value: settings.stripe === null ? 'Off' : `With Stripe, for ${[...settings.stripe.keys.keys()].join(', ')}` },
    { names: ['TAX_SERVICE_KEY', 'TAX_SERVICE_URL'], label: 'Tax service', value: settings.tax_service === null
      ? 'Own tables' : `At ${hostOf(settings.tax_service.url)}` },
    { names: ['VAT_REGISTERS', 'VIES_URL', 'VAT_PROOF_DAYS'], label: 'VAT registers', value: registersOf(settings) },
    { names: ['METRICS_TOKEN'], label: 'Metrics', value: settings.metrics_token === null
      ? 'From this server only' : 'From elsewhere with a token' },
    { names: ['LOG_LEVEL'], label: 'Log', value: settings.log_level },
    { names: ['PREPARE'], label: 'Prepared statements', value: onOff(settings.prepare) },
    { names: ['RESTART'], label: 'Restart after a crash', value: onOff(settings.restart) },
    { names: ['ADMIN_EMAIL', 'ADMIN_PASSWORD'], label: 'First administrator', value: settings.admin_email === null
      ? 'By a link printed at the first start' : settings.admin_email },
    { names: [], label: 'Largest file', value: `${UPLOAD_LIMIT / MIB} MiB, fixed by the product` },
  ];
}

export function environmentOf(settings: Settings): EnvironmentRow[] {
  return [...network(settings), ...stores(settings), ...rest(settings)];
}
