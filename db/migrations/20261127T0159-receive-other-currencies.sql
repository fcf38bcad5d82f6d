-- A bank credits its own currency for a document in another one: the receipt keeps both amounts. Receipts from before
-- have the currency of their bank account.

alter table payments add column bank_currency currency_code, add column bank_amount_minor minor_amount,
  add constraint payments_bank_amount check ((bank_currency is null) = (bank_amount_minor is null)
    and (bank_currency is null or (bank_currency <> currency and bank_amount_minor > 0 and kind = 'receipt')));
comment on column payments.bank_currency is
  'Of the bank account, where it is another one than the payment''s; null where they are the same.';
comment on column payments.bank_amount_minor is 'What the bank credited, in bank_currency.';
