import type { Query } from '../../src/platform/db/pool.ts';
import type { App } from '../../src/request/context.ts';

/** Returns an application whose transactions fail at statement `number` or before they commit, as though the process had ended. */
export function breakingAt(app: App, number: number): App {
  const transaction: App['database']['transaction'] = (work, limits) =>
    app.database.transaction(async (open) => {
      let statements = 0;
      const query: Query = (text, ...rest) => {
        if (++statements === number) throw new Error('killed');
        return open.query(text, ...rest);
      };
      const result = await work({ ...open, query });
      if (statements < number) throw new Error('killed before the commit');
      return result;
    }, limits);
  return { ...app, database: { ...app.database, transaction } };
}

/** Application of a process that can be killed. `kill` returns true if the process was killed. */
export type Mortal = { readonly app: App; readonly isDead: () => boolean };

/**
 * Returns an application whose process is killed instead of executing statement `number`, or after the commit that follows statement
 * `number - 1`. Later statements fail too.
 */
export function killedAt(app: App, number: number): Mortal {
  let steps = 0;
  const step = (): void => {
    if (++steps >= number) throw new Error('killed');
  };
  const living =
    (send: Query): Query =>
    async (text, ...rest) => {
      step();
      return send(text, ...rest);
    };
  const { database } = app;
  const transaction: App['database']['transaction'] = async (work, limits) => {
    const result = await database.transaction(
      (open) => work({ ...open, query: living(open.query), last: living(open.last) }),
      limits,
    );
    step();
    return result;
  };
  return {
    app: { ...app, database: { ...database, query: living(database.query), transaction } },
    isDead: () => steps >= number,
  };
}
