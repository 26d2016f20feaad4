/** Converts a generator to a response body. The generator advances only when the client reads, and ends when the client disconnects. */
export const streamOf = (
  chunks: Pick<AsyncGenerator<Uint8Array, void>, 'next' | 'return'>,
): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return();
      },
    },
    // Disables the stream's internal buffer.
    { highWaterMark: 0 },
  );
