import type { InvoiceSeller } from '../../domain/invoicing/parties.ts';
import type { Processors } from '../../domain/payments/processors.ts';
import type { CreditOrder, ProcessingAccess } from '../../domain/rows/enums.ts';
import type { RetryTerms } from '../../domain/rows/rows.ts';
import type { EnvironmentDetails, TrialRow } from '../../domain/subscription/state/aggregate.ts';
import type { TaxRegistration } from '../../domain/tax/tax.ts';
import type { Context } from '../../request/context.ts';
import { type LoadBatch, oncePerBatch } from './batch.ts';

/** Organization details on invoices, with the environment's tax registrations and payment processors. */
export type SellerDetails = {
  readonly seller: InvoiceSeller;
  readonly taxRegistrations: readonly TaxRegistration[];
  readonly processors: Processors;
  readonly oneTrialPerCustomer: boolean;
  readonly checkoutExpiryHours: number | null;
  readonly refundTakesBack: boolean;
  readonly creditOrder: CreditOrder;
  readonly accessWhileProcessing: ProcessingAccess | null;
  readonly collectByPayer: boolean;
  readonly collectionDueDays: number;
  readonly retryTerms: RetryTerms;
};

type Row = InvoiceSeller & { readonly registeredIn: string | null; readonly hasConnection: boolean } & Pick<
    TaxRegistration,
    'region' | 'rateBps'
  > &
  Pick<
    SellerDetails,
    | 'oneTrialPerCustomer'
    | 'checkoutExpiryHours'
    | 'refundTakesBack'
    | 'creditOrder'
    | 'accessWhileProcessing'
    | 'collectByPayer'
    | 'collectionDueDays'
  > &
  RetryTerms;

/**
 * Loads the organization's details, its tax registrations, and whether it has connected accounts, in one SQL
 * statement. A tax registration without a region covers the whole country.
 */
export async function loadSeller(ctx: Context): Promise<SellerDetails> {
  const rows = await ctx.sql<Row>(
    `SELECT coalesce(o."issuerName", o.name) AS name, o."issuerAddress" AS address, o."issuerTaxId" AS "taxId", o.country, o.language,
       o."accentColor" AS color, o."oneTrialPerCustomer", o."checkoutExpiryHours", o."refundTakesBack", o."creditOrder",
       o."accessWhileProcessing", o."collectByPayer", o."collectionDueDays", o."retryDays", o."lastRetryAction",
       t.country AS "registeredIn", nullif(t.region, '') AS region, t."rateBps",
       EXISTS (SELECT FROM "PaymentConnection" c WHERE c."environmentId" = $1) AS "hasConnection"
     FROM "Organization" o LEFT JOIN "TaxRegistration" t ON t."environmentId" = $1
     WHERE o.id = $2 ORDER BY t.country, t.region`,
    [ctx.environment.organizationId],
  );
  const [first] = rows;
  if (first === undefined)
    throw new Error(`The organization ${ctx.environment.organizationId} does not exist.`);
  const { name, address, taxId, country, language, color, hasConnection } = first;
  const { oneTrialPerCustomer, checkoutExpiryHours, refundTakesBack, creditOrder, accessWhileProcessing } =
    first;
  const { collectByPayer, collectionDueDays, retryDays, lastRetryAction } = first;
  return {
    seller: { name, address, taxId, country, language, color },
    taxRegistrations: rows.flatMap(({ registeredIn, region, rateBps }) =>
      registeredIn === null ? [] : [{ country: registeredIn, region, rateBps }],
    ),
    processors: {
      platform: !ctx.livemode || ctx.app.gateways.platformProcessorVault !== undefined,
      own: hasConnection,
    },
    oneTrialPerCustomer,
    checkoutExpiryHours,
    refundTakesBack,
    creditOrder,
    accessWhileProcessing,
    collectByPayer,
    collectionDueDays,
    retryTerms: { retryDays, lastRetryAction },
  };
}

const sellerOf = oncePerBatch(({ ctx }) => loadSeller(ctx));

/** Loads the environment settings for decisions. */
export async function loadEnvironment(batch: LoadBatch): Promise<EnvironmentDetails> {
  const { seller, processors, taxRegistrations: _taxRegistrations, ...settings } = await sellerOf(batch);
  const { livemode, environment, app } = batch.ctx;
  const { organizationId, organizationCountry, cardPromotions } = environment;
  const { settlement } = app.config;
  const choices = { cardPromotions, ...settings };
  return { organizationId, organizationCountry, seller, livemode, processors, settlement, ...choices };
}

/**
 * Returns the customers that have had a trial, or whose email address (case-insensitive) belongs to another customer
 * with a trial. Executes an SQL statement only for commands that can start a trial, and only if the organization
 * limits trials (OFR-30).
 */
export async function loadTrials(batch: LoadBatch): Promise<readonly TrialRow[]> {
  const { ctx, named, customerIds } = batch;
  const canBegin = named.offers.length + named.offersSelectedBy.length + named.cards.length > 0;
  if (!canBegin || !(await sellerOf(batch)).oneTrialPerCustomer) return [];
  return ctx.sql<TrialRow>(
    `SELECT c.id AS "customerId" FROM "Customer" c WHERE c."environmentId" = $1 AND c.id = ANY($2) AND EXISTS (
       SELECT FROM "Customer" o JOIN "Subscription" s ON s."environmentId" = $1 AND s."customerId" = o.id
       WHERE o."environmentId" = $1 AND o."emailKey" COLLATE "C" = c."emailKey" COLLATE "C" AND s."trialEndsAt" IS NOT NULL)`,
    [customerIds],
  );
}

export const loadTaxRegistrations = async (batch: LoadBatch): Promise<readonly TaxRegistration[]> =>
  (await sellerOf(batch)).taxRegistrations;
