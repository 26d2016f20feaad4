import { expect, it } from 'vitest';
import { mostIds } from '../../src/graphql/list-members.ts';
import { isSeries, kindNames, kindOf } from '../../src/modules/exports/find-kind.ts';

// The module imports types of documents and of modules with JSX, which tests of the service are not compiled with.
const file = 'export-kinds';
const {
  isSeries: isSeriesOnPage,
  kindsByIds,
  mostExported,
} = (await import(`../../src/dashboard/lists/${file}.ts`)) as {
  readonly isSeries: (kind: string) => boolean;
  readonly kindsByIds: readonly string[];
  readonly mostExported: number;
};

it('the dashboard offers no schedule of what the service exports as a series', () => {
  const onPage = kindNames.filter((name) => isSeriesOnPage(name));
  expect(onPage.toSorted()).toEqual(kindNames.filter((name) => isSeries(kindOf(name))).toSorted());
});

it('the dashboard exports selected rows of the kinds that are filtered by ids, as many as the filter takes', () => {
  const byIds = kindNames.filter((name) => {
    const kind = kindOf(name);
    return !isSeries(kind) && kind.list?.filter['ids'] !== undefined;
  });
  // Credit notes have no list of their own in the dashboard.
  expect(kindsByIds.toSorted()).toEqual(byIds.filter((name) => name !== 'credit_notes').toSorted());
  expect(mostExported).toBe(mostIds);
});
