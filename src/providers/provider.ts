import type { AcceptedAttempt, ChargeRequest, ChargeResult } from '../domain/payments/provider.ts';
import type { PaymentProvider } from '../domain/rows/enums.ts';
import type { PayoutProvider } from './payout-provider.ts';
import type { PlatformProcessorVault } from './platform-vault.ts';

/** Gateway without network access, so that a test clock run can make charges inside a transaction. */
export type LocalGateway = {
  readonly local: true;
  readonly charge: (request: ChargeRequest) => ChargeResult | AcceptedAttempt;
  /** Returns the dispute reason for a successful charge. `null` if the charge isn't disputed. Absent if the gateway doesn't support disputes. */
  readonly disputeOf?: (request: ChargeRequest) => string | null;
};

/** Charge, setup, or refund, as recorded by the payment provider. */
export type Recorded = {
  /** ID of the attempt in Quittance. `null` if the record was created directly at the provider. */
  readonly attempt: string | null;
  /** ID of the refunded attempt. `null` unless the record is a refund. */
  readonly refundOf: string | null;
  /** ID of the charge, setup or refund at the provider. */
  readonly reference: string;
  readonly result: ChargeResult;
  /** Amount in minor units of `currency`. `null` if the gateway doesn't report it. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
};

/** Time range with inclusive bounds. A `null` bound leaves the range open. */
export type Window = { readonly from: Date | null; readonly to: Date | null };

/** Records from a time range, and errors from the accounts whose records couldn't be read. */
export type Listed = { readonly records: readonly Recorded[]; readonly failures: readonly unknown[] };

/**
 * Gateway that calls a payment provider over the network. Called between two transactions, with the transaction ID as the idempotency key. Returns
 * `unknown` instead of throwing if the result isn't known.
 */
export type RemoteGateway = {
  readonly local: false;
  /** Executes a charge, setup, or refund. A repeated request with the same ID has no further effect. */
  readonly charge: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult>;
  /**
   * Returns the result of an earlier request. `null` if the provider never received the request, which can then be sent
   * again.
   */
  readonly inquire: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult | null>;
  /** Returns the provider's record of a request. `null` if there's no record. Throws if the provider doesn't respond. */
  readonly find: (request: ChargeRequest, environmentId: string) => Promise<Recorded | null>;
  /** Lists an environment's charges, setups and refunds in a time range. Absent if the gateway can't list records. */
  readonly list?: (environmentId: string, window: Window) => Promise<Listed>;
  /**
   * Cancels a request that is waiting for the payer and returns the request's result. If the cancellation came too late, the result is
   * `settled`.
   */
  readonly cancel: (request: ChargeRequest, environmentId: string) => Promise<ChargeResult>;
  /**
   * Detaches a stored payment method, so that it can no longer be charged. Succeeds if the method no longer exists. Throws if the provider doesn't
   * respond. Absent if the gateway stores no payment methods.
   */
  readonly detach?: (methodReference: string, environmentId: string) => Promise<void>;
  /**
   * Returns the secret that lets the payer's browser authenticate a pending payment. `null` if the request isn't pending. Absent if the gateway
   * doesn't use such secrets.
   */
  readonly payerSecret?: (request: ChargeRequest, environmentId: string) => Promise<string | null>;
};

export type Gateway = LocalGateway | RemoteGateway;

/** Payment gateways of a process. */
export type Gateways = {
  /**
   * Returns the gateway for a provider. Sandboxes never use the platform's payment provider. Throws if the process has no gateway for the
   * provider.
   */
  readonly gatewayOf: (provider: PaymentProvider, livemode: boolean) => Gateway;
  /** Payouts at the platform's payment provider. Absent if no provider is configured; payouts then stay pending. */
  readonly payoutProvider?: PayoutProvider;
  /** Payment methods of live payers at the platform's payment provider. Absent if live payers can't be charged. */
  readonly platformProcessorVault?: PlatformProcessorVault;
};
