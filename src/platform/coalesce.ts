type Requested<V> = {
  readonly promise: Promise<V>;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Makes a question that is asked of the database one at a time into one that is asked of it many at once: while a look is under way, further
 * questions gather for the next, up to `most` in one. A look always begins after its questions were asked, so that every answer is as fresh as
 * one asked for alone; the same question asked twice is looked up once. `look` answers in the order of its questions.
 */
export function coalesced<K, V>(
  look: (questions: readonly K[]) => Promise<readonly V[]>,
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
      // As many answers as questions, as was just checked.
      for (const [index, [, { resolve }]] of requested.entries()) resolve(answers[index] as V);
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
      // What else is asked until then comes along.
      setImmediate(() => void lookUp());
    }
    return requested.promise;
  };
}
