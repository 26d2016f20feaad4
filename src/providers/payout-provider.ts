// Payouts and verifications at the platform's payment provider. Quittance assigns their IDs:
//   PUT  {url}/environments/{environment}/payouts/{id}         creates the payout in the body; repeating the request has no effect
//   GET  {url}/environments/{environment}/payouts/{id}         returns the status; 404 if the payout doesn't exist
//   POST {url}/environments/{environment}/payouts/{id}/cancel  cancels the payout, or prevents its creation, unless it was sent to the bank
// The response is `{ status, code?, message? }`. Verifications use …/verifications/{id}, can't be canceled, and return `{ status, reasons? }`. After
// a timeout or any other response, the status is unknown.
import { z } from 'zod';
import type { PayoutAnswer } from '../domain/payments/payout.ts';
import type { VerificationAnswer } from '../domain/payments/verification.ts';
import {
  callPlatformProcessor,
  type PlatformProcessorReply,
  type PlatformProcessorSettings,
} from './platform-call.ts';

/** Bank account of a payout, as sent to the provider. */
export type BankDestination = {
  readonly id: string;
  readonly holderName: string;
  readonly number: string;
  readonly routingNumber: string | null;
  readonly country: string;
  readonly currency: string;
  readonly accountType: 'checking' | 'savings' | null;
};

/** Payout as sent to the provider. The amount is a string of digits in minor units of `currency`. */
export type PayoutOrder = {
  readonly id: string;
  readonly transferId: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly description: string | null;
  readonly bankAccount: BankDestination;
};

/** Verification as sent to the provider, with the submitted details and the bank account. */
export type VerificationOrder = {
  readonly id: string;
  readonly country: string;
  readonly business: Readonly<Record<string, unknown>>;
  readonly person: Readonly<Record<string, unknown>>;
  readonly document: Readonly<Record<string, unknown>>;
  readonly bankAccount: BankDestination;
};

/** Payouts or verifications at the provider. Requests are idempotent by ID. The result is `unknown` if the provider doesn't respond. Never throws. */
export type PlatformProcessorResource<Order, Answer> = {
  readonly make: (order: Order, environmentId: string) => Promise<Answer>;
  /**
   * Returns the status of a payout or verification. `null` if the provider never received the request, which can then
   * be sent again.
   */
  readonly inquire: (id: string, environmentId: string) => Promise<Answer | null>;
  /** Cancels a payout and returns the payout's status. If the cancellation came too late, the status isn't `canceled`. */
  readonly withdraw: (id: string, environmentId: string) => Promise<Answer>;
};

/** Clients for payouts and verifications at the platform's payment provider. */
export type PayoutProvider = {
  readonly payouts: PlatformProcessorResource<PayoutOrder, PayoutAnswer>;
  readonly verifications: Omit<PlatformProcessorResource<VerificationOrder, VerificationAnswer>, 'withdraw'>;
};

const payoutAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['pending', 'in_transit', 'paid', 'canceled']) }),
  z.object({
    status: z.literal('failed'),
    code: z.string().min(1).max(100),
    message: z.string().min(1).max(1_000).default('The bank rejected the payout.'),
  }),
]);

const reason = z.object({
  field: z.string().max(200).nullable().default(null),
  code: z.string().min(1).max(100),
  message: z.string().min(1).max(1_000),
});

const verificationAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['pending', 'approved']) }),
  z.object({ status: z.literal('rejected'), reasons: z.array(reason).max(100).default([]) }),
]);

function resource<Order extends { readonly id: string }, Answer>(
  settings: PlatformProcessorSettings,
  folder: string,
  shape: z.ZodType<Answer>,
  unknown: Answer,
): PlatformProcessorResource<Order, Answer> {
  const read = (reply: PlatformProcessorReply): Answer | null => {
    if (reply.kind === 'absent') return null;
    const emitted = shape.safeParse(reply.kind === 'told' ? reply.body : null);
    return emitted.success ? emitted.data : unknown;
  };
  return {
    make: async (order, environmentId) =>
      read(
        await callPlatformProcessor(
          settings,
          'PUT',
          { environmentId, folder, id: order.id },
          { body: JSON.stringify(order) },
        ),
      ) ?? unknown,
    inquire: async (id, environmentId) =>
      read(await callPlatformProcessor(settings, 'GET', { environmentId, folder, id })),
    withdraw: async (id, environmentId) =>
      read(
        await callPlatformProcessor(settings, 'POST', { environmentId, folder, id }, { action: '/cancel' }),
      ) ?? unknown,
  };
}

/** Creates a client for the payouts and verifications of the payment provider at a URL. */
export const openPayoutProvider = (settings: PlatformProcessorSettings): PayoutProvider => ({
  payouts: resource<PayoutOrder, PayoutAnswer>(settings, 'payouts', payoutAnswer, { status: 'unknown' }),
  verifications: resource<VerificationOrder, VerificationAnswer>(
    settings,
    'verifications',
    verificationAnswer,
    { status: 'unknown' },
  ),
});
