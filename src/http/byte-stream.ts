/** Bytes of a generator as the body of an answer: the next ones are made once those before were taken. Who leaves ends the generator. */
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
    // Nothing is made ahead of its reader.
    { highWaterMark: 0 },
  );
