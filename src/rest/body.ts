import { type QuittanceError, specificError, validationError } from '../domain/errors/errors.ts';
import { isDeeper, maxJsonDepth } from '../graphql/declare/scalars.ts';

const rejected = (message: string): QuittanceError => validationError([{ field: '', message }]);

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw specificError('invalid_json', 'not_utf8');
  }
}

/**
 * Parses a request body as a JSON object. Undefined if the body is empty, even without a JSON content type. Throws `invalid_json` if the JSON is
 * invalid. Throws `validation_error` if the body isn't an object or is nested more than 64 levels deep.
 */
export function bodyOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (bytes.byteLength === 0) return undefined;
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rejected('The body must be a JSON object');
  if (isDeeper(value, maxJsonDepth))
    throw rejected(`The request body can't be nested more than ${maxJsonDepth} levels deep`);
  return value as Record<string, unknown>;
}
