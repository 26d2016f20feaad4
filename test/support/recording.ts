import type { Database, Query } from '../../src/platform/db/pool.ts';

/** A database that tells each statement it sends to the driver, inside its transactions and outside, and whether no answer was due when it was sent. */
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
