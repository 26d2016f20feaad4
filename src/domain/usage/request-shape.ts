// Fields of usage requests that depend on each other (CON-5).
import type { Rejection } from '../errors/errors.ts';
import { invalid } from './invalid.ts';
import { noTokens, type ProvidedTokens } from './tokens.ts';

/** Fields of a usage request that depend on each other. */
type DependentFields = {
  readonly value: bigint | null;
  readonly quantity: string | null;
  readonly model: string | null;
  readonly tokens: ProvidedTokens;
  readonly inputIncludesCache: boolean | null;
};

/** Returns true if a request names an AI model or token counts. */
export const hasTokens = ({
  model,
  tokens,
  inputIncludesCache,
}: Pick<DependentFields, 'model' | 'tokens' | 'inputIncludesCache'>): boolean =>
  model !== null ||
  inputIncludesCache !== null ||
  (tokens !== noTokens && Object.values(tokens).some((count) => count !== null));

/**
 * Returns the rejection if the fields of a request contradict each other (CON-5). `null` if the fields are
 * consistent.
 */
export function shapeProblem(request: DependentFields): Rejection | null {
  const { value, quantity, model, tokens } = request;
  if (model === null) return hasTokens(request) ? invalid('model', 'Token counts require a model.') : null;
  if (value !== null) return invalid('value', 'Send either a value or a model, not both.');
  if (quantity !== null) return invalid('quantity', 'Send either a quantity or a model, not both.');
  if (tokens.input === null)
    return invalid('inputTokens', 'An event with a model requires inputTokens and outputTokens.');
  return tokens.output === null
    ? invalid('outputTokens', 'An event with a model requires inputTokens and outputTokens.')
    : null;
}
