/** The customer's own calls. Every query names the customer of the path, whose membership the gate has checked. */
import { numbersInWords } from '#kernel/licensing/license-address.ts';
import { invalidField, refuse } from '#kit/errors.ts';
import { representativeOf } from '#modules/identity/identity.public.server.ts';
import { withCounterRole, type Ctx, type WorkContext } from '#server/context.ts';
import { compact, listPage } from '#server/list.ts';
import { serve } from '#server/routes.ts';
import { matches, mentions, sql } from '#server/sql.ts';
import { amendmentRows, cancelRequest, customerAmendment } from '../amendments/request-amendment.server.ts';
import { previewAmendment } from '../amendments/amend-license.server.ts';
import { versionDifferences } from '../amendments/show-amendment.server.ts';
import { pendingAddendum, signAddendum } from '../amendments/sign-addendum.server.ts';
import type { LicenseDocumentRow } from '../documents/license-document.contract.ts';
import { documentColumns, documentFile, documentJoins } from '../documents/license-document.server.ts';
import type { OfferSnapshot } from '../documents/offer-snapshot.server.ts';
import { firstPayments, offerBlocks, offerTotals, planInWords } from '../documents/offer-price.ts';
import { termSentences } from '../documents/offer-texts.ts';
import { addDocument, mimeOf } from '../documents/store-document.server.ts';
import { licenseVenueRows } from '../licenses/venues/license-venue-rows.server.ts';
import { cancellationOf } from '../licenses/phase/cancel-license.server.ts';
import { writeLicenseEvent } from '../licenses/phase/license-event.server.ts';
import { licenseColumns, licenseJoins, phaseFilter, type StoredLicense } from '../licenses/license-list.server.ts';
import { findCustomerLicense, type License } from '../licenses/license-record.server.ts';
import { CUSTOMER } from '../licenses/phase/mover.server.ts';
import { sharedMemos } from '../memos/shared-memos.server.ts';
import { askStaff } from '../licenses/phase/notify.server.ts';
import { customerEvents } from '../licenses/phase/phase-answer.server.ts';
import { declineOffer, signOffer } from '../licenses/quote/sign-offer.server.ts';
import { advanceBalance } from '../box-office/advance-balance.server.ts';
import { refreshChecklist } from '../checklist/refresh-checklist.server.ts';
import { performanceRows } from '../licenses/performances/performance-rows.server.ts';
import { promiseAnswer, promiseOfLicense } from '../licenses/pricing/promise.server.ts';
import { customerActivity } from './portal-activity.server.ts';
import { portalEndpoints, type ProductionDetail, type QuoteAnswer } from './portal.contract.ts';
import { dressProductions, nextActions, visibleDocument } from './portal-rows.server.ts';
import { informationOf, showOf, showsFor } from './portal-catalogue.server.ts';
import { searchPortal } from './portal-search.server.ts';

/** Phases in which a customer may ask for changes. */
const RUNNING = ['licensed', 'in_production'];

async function production(ctx: Ctx, customerId: number, licenseId: number): Promise<ProductionDetail> {
  const license = await findCustomerLicense(ctx.db, customerId, licenseId);
  const row = await ctx.db.one<StoredLicense>(sql`
    select ${licenseColumns} from licenses t ${licenseJoins} where t.id = ${licenseId}`);
  const [dressed] = await dressProductions(ctx, [row]);
  const role = ctx.user.customers.get(customerId) ?? 'member';
  return {
    ...dressed!, license_venues: await licenseVenueRows(ctx.db, sql`t.license_id = ${licenseId}`),
    documents: await ctx.db.query<LicenseDocumentRow>(sql`
      select ${documentColumns} from license_documents t ${documentJoins}
      where t.license_id = ${licenseId} and ${visibleDocument} order by t.created_at desc, t.id desc`),
    amendments: await amendmentRows(ctx, licenseId), memos: await sharedMemos(ctx.db, 'license', licenseId),
    license_rep: await withCounterRole(ctx, (house) => representativeOf(house, license.license_rep_id,
      license.division)),
    advance: await advanceBalance(ctx.db, licenseId), next_actions: await nextActions(ctx, customerId, licenseId),
    allowed_actions: role === 'member' ? [] : await allowedActions(ctx, license),
  };
}

async function allowedActions(ctx: WorkContext, license: License): Promise<string[]> {
  const running = RUNNING.includes(license.phase);
  return [...await customerEvents(ctx, license), ...running ? ['amend', 'request_cancellation'] : [],
    ...await pendingAddendum(ctx, license.id) ? ['sign_addendum'] : [],
    ...license.phase === 'accepted' ? ['request_cancellation'] : [],
    ...['closed', 'cancelled', 'expired', 'declined'].includes(license.phase) ? [] : ['upload']];
}

