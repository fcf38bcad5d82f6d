/**
 * Settings of the house, what it demands of its staff, the keys of the card processor, what the environment sets, the
 * erasure of a person, the faults that browsers reported.
 */
import { call } from '#kit/client.ts';
import { securityPolicyEndpoints } from '#modules/identity/security-policy/security-policy.contract.ts';
import { PolicySection } from '#modules/identity/security/policy-section.web.tsx';
import { processorKeyEndpoints } from '#modules/receivables/online/processor-key.contract.ts';
import { Button } from '#web/controls/button/button.tsx';
import { FormFrame } from '#web/controls/form/form-frame.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Skeleton } from '#web/data/empty-state.tsx';
import { NotLoaded } from '#web/data/not-loaded.tsx';
import { toast } from '#web/data/toast.tsx';
import { PageContent, Section } from '#web/layout/page-content.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { ErasePerson } from './erase-person.web.tsx';
import { CardProcessor } from './card-processor.web.tsx';
import { ClientFaults } from './client-faults.web.tsx';
import { Environment } from './environment.web.tsx';
import { systemEndpoints, type HouseSettingRow } from './system.contract.ts';
import { SystemHead } from './system-head.web.tsx';
import styles from './system.module.css';

/** Waits for all reads that affect section heights, so that no section pushes down the one being read. */
function useWaiting(): boolean {
  const reads = [useEndpoint(systemEndpoints.settings, {}), useEndpoint(securityPolicyEndpoints.show, {}),
    useEndpoint(processorKeyEndpoints.list, {}), useEndpoint(systemEndpoints.environment, {}),
    useEndpoint(systemEndpoints.erasures, {})];
  return reads.some((read) => read.isPending);
}

export default function SettingsPage() {
  const waiting = useWaiting();
  return (
    <>
      <SystemHead title="Settings" here="/settings" subtitle="Changes take effect immediately on all servers" />
      <PageContent>
        {waiting ? <Section title="The house"><Waiting /></Section> : (
          <>
            <HouseSettings />
            <PolicySection />
            <CardProcessor />
            <Environment />
            <ErasePerson />
            <ClientFaults />
          </>
        )}
      </PageContent>
    </>
  );
}

function Waiting() {
  return (
    <div className={styles.waiting} aria-busy="true">
      {[340, 300, 320].map((width) => <Skeleton key={width} width={width} height={16} />)}
    </div>
  );
}

function HouseSettings() {
  const read = useEndpoint(systemEndpoints.settings, {});
  const rows = read.data?.data;
  return (
    <Section title="The house">
      {read.isError && !rows && <NotLoaded title="They did not load" read={read} />}
      <div className={styles.stack}>
        {rows?.map((row) => <Setting key={row.key} row={row} />)}
      </div>
    </Section>
  );
}

function Setting({ row }: { row: HouseSettingRow }) {
  const refresh = useRefresh([systemEndpoints.settings]);
  const whole = typeof row.value === 'number';
  const form = useResourceForm({
    initial: { value: String(row.value) }, draftKey: `setting/${row.key}`,
    record: { version: row.version, read: systemEndpoints.settings },
    submit: ({ value }) => call(systemEndpoints.updateSetting, { body: { key: row.key, version: row.version,
      value: whole && /^\d+$/.test(value.trim()) ? Number(value) : value.trim() } }),
    onSaved: () => { toast('Setting saved'); void refresh(); },
  });
  return (
    <FormFrame form={form} aria-label={row.label}>
      <div className={styles.setting}>
        <TextField label={row.label} caption={row.text} {...form.field('value')} />
        <Button type="submit" pending={form.pending} reason={form.dirty ? undefined : 'Nothing changed'}>
          <span>Save<span className="gr-hidden"> {row.label}</span></span></Button>
      </div>
    </FormFrame>
  );
}
