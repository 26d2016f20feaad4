import type { EventKind } from '../events.ts';
import { approvalPayloads } from './approval-payloads.ts';
import type { Payload } from './fields.ts';
import { holdPayloads } from './hold-payloads.ts';
import { limitPayloads } from './limit-payloads.ts';
import { otherPayloads } from './other-payloads.ts';
import { paymentPayloads } from './payment-payloads.ts';
import { subscriptionPayloads } from './subscription-payloads.ts';
import { topUpPayloads } from './topup-payloads.ts';
import { usagePayloads } from './usage-payloads.ts';

/** Payload of each event type: the fields of `data`. */
export const eventPayloads: { readonly [Kind in EventKind]: Payload } = {
  ...subscriptionPayloads,
  ...paymentPayloads,
  ...usagePayloads,
  ...topUpPayloads,
  ...limitPayloads,
  ...holdPayloads,
  ...approvalPayloads,
  ...otherPayloads,
};

/** Returns the name of an event type's payload: `PaymentReceivedPayload` for `payment.received`. */
export const payloadTypeName = (kind: string): string =>
  `${kind.replaceAll(/(?:^|[._])(\w)/g, (_match, letter: string) => letter.toUpperCase())}Payload`;