async function quote(
  ctx: Ctx, customerId: number, licenseId: number, version: number | undefined,
): Promise<QuoteAnswer> {
  const license = await findCustomerLicense(ctx.db, customerId, licenseId);
  const row = await ctx.db.maybeOne<{ id: number; version_no: number; sha256: string; snapshot: OfferSnapshot;
    signed_at: string | null; signer_name: string | null; amendment: string | null }>(sql`
    select v.id, v.version_no, v.sha256, v.snapshot, g.created_at as signed_at, g.signer_name,
      (select a.reason from license_amendments a where a.license_version_id = v.id) as amendment
    from license_versions v
    left join signatures g on g.license_version_id = v.id and g.voided_at is null
    where v.license_id = ${licenseId} and v.version_no = ${version ?? license.offer_version}
      and v.version_no <= ${license.offer_version}`);
  if (!row) throw refuse('not_found');
  const { snapshot } = row;
  const documents = await ctx.db.query<{ id: number; signs: boolean; sha256: string | null }>(sql`
    select t.id, t.type in ('production_contract', 'amendment') and t.origin = 'generate' as signs, f.sha256
    from license_documents t left join files f on f.id = t.document_id
    where t.license_version_id = ${row.id} and ${visibleDocument} order by t.id`);
  const current = row.version_no === license.offer_version;
  const totals = offerTotals(snapshot.totals);
  // A version from before its promise was stored: what the licence's own terms, which no card changes any more, say.
  const promise = snapshot.promise === undefined && current ? await promiseOfLicense(ctx.db, license)
    : snapshot.promise ?? null;
  return {
    license_id: license.id, number: license.number, title: snapshot.title, offer_version: row.version_no,
    hash: row.sha256, current, currency: snapshot.currency, expires_at: current ? license.offer_expires_at : null,
    expires_on: current && license.offer_expires_at !== null ? snapshot.expires_on : null,
    covering_note: current ? license.covering_note : null,
    sent_at: license.offer_sent_at, signed_at: row.signed_at, signer_name: row.signer_name, venues: snapshot.venues,
    lines: snapshot.lines,
    totals: { royalty_minor: snapshot.totals.royalty_minor, charges_minor: snapshot.totals.charges_minor,
      tax_minor: snapshot.totals.tax_minor, discount_minor: snapshot.totals.discount_minor,
      net_minor: totals.net_minor, total_minor: totals.total_minor,
      security_deposit_minor: totals.deposit_beside_minor, on_account_deposit_minor: totals.on_account_minor },
    discount_reason: snapshot.totals.discount_minor === 0 ? null : snapshot.discount_reason || null,
    rows: offerBlocks(snapshot), promise: promiseAnswer(promise, snapshot),
    payment_plan: planInWords(snapshot).map((plan) => (row.amendment === null ? plan : { ...plan, due: '' })),
    first_payments: row.amendment === null ? firstPayments(snapshot) : [],
    explanation: snapshot.explanation, terms: termSentences(snapshot, false),
    document_sha256: documents.findLast((document) => document.signs)?.sha256 ?? null,
    document_ids: documents.map((document) => document.id),
    addendum: row.amendment === null ? null : { reason: row.amendment,
      differences: await versionDifferences(ctx, licenseId, row.version_no),
      to_sign: (await pendingAddendum(ctx, licenseId))?.version_id === row.id },
  };
}

async function upload(ctx: Ctx, customerId: number, licenseId: number, body: { type: string; description: string }) {
  if (!ctx.file) throw invalidField('document', 'Choose a file');
  const license = await findCustomerLicense(ctx.db, customerId, licenseId);
  const { id } = await addDocument(ctx, { license_id: licenseId, type: body.type, description: body.description,
    status: 'sent', origin: 'upload',
    file: { name: ctx.file.filename, mime_type: mimeOf(ctx.file), content: ctx.file.content } });
  await writeLicenseEvent(ctx, { license_id: licenseId, event: 'upload_document', details: { document_id: id,
    type: body.type } });
  await ctx.audit({ action: 'create', entity: 'license_document', entity_id: id, after: body });
  await askStaff(ctx, license, { kind: `document_${body.type}`, priority: 3,
    title: `${numbersInWords(license)}: a document was uploaded (${body.type.replaceAll('_', ' ')})` });
  await refreshChecklist(ctx, licenseId);
  return { data: await ctx.db.one<LicenseDocumentRow>(sql`
    select ${documentColumns} from license_documents t ${documentJoins} where t.id = ${id}`) };
}

