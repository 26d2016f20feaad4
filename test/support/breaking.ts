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
