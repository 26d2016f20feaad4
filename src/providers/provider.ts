import type { PaymentProvider } from '../domain/enums.ts';
import type { ChargeRequest, ChargeResult } from '../domain/provider.ts';
import type { PayoutProvider } from './payout-provider.ts';
import type { PlatformProcessorVault } from './platform-vault.ts';

/** A gateway that answers by a pure function, so that a clock run can charge inside its transaction. */
export type LocalGateway = {
  readonly local: true;
  readonly charge: (request: ChargeRequest) => ChargeResult;
  /** The reason for which the payer contests a charge once it has settled; null when nobody does. Absent: nobody ever does. */
  readonly disputeOf?: (request: ChargeRequest) => string | null;
};

/** What a gateway has on record of a charge, a set-up or a refund. */
export type Recorded = {
  /** The attempt it was made for; null for what was made at the provider. */
  readonly attempt: string | null;
  /** The attempt whose money a refund returns; null for everything else. */
  readonly refundOf: string | null;
  /** What the gateway calls it. */
  readonly reference: string;
  readonly result: ChargeResult;
  /** Minor units of `currency`; null where the gateway does not tell. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
};

/** From when to when something was made, both included; null for no bound. */
export type Window = { readonly from: Date | null; readonly to: Date | null };

/** What a gateway lists of a window, and what went wrong where one of its accounts could not be asked. */
export type Listed = { readonly records: readonly Recorded[]; readonly failures: readonly unknown[] };

/**
 * A gateway reached over a network. It is called between two commits with the transaction id as idempotency key and answers `unknown`
 * when it cannot say what happened; it never throws for that. Every request comes with the environment it belongs to.
 */
export type RemoteGateway = {
  readonly local: false;
  /** Asks for what the request says. Asked again with the same id, nothing happens a second time. */
  readonly charge: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult>;
  /** What has become of a request made before; null when the gateway has never heard of it, so that it can be made again. */
  readonly inquire: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult | null>;
  /** What the gateway has on record of a request; null when it has never heard of it. Throws when it cannot be asked. */
  readonly find: (request: ChargeRequest, environmentId: string) => Promise<Recorded | null>;
  /** Charges, set-ups and refunds the gateway made for an environment in a window. Absent: it keeps no list. */
  readonly list?: (environmentId: string, window: Window) => Promise<Listed>;
  /** Takes back a request that waits for the payer, and answers what has become of it: `settled` when it was too late. */
  readonly cancel: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult>;
  /**
   * Forgets a stored method, which cannot be charged there afterwards; one that is not there any more is forgotten already. Throws when the gateway
   * does not answer. Absent: nothing is stored there.
   */
  readonly detach?: (methodReference: string, environmentId: string) => Promise<void>;
  /** What the payer's page needs to authenticate a request that waits for it; null when it waits no more. Absent: pages need nothing. */
  readonly payerSecret?: (request: ChargeRequest, environmentId: string) => Promise<string | null>;
};

/** Whatever can take money. */
export type Gateway = LocalGateway | RemoteGateway;

/** The gateways of a process, by provider. */
export type Gateways = {
  /**
   * The gateway charges of a provider go through in live environments, or in sandboxes, which never reach the platform's processor. Throws for a
   * provider this process has none for.
   */
  readonly gatewayOf: (provider: PaymentProvider, livemode: boolean) => Gateway;
  /** The platform's processor towards banks. Absent: the process has none, and payouts wait. */
  readonly payoutProvider?: PayoutProvider;
  /** Where the platform's processor keeps the methods of live payers. Absent: it charges nobody in live mode. */
  readonly platformProcessorVault?: PlatformProcessorVault;
};
