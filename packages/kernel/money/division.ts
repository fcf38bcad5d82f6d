/** The four sets of books of the house; PROD is shown as Production and keeps its books in USD. */
export const DIVISIONS = ['US', 'EU', 'UK', 'PROD'] as const;
export type Division = (typeof DIVISIONS)[number];
