import { expect, it } from 'vitest';
import { mostIds } from '../../src/graphql/reading/list-members.ts';
import { isSeries, kindNames, kindOf } from '../../src/modules/exports/exports/find-kind.ts';

// The import path is computed because the module imports documents and JSX, which the test configuration
// doesn't compile.
const file = 'export-kinds';
const {
  isSeries: isSeriesOnPage,
  kindsByIds,
  maxExported,
} = (await import(`../../src/dashboard/lists/${file}.ts`)) as {
  readonly isSeries: (kind: string) => boolean;
  readonly kindsByIds: readonly string[];
  readonly maxExported: number;
};

it("the dashboard doesn't offer schedules for exports of a time series", () => {
  const onPage = kindNames.filter((name) => isSeriesOnPage(name));
  expect(onPage.toSorted()).toEqual(kindNames.filter((name) => isSeries(kindOf(name))).toSorted());
});

it("the dashboard can export selected rows for all exports that can be filtered by ID, up to the filter's maximum", () => {
  const byIds = kindNames.filter((name) => {
    const kind = kindOf(name);
    return !isSeries(kind) && kind.list?.filter['ids'] !== undefined;
  });
  expect(kindsByIds.toSorted()).toEqual(byIds.toSorted());
  expect(maxExported).toBe(mostIds);
});
