/** Caller as every handler sees it. Created by identity, checked by the gates of http.ts. */
import type { CustomerRole, Role } from '#kit/auth.ts';

export interface Principal {
  user_id: number;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  email_verified: boolean;
  /** The house demands a second factor and this person has none yet. */
  must_set_up_two_factor: boolean;
  /** Union of the groups' permission_values; empty for everyone but staff_user. */
  permissions: ReadonlySet<string>;
  /** Role inside each customer the person belongs to. */
  customers: ReadonlyMap<number, CustomerRole>;
  session_id: number;
  /** The customer a system_admin acts for at the moment. */
  acting_customer_id: number | null;
}

export interface Session {
  id: number;
  csrf_token: string;
  /** The person confirmed a short while ago that it is them: needed where an endpoint says `confirm`. */
  confirmed: boolean;
  principal: Principal | null;
}
