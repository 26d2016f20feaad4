type Asked<V> = { readonly promise: Promise<V>; readonly resolve: (value: V) => void; readonly reject: (error: unknown) => void };

/**
 * Makes a question that is asked of the database one at a time into one that is asked of it many at once: while a look is under way, further
 * questions gather for the next, up to `most` in one. A look always begins after its questions were asked, so that every answer is as fresh as
 * one asked for alone; the same question asked twice is looked up once. `look` answers in the order of its questions.
 */
export function gathered<K, V>(look: (questions: readonly K[]) => Promise<readonly V[]>, most = 500): (question: K) => Promise<V> {
  let waiting = new Map<K, Asked<V>>();
  let isLooking = false;

  async function lookUp(): Promise<void> {
    const asked = [...waiting].slice(0, most);
    if (asked.length === waiting.size) waiting = new Map();
    else for (const [question] of asked) waiting.delete(question);
    try {
      const answers = await look(asked.map(([question]) => question));
      if (answers.length !== asked.length) throw new Error(`${asked.length} questions were asked, ${answers.length} were answered.`);
      // As many answers as questions, as was just checked.
      for (const [index, [, { resolve }]] of asked.entries()) resolve(answers[index] as V);
    } catch (error) {
      for (const [, { reject }] of asked) reject(error);
    }
    if (waiting.size > 0) void lookUp();
    else isLooking = false;
  }

  return (question) => {
    const known = waiting.get(question);
    if (known !== undefined) return known.promise;
    const asked: Asked<V> = Promise.withResolvers<V>();
    waiting.set(question, asked);
    if (!isLooking) {
      isLooking = true;
      // What else is asked until then comes along.
      setImmediate(() => void lookUp());
    }
    return asked.promise;
  };
}
