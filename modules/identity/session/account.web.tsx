/** Becoming somebody: a customer asks for an account, staff accept an invitation. */
import { useState } from 'react';
import { call, prepareCsrf } from '#kit/client.ts';
import { spell } from '#kernel/text/english.ts';
import { CUSTOMER_KIND_NAMES, CUSTOMER_KINDS } from '#modules/customers/customer/customer.contract.ts';
import { COUNTRIES } from '#modules/reference/places/place.contract.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { asFilled } from '#web/controls/form/as-filled.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame, FormGrid } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { useParams } from '#web/navigation/navigation.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { applyingFor, countryOfVisit } from './applying-for.web.ts';
import { Answer, BackToSignIn, PASSWORD_CAPTION } from './public-answer.web.tsx';
import { sessionEndpoints } from './session.contract.ts';

type Kind = (typeof CUSTOMER_KINDS)[number];
const KINDS = CUSTOMER_KINDS.map((kind) => ({ value: kind, label: CUSTOMER_KIND_NAMES[kind] }));
const COUNTRY_OPTIONS = COUNTRIES.map(({ code, name }) => ({ value: code, label: name }));

export function Register() {
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { first_name: '', last_name: '', email: '', organisation: '', kind: null as Kind | null,
      country: countryOfVisit(), phone: '', password: '', password_confirmation: '' },
    submit: async (body) => {
      await prepareCsrf();
      return call(sessionEndpoints.register, { body: { ...asFilled(body), ...applyingFor() } });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) {
    return <Answer title="Check your mail" text={`${answer} The link in it is good for 24 hours.`} />;
  }
  return (
    <PublicLayout title="Ask for an account"
      text={spell`For schools, theaters and producers who want to stage a show.`}>
      <FormFrame form={form} aria-label="Ask for an account">
        <FormGrid>
          <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
        </FormGrid>
        <TextField label={spell`Organization`} required autoComplete="organization"
          caption={spell`The school, theater company or venue producing the show.`} {...form.field('organisation')} />
        <FormGrid>
          <AsyncSelect label="Kind" required options={KINDS} {...form.field('kind')} />
          <AsyncSelect label="Country" required options={COUNTRY_OPTIONS} {...form.field('country')} />
        </FormGrid>
        <TextField label="Phone" type="tel" required autoComplete="tel" {...form.field('phone')} />
        <TextField label="Email" type="email" required autoComplete="username" {...form.field('email')} />
        <TextField label="Password" type="password" required autoComplete="new-password" caption={PASSWORD_CAPTION}
          {...form.field('password')} />
        <TextField label="Password again" type="password" required autoComplete="new-password"
          {...form.field('password_confirmation')} />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>Ask for an account</Button>
      </FormFrame>
      <BackToSignIn />
    </PublicLayout>
  );
}

const ROLES: Record<string, string> = {
  staff_user: 'staff', staff_admin: 'staff administrator', system_admin: 'system administrator',
};

export function RegisterStaff() {
  const { token = '' } = useParams();
  const invite = useEndpoint(sessionEndpoints.staffInvite, { params: { token } });
  const [answer, setAnswer] = useState('');
  const form = useResourceForm({
    initial: { first_name: '', last_name: '', email: '', password: '', password_confirmation: '' },
    submit: async ({ email, ...body }) => {
      await prepareCsrf();
      return call(sessionEndpoints.registerStaff, { body: { ...body, token, ...(email ? { email } : {}) } });
    },
    onSaved: ({ message }) => setAnswer(message),
  });
  if (answer) return <Answer title="Welcome to the staff" text={answer} />;
  if (invite.isError) return <Answer title="This invitation did not work" text={invite.error.message} />;
  if (!invite.data) return <PublicLayout title="Reading your invitation …">{null}</PublicLayout>;
  const { email, role } = invite.data.data;
  return (
    <PublicLayout
      title="Join the staff"
      text={`You are invited as ${ROLES[role] ?? role}${email ? ` (${email})` : ''}.`}
    >
      <FormFrame form={form} aria-label="Join the staff">
        <FormGrid>
          <TextField label="First name" required autoComplete="given-name" {...form.field('first_name')} />
          <TextField label="Last name" required autoComplete="family-name" {...form.field('last_name')} />
        </FormGrid>
        {email === null && (
          <TextField label="Email" type="email" required autoComplete="username" {...form.field('email')} />
        )}
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="new-password"
          caption={PASSWORD_CAPTION}
          {...form.field('password')}
        />
        <TextField
          label="Password again"
          type="password"
          required
          autoComplete="new-password"
          {...form.field('password_confirmation')}
        />
        <Button type="submit" variant="primary" size="large" wide pending={form.pending}>
          Join the staff
        </Button>
      </FormFrame>
    </PublicLayout>
  );
}

