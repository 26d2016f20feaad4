import type { MeteredCall, MeteringOptions } from './metered-call.ts';

// Streams of vendors whose chunks are metered. The usage is recorded when a stream ends, fails, or is canceled.

type Streamed = AsyncIterable<unknown>;

export const isStream = (value: unknown): value is Streamed =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Reads the rest of a stream. */
async function drain<Chunk>(chunks: AsyncIterator<Chunk>, read: (chunk: Chunk) => unknown): Promise<void> {
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) read(next.value);
}

/** Yields the chunks of a stream unchanged, except those for which `read` returns false. */
async function* meteredChunks<Chunk>(
  source: AsyncIterable<Chunk>,
  call: MeteredCall,
  read: (chunk: Chunk) => boolean,
  onAbort: MeteringOptions['onAbort'],
): AsyncGenerator<Chunk, void> {
  const chunks = source[Symbol.asyncIterator]();
  let isComplete = false;
  try {
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
      if (read(next.value)) yield next.value;
    isComplete = true;
  } catch (error) {
    isComplete = true;
    throw error;
  } finally {
    if (isComplete) call.settle();
    else if (onAbort === 'drain') call.settleAfter(drain(chunks, read));
    else {
      call.settle();
      await chunks.return?.();
    }
  }
}

/**
 * Meters a stream of OpenAI or Anthropic, and returns the same stream. All ways of reading these streams, such as `tee` and
 * `toReadableStream`, use their function `iterator`. The chunks of other streams are metered if they are iterated.
 */
export function meterStream<Stream extends Streamed>(
  stream: Stream,
  call: MeteredCall,
  read: (chunk: unknown) => boolean,
  onAbort: MeteringOptions['onAbort'],
): Stream {
  const { iterator } = stream as { readonly iterator?: () => AsyncIterator<unknown> };
  const begin = (iterator ?? stream[Symbol.asyncIterator]).bind(stream);
  Object.defineProperty(stream, iterator === undefined ? Symbol.asyncIterator : 'iterator', {
    value: () => meteredChunks({ [Symbol.asyncIterator]: begin }, call, read, onAbort),
    configurable: true,
    writable: true,
  });
  return stream;
}

/** Returns a stream with the same class and chunks as another one. */
export function meteredReadable<Chunk>(
  stream: ReadableStream<Chunk>,
  call: MeteredCall,
  read: (chunk: Chunk) => unknown,
  onAbort: MeteringOptions['onAbort'],
): ReadableStream<Chunk> {
  const reader = stream.getReader();
  const rest = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) read(next.value);
  };
  const source: UnderlyingDefaultSource<Chunk> = {
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          call.settle();
          controller.close();
          return;
        }
        read(value);
        controller.enqueue(value);
      } catch (error) {
        call.settle();
        controller.error(error);
      }
    },
    async cancel(reason) {
      if (onAbort === 'drain') return call.settleAfter(rest());
      call.settle();
      await reader.cancel(reason);
    },
  };
  // Without a buffer, the received chunks are those that the caller has read.
  const metered = new ReadableStream(source, { highWaterMark: 0 });
  return Object.setPrototypeOf(metered, Object.getPrototypeOf(stream)) as ReadableStream<Chunk>;
}
