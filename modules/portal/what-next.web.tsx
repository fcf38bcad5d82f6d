/** "To do": the first task open with the page's one filled button, two more as cards, on phones as rows. */
import { spell } from '#kernel/text/english.ts';
import {
  Banknote, ChevronRight, FileCheck, MessageSquareText, MonitorPlay, PenLine, Send, Ticket as TicketIcon,
} from 'lucide-react';
import type { NextAction } from '#modules/licensing/portal/portal.contract.ts';
import { today } from '#web/data/local-day.ts';
import { formatAmount } from '#web/data/money.tsx';
import { Glyph, type Icon } from '#web/layout/icons.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { ButtonLink } from '#web/navigation/button-link.tsx';
import { AppLink } from '#web/navigation/navigation.tsx';
import { SectionHead } from './portal-parts.web.tsx';
import { counted, dayAndReason, dueText, inWords, sentence } from './portal-words.web.ts';
import home from './home.module.css';
import styles from './portal.module.css';

/** As many stand as cards; what else there is as rows, so that the production is not pushed out of sight. */
const CARDS = 3;

interface Look { icon: Icon; text: string; button: string }
const LOOKS: Record<NextAction['kind'], Look> = {
  sign: { icon: PenLine, button: 'Read and sign',
    text: 'Read what it costs and the terms, then sign with your name and title.' },
  pay: { icon: Banknote, button: 'See and pay', text: 'See how to pay; your receipt follows the payment.' },
  upload: { icon: FileCheck, button: 'Upload',
    text: 'Send us the file. We check it and tell you when something is missing.' },
  box_office: { icon: TicketIcon, button: 'Report',
    text: spell`Seats sold and gross receipts of the period, certified with your name.` },
  box_office_question: { icon: MessageSquareText, button: 'Answer',
    text: 'We have a question about this report. It counts once you answer.' },
  stream: { icon: MonitorPlay, button: 'Report',
    text: 'Viewers’ payments. You get an invoice for our share; report 0 if there were none.' },
  answer: { icon: MessageSquareText, button: 'Answer', text: 'We need to know something before we can go on.' },
  submit: { icon: Send, button: 'Finish and submit',
    text: 'Your application is saved. Hand it in when it is complete.' },
};

/** Link to the page for a task. */
export function taskHref(base: string, task: NextAction): string {
  const production = `${base}/productions/${task.license_id}`;
  switch (task.kind) {
    case 'sign': return `${production}/quote`;
    case 'pay': return task.deposit_id === null ? `${base}/invoices/${task.invoice_id}`
      : `${base}/deposits/${task.deposit_id}`;
    case 'upload': return `${production}/documents`;
    case 'box_office':
    case 'box_office_question': return `${production}/box-office`;
    case 'stream': return `${production}/materials`;
    case 'answer': return `${base}/applications/${task.application_id}`;
    case 'submit': return `${base}/applications/${task.application_id}`;
  }
}

/** 'USD 1,641.40 by Jan 14, 2027, so that your materials can ship on Jan 21, 2027'; the reason where there is one. */
function amountOf(task: NextAction): string {
  const amount = task.amount_minor ? formatAmount(task.amount_minor, task.currency) : '';
  if (task.due_on === null || task.due_reason === null) return amount;
  const due = `${task.overdue ? 'was due' : 'by'} ${dayAndReason(task.due_on, task.due_reason)}`;
  return sentence([amount, due].filter(Boolean).join(' '));
}

function textOf(task: NextAction): string {
  const amount = amountOf(task);
  return `${amount === '' ? '' : `${amount}. `}${LOOKS[task.kind].text}`;
}

function Due({ task }: { task: NextAction }) {
  const text = dueText(task.due_on, today());
  const soon = /^(By \w{3},|Due today)/.test(text);
  return <span className={task.overdue ? home.late : soon ? home.soon : undefined}>{text}</span>;
}

function Task({ task, base, first }: { task: NextAction; base: string; first: boolean }) {
  const look = LOOKS[task.kind];
  return (
    <Card first={first}>
      <div className={home.task}>
        <div className={home.taskHead}>
          <span className={styles.tile}><Glyph icon={look.icon} size={18} /></span><Due task={task} />
        </div>
        <h3>{task.title}</h3>
        <p>{textOf(task)}</p>
        <ButtonLink href={taskHref(base, task)} variant={first ? 'primary' : 'secondary'}>{look.button}</ButtonLink>
      </div>
    </Card>
  );
}

export function WhatNext({ tasks, base, primary = true }: {
  tasks: readonly NextAction[]; base: string; primary?: boolean;
}) {
  const overdue = tasks.filter((task) => task.overdue).length;
  const note = tasks.length === 0 ? undefined
    : sentence(counted(tasks.length, 'thing')) + (overdue > 0 ? `, ${inWords(overdue)} late` : '');
  const key = (task: NextAction) => [task.kind, task.license_id, task.application_id, task.invoice_id,
    task.deposit_id, task.due_on].join('-');
  return (
    <>
      <SectionHead title="To do" note={note} />
      {tasks.length === 0
        ? <Card><p className={styles.muted}>Nothing to do at the moment. We write to you when something is due.</p>
          </Card>
        : (
          <div className={home.tasks}>
            {tasks.slice(0, CARDS).map((task, index) => (
              <div key={key(task)} className={index > 0 ? home.folds : undefined}>
                <Task task={task} base={base} first={primary && index === 0} />
              </div>
            ))}
          </div>
        )}
      {tasks.length > 1 && (
        <div className={home.rest}>
          {tasks.slice(1).map((task, index) => (
            <AppLink key={key(task)} href={taskHref(base, task)} className={home.restRow}
              data-card={index + 1 < CARDS || undefined}>
              <span className={styles.tile}><Glyph icon={LOOKS[task.kind].icon} size={18} /></span>
              <span className={home.restText}><strong>{task.title}</strong>
                {amountOf(task) !== '' && <span>{amountOf(task)}</span>}</span>
              <span className={home.restDue}><Due task={task} /></span><Glyph icon={ChevronRight} size={18} />
            </AppLink>
          ))}
        </div>
      )}
    </>
  );
}
