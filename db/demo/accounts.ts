/** The demo sign-ins, for people at start and for programs (`npm run -s demo:accounts -- --json`). */
import type { Role } from '#kit/auth.ts';
import { DEMO_GROUPS, DEMO_PASSWORD, DEMO_PEOPLE } from './people.ts';

export interface DemoAccount {
  email: string;
  password: string;
  role: Role;
  permissions: readonly string[];
}

export function demoAccounts(): DemoAccount[] {
  return DEMO_PEOPLE.map((person) => ({
    email: person.email, password: DEMO_PASSWORD, role: person.role,
    permissions: DEMO_GROUPS.find((group) => group.name === person.group)?.permission_values ?? [],
  }));
}

/** One line per sign-in, for the terminal. */
export function demoSignIns(): string {
  const width = Math.max(...DEMO_PEOPLE.map((person) => person.email.length));
  const lines = DEMO_PEOPLE.map((person) => {
    const about = person.group ?? (person.customer ? `${person.customer.name}, ${person.customer.role}` : '');
    return `  ${person.email.padEnd(width)}  ${person.role}${about ? ` (${about})` : ''}`;
  });
  return `Demo sign-ins, all with the password "${DEMO_PASSWORD}":\n${lines.join('\n')}`;
}
