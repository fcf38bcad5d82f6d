/** Names of the jobs that talk to the card processor, for whoever wakes them. */
export const SETTLE_ONLINE_PAYMENTS = 'settle-online-payments';
export const READ_REFUNDS = 'read-refunds';
export const READ_DISPUTES = 'read-disputes';
