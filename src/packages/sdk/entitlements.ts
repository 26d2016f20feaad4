import { ConnectionError, QuittanceError } from './errors.ts';
import type { Transport } from './http.ts';
import { liveValues } from './live.ts';
import { type Page, PageRequest } from './pages.ts';
import { sleep } from './sleep.ts';

export type EntitlementsOptions = {
  /** Time in milliseconds after which the cached access is read again. Defaults to 60,000. */
  readonly maxAgeMs?: number;
  /** Result if the access is stale and can't be read: reject, or use the last known access. Defaults to `deny`. */
  readonly offline?: 'deny' | 'lastKnown';
  /** Receives changes over a socket. Defaults to `true`. */
  readonly live?: boolean;
  /** Called if the access can't be read, or if the service rejects the live updates. */
  readonly onError?: (error: unknown) => void;
};

/** Access to a feature. `available` is the number of units that can be used, or `null` if any number can be used. */
export type Entitlement = { readonly allowed: boolean; readonly available: number | null };

type Usage = {
  readonly unlimited?: boolean;
  readonly remainingUnits?: number | null;
  readonly availableUnits?: number | null;
  readonly creditUnits?: number;
  readonly overage?: { readonly enabled: boolean };
};

/** Feature access, as in `GET /feature-access` and in the live field. */
type Access = {
  readonly code: string;
  readonly allowed: boolean;
  readonly usage?: Usage;
  readonly consumption?: Usage;
};

const counted = 'unlimited remainingUnits overage { enabled }';
const query = `subscription ($customerId: ID!) { featureAccessChanged(customerId: $customerId) {
  ... on BooleanFeatureAccess { code allowed }
  ... on SeatsFeatureAccess { code allowed usage { ${counted} } }
  ... on QuotaFeatureAccess { code allowed usage { ${counted} } }
  ... on UsageFeatureAccess { code allowed consumption {
    ... on MeteredConsumption { ${counted} }
    ... on CreditsConsumption { creditUnits: availableUnits }
    ... on BalanceConsumption { availableUnits }
  } }
} }`;

function entitlementOf({ allowed, usage, consumption }: Access): Entitlement {
  const used = usage ?? consumption ?? {};
  const isOpen = used.unlimited === true || used.overage?.enabled === true;
  const available = used.remainingUnits ?? used.availableUnits ?? used.creditUnits ?? null;
  return { allowed, available: isOpen ? null : available };
}

/** Cache of a customer's feature access. A check reserves nothing; hard limits apply when usage is recorded. */
export class Entitlements {
  readonly #transport: Transport;
  readonly #customerId: string;
  readonly #options: EntitlementsOptions & Required<Omit<EntitlementsOptions, 'onError'>>;
  readonly #ending = new AbortController();
  #known: ReadonlyMap<string, Entitlement> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;
  #changes = 0;
  #reading: Promise<void> | null = null;
  #isLive = false;

  constructor(transport: Transport, customerId: string, options: EntitlementsOptions) {
    this.#transport = transport;
    this.#customerId = customerId;
    this.#options = { maxAgeMs: 60_000, offline: 'deny', live: true, ...options };
  }

  /** Returns true if the customer can use this number of units of a feature now. */
  async can(code: string, quantity = 1): Promise<boolean> {
    const { allowed, available } = (await this.get(code)) ?? { allowed: false, available: 0 };
    return allowed && (available === null || available >= quantity);
  }

  /** Returns the access to a feature. `null` if no subscription contains the feature, or if the access can't be read. */
  async get(code: string): Promise<Entitlement | null> {
    this.#follow();
    if (Date.now() - this.#readAt >= this.#options.maxAgeMs) {
      try {
        await this.#readOnce();
      } catch (error) {
        this.#options.onError?.(error);
        if (this.#options.offline === 'deny') return null;
      }
    }
    return this.#known.get(code) ?? null;
  }

  /** Reads the access again, for example after a webhook. A request that was sent before the call doesn't count. */
  async refresh(): Promise<void> {
    await this.#reading?.catch(() => undefined);
    await this.#readOnce();
  }

  /** Reads the access. Concurrent calls share one request. */
  #readOnce(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Ends the live updates. */
  close(): void {
    this.#ending.abort();
  }

  async #read(): Promise<void> {
    const features = new PageRequest<Access>((cursor) =>
      this.#transport.send<Page<Access>>('GET', '/api/v1/feature-access', {
        query: { customerId: this.#customerId, limit: 100, cursor },
      }),
    );
    const found: Access[] = [];
    const changes = this.#changes;
    try {
      for await (const feature of features) found.push(feature);
    } catch (error) {
      // Both codes mean that the customer has no access. Other errors don't change the last known access.
      const code = error instanceof QuittanceError ? error.code : '';
      if (code === 'customer_not_found') this.#known = new Map();
      if (code !== 'no_active_subscription') throw error;
    }
    // A live update that arrived after the request was sent is newer than the response.
    if (changes === this.#changes) this.#store(found);
  }

  #store(features: readonly Access[]): void {
    this.#known = new Map(features.map((feature) => [feature.code, entitlementOf(feature)]));
    this.#readAt = Date.now();
  }

  #follow(): void {
    if (this.#isLive || !this.#options.live) return;
    this.#isLive = true;
    void this.#receive();
  }

  /** Receives changes until the cache is closed. Without a socket, the cache is correct after at most `maxAgeMs`. */
  async #receive(): Promise<void> {
    const { signal } = this.#ending;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const variables = { customerId: this.#customerId };
        const document = { query, variables, field: 'featureAccessChanged' };
        for await (const features of liveValues<readonly Access[]>(this.#transport, document, signal)) {
          failures = 0;
          this.#changes += 1;
          this.#store(features);
        }
      } catch (error) {
        // The next attempt, or the next stale check, reads the access again.
        if (!signal.aborted && !(error instanceof ConnectionError)) this.#options.onError?.(error);
      }
      await sleep(Math.min(500 * 2 ** failures, 30_000), signal).catch(() => undefined);
    }
  }
}
