import type { Database, Query } from '../../src/platform/db/pool.ts';

/** Reports each statement sent to the driver, inside and outside transactions, and whether no other response was pending at the time. */
export function recordingDatabase(
  database: Database,
  tell: (text: string, isWaitedFor: boolean) => void,
): Database {
  let open = 0;
  const answered = () => void open--;
  const told =
    (run: Query): Query =>
    (text, ...rest) => {
      tell(text, open++ === 0);
      const answer = run<never>(text, ...rest);
      answer.then(answered, answered);
      return answer;
    };
  return {
    ...database,
    query: told((text, ...rest) => database.query(text, ...rest)),
    transaction: (work, limits) =>
      database.transaction(
        ({ prisma, query, last }) => work({ prisma, query: told(query), last: told(last) }),
        limits,
      ),
  };
}