export const portalRoutes = serve(portalEndpoints, {
  shows: (ctx, { params, query }) => showsFor(ctx, params.id, query),
  show: async (ctx, { params }) => ({ data: await showOf(ctx, params.id, params.showId) }),
  async licenses(ctx, { params, query }) {
    const page = await listPage<StoredLicense>(ctx.db, {
      base: sql`licenses t`, columns: licenseColumns, joins: licenseJoins, defaultSort: 'updated_at',
      defaultDirection: 'desc', sorts: { updated_at: sql`t.updated_at`,
        first_performance_on: sql`t.first_performance_on`, show_title: sql`t.title_on_license collate "und-x-icu"` },
      conditions: compact([sql`t.customer_id = ${params.id} and t.phase <> 'draft' and t.deleted_at is null`,
        phaseFilter(query.phase, query.group),
        query.search !== undefined && matches(sql`t.search_text`, query.search)]),
    }, query, `/api/customers/${params.id}/licenses`);
    return { ...page, data: await dressProductions(ctx, page.data) };
  },
  license: async (ctx, { params }) => ({ data: await production(ctx, params.id, params.licenseId) }),
  quote: async (ctx, { params, query }) => ({ data: await quote(ctx, params.id, params.licenseId, query.version) }),
  async sign(ctx, { params, body }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    await signOffer(ctx, { license_id: license.id, version: null, offer_version: body.offer_version, hash: body.hash,
      signer_name: body.signer_name, signer_title: body.signer_title, signed_on: await ctx.today(license.division),
      signed_by_user_id: ctx.user.user_id, ip: ctx.ip, user_agent: ctx.user_agent,
      confirm_name: body.confirm_name }, CUSTOMER);
    return { data: await production(ctx, params.id, params.licenseId) };
  },
  async signAddendum(ctx, { params, body }) {
    const license = await findCustomerLicense(ctx.db, params.id, params.licenseId);
    const { accept: _accepted, ...signature } = body;
    await signAddendum(ctx, { license_id: license.id, ...signature, signed_on: await ctx.today(license.division),
      signed_by_user_id: ctx.user.user_id, ip: ctx.ip, user_agent: ctx.user_agent });
    return { data: await production(ctx, params.id, params.licenseId) };
  },
  async decline(ctx, { params, body }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    await declineOffer(ctx, { license_id: params.licenseId, version: null, offer_version: body.offer_version,
      reason_code: body.reason_code, reason: body.note }, CUSTOMER);
    return { data: await production(ctx, params.id, params.licenseId) };
  },
  async previewAmendment(ctx, { params, body }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await previewAmendment(ctx, params.licenseId, body.changes) };
  },
  async requestAmendment(ctx, { params, body }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await customerAmendment(ctx, params.licenseId, body.changes, body.reason) };
  },
  async cancellation(ctx, { params }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    const { version: _, ...answer } = await withCounterRole(ctx,
      (house) => cancellationOf(house, params.licenseId, null));
    return { data: answer };
  },
  async requestCancellation(ctx, { params, body }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await cancelRequest(ctx, params.licenseId, body.reason) };
  },
  async document(ctx, { params }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    const seen = await ctx.db.maybeOne(sql`
      select 1 from license_documents t where t.id = ${params.documentId} and t.license_id = ${params.licenseId}
        and ${visibleDocument}`);
    if (!seen) throw refuse('not_found');
    return documentFile(ctx, params.licenseId, params.documentId);
  },
  uploadDocument: (ctx, { params, body }) => upload(ctx, params.id, params.licenseId, body),
  async performances(ctx, { params }) {
    await findCustomerLicense(ctx.db, params.id, params.licenseId);
    return { data: await performanceRows(ctx.db, sql`t.license_id = ${params.licenseId}`) };
  },
  nextActions: async (ctx, { params }) => ({ data: await nextActions(ctx, params.id) }),
  documents: (ctx, { params, query }) => listPage<LicenseDocumentRow & { license_number: string; title: string }>(
    ctx.db, {
      base: sql`license_documents t`, defaultSort: 'created_at', defaultDirection: 'desc',
      columns: sql`${documentColumns},
        coalesce(l.license_number, l.number) as license_number, l.title_on_license as title`,
      joins: sql`${documentJoins} join licenses l on l.id = t.license_id`, sorts: { created_at: sql`t.created_at` },
      conditions: compact([sql`exists (select 1 from licenses l where l.id = t.license_id
        and l.customer_id = ${params.id} and l.phase <> 'draft')`, visibleDocument,
      query.search !== undefined && mentions(sql`t.description`, query.search)]),
    }, query, `/api/customers/${params.id}/documents`),
  activity: (ctx, { params, query }) => customerActivity(ctx.db, params.id, query),
  search: (ctx, { params, query }) => searchPortal(ctx, params.id, query),
  information: async (ctx, { params }) => ({ data: await informationOf(ctx, params.id) }),
});
