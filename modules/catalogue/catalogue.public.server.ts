/**
 * Catalog calls for other contexts. Each takes a WorkContext, makes the same checks as the endpoints and writes its
 * audit; errors are those of the endpoints (422 at a field, 409 with a code).
 */
export { waitingBomTemplates, waitingRateCards, waitingRoyaltorBank } from './approvals.server.ts';
export { addRoyaltorAlias, addShowAlias } from './show/add-alias.server.ts';
export { createShow, rehearseShows, setShowAliases, updateShow } from './show/show.server.ts';
export { approveRateCard, createRateCard } from './rate-card/rate-card.server.ts';
export { createRestriction } from './restriction/restriction.server.ts';
export { correctRoyaltorBank } from './royaltor/correct-bank-details.server.ts';
export { doubtRoyaltorBank } from './royaltor/doubt-bank-details.server.ts';
export { createRoyaltor, rehearseRoyaltors, updateRoyaltor } from './royaltor/royaltor.server.ts';
export {
  activateAgreement, completeAgreement, createAgreement, endAgreement, groupAgreement,
} from './agreement/agreement.server.ts';
export { createTerm } from './agreement/terms.server.ts';
export { createMaterial, rehearseMaterials, updateMaterial } from './material/material.server.ts';
export { allowDownloadsAnew, downloadName, downloadsOf, handOutFile, usedDownloads }
  from './material/hand-out-file.server.ts';
export { pagePicture } from './material/material-file.server.ts';
export { explodeLines, previewLines } from './bom-template/explode-template.server.ts';
export { newestApproved, templatesFor, type ApprovedTemplate } from './bom-template/templates-for-license.server.ts';
