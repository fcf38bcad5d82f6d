/** The calendar and its styles, loaded when somebody reaches for one: 12 kB of any page with a day. */
import '@mantine/dates/styles.layer.css';

export { DatePicker } from '@mantine/dates';
