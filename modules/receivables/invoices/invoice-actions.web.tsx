/** Actions on an invoice: issue, receive, credit, write off, send, void. Each asks before it posts. */
import { useEffect, useState } from 'react';
import { spell } from '#kernel/text/english.ts';
import { Recipients } from '#modules/identity/email-group/recipients.web.tsx';
import { ApiError, call } from '#kit/client.ts';
import { AsyncSelect } from '#web/controls/select/async-select.tsx';
import { Button } from '#web/controls/button/button.tsx';
import { Checkbox } from '#web/controls/field/checkbox.tsx';
import { ConfirmDialog } from '#web/controls/button/confirm-dialog.tsx';
import { DateField } from '#web/controls/field/date-field.tsx';
import { FormActions, FormFrame } from '#web/controls/form/form-frame.tsx';
import { MoneyField } from '#web/controls/field/money-field.tsx';
import { TextField } from '#web/controls/field/text-field.tsx';
import { UNPRINTABLE, UnprintableQuestion } from '#web/controls/failure/unprintable-question.tsx';
import { useResourceForm } from '#web/controls/form/use-resource-form.ts';
import { ActionMenu } from '#web/data/action-menu.tsx';
import { Skeleton } from '#web/data/empty-state.tsx';
import { formatAmount } from '#web/data/money.tsx';
import { toast } from '#web/data/toast.tsx';
import { Modal } from '#web/layout/overlay.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { useNavigation } from '#web/navigation/navigation.tsx';
import { PdfLink } from '#web/pdf/pdf-link.tsx';
import { useMay } from '#web/query/current-user.ts';
import { useAction } from '#web/query/use-action.ts';
import { useRefresh } from '#web/query/use-refresh.ts';
import { BankAccountField } from '#modules/banking/bank-account/bank-account-field.web.tsx';
import { DuplicateQuestion, useDuplicateQuestion } from '../payments/duplicate-question.web.tsx';
import { paymentEndpoints } from '../payments/payment.contract.ts';
import { invoiceEndpoints, type InvoiceDetail } from './invoice.contract.ts';
import { choicesOf, METHOD_LABELS } from './invoice-labels.web.ts';
import { VersionNote } from './version-note.web.tsx';

type OpenDialog = 'receive' | 'credit' | 'write_off' | 'recover' | 'send' | 'issue_ahead' | 'issue_changed' | 'issue'
  | 'void' | null;
const LIST = '/admin/accounts-receivable/invoices';

export function InvoiceActions({ invoice }: { invoice: InvoiceDetail }) {
  const may = useMay();
  const { go } = useNavigation();
  const [doing, setDoing] = useState<OpenDialog>(null);
  const close = () => setDoing(null);
  const { issue, dialogs } = useIssue(invoice, doing, setDoing);
  const remove = useAction(invoiceEndpoints.remove, { done: 'Voided', onDone: () => go(LIST) });
  const open = invoice.balance_minor > 0 && (invoice.status === 'proforma' || (invoice.kind === 'invoice'
    && invoice.number !== null));
  const numbered = invoice.kind === 'invoice' && invoice.number !== null;
  const unissued = invoice.status === 'draft' || invoice.status === 'proforma';
  const more = [
    ...(invoice.status !== 'draft' && may('invoice.update')
      ? [{ label: 'Send by mail', onSelect: () => setDoing('send') }] : []),
    ...(numbered && invoice.status !== 'credited' && may('invoice.create')
      ? [{ label: isBankCharge(invoice) ? 'Waive charge' : 'Credit', onSelect: () => setDoing('credit') }] : []),
    ...(numbered && open && may('invoice.manage_payments')
      ? [{ label: 'Write off', onSelect: () => setDoing('write_off') }] : []),
    ...(writtenOff(invoice) > 0 && may('invoice.manage_payments')
      ? [{ label: 'Reverse write-off', onSelect: () => setDoing('recover') }] : []),
    ...(unissued && may('invoice.delete') ? [{ label: 'Void', danger: true, onSelect: () => setDoing('void') }] : []),
  ];
  return (
    <>
      <PdfLink href={`/api/admin/staff/invoices/${invoice.id}/document`} title={`Invoice ${invoice.number ?? ''}`}
        fileName={`${invoice.number ?? 'invoice'}.pdf`}>PDF</PdfLink>
      {more.length > 0 && <ActionMenu label="More" actions={more} />}
      {open && may('invoice.manage_payments') && (
        <Button variant="primary" onClick={() => setDoing('receive')}>Record payment</Button>)}
      {invoice.status === 'draft' && invoice.kind === 'invoice' && may('invoice.update') && (
        <ButtonLink href={`${LIST}/${invoice.id}/edit`}>Change</ButtonLink>)}
      {invoice.status === 'draft' && invoice.kind === 'invoice' && may('invoice.update') && (
        <Button variant="primary" pending={issue.pending} onClick={() => setDoing('issue')}>Issue invoice</Button>)}
      {doing === 'receive' && <Receive invoice={invoice} onClose={close} />}
      {doing === 'credit' && <CreditForm invoice={invoice} onClose={close} />}
      {doing === 'write_off' && <WriteOffForm invoice={invoice} onClose={close} />}
      {doing === 'recover' && <RecoverForm invoice={invoice} onClose={close} />}
      {doing === 'send' && <SendForm invoice={invoice} onClose={close} />}
      {dialogs}
      <ConfirmDialog open={doing === 'void'} danger confirm="Void" title={`Void ${invoice.number ?? 'this draft'}?`}
        text="It was never issued. It moves to the trash, from where it can be restored." onCancel={close}
        onConfirm={() => { close(); void remove.run({ params: { id: invoice.id } }); }} />
    </>
  );
}

