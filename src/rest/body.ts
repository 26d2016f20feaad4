import { type QuittanceError, specificError, validationError } from '../domain/errors.ts';
import { isDeeper, maxJsonDepth } from '../graphql/scalars.ts';

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
 * The body of a request as a JSON object; undefined for an empty one, whatever its content type.
 * Throws `invalid_json` for what is not JSON, `validation_error` for more than 64 levels or another kind of value.
 */
export function bodyOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (bytes.byteLength === 0) return undefined;
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw rejected('The body must be a JSON object');
  if (isDeeper(value, maxJsonDepth)) throw rejected(`The body nests more than ${maxJsonDepth} levels deep`);
  return value as Record<string, unknown>;
}
