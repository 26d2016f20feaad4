import { expect, it } from 'vitest';
import {
  isSeries as isSeriesOnPage,
  kindsByIds,
  mostExported,
} from '../../src/dashboard/lists/export-kinds.ts';
import { mostIds } from '../../src/graphql/list-members.ts';
import { isSeries, kindNames, kindOf } from '../../src/modules/exports/find-kind.ts';

it('the dashboard offers no schedule of what the service exports as a series', () => {
  const onPage = kindNames.filter((name) => isSeriesOnPage(name as Parameters<typeof isSeriesOnPage>[0]));
  expect(onPage.toSorted()).toEqual(kindNames.filter((name) => isSeries(kindOf(name))).toSorted());
});

it('the dashboard exports selected rows of the kinds that are filtered by ids, as many as the filter takes', () => {
  const byIds = kindNames.filter((name) => {
    const kind = kindOf(name);
    return !isSeries(kind) && kind.list?.filter['ids'] !== undefined;
  });
  // Refunds and credit notes have no lists of their own in the dashboard.
  expect(kindsByIds.toSorted()).toEqual(
    byIds.filter((name) => name !== 'refunds' && name !== 'credit_notes').toSorted(),
  );
  expect(mostExported).toBe(mostIds);
});