/** Issues a draft; what the product asks meanwhile (a day ahead, another total) is confirmed one after the other. */
function useIssue(invoice: InvoiceDetail, doing: OpenDialog, setDoing: (doing: OpenDialog) => void) {
  const close = () => setDoing(null);
  const [asked, setAsked] = useState('');
  /** Confirmations given so far; another question adds to them. */
  const [confirmed, setConfirmed] = useState<Confirmed>({});
  const [newTotal, setNewTotal] = useState(0);
  const issue = useAction(invoiceEndpoints.issue, { done: (answer) => `${answer.data.number ?? ''} was issued`,
    onFailure: (failure) => {
      if (failure.code === 'document.dated_ahead') {
        setAsked(failure.message);
        setDoing('issue_ahead');
      } else if (failure.code === 'invoice.tax_changed') {
        setAsked(failure.message);
        setNewTotal(Number(failure.facts['new_total_minor']));
        setDoing('issue_changed');
      } else toast(failure.message, { tone: 'error' });
    } });
  const issueWith = (more: Confirmed) => {
    close();
    setConfirmed({ ...confirmed, ...more });
    void issue.run({ params: { id: invoice.id }, body: { version: invoice.version, ...confirmed, ...more } });
  };
  const dialogs = (
    <>
      <ConfirmDialog open={doing === 'issue'} confirm={`Issue ${formatAmount(invoice.total_minor, invoice.currency)}`}
        title="Issue this invoice?" onCancel={close}
        text="It takes the next number and is posted. From then on it is only changed by a credit note."
        onConfirm={() => issueWith({})} />
      <ConfirmDialog open={doing === 'issue_ahead'} confirm="Issue with this date" title="Issue with a future date?"
        text={asked} onCancel={close} onConfirm={() => issueWith({ dated_ahead_confirmed: true })} />
      <ConfirmDialog open={doing === 'issue_changed'} title="The tax has changed" text={asked} onCancel={close}
        confirm={`Issue ${formatAmount(newTotal, invoice.currency)}`}
        onConfirm={() => issueWith({ confirmed_total_minor: newTotal })} />
    </>
  );
  return { issue, dialogs };
}

interface Confirmed { dated_ahead_confirmed?: boolean; confirmed_total_minor?: number }

const isBankCharge = (invoice: InvoiceDetail): boolean =>
  invoice.items.length > 0 && invoice.items.every((item) => item.kind === 'bank_charge');

/** Bad debts and forgiven differences that stand; tax that was withheld is claimed from its authority. */
const writtenOff = (invoice: InvoiceDetail): number => invoice.write_offs
  .filter((one) => one.kind !== 'tax_withheld')
  .reduce((all, one) => all + one.amount_minor - one.taken_back_minor, 0);

