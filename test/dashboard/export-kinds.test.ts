import { expect, it } from 'vitest';
import { isSeries as isSeriesOnPage } from '../../src/dashboard/lists/export-kinds.ts';
import { isSeries, kindNames, kindOf } from '../../src/modules/exports/find-kind.ts';

it('the dashboard offers no schedule of what the service exports as a series', () => {
  const onPage = kindNames.filter((name) => isSeriesOnPage(name as Parameters<typeof isSeriesOnPage>[0]));
  expect(onPage.toSorted()).toEqual(kindNames.filter((name) => isSeries(kindOf(name))).toSorted());
});
