import type OpenAI from 'openai';

/** Returns an iterator that doesn't close its source. */
const unclosed = <Item>(source: AsyncIterable<Item>): AsyncIterator<Item> => {
  const iterator = source[Symbol.asyncIterator]();
  return { next: () => iterator.next() };
};

/** Reads a response or a stream to its end. */
export async function read(response: unknown): Promise<void> {
  if (typeof response === 'object' && response !== null && Symbol.asyncIterator in response)
    for await (const _chunk of response as AsyncIterable<unknown>);
}

/** Reads the chunks of a stream until a text arrives. */
export async function readUntil(
  stream: AsyncIterable<OpenAI.ChatCompletionChunk>,
  wanted: string,
): Promise<void> {
  for await (const { choices } of { [Symbol.asyncIterator]: () => unclosed(stream) })
    if (choices[0]?.delta.content === wanted) return;
}
