import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { PreparedUsage } from '../../../engine/usage/operation.ts';
import type { Issue } from '../../../graphql/declare/rules.ts';
import { checkMembers } from '../../../graphql/input/check-input.ts';
import { finalAlone, isFinalAlone, requestOf, shownEvent, type TrackInput } from './track.ts';
import type { UsageBatchShape } from './types/usage.ts';

/** Validates a batch event against the `UsageTrackInput` rules. Returns the violations as one sentence, or `null` if the event is valid. */
function violation(schema: GraphQLSchema, input: TrackInput): string | null {
  const type = schema.getType('UsageTrackInput');
  if (!isInputObjectType(type)) throw new Error('The schema has no UsageTrackInput.');
  const issues: Issue[] = [];
  const provided = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  checkMembers(type, provided, '', 'coerced', issues);
  if (isFinalAlone(input)) issues.push(finalAlone);
  return issues.length === 0
    ? null
    : `${issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ')}.`;
}

/** Returns the details of a rejection if they contain a reason or limits. Otherwise `null`. */
export const shownDetails = (details: unknown): unknown =>
  typeof details === 'object' && details !== null && ('reason' in details || 'limits' in details)
    ? details
    : null;

/**
 * Prepares batched events for recording, in order and independently of each other. Invalid events are returned as rejected and have no
 * effect.
 */
export function prepareBatch(
  inputs: readonly TrackInput[],
  schema: GraphQLSchema,
): PreparedUsage<UsageBatchShape> {
  const violations = inputs.map((input) => violation(schema, input));
  return {
    requests: inputs.filter((_input, index) => violations[index] === null).map(requestOf),
    resultOf: ({ results }) => {
      const left = results.values();
      return {
        results: inputs.map((input, index) => {
          const error = violations[index] ?? null;
          if (error !== null) return { index, event: null, code: 'validation_error', error, details: null };
          const { value: result } = left.next();
          if (result === undefined) throw new Error('An event of a batch has no result.');
          if ('rejection' in result) {
            const { code, message, details } = result.rejection;
            return { index, event: null, code, error: message, details: shownDetails(details) };
          }
          return { index, event: shownEvent(result, input), code: null, error: null, details: null };
        }),
      };
    },
  };
}
