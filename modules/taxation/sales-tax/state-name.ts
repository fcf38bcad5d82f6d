/** States by their names: 'US-NY' or 'NY' is New York. */
import { jurisdictionName } from '../jurisdiction.contract.ts';

export const stateName = (code: string): string => jurisdictionName(`US-${code.replace(/^US-/, '')}`);
