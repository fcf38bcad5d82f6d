/** The acts of the audit trail in words. */

/** What was done, as said of its doer: 'Eleanor Marsh ...'. */
const ACTIONS: Readonly<Record<string, string>> = {
  accept: 'accepted it', accept_invitation: 'accepted the invitation', accept_join: 'accepted a request to join',
  act_for: 'began to act for a customer', activate: 'activated it', add_alias: 'added another name',
  add_file: 'added a file', add_image: 'added a picture', add_material: 'added a material',
  add_member: 'added a member', add_passkey: 'added a passkey', add_performances: 'added performances',
  add_person: 'put someone in', add_shipping_address: 'added a shipping address', add_venue: 'added a venue',
  allow_downloads: 'allowed more downloads',
  answer: 'answered', apply: 'applied it', approve: 'approved it', approve_discount: 'approved the discount',
  approve_waiver: 'approved the waiver', ask_erasure: 'asked for the erasure', ask_to_lock: 'asked for the lock',
  ask_to_close: 'asked to close it', ask_to_reopen: 'asked to open it again',
  ask_transfer: 'asked for a transfer', attach: 'attached it', attach_user: 'added someone',
  calculate: 'calculated it',
  cancel: 'cancelled it', cancel_erasure: 'called the erasure off', change_email: 'confirmed the new address',
  change_group: 'changed the group', change_image: 'changed a picture', change_password: 'changed the password',
  change_payment_details: 'changed the bank details', change_performance: 'changed a performance',
  change_role: 'changed the role', change_shipping_address: 'changed a shipping address',
  change_terms: 'changed the terms', change_user_role: 'changed what someone may do',
  change_venue: 'changed a venue', change_venues: 'changed the venues', choose_charges: 'chose the charges',
  clear: 'cleared it', clear_bank_details: 'removed the bank details', clear_tax_id: 'removed the tax number',
  close: 'closed it', complete: 'finished it', confirm: 'confirmed it',
  confirm_identity: 'confirmed who they are', create: 'created it', create_term: 'added a term',
  credit: 'credited it', deactivate: 'deactivated it', decide: 'decided', decline: 'declined it',
  decline_invitation: 'declined the invitation', delete: 'deleted it', discount: 'gave a discount',
  download: 'downloaded it', draft: 'saved a draft', end_other_sessions: 'signed every other device out',
  end_session: 'signed a device out', end_sessions: 'signed every device out', erase: 'erased the person',
  estimate: 'estimated it', expect_reports: 'set which returns are expected', expire: 'let it expire',
  export: 'exported it', extend: 'extended it', follow: 'followed up', follow_term: 'added a term that follows',
  force_delete: 'deleted it for good', generate_offer: 'made the offer documents', import: 'imported it',
  invite_user: 'invited someone', issue: 'issued it', join_group: 'gave a group', leave_group: 'took a group',
  lock: 'locked it', make_recovery_codes: 'made new recovery codes', map: 'mapped the columns',
  map_columns: 'mapped the columns', mark_all_read: 'read all notifications', mark_read: 'marked it read',
  mark_unread: 'marked it unread', memo: 'wrote a memo', merge: 'merged another into it',
  merge_into: 'merged it into another', negotiate_fee: 'agreed a fee', order_terms: 'put the terms in order',
  pay: 'paid it', post: 'posted it', post_opening: 'posted the opening balance', price: 'priced it',
  purchase_order: 'named the purchase order', purge: 'deleted it for good', query: 'asked a question about it',
  receive: 'received it', record: 'recorded it', refund: 'refunded it', refuse: 'refused it',
  refuse_join: 'declined a request to join', register: 'registered', register_staff: 'joined by invitation',
  release: 'released it', remove: 'removed it', remove_avatar: 'removed the picture',
  remove_discount: 'took the discount back', remove_factors: 'removed every second factor',
  remove_file: 'removed a file', remove_image: 'removed a picture', remove_member: 'removed a member',
  remove_passkey: 'removed a passkey', remove_performance: 'removed a performance', remove_person: 'took someone out',
  remove_shipping_address: 'removed a shipping address', remove_term: 'removed a term',
  remove_two_factor: 'switched two-factor off', remove_user: 'took someone out',
  remove_venue: 'removed a venue', reopen: 'opened it again', request: 'asked for it', resend: 'sent it again',
  resend_invitation: 'sent the invitation again', restore: 'brought it back',
  resync: 'brought it up to its template', retry: 'tried again', return: 'returned it', reverse: 'reversed it',
  revoke: 'took it back', revoke_invitation: 'took the invitation back', send: 'sent it',
  send_message: 'sent a message', set_avatar: 'set the picture', set_bank_details: 'wrote the bank details',
  set_tax_id: 'wrote the tax number', set_up_two_factor: 'switched two-factor on',
  sign_addendum: 'signed the addendum', sign_in: 'signed in', sign_out: 'signed out', start: 'started it',
  start_calculation: 'started the calculation', start_issue: 'started to issue', start_two_factor: 'began two-factor',
  stop_acting: 'ended acting for a customer', submit: 'submitted it', sync_classifications: 'set the classifications',
  sync_venues: 'set the venues', unapply: 'took an application back', update: 'changed it',
  update_aliases: 'changed the other names', update_settings: 'changed the settings', update_term: 'changed a term',
  update_tickets: 'changed the tickets', use_rate_card: 'went back to the rate card',
  verify_bank_details: 'verified the bank details', verify_email: 'verified the address', void: 'voided it',
  write_off: 'wrote it off',
};

export function isKnownAction(action: string): boolean {
  return action in ACTIONS;
}

export function actionWords(action: string): string {
  return ACTIONS[action] ?? action.replaceAll('_', ' ');
}
