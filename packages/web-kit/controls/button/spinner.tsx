/** The one waiting mark of the house, in the colour of the text around it. The words beside it carry the meaning. */
import styles from './spinner.module.css';

export function Spinner() {
  return <span className={styles.spinner} data-spinner aria-hidden="true" />;
}
