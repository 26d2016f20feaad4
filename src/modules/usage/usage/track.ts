import { QuittanceError, type Rejection, validationError } from '../../../domain/errors/errors.ts';
import type { Throttle } from '../../../domain/limits/throttle.ts';
import type { LevelKind } from '../../../domain/meters/level.ts';
import type { UsageRequest } from '../../../domain/usage/record.ts';
import type { Recorded } from '../../../domain/usage/record-event.ts';
import { noTokens, type TokenClass, tokenFields } from '../../../domain/usage/tokens.ts';
import { CommittedRejectionError } from '../../../engine/execute.ts';
import type { PreparedUsage } from '../../../engine/usage/operation.ts';
import { setUsage } from '../../../engine/usage/set.ts';
import { writeTokenCost } from '../../../engine/usage/token-cost.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';

/** Usage event as sent in a request. */
export type TrackInput = {
  readonly featureCode: string;
  readonly customerId: string | number;
  readonly eventId?: string | null | undefined;
  readonly timestamp?: Date | null | undefined;
  readonly properties?: readonly { readonly property: string; readonly value: string }[] | null | undefined;
  readonly value?: number | null | undefined;
  readonly quantity?: string | null | undefined;
  readonly kind?: LevelKind | null | undefined;
  readonly budget?: string | null | undefined;
  readonly hold?: string | null | undefined;
  readonly final?: boolean | null | undefined;
} & TokenInput;

/** AI model and token counts in a request. */
export type TokenInput = {
  readonly model?: string | null | undefined;
  readonly inputIncludesCache?: boolean | null | undefined;
} & { readonly [field in keyof typeof tokenFields]?: number | null | undefined };

/** Usage event in the format of its GraphQL type. An event that was just recorded includes the feature's code, the budget's key, and a delay. */
export type UsageEventShape = Omit<Row<'UsageEvent'>, 'environmentId'> & {
  readonly featureCode?: string;
  readonly budgetKey?: string | null;
  readonly throttle?: Throttle | null;
};

const whole = (value: number | null | undefined): bigint | null =>
  value === null || value === undefined ? null : BigInt(value);

/** Converts the AI model and the token counts in a request to the input of a usage decision. */
export function tokensIn(input: TokenInput): Pick<UsageRequest, 'model' | 'tokens' | 'inputIncludesCache'> {
  let tokens = noTokens;
  for (const [field, name] of fields) {
    const count = input[field] ?? null;
    if (count !== null) tokens = { ...tokens, [name]: BigInt(count) };
  }
  return { model: input.model ?? null, tokens, inputIncludesCache: input.inputIncludesCache ?? null };
}

// The entries contain the names of the fields.
const fields = Object.entries(tokenFields) as [keyof typeof tokenFields, TokenClass][];

export const finalAlone = { field: 'final', message: 'requires `hold`' } as const;

/** Returns true if a usage event has `final` without a hold. */
export const isFinalAlone = ({ hold, final }: Pick<TrackInput, 'hold' | 'final'>): boolean =>
  hold == null && final != null;

/** Returns the step of a usage event that settles a hold. Throws `validation_error` if the event has `final` without a hold. */
function stepOf({ hold, final }: TrackInput): Pick<UsageRequest, 'hold'> {
  if (isFinalAlone({ hold, final })) throw validationError([finalAlone]);
  return hold == null ? {} : { hold: { kind: 'settle', hold, isFinal: final ?? true, isEvent: true } };
}

/** Converts a usage event in a request to the input of a usage decision. */
export const requestOf = (input: TrackInput): UsageRequest => ({
  customerId: String(input.customerId),
  featureCode: input.featureCode,
  eventId: input.eventId ?? null,
  timestamp: input.timestamp ?? null,
  properties: (input.properties ?? []).map(({ property, value }) => ({ property, value })),
  value: whole(input.value),
  quantity: input.quantity ?? null,
  levelKind: input.kind ?? null,
  budget: input.budget ?? null,
  ...stepOf(input),
  ...tokensIn(input),
});

/** Converts a recorded event to the format of its GraphQL type. The sequence number isn't exposed and can be missing. */
export const shownEvent = (
  recorded: Exclude<Recorded, { readonly rejection: Rejection }>,
  { featureCode, budget = null }: Pick<TrackInput, 'featureCode' | 'budget'>,
): UsageEventShape => {
  if (!('event' in recorded)) throw new Error('A step of a hold records no event.');
  const { event, subject, throttle = null } = recorded;
  return {
    ...event,
    featureCode: subject?.featureCode ?? featureCode,
    budgetKey: subject === undefined ? budget : subject.budgetKey,
    throttle,
    seq: event.seq ?? 0n,
    tokenCost: writeTokenCost(event.tokenCost),
    properties: event.properties.map((property) => ({ ...property })),
  };
};

/** Converts a rejection to an error. If the rejection recorded an event, the error keeps the transaction's changes. */
export const rejected = (rejection: Rejection, hasChanges: boolean): QuittanceError =>
  hasChanges ? new CommittedRejectionError(rejection) : new QuittanceError(rejection);

export function only<T>(results: readonly T[]): T {
  const [result] = results;
  if (result === undefined) throw new Error('A request has no result.');
  return result;
}

/** Prepares a usage event for recording (CON-4 to CON-13). If several checks fail, the error of the first check is thrown. */
export const prepareTrack = (input: TrackInput): PreparedUsage<UsageEventShape> => ({
  requests: [requestOf(input)],
  resultOf: ({ results, hasChanges }) => {
    const result = only(results);
    if ('rejection' in result) throw rejected(result.rejection, hasChanges);
    return shownEvent(result, input);
  },
});

/** Sets the total of a metered feature in the current usage window (CON-14). If several checks fail, throws the error of the first check. */
export async function setUsageTotal(
  ctx: Context,
  input: {
    readonly customerId: string | number;
    readonly featureCode: string;
    readonly value: number;
    readonly reason?: string | null | undefined;
  },
) {
  const { result, hasChanges } = await setUsage(ctx, {
    customerId: String(input.customerId),
    featureCode: input.featureCode,
    value: BigInt(input.value),
    reason: input.reason ?? null,
  });
  if ('rejection' in result) throw rejected(result.rejection, hasChanges);
  return result.adjustment;
}
