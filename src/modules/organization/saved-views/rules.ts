import { validationError } from '../../../domain/errors/errors.ts';

/** Maximum size in bytes of a JSON value that the dashboard stores. */
const maxBytes = 16_384;

/** Throws `validation_error` if a value exceeds the maximum size as JSON. */
export function requireRowQuota(field: string, value: object): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    throw validationError([{ field, message: `can't exceed ${maxBytes} bytes as JSON` }]);
}
