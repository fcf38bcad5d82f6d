/** Parts shared by the public pages: the answer, the way back, the secret of a link. */
import { useEffect, useState } from 'react';
import { PublicLayout } from '#web/layout/public-layout.tsx';
import { AppLink, useAddress, useParams, useQueryValues } from '#web/navigation/navigation.tsx';
import { placeToApply } from './applying-for.web.ts';
import styles from './sign-in.module.css';

export const PASSWORD_CAPTION =
  'At least 12 characters. A sentence you remember is better than symbols you forget.';

export function BackToSignIn() {
  return <p className={styles.foot}><AppLink href="/login" className="gr-link">Back to sign in</AppLink></p>;
}

/** Server's answer, with the way back: these pages never tell whether an account exists. */
export function Answer({ title, text }: { title: string; text: string }) {
  return <PublicLayout title={title} text={<span role="status">{text}</span>}><BackToSignIn /></PublicLayout>;
}

/**
 * Token and address of a link by mail. They leave the address bar and the history at once (reliability.md 3.1, V14);
 * the page keeps what it was opened with, since the router follows the address.
 */
export function useMailLink(): { token: string; email: string; next: string | null } {
  const { token = '' } = useParams();
  const { values } = useQueryValues();
  const { path } = useAddress();
  const [link] = useState({ token, email: values.get('email') ?? '',
    next: placeToApply(values.get('next')) });
  useEffect(() => {
    if (link.token && path.endsWith(`/${link.token}`)) {
      window.history.replaceState(window.history.state, '', `${path.slice(0, -link.token.length)}-`);
    }
  }, [link, path]);
  return link;
}
