import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';
import { type Area, areas } from '../../domain/limits/permissions.ts';

/** Prefixes of operation names by area. The longest matching prefix applies. */
const beginnings: Readonly<Record<Area, string>> = {
  organization: 'apiKey appConnection claimLink deviceLogin organization taxRegistration',
  catalog:
    'addon aiModel asset cardPromotion creditPack feature market offer plan promoCode rate retentionOffer aiModelPrice rateCard',
  customers: 'customer',
  subscriptions: 'activeAddons autoTopUp catalogImpact commitment planGrant priceFor subscription upcoming',
  usage:
    'accounts approval balanceLedger budget limit planLimit creditLedger featureAccess featureMeterPreview lot seat seats usage',
  invoices: 'creditNote invoice',
  payments:
    'bankStatement connectedAccount disputes gatewayReconcile mandate payment payout receipt refunds sandboxAttempt sandboxTransfer transaction',
  messages: 'email event invoiceSend requestLog requestReplay webhook',
  metrics: 'attention balanceEntries fxRate ledger margin metrics mrr search setup taxExposure',
  exports: 'export',
  pages: 'portalSession pricingTable',
  sandbox: 'exampleRun sandbox testClock',
};

const table = areas
  .flatMap((area) => beginnings[area].split(' ').map((beginning) => ({ area, beginning })))
  .toSorted((a, b) => b.beginning.length - a.beginning.length);

/** Returns the area of an operation. `null` if the operation belongs to no area, such as `node`. */
export const findArea = (operation: string): Area | null =>
  table.find(({ beginning }) => operation.startsWith(beginning))?.area ?? null;

/**
 * Returns all root fields of a schema. Queries and mutations are found by the names of their types, because the schema of a compiled mutation
 * has the mutations as its query type.
 */
export const operationsIn = (schema: GraphQLSchema): readonly GraphQLField<unknown, unknown>[] =>
  [schema.getType('Query'), schema.getType('Mutation'), schema.getSubscriptionType()].flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );

/** Returns the names of all mutations of a schema. */
export const mutationNames = (schema: GraphQLSchema): string[] =>
  operationsIn(schema)
    .filter(({ extensions }) => (extensions as { readonly isMutation?: boolean }).isMutation === true)
    .map(({ name }) => name);

/** Returns the names of all operations of a schema. */
export const operationNames = (schema: GraphQLSchema): ReadonlySet<string> =>
  new Set(operationsIn(schema).map(({ name }) => name));

/** Details of mutations that limits need, by name. */
export type MutationDetails = ReadonlyMap<string, { readonly movesMoney: boolean }>;

/** Returns the details of the mutations of a schema. */
export const mutationDetails = (schema: GraphQLSchema): MutationDetails => {
  const type = schema.getType('Mutation');
  const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
  return new Map(
    fields.map(({ name, extensions }) => [name, { movesMoney: extensions['movesMoney'] === true }]),
  );
};

/** Returns the area of an operation. Throws if no prefix matches. A test checks all operations. */
export function areaOf(operation: string): Area {
  const area = findArea(operation);
  if (area === null) throw new Error(`The operation ${operation} belongs to no area.`);
  return area;
}
