/** `npm run routes`: every route with who may call it. */
import { routes } from '#apps/server/src/routes.ts';

for (const { endpoint } of routes) {
  const { auth } = endpoint;
  const who = auth.kind === 'staff' ? [auth.permission ?? auth.roles].flat().join(' | ')
    : auth.kind === 'customer' ? `customer: ${auth.roles.join(', ')}` : auth.kind;
  process.stdout.write(`${endpoint.method.padEnd(6)} ${endpoint.path.padEnd(78)} ${who}\n`);
}
