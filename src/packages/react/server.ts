import type { CustomerSnapshot, FeatureSnapshot } from './snapshot.ts';

// Functions for the server, which has the API key. The results can be sent to a browser.

export type { CustomerSnapshot, FeatureSnapshot } from './snapshot.ts';

type Units = {
  readonly unitsUsed: number;
  readonly includedUnits?: number;
  readonly remainingUnits?: number | null | undefined;
  readonly availableUnits?: number | null | undefined;
  readonly unlimited?: boolean;
  readonly overage?: { readonly enabled: boolean };
};

/** Feature access, as the TypeScript client returns it. */
type Access = {
  readonly code: string;
  readonly name: string;
  readonly unitName: string | null;
  readonly allowed: boolean;
  readonly usage?: Units;
  readonly consumption?: Units;
};

/** Part of the TypeScript client that reads feature access. */
type Client = {
  readonly featureAccess: { readonly list: (input: { customerId: string }) => AsyncIterable<object> };
};

function featureOf({ name, unitName, allowed, usage, consumption }: Access): FeatureSnapshot {
  const units = usage ?? consumption;
  if (units === undefined) return { name, unitName, allowed, used: null, included: null, available: null };
  const isOpen = units.unlimited === true || units.overage?.enabled === true;
  return {
    name,
    unitName,
    allowed,
    used: units.unitsUsed,
    included: units.unlimited === true ? null : (units.includedUnits ?? null),
    available: isOpen ? null : (units.remainingUnits ?? units.availableUnits ?? null),
  };
}

/** Codes of errors that mean that the customer has no access. */
const withoutAccess: readonly unknown[] = ['customer_not_found', 'no_active_subscription'];

/** Reads the access of a customer. A customer without a subscription has no features. */
export async function readCustomer(quittance: Client, customerId: string): Promise<CustomerSnapshot> {
  const features: Record<string, FeatureSnapshot> = {};
  try {
    for await (const access of quittance.featureAccess.list({ customerId })) {
      const feature = access as Access;
      features[feature.code] = featureOf(feature);
    }
  } catch (error) {
    if (!withoutAccess.includes((error as { readonly code?: unknown } | null)?.code)) throw error;
  }
  return { customerId, features };
}
