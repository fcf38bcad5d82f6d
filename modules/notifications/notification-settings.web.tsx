/**
 * Notification settings, `<NotificationSettings />`: the same form for the signed-in person in the profiles of staff
 * and of customers' people; colleagues may read a staff member's.
 */
import type { ReactNode } from 'react';
import { call } from '#kit/client.ts';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { Callout } from '#web/data/callout.tsx';
import { EmptyState, Skeleton } from '#web/data/empty-state.tsx';
import { toast } from '#web/data/toast.tsx';
import { useEndpoint } from '#web/query/use-endpoint.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { notificationSettingsEndpoints, type SettingRow } from './notification.contract.ts';
import styles from './notification-settings.module.css';

export function NotificationSettings() {
  const read = useEndpoint(notificationSettingsEndpoints.show, {});
  if (read.isError && !read.data) {
    return <Callout tone="error" title="Your choices could not be loaded"
      action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
      {read.error.message}</Callout>;
  }
  if (!read.data) {
    return <div className={styles.waiting} aria-busy="true">
      {[320, 380, 340, 360].map((width) => <Skeleton key={width} width={width} height={16} />)}</div>;
  }
  const { email, settings } = read.data.data;
  if (settings.length === 0) {
    return <EmptyState title="Nothing to choose" text="Your role is not told of anything." />;
  }
  return <SettingsForm email={email} settings={settings} />;
}

/** Read-only view of a colleague's notification settings: each person chooses their own. */
export function StaffNotificationSettings({ id }: { id: number }) {
  const read = useEndpoint(notificationSettingsEndpoints.ofStaff, { params: { id } });
  if (read.isError && !read.data) {
    return <Callout tone="error" title="The choices could not be loaded"
      action={<Button size="small" onClick={() => void read.refetch()}>Try again</Button>}>
      {read.error.message}</Callout>;
  }
  if (!read.data) return <div aria-busy="true"><Skeleton width={320} height={16} /></div>;
  const { email, settings } = read.data.data;
  if (settings.length === 0) return <EmptyState title="No notifications" />;
  const told = (yes: boolean): string => (yes ? 'Yes' : 'No');
  return (
    <SettingsTable settings={settings}
      caption={`The daily digest goes to ${email} each morning. Only this person can change these settings.`}
      inApp={(row) => told(row.in_app)} byMail={(row) => told(row.by_mail)} />
  );
}

interface SettingsTableProps {
  caption: string;
  settings: readonly SettingRow[];
  inApp: (row: SettingRow) => ReactNode;
  byMail: (row: SettingRow) => ReactNode;
}

function SettingsTable({ caption, settings, inApp, byMail }: SettingsTableProps) {
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption>{caption}</caption>
        <thead><tr><th scope="col">Notification</th><th scope="col">In the app</th>
          <th scope="col">Daily mail</th></tr></thead>
        <tbody>
          {settings.map((row) => (
            <tr key={row.kind}>
              <th scope="row"><strong>{row.label}</strong><span>{row.text}</span></th>
              <td>{inApp(row)}</td>
              <td>{byMail(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type Channel = 'in_app' | 'by_mail';

/** A form reads a dot as a path, and the kinds hold dots. */
const nameOf = (kind: string, channel: Channel): string => `${kind.replace('.', '-')}-${channel}`;

function SettingsForm({ email, settings }: { email: string; settings: readonly SettingRow[] }) {
  const refresh = useRefresh([notificationSettingsEndpoints.show]);
  const initial: Record<string, boolean> = Object.fromEntries(settings.flatMap((row) =>
    [[nameOf(row.kind, 'in_app'), row.in_app], [nameOf(row.kind, 'by_mail'), row.by_mail]]));
  const form = useResourceForm<Record<string, boolean>>({
    initial,
    submit: (values) => call(notificationSettingsEndpoints.update, { body: { settings: settings.map(({ kind }) => ({
      kind, in_app: values[nameOf(kind, 'in_app')] ?? true, by_mail: values[nameOf(kind, 'by_mail')] ?? false })) } }),
    onSaved: () => { toast('Saved'); void refresh(); },
  });
  const box = (kind: string, channel: Channel, label: string) =>
    <Checkbox label={label} hideLabel {...form.field(nameOf(kind, channel))} />;
  return (
    <FormFrame form={form} aria-label="Notification settings">
      <SettingsTable
        caption={`The daily digest goes to ${email} in the morning and skips anything you’ve already read.`}
        settings={settings} inApp={(row) => box(row.kind, 'in_app', `${row.label}: in the app`)}
        byMail={(row) => box(row.kind, 'by_mail', `${row.label}: daily mail`)} />
      <FormActions>
        <Button type="submit" variant="primary" pending={form.pending}
          reason={form.dirty ? undefined : 'Nothing changed'}>Save choices</Button>
      </FormActions>
    </FormFrame>
  );
}
