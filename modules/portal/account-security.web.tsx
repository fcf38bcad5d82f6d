/** Security among the tabs of one's own account: the sections are the ones that staff have (XR15). */
import { SecuritySections } from '#modules/identity/security/own-security.web.tsx';
import { Card } from '#web/layout/portal-shell.tsx';
import { AccountFrame } from './account-frame.web.tsx';
import styles from './portal.module.css';

export default function AccountSecurity() {
  return <AccountFrame><Card><div className={styles.plainSections}><SecuritySections /></div></Card></AccountFrame>;
}
