/**
 * Box-office reports for imports, jobs, the portal and the demo season. Every verb works in the caller's transaction;
 * {@link submitReports}, {@link acceptReportsBulk} and {@link answerAsReported} take a few thousand at a time.
 */
export { acceptReport, acceptReportsBulk, type AcceptInput } from './accept-report.server.ts';
export { answerAsReported, answerQuestion } from './answer-question.server.ts';
export type { AnswerInput } from './report-types.ts';
export { settleDueMinimums } from './due-minimums.server.ts';
export { estimateOverdue, estimateReport } from './change-report.server.ts';
export { expectReports } from './expect-reports.server.ts';
export { returnOutlook } from './return-outlook.server.ts';
export { submitReport, submitReports, type Submitted } from './submit-report.server.ts';
export type { SubmitInput } from './report-types.ts';
