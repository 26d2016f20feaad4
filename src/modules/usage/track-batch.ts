import { type GraphQLSchema, isInputObjectType } from 'graphql';
import type { Context } from '../../context.ts';
import { recordUsage } from '../../engine/usage/record.ts';
import { checkMembers, type Issue } from '../../graphql/rules.ts';
import { requestOf, shownEvent, type TrackInput } from './track.ts';
import type { UsageBatchShape } from './types.ts';

/** What is wrong with an event by the rules of a single one, as one sentence; null when nothing is. */
function offence(schema: GraphQLSchema, input: TrackInput): string | null {
  const type = schema.getType('UsageTrackInput');
  if (!isInputObjectType(type)) throw new Error('The schema has no UsageTrackInput.');
  const issues: Issue[] = [];
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  checkMembers(type, given, '', 'coerced', issues);
  return issues.length === 0 ? null : `${issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ')}.`;
}

/**
 * Records the events of a batch in their order, each whole or not at all; those that break a rule are answered as refused and move nothing
 * (protocols C10). One transaction and a handful of statements whatever the size.
 */
export async function trackUsageBatch(context: Context, inputs: readonly TrackInput[], schema: GraphQLSchema): Promise<UsageBatchShape> {
  const offences = inputs.map((input) => offence(schema, input));
  const { results } = await recordUsage(context, inputs.filter((_input, index) => offences[index] === null).map(requestOf));
  const left = results.values();
  return {
    results: inputs.map(({ featureCode }, index) => {
      const error = offences[index] ?? null;
      if (error !== null) return { index, event: null, code: 'validation_error', error };
      const { value: result } = left.next();
      if (result === undefined) throw new Error('An event of a batch has no result.');
      if ('refusal' in result) return { index, event: null, code: result.refusal.code, error: result.refusal.message };
      return { index, event: shownEvent(result, featureCode), code: null, error: null };
    }),
  };
}
