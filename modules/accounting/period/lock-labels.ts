/** Names of the lock dates on screens and in the approvals inbox. */
export const LOCK_LABELS = { sales: 'Sales', purchase: 'Purchases and royalties', tax: 'Tax', bank: 'Bank',
  hard: 'All postings, permanently', period: 'A locked period' } as const;
