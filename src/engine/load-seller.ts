import type { Context } from '../context.ts';
import type { InvoiceSeller } from '../domain/invoicing/parties.ts';
import type { Processors } from '../domain/processors.ts';
import type { EnvironmentDetails } from '../domain/subscription/state/aggregate.ts';
import type { TaxRegistration } from '../domain/tax.ts';
import { type LoadBatch, oncePerBatch } from './load-batch.ts';

/** Who sells, as documents name it, with the tax registrations and the processors of the environment. */
export type SellerDetails = {
  readonly seller: InvoiceSeller;
  readonly taxRegistrations: readonly TaxRegistration[];
  readonly processors: Processors;
};

type Row = InvoiceSeller & { readonly registeredIn: string | null; readonly hasConnection: boolean } & Pick<
    TaxRegistration,
    'region' | 'rateBps'
  >;

/** Reads the seller, its tax registrations and whether it has an account of its own by one statement; the empty region of a registration is the whole country. */
export async function loadSeller(ctx: Context): Promise<SellerDetails> {
  const rows = await ctx.sql<Row>(
    `SELECT coalesce(o."issuerName", o.name) AS name, o."issuerAddress" AS address, o."issuerTaxId" AS "taxId", o.country, o.language,
       o."accentColor" AS color, t.country AS "registeredIn", nullif(t.region, '') AS region, t."rateBps",
       EXISTS (SELECT FROM "PaymentConnection" c WHERE c."environmentId" = $1) AS "hasConnection"
     FROM "Organization" o LEFT JOIN "TaxRegistration" t ON t."environmentId" = $1
     WHERE o.id = $2 ORDER BY t.country, t.region`,
    [ctx.environment.organizationId],
  );
  const [first] = rows;
  if (first === undefined)
    throw new Error(`The organization ${ctx.environment.organizationId} does not exist.`);
  const { name, address, taxId, country, language, color, hasConnection } = first;
  return {
    seller: { name, address, taxId, country, language, color },
    taxRegistrations: rows.flatMap(({ registeredIn, region, rateBps }) =>
      registeredIn === null ? [] : [{ country: registeredIn, region, rateBps }],
    ),
    processors: {
      platform: !ctx.livemode || ctx.app.gateways.platformProcessorVault !== undefined,
      own: hasConnection,
    },
  };
}

const sellerOf = oncePerBatch(({ ctx }) => loadSeller(ctx));

/** What decisions need to know of the environment. */
export async function loadEnvironment(batch: LoadBatch): Promise<EnvironmentDetails> {
  const { seller, processors } = await sellerOf(batch);
  const { livemode, environment, app } = batch.ctx;
  const { organizationId, organizationCountry, cardPromotions } = environment;
  const { settlement } = app.config;
  return { organizationId, organizationCountry, seller, livemode, processors, cardPromotions, settlement };
}

/** The tax registrations of the environment. */
export const loadTaxRegistrations = async (batch: LoadBatch): Promise<readonly TaxRegistration[]> =>
  (await sellerOf(batch)).taxRegistrations;
