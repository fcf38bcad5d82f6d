/** True in `npm run test:full`: the whole matrix is asked for, not one case of each kind. */
export const FULL = process.env.TEST_FULL === '1';

/** Factor by which a property runs longer there. */
const LONGER = 20;

/** Runs of a property: `count` in `npm test`, many more in `npm run test:full`. */
export const runsOf = (count: number): number => FULL ? count * LONGER : count;

/** ms that such a property may take. */
export const timeOf = (limit: number): number => FULL ? limit * LONGER : limit;
