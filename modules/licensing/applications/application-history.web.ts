/** Events of an application, in the past tense and said of the person who did them. */
export const EVENT_PAST: Readonly<Record<string, string>> = {
  submit: 'submitted it', auto_offer: 'sent an automatic offer', assign: 'started the review',
  request_info: 'asked for information', respond: 'answered',
  need_clearance: 'asked for clearance', approve: 'approved it', convert: 'made the quotes',
  decline: 'declined it', withdraw: 'withdrew it', expire: 'let it expire',
};