export function UnapplyButton({ invoice, paymentId, number }: {
  invoice: InvoiceDetail; paymentId: number; number: string;
}) {
  const may = useMay();
  const [asking, setAsking] = useState(false);
  const unapply = useAction(invoiceEndpoints.unapply, { done: `${number} is on account`,
    refresh: [paymentEndpoints.list] });
  if (!may('invoice.manage_payments')) return null;
  return (
    <>
      <Button size="small" variant="quiet" pending={unapply.pending} onClick={() => setAsking(true)}>Unapply</Button>
      <ConfirmDialog open={asking} title={`Unapply ${number} from this invoice?`} confirm="Unapply"
        text="The invoice is open again; the receipt stays on account. What authors earned by it is taken back."
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void unapply.run({ params: { id: invoice.id, paymentId } });
        }} />
    </>
  );
}

interface FormProps { invoice: InvoiceDetail; onClose: () => void }

/** One key per opened form: a lost answer or a second press never posts twice. */
function useKey(): string {
  const [key] = useState(() => crypto.randomUUID());
  return key;
}

/** A pro forma is brought to the tax of today before anybody types what came for it. */
function Receive({ invoice, onClose }: FormProps) {
  const refresh = useAction(invoiceEndpoints.refreshTax, { onFailure: () => undefined });
  const { run } = refresh;
  const asks = invoice.status === 'proforma';
  const [ready, setReady] = useState(!asks);
  useEffect(() => {
    if (asks) void run({ params: { id: invoice.id }, body: {} }).then(() => setReady(true), () => setReady(true));
    // Once, when the form opens: the refreshed invoice must not ask again.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  if (!ready) return <Modal open onClose={onClose} title="Record payment"><Skeleton width={240} height={18} /></Modal>;
  return <ReceiveForm key={invoice.revision} invoice={invoice} onClose={onClose} />;
}

function ReceiveForm({ invoice, onClose }: FormProps) {
  const refresh = useRefresh([invoiceEndpoints.list, paymentEndpoints.list]);
  const { go } = useNavigation();
  const key = useKey();
  const question = useDuplicateQuestion();
  const form = useResourceForm({
    initial: { amount_minor: invoice.balance_minor as number | null,
      method: 'wire' as keyof typeof METHOD_LABELS | null,
      bank_account_id: null as number | null, received_on: null as string | null, reference: '',
      withheld_minor: null as number | null, accept_short: false,
      duplicate_confirmed: false },
    submit: (values) => question.watch(call(invoiceEndpoints.pay, { params: { id: invoice.id }, body: {
      amount_minor: values.amount_minor ?? 0, method: values.method ?? 'wire', reference: values.reference,
      bank_account_id: ['check', 'cash'].includes(values.method ?? '') ? null : values.bank_account_id,
      accept_short: values.accept_short, duplicate_confirmed: values.duplicate_confirmed,
      ...(values.withheld_minor === null ? {} : { withheld_minor: values.withheld_minor }),
      ...(values.received_on === null ? {} : { received_on: values.received_on }) },
    }, { idempotencyKey: key })),
    onSaved: (answer) => {
      toast('Payment recorded');
      void refresh();
      onClose();
      if (answer.data.id !== invoice.id) go(`${LIST}/${answer.data.id}`);
    },
  });
  const isDeposited = form.values.method !== 'check' && form.values.method !== 'cash';
  return (
    <Modal open onClose={onClose} title="Record payment">
      <FormFrame form={form} aria-label="Payment">
        <VersionNote invoice={invoice} />
        <MoneyField label="Amount" required currency={invoice.currency} {...form.field('amount_minor')} />
        <AsyncSelect label="By" required options={choicesOf(METHOD_LABELS)} {...form.field('method')} />
        {isDeposited && (
          <BankAccountField division={invoice.division} currency={invoice.currency}
            {...form.field('bank_account_id')} />
        )}
        <DateField label="Received on" {...form.field('received_on')}
          caption={spell`Defaults to today. A post-dated check is posted on its date.`} />
        <TextField label="Reference" {...form.field('reference')} caption="As it appears on the bank statement." />
        <MoneyField label="Tax withheld by customer" currency={invoice.currency} {...form.field('withheld_minor')} />
        <Checkbox label="Write off a small difference" {...form.field('accept_short')} />
        <DuplicateQuestion question={question} {...form.field('duplicate_confirmed')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Record {formatAmount(form.values.amount_minor ?? 0, invoice.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function CreditForm({ invoice, onClose }: FormProps) {
  const refresh = useRefresh([invoiceEndpoints.list, paymentEndpoints.list]);
  const { go } = useNavigation();
  const key = useKey();
  const form = useResourceForm({
    initial: { whole: true, reason: '', amounts: invoice.items.map((): number | null => null) },
    submit: (values) => call(invoiceEndpoints.credit, { params: { id: invoice.id }, body: { reason: values.reason,
      ...(values.whole ? {} : { lines: invoice.items.flatMap((item, k) => {
        const amount = values.amounts[k];
        return amount ? [{ invoice_item_id: item.id, amount_minor: amount }] : [];
      }) }) } }, { idempotencyKey: key }),
    onSaved: (answer) => {
      toast(`${answer.data.number ?? ''} was issued`);
      void refresh();
      onClose();
      go(`${LIST}/${answer.data.id}`);
    },
  });
  return (
    <Modal open onClose={onClose} width={560}
      title={`${isBankCharge(invoice) ? 'Waive' : 'Credit'} ${invoice.number ?? ''}`}>
      <FormFrame form={form} aria-label="Credit note">
        <TextField label="Reason" required rows={2} {...form.field('reason')}
          caption="It is printed on the credit note." />
        <Checkbox label="Everything that is left of this invoice" {...form.field('whole')} />
        {!form.values.whole && invoice.items.map((item, k) => (
          <MoneyField key={item.id} label={`${item.description}, net`} currency={invoice.currency}
            {...form.field(`amounts.${k}`)}
            value={form.values.amounts[k] ?? null} onChange={(minor) => form.set('amounts',
              form.values.amounts.map((amount, n) => (n === k ? minor : amount)))}
            caption={`Billed ${formatAmount(item.net_minor, invoice.currency)}; tax follows.`} />
        ))}
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>Issue credit note</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function WriteOffForm({ invoice, onClose }: FormProps) {
  const refresh = useRefresh([invoiceEndpoints.list]);
  const key = useKey();
  const form = useResourceForm({
    initial: { amount_minor: invoice.balance_minor as number | null, reason: '' },
    submit: (values) => call(invoiceEndpoints.writeOff, { params: { id: invoice.id },
      body: { amount_minor: values.amount_minor ?? 0, reason: values.reason } }, { idempotencyKey: key }),
    onSaved: () => { toast('Written off'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Write off">
      <FormFrame form={form} aria-label="Write-off">
        <MoneyField label="Amount" required currency={invoice.currency} {...form.field('amount_minor')} />
        <TextField label="Reason" required rows={2} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="danger" pending={form.pending}>
            Write off {formatAmount(form.values.amount_minor ?? 0, invoice.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function RecoverForm({ invoice, onClose }: FormProps) {
  const refresh = useRefresh([invoiceEndpoints.list]);
  const key = useKey();
  const form = useResourceForm({
    initial: { amount_minor: writtenOff(invoice) as number | null, reason: '' },
    submit: (values) => call(invoiceEndpoints.recover, { params: { id: invoice.id },
      body: { amount_minor: values.amount_minor ?? 0, reason: values.reason } }, { idempotencyKey: key }),
    onSaved: () => { toast('The invoice is open again'); void refresh(); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title="Reverse write-off">
      <FormFrame form={form} aria-label="Reverse write-off">
        <p>The customer owes this amount again. The expense is reversed with today&apos;s date.</p>
        <MoneyField label="Amount" required currency={invoice.currency} {...form.field('amount_minor')}
          caption={`Written off: ${formatAmount(writtenOff(invoice), invoice.currency)}`} />
        <TextField label="Reason" required rows={2} {...form.field('reason')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>
            Reverse {formatAmount(form.values.amount_minor ?? 0, invoice.currency)}
          </Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}

function SendForm({ invoice, onClose }: FormProps) {
  const [asked, setAsked] = useState(false);
  const form = useResourceForm({
    initial: { recipients: invoice.statement_email ? [invoice.statement_email] : [] as string[], message: '',
      unprintable_accepted: false },
    submit: (values) => call(invoiceEndpoints.send, { params: { id: invoice.id }, body: values })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === UNPRINTABLE) setAsked(true);
        throw error;
      }),
    onSaved: () => { toast('On its way'); onClose(); },
  });
  return (
    <Modal open onClose={onClose} title={`Send ${invoice.number ?? ''}`}>
      <FormFrame form={form} aria-label="Mail">
        <Recipients label="To" required {...form.field('recipients')} />
        <TextField label="Message" rows={4} {...form.field('message')} caption="The document goes with it." />
        <UnprintableQuestion asked={asked} {...form.field('unprintable_accepted')} />
        <FormActions>
          <Button type="submit" variant="primary" pending={form.pending}>Send document</Button>
        </FormActions>
      </FormFrame>
    </Modal>
  );
}
