/** What other contexts may ask of payables. */
export {};
