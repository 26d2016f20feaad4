import type { IncomingMessage } from 'node:http';
import { QuittanceError, validationError, validationRejection } from '../domain/errors/errors.ts';

/** True if requests with this method can have a body. */
export const hasBody = (method: string): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';

/** Error for a body that exceeds the size limit. Status 413 over GraphQL and 400 over REST, because the REST contract doesn't contain 413. */
export class BodyTooLargeError extends QuittanceError {
  override name = 'BodyTooLargeError';

  constructor(limit: number) {
    super(validationRejection([{ field: '', message: `The request body exceeds ${limit} bytes` }]));
  }
}

/** Returns the error for an incomplete body. In most cases the client has disconnected and doesn't receive the error. */
const incomplete = (): QuittanceError =>
  validationError([
    {
      field: '',
      message: 'The connection ended before the request body was complete. Send the request again',
    },
  ]);

const nothing = new Uint8Array(0);

/**
 * Reads a request body. Rejects with BodyTooLargeError as soon as the body exceeds the limit, and with `validation_error` if the body is incomplete.
 */
export function readBody(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  const { method = 'GET', headers } = incoming;
  const length = headers['content-length'];
  const isChunked = headers['transfer-encoding'] !== undefined;
  if (!hasBody(method) || (!isChunked && (length === undefined || length === '0')))
    return Promise.resolve(nothing);
  if (Number(length ?? 0) > limit) return Promise.reject(new BodyTooLargeError(limit));
  if (incoming.destroyed && !incoming.complete) return Promise.reject(incomplete());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      // Stops reading here. The rest of the body is discarded after the response is written.
      incoming.off('data', collect).pause();
      reject(new BodyTooLargeError(limit));
    };
    incoming.on('data', collect);
    incoming.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? nothing) : Buffer.concat(chunks)));
    incoming.on('error', () => reject(incomplete()));
    incoming.on('close', () => {
      if (!incoming.complete) reject(incomplete());
    });
  });
}
