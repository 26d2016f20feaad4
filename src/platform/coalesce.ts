type Requested<V> = {
  readonly promise: Promise<V>;
  readonly resolve: (value: V | Promise<V>) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Batches concurrent lookups. Keys that arrive while a batch runs are looked up in the next batch, which has at most `most` keys. A lookup never
 * starts before its key was requested, so results are as fresh as without batching. `look` must return results in the same order as the keys. A
 * result can be a promise, which is settled on its own and which the next batch doesn't wait for.
 */
export function coalesced<K, V>(
  look: (questions: readonly K[]) => Promise<readonly (V | Promise<V>)[]>,
  most = 500,
): (question: K) => Promise<V> {
  let waiting = new Map<K, Requested<V>>();
  let isLooking = false;

  async function lookUp(): Promise<void> {
    const requested = [...waiting].slice(0, most);
    if (requested.length === waiting.size) waiting = new Map();
    else for (const [question] of requested) waiting.delete(question);
    try {
      const answers = await look(requested.map(([question]) => question));
      if (answers.length !== requested.length)
        throw new Error(`${requested.length} questions were asked, ${answers.length} were answered.`);
      // The cast is safe because `look` returns exactly one result per key.
      for (const [index, [, { resolve }]] of requested.entries()) resolve(answers[index] as V | Promise<V>);
    } catch (error) {
      for (const [, { reject }] of requested) reject(error);
    }
    if (waiting.size > 0) void lookUp();
    else isLooking = false;
  }

  return (question) => {
    const known = waiting.get(question);
    if (known !== undefined) return known.promise;
    const requested: Requested<V> = Promise.withResolvers<V>();
    waiting.set(question, requested);
    if (!isLooking) {
      isLooking = true;
      // Waits, so that keys requested in the same turn of the event loop join the batch.
      setImmediate(() => void lookUp());
    }
    return requested.promise;
  };
}
