/** The register that knows a number, and its answer; a register that fails in any way has not answered. */
import { vrnOf } from '#kernel/tax/hmrc.ts';
import type { WorkContext } from '#server/context.ts';
import type { Settings } from '#server/settings.ts';
import { sql } from '#server/sql.ts';
import { callService, ServiceRefused } from '../tax-service/service-call.server.ts';
import type { ServiceVat } from '../tax-service/service-answers.server.ts';
import { checkVatNumber, type VatNumberCheck } from '../tax-service/vat-number.server.ts';
import { hmrcRegister, isListed } from './hmrc-register.server.ts';
import { NOT_KNOWN, RegisterRefused, RegisterSilent, unavailable, type RegisterAnswer, type VatRegister }
  from './vat-register.server.ts';
import type { RegisterName } from './vat-number.contract.ts';
import { viesRegister } from './vies.server.ts';

export interface AskedRegister extends RegisterAnswer { register: RegisterName }

/** Null where no register is set up for the country, or the number is in none. */
export function registerOf(settings: Settings, { number, country_code }: VatNumberCheck): VatRegister | null {
  const { vies_url, hmrc } = settings.vat_registers;
  if (country_code === null) return null;
  if (country_code === 'GB' && !number.startsWith('XI')) {
    return hmrc && settings.hmrc !== null && isListed(number) ? hmrcRegister(settings.hmrc) : null;
  }
  if (vies_url !== null) return viesRegister(vies_url);
  return settings.tax_service === null ? null : serviceRegister(settings.tax_service);
}

/** The tax service asks VIES for us; it has no consultation number to give. */
function serviceRegister(service: NonNullable<Settings['tax_service']>): VatRegister {
  return {
    name: 'tax_service',
    async lookUp({ number }) {
      const { validation } = await callService<ServiceVat>(service,
        { method: 'GET', path: `validation?vat=${encodeURIComponent(number)}`, tries: 3 });
      if (!validation.vies_available) return unavailable('VIES_UNAVAILABLE');
      if (!validation.exists) return NOT_KNOWN;
      const { name, address } = validation.vies_response ?? {};
      return { answer: 'valid', name: name || null, address: address || null, reference: null, problem: '' };
    },
  };
}

/** Null where no register is asked. A number with a wrong check digit is in no register. */
export async function askRegister(ctx: Pick<WorkContext, 'ports'>, check: VatNumberCheck):
Promise<AskedRegister | null> {
  const register = check.check_digit_valid ? registerOf(ctx.ports.settings, check) : null;
  if (register === null) return null;
  try {
    const requester = await requesterOf(ctx, register.name);
    return { register: register.name, ...await register.lookUp(check, requester) };
  } catch (error) {
    const problem = error instanceof RegisterRefused || error instanceof RegisterSilent
      || error instanceof ServiceRefused ? error.message : 'UNREADABLE';
    ctx.ports.log('warn', 'VAT register not used', { register: register.name, problem });
    return { register: register.name, ...unavailable(problem) };
  }
}

/** Our own number at the register: of the EU division at VIES, of the UK division at HMRC. */
async function requesterOf({ ports }: Pick<WorkContext, 'ports'>, register: RegisterName): Promise<string | null> {
  if (register === 'tax_service') return null;
  const row = await ports.db.maybeOne<{ number: string }>(sql`
    select r.number from tax_registrations r join divisions d on d.code = r.division
    where r.division = ${register === 'vies' ? 'EU' : 'UK'} and r.scheme = 'vat' and r.jurisdiction = d.home_country
      and r.valid_from <= ${ports.clock.now().toISOString()}::date
      and (r.valid_to is null or r.valid_to >= ${ports.clock.now().toISOString()}::date)
    order by r.valid_from desc limit 1`);
  if (register === 'hmrc') return vrnOf(row?.number ?? null);
  const own = checkVatNumber(row?.number ?? '');
  return own.check_digit_valid ? own.number : null;
}
