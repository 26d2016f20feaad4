// What the platform's processor does beside charges. Each is a resource named by us, like the attempts of charges:
//   PUT  {url}/environments/{environment}/payouts/{id}         makes it, once; the body says what is asked for
//   GET  {url}/environments/{environment}/payouts/{id}         tells what has become of it; 404 when it was never made
//   POST {url}/environments/{environment}/payouts/{id}/cancel  takes it back before it is on its way; one never made is not made afterwards
// A payout answers `{ status, code?, message? }`. Verifications lie in …/verifications/{id}, have no cancel, and answer `{ status, reasons? }`.
// Anything else, and silence, says nothing.
import { z } from 'zod';
import type { PayoutAnswer } from '../domain/payout.ts';
import type { VerificationAnswer } from '../domain/verification.ts';
import {
  callPlatformProcessor,
  type PlatformProcessorReply,
  type PlatformProcessorSettings,
} from './platform-call.ts';

/** A bank account as it is sent to the provider. */
export type BankDestination = {
  readonly id: string;
  readonly holderName: string;
  readonly number: string;
  readonly routingNumber: string | null;
  readonly country: string;
  readonly currency: string;
  readonly accountType: 'checking' | 'savings' | null;
};

/** What is sent to the provider about a payout; the amount is digits, minor units of `currency`. */
export type PayoutOrder = {
  readonly id: string;
  readonly transferId: string;
  readonly amountMinor: string;
  readonly currency: string;
  readonly description: string | null;
  readonly bankAccount: BankDestination;
};

/** What is sent to the provider about an organization that wants to be paid: what it has submitted, and where it is to be paid. */
export type VerificationOrder = {
  readonly id: string;
  readonly country: string;
  readonly business: Readonly<Record<string, unknown>>;
  readonly person: Readonly<Record<string, unknown>>;
  readonly document: Readonly<Record<string, unknown>>;
  readonly bankAccount: BankDestination;
};

/** One kind of thing the provider makes. Asked again with the same id, nothing happens a second time; `unknown` when no answer came. Never throws. */
export type PlatformProcessorResource<Order, Answer> = {
  readonly make: (order: Order, environmentId: string) => Promise<Answer>;
  /** What has become of it; null when the provider has never heard of it, so that it can be made again. */
  readonly inquire: (id: string, environmentId: string) => Promise<Answer | null>;
  /** Takes it back, and answers what has become of it: something else than `canceled` when it was too late. */
  readonly withdraw: (id: string, environmentId: string) => Promise<Answer>;
};

/** The provider towards banks. */
export type PayoutProvider = {
  readonly payouts: PlatformProcessorResource<PayoutOrder, PayoutAnswer>;
  readonly verifications: Omit<PlatformProcessorResource<VerificationOrder, VerificationAnswer>, 'withdraw'>;
};

const payoutAnswer = z.discriminatedUnion('status', [
  z.object({ status: z.enum(['pending', 'in_transit', 'paid', 'canceled']) }),
  z.object({
    status: z.literal('failed'),
    code: z.string().min(1).max(100),
    message: z.string().min(1).max(1_000).default('The bank has rejected the payout.'),
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

/** The provider towards banks at an address. */
export const openPayoutProvider = (settings: PlatformProcessorSettings): PayoutProvider => ({
  payouts: resource<PayoutOrder, PayoutAnswer>(settings, 'payouts', payoutAnswer, { status: 'unknown' }),
  verifications: resource<VerificationOrder, VerificationAnswer>(
    settings,
    'verifications',
    verificationAnswer,
    { status: 'unknown' },
  ),
});
