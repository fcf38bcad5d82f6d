-- Accounts of the American divisions are named in American English; a name that staff gave stays as it is.
update ledger_accounts a set name = c.american
from (values
  ('4000', 'Licence income', 'License income'),
  ('1190', 'Allowance for doubtful debts', 'Allowance for doubtful accounts'),
  ('7000', 'FX gain or loss realised', 'FX gain or loss realized'),
  ('7010', 'FX gain or loss unrealised', 'FX gain or loss unrealized')
) as c (code, british, american)
where a.division in ('US', 'PROD') and a.code = c.code and a.name = c.british;
