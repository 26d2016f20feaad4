import { validationError } from '../../../domain/errors/errors.ts';
import type { HoldExcess, HoldRow } from '../../../domain/holds/hold.ts';
import type { HoldStep } from '../../../domain/holds/steps.ts';
import type { Throttle } from '../../../domain/limits/throttle.ts';
import type { UsageRequest } from '../../../domain/usage/record.ts';
import type { Recorded } from '../../../domain/usage/record-event.ts';
import type { PreparedUsage } from '../../../engine/usage/operation.ts';
import type { Row } from '../../../platform/db/rows.ts';
import {
  only,
  rejected,
  shownEvent,
  type TokenInput,
  tokensIn,
  type UsageEventShape,
} from '../usage/track.ts';

type Properties = readonly { readonly property: string; readonly value: string }[];

type Optional<T> = { readonly [name in keyof T]?: T[name] | null | undefined };

/** Quantity of an estimate or a settlement in a request. */
type QuantityInput = TokenInput & Optional<{ value: number; quantity: string }>;

export type HoldInput = {
  readonly customerId: string | number;
  readonly featureCode: string;
  readonly estimate: QuantityInput;
} & Optional<{
  atLeast: string;
  budget: string;
  holdId: string;
  expiresIn: number;
  onExcess: HoldExcess;
  properties: Properties;
}>;

export type ExtendInput = { readonly id: string | number } & Optional<{
  expiresIn: number;
  add: QuantityInput;
}>;

export type SettleInput = { readonly id: string | number } & QuantityInput &
  Optional<{ eventId: string; timestamp: Date; properties: Properties; final: boolean }>;

export type ReleaseInput = { readonly id: string | number };

/** Hold in the format of its GraphQL type. A hold that a step just changed includes the feature's code, the budget's key, and a delay. */
export type HoldShape = Omit<Row<'UsageHold'>, 'environmentId'> & {
  readonly featureCode?: string;
  readonly budgetKey?: string | null;
  readonly throttle?: Throttle | null;
};

/** Returns a request without usage, whose step determines the customer and the feature. */
const stepRequest = (hold: HoldStep): UsageRequest => ({
  customerId: '',
  featureCode: '',
  eventId: null,
  timestamp: null,
  properties: [],
  value: null,
  quantity: null,
  budget: null,
  hold,
  ...tokensIn({}),
});

const quantityIn = (input: QuantityInput) => ({
  value: input.value == null ? null : BigInt(input.value),
  quantity: input.quantity ?? null,
  ...tokensIn(input),
});

const copied = (properties: Properties | null | undefined): UsageRequest['properties'] =>
  (properties ?? []).map(({ property, value }) => ({ property, value }));

/** Throws `validation_error` if an estimate contains no quantity. */
function requireQuantity({ value, quantity, model }: QuantityInput, field: string): void {
  if (value == null && quantity == null && model == null)
    throw validationError([{ field, message: 'must contain `value`, `quantity`, or `model`' }]);
}

export const holdRequest = (input: HoldInput): UsageRequest => {
  requireQuantity(input.estimate, 'estimate');
  return {
    ...stepRequest({
      kind: 'open',
      holdId: input.holdId ?? null,
      expiresIn: input.expiresIn ?? null,
      onExcess: input.onExcess ?? 'fit',
      atLeast: input.atLeast ?? null,
    }),
    customerId: String(input.customerId),
    featureCode: input.featureCode,
    budget: input.budget ?? null,
    properties: copied(input.properties),
    ...quantityIn(input.estimate),
  };
};

const extendRequest = ({ id, expiresIn = null, add = null }: ExtendInput): UsageRequest => {
  if (expiresIn === null && add === null)
    throw validationError([{ field: 'expiresIn', message: 'is required if `add` is not set' }]);
  if (add !== null) requireQuantity(add, 'add');
  const step = { kind: 'extend', hold: String(id), expiresIn, adds: add !== null } as const;
  return { ...stepRequest(step), ...quantityIn(add ?? {}) };
};

export const settleRequest = (input: SettleInput): UsageRequest => ({
  ...stepRequest({ kind: 'settle', hold: String(input.id), isFinal: input.final ?? true }),
  eventId: input.eventId ?? null,
  timestamp: input.timestamp ?? null,
  properties: copied(input.properties),
  ...quantityIn(input),
});

export const releaseRequest = ({ id }: ReleaseInput): UsageRequest =>
  stepRequest({ kind: 'release', hold: String(id) });

/** Converts a hold to the format of its GraphQL type. The sequence number isn't exposed and can be missing. */
export const shownHold = ({
  hold,
  subject,
  throttle = null,
}: Extract<Recorded, { readonly hold: HoldRow }>): HoldShape => ({
  ...hold,
  ...subject,
  throttle,
  seq: hold.seq ?? 0n,
  properties: hold.properties.map((property) => ({ ...property })),
});

const prepareHold = (request: UsageRequest): PreparedUsage<HoldShape> => ({
  requests: [request],
  resultOf: ({ results, hasChanges }) => {
    const result = only(results);
    if ('rejection' in result) throw rejected(result.rejection, hasChanges);
    if (!('hold' in result)) throw new Error('The step records an event.');
    return shownHold(result);
  },
});

export const prepareOpen = (input: HoldInput): PreparedUsage<HoldShape> => prepareHold(holdRequest(input));

export const prepareExtend = (input: ExtendInput): PreparedUsage<HoldShape> =>
  prepareHold(extendRequest(input));

export const prepareRelease = (input: ReleaseInput): PreparedUsage<HoldShape> =>
  prepareHold(releaseRequest(input));

export const prepareSettle = (input: SettleInput): PreparedUsage<UsageEventShape> => ({
  requests: [settleRequest(input)],
  resultOf: ({ results, hasChanges }) => {
    const result = only(results);
    if ('rejection' in result) throw rejected(result.rejection, hasChanges);
    return shownEvent(result, { featureCode: '', budget: null });
  },
});
