import { QuittanceError } from '../domain/errors.ts';

const maxDepth = 64;

const refused = (message: string): QuittanceError =>
  new QuittanceError('validation_error', `${message}.`, { details: [{ field: '', message }] });

/** The refusal of a body with more than `limit` bytes. */
export const tooLarge = (limit: number): QuittanceError => refused(`The body has more than ${limit} bytes`);

/** True when arrays and objects lie in each other more than `levels` deep. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    throw new QuittanceError('invalid_json', 'The body is not JSON in UTF-8.');
  }
}

/**
 * The body of a request as a JSON object; undefined for an empty one, whatever its content type (protocols C8).
 * Throws `invalid_json` for what is not JSON, `validation_error` for more than 64 levels or another kind of value.
 */
export function bodyOf(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  if (bytes.byteLength === 0) return undefined;
  const value = parse(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refused('The body must be a JSON object');
  if (isDeeper(value, maxDepth)) throw refused(`The body nests more than ${maxDepth} levels deep`);
  return value as Record<string, unknown>;
}
