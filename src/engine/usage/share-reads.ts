import { coalesced } from '../../platform/coalesce.ts';
import type { App, Context } from '../../request/context.ts';

type Asked = { readonly context: Context };

/**
 * Returns a function whose concurrent calls in an environment share one read. The read starts after all of them have arrived, so each
 * call sees all data committed before it.
 */
export function sharedRead<Question extends Asked, Answer>(
  read: (ctx: Context, questions: readonly Question[]) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  type Ask = (question: Question) => Promise<Answer>;
  /** Pending reads of this process, by environment. */
  const pending = new WeakMap<App, Map<string, Ask>>();
  const made = (): Ask =>
    coalesced<Question, Answer>(async (questions) => {
      // Use the context of the latest call, because a test clock can advance between two calls.
      const latest = questions.at(-1);
      if (latest === undefined) throw new Error('A read has no questions.');
      const answer = await read(latest.context, questions);
      return questions.map(() => answer);
    });
  return (question) => {
    const { app, environment } = question.context;
    const ofApp = pending.getOrInsertComputed(app, () => new Map<string, Ask>());
    return ofApp.getOrInsertComputed(environment.id, made)(question);
  };
}
