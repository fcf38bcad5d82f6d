/** Days after which money between two places is late: a transfer in transit, checks and cash that wait for the bank. */
export const AGED_DAYS = 5;
