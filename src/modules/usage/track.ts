import type { Context } from '../../context.ts';
import type { Recorded } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import { QuittanceError, type Refusal } from '../../domain/errors.ts';
import { KeptRefusalError } from '../../engine/execute.ts';
import { recordUsage, setUsage } from '../../engine/usage/record.ts';
import { writeTokenCost } from '../../engine/usage/token-cost.ts';
import type { Row } from '../../infra/rows.ts';

/** What a caller says was consumed. */
export type TrackInput = {
  readonly featureCode: string;
  readonly customerId: string | number;
  readonly eventId?: string | null | undefined;
  readonly timestamp?: Date | null | undefined;
  readonly properties?: readonly { readonly property: string; readonly value: string }[] | null | undefined;
  readonly value?: number | null | undefined;
  readonly model?: string | null | undefined;
  readonly inputTokens?: number | null | undefined;
  readonly outputTokens?: number | null | undefined;
  readonly cacheReadTokens?: number | null | undefined;
  readonly cacheWriteTokens?: number | null | undefined;
};

/** An event as its type shows it; the code of its feature comes along where it was just recorded. */
export type UsageEventShape = Omit<Row<'UsageEvent'>, 'environmentId'> & { readonly featureCode?: string };

const whole = (value: number | null | undefined): bigint | null => (value === null || value === undefined ? null : BigInt(value));

/** A caller's event as decisions take it. */
export const requestOf = (input: TrackInput): UsageRequest => ({
  customerId: String(input.customerId),
  featureCode: input.featureCode,
  eventId: input.eventId ?? null,
  timestamp: input.timestamp ?? null,
  properties: (input.properties ?? []).map(({ property, value }) => ({ property, value })),
  value: whole(input.value),
  model: input.model ?? null,
  tokens: {
    input: whole(input.inputTokens),
    output: whole(input.outputTokens),
    cacheRead: whole(input.cacheReadTokens),
    cacheWrite: whole(input.cacheWriteTokens),
  },
});

/** An event recorded for a feature named by its code; the sequence number, which nobody sees, may be missing. */
export const shownEvent = (recorded: Exclude<Recorded, { readonly refusal: Refusal }>, featureCode: string): UsageEventShape => {
  const { event } = recorded;
  return {
    ...event,
    featureCode,
    seq: event.seq ?? 0n,
    tokenCost: writeTokenCost(event.tokenCost),
    properties: event.properties.map((property) => ({ ...property })),
  };
};

/** The refusal as an error: one that was told about keeps what was written for it (protocols A3). */
export function refused({ code, message, param, details }: Refusal, hasChanges: boolean): QuittanceError {
  const extra = { param, details };
  return hasChanges ? new KeptRefusalError(code, message, extra) : new QuittanceError(code, message, extra);
}

function only<T>(results: readonly T[]): T {
  const [result] = results;
  if (result === undefined) throw new Error('A request has no result.');
  return result;
}

/** Records one usage event (CON-4 to CON-13). Throws the first reason against it. */
export async function trackUsage(context: Context, input: TrackInput): Promise<UsageEventShape> {
  const { results, hasChanges } = await recordUsage(context, [requestOf(input)]);
  const result = only(results);
  if ('refusal' in result) throw refused(result.refusal, hasChanges);
  return shownEvent(result, input.featureCode);
}

/** Sets the total of a metered feature in the open window (CON-14). Throws the first reason against it. */
export async function setUsageTotal(
  context: Context,
  input: {
    readonly customerId: string | number;
    readonly featureCode: string;
    readonly value: number;
    readonly reason?: string | null | undefined;
  },
) {
  const { result, hasChanges } = await setUsage(context, {
    customerId: String(input.customerId),
    featureCode: input.featureCode,
    value: BigInt(input.value),
    reason: input.reason ?? null,
  });
  if ('refusal' in result) throw refused(result.refusal, hasChanges);
  return result.adjustment;
}
