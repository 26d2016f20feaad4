import { type GraphQLSchema, isInputObjectType } from 'graphql';
import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { UsageRequest } from '../../../domain/usage/record.ts';
import type { PreparedUsage, UsageOutcome } from '../../../engine/usage/operation.ts';
import type { Issue } from '../../../graphql/declare/rules.ts';
import { checkMembers } from '../../../graphql/input/check-input.ts';
import { requestOf, shownEvent, type TrackInput, type UsageEventShape } from '../usage/track.ts';
import { shownDetails } from '../usage/track-batch.ts';
import {
  type HoldInput,
  type HoldShape,
  holdRequest,
  type ReleaseInput,
  releaseRequest,
  type SettleInput,
  settleRequest,
  shownHold,
} from './track-steps.ts';

type Named<T> = Omit<T, 'id'> & { readonly hold: string | number };

/** Item of a batch. Exactly one field is set. */
export type BatchItem = {
  readonly event?: TrackInput | null | undefined;
  readonly hold?: HoldInput | null | undefined;
  readonly settle?: Named<SettleInput> | null | undefined;
  readonly release?: Named<ReleaseInput> | null | undefined;
};

/** Result of an item, with the error if the item was rejected. */
export type ItemResult = {
  readonly index: number;
  readonly event: UsageEventShape | null;
  readonly hold: HoldShape | null;
  readonly code: string | null;
  readonly error: string | null;
  readonly details: unknown;
};

const withId = <T extends object>({ hold, ...fields }: Named<T>) => ({ ...fields, id: hold });

/** Validates the fields of an item against the rules of an input type. Returns the violations as one sentence, or `null`. */
function violation(schema: GraphQLSchema, name: string, input: object): string | null {
  const type = schema.getType(name);
  if (!isInputObjectType(type)) throw new Error(`The schema has no ${name}.`);
  const issues: Issue[] = [];
  const provided = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  checkMembers(type, provided, '', 'coerced', issues);
  return issues.length === 0
    ? null
    : `${issues.map(({ field, message }) => `${field === 'id' ? 'hold' : field}: ${message}`).join('; ')}.`;
}

/** Returns the request of an item, or the reason why the item is invalid. */
function requestFor(schema: GraphQLSchema, item: BatchItem): UsageRequest | string {
  const { event, hold, settle, release } = item;
  if ([event, hold, settle, release].filter((one) => one != null).length !== 1)
    return 'Set exactly one of `event`, `hold`, `settle`, and `release`.';
  const checkedBy = <T extends object>(
    name: string,
    input: T,
    request: (input: T) => UsageRequest,
  ): UsageRequest | string => violation(schema, name, input) ?? request(input);
  try {
    if (event != null) return checkedBy('UsageTrackInput', event, requestOf);
    if (hold != null) return checkedBy('UsageHoldInput', hold, holdRequest);
    // Both inputs have the same fields, except for the name of the hold.
    if (settle != null) return checkedBy('UsageSettleInput', withId(settle) as SettleInput, settleRequest);
    return checkedBy('UsageReleaseInput', withId(release ?? { hold: '' }) as ReleaseInput, releaseRequest);
  } catch (error) {
    if (error instanceof QuittanceError) return error.message;
    throw error;
  }
}

const rejectedWith = (index: number, code: string, error: string, details: unknown): ItemResult => ({
  index,
  event: null,
  hold: null,
  code,
  error,
  details,
});

/** Returns the result of an item in API format. */
function shown(index: number, item: BatchItem, result: UsageOutcome['results'][number]): ItemResult {
  if ('rejection' in result) {
    const { code, message, details } = result.rejection;
    return rejectedWith(index, code, message, shownDetails(details));
  }
  const done = { index, event: null, hold: null, code: null, error: null, details: null };
  if ('hold' in result) return { ...done, hold: shownHold(result) };
  return { ...done, event: shownEvent(result, item.event ?? { featureCode: '', budget: null }) };
}

/**
 * Prepares the items of a batch, in order and independently of each other. Invalid items are returned as rejected and have no effect.
 */
export function prepareItems(
  items: readonly BatchItem[],
  schema: GraphQLSchema,
): PreparedUsage<{ readonly results: readonly ItemResult[] }> {
  const requests = items.map((item) => requestFor(schema, item));
  return {
    requests: requests.filter((request) => typeof request !== 'string'),
    resultOf: ({ results }) => {
      const left = results.values();
      return {
        results: items.map((item, index) => {
          const request = requests[index];
          if (typeof request === 'string') return rejectedWith(index, 'validation_error', request, null);
          const { value: result } = left.next();
          if (result === undefined) throw new Error('An item of a batch has no result.');
          return shown(index, item, result);
        }),
      };
    },
  };
}
