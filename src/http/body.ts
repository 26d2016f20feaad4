import type { IncomingMessage } from 'node:http';
import { QuittanceError, validationError, validationRejection } from '../domain/errors.ts';

/** Whether a request of a method has a body that is read. */
export const hasBody = (method: string): boolean =>
  method !== 'GET' && method !== 'HEAD' && method !== 'TRACE';

/** A body is longer than it may be: 413 over GraphQL and 400 elsewhere, since the contract of REST has no 413. */
export class BodyTooLargeError extends QuittanceError {
  override name = 'BodyTooLargeError';

  constructor(limit: number) {
    super(validationRejection([{ field: '', message: `The body has more than ${limit} bytes` }]));
  }
}

/** The rejection of a body that ended early. Its sender has left, or was too slow, and mostly hears nothing of it. */
const incomplete = (): QuittanceError =>
  validationError([{ field: '', message: 'The body ended before it was complete' }]);

const nothing = new Uint8Array(0);

/** Collects the bytes of a body. Rejects with BodyTooLargeError as soon as there are more than `limit`, and with `validation_error` when they end early. */
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
      // What follows is thrown away when the answer is written.
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
