/** States that count as open in licensing's lists: their first tab, and the count beside their name on the left. */
export const OPEN_APPLICATIONS = 'submitted,in_review,info_requested,clearance,approved';
export const OPEN_QUOTES = 'draft,sent,accepted';
export const OPEN_PRODUCTIONS = 'licensed,in_production,settlement';
