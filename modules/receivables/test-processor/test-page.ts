/** The page where a customer "pays" with the test processor. It runs no script. */
import { formatMoney } from '#kernel/money/money.ts';
import type { How } from './test-money.ts';
import type { TestSession } from './test-state.ts';

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const CARD: readonly [How, string][] = [['pay', 'Pay'], ['decline', 'Try a card that is declined'],
  ['pay_disputed', 'Pay with a card that will be disputed'],
  ['pay_refund_fails', 'Pay by a card that sends refunds back']];
const DEBIT: readonly [How, string][] = [['bank_pays', 'Pay by bank debit'],
  ['bank_refuses', 'Pay by bank debit that the bank refuses']];

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f5f2ec}
main{max-width:26rem;margin:8vh auto;background:#fff;padding:2rem;border-radius:12px;border:1px solid #ddd6c9}
h1{font-size:1.25rem;margin:0 0 1rem}.sum{font-size:2rem;font-weight:600;margin:.25rem 0 1.5rem}
.note{background:#fff4d6;border:1px solid #e0c36a;padding:.75rem 1rem;border-radius:8px}
.error{background:#fde8e6;border:1px solid #d9867d;padding:.75rem 1rem;border-radius:8px}
button{display:block;width:100%;min-height:48px;font:inherit;margin:.5rem 0;border-radius:8px;border:1px solid #6b5f4d;
background:#fff;cursor:pointer}button.main{border:2px solid #5b2333;font-weight:600}`;

export function testPage(session: TestSession, failure: string | null): string {
  const sum = formatMoney(session.amount_total, session.currency.toUpperCase());
  const ways = session.payment_method_types[0] === 'card' ? CARD : DEBIT;
  const over = session.status === 'open' ? '' : '<p>This checkout is over.</p>';
  const buttons = over || ways.map(([how, label], n) => `<button name="how" value="${how}"${
    n === 0 ? ' class="main"' : ''}>${escaped(label)}</button>`).join('');
  return `<!doctype html><html lang="en-US"><head><meta charset="utf-8"><meta name="robots" content="noindex">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Test payment</title><style>${STYLE}</style>
</head><body><main><p class="note"><strong>Test payment, no money moves.</strong></p><h1>${escaped(session.line)}</h1>
<p class="sum">${escaped(sum)}</p>${failure ? `<p class="error" role="alert">${escaped(failure)}</p>` : ''}
<form method="post">${buttons}</form><p><a href="${escaped(session.cancel_url)}">Back without paying</a></p>
</main></body></html>`;
}
