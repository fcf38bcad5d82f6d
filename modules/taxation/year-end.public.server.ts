/** Year-end forms for other contexts: what is still to be done. They read royalties, which read taxation. */
export { remindOfYearEnd, yearEndTasks } from './year-end/year-end-tasks.server.ts';
