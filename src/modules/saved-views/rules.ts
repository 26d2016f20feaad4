import { validationError } from '../../domain/errors.ts';

/** How many bytes of JSON a dashboard can keep in one place. */
const maxBytes = 16_384;

/** Throws `validation_error` for more JSON than can be kept. */
export function demandRoom(field: string, value: object): void {
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
    throw validationError([{ field, message: `must have at most ${maxBytes} bytes as JSON` }]);
}
