import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files with the longest run times. If they started last, one worker would still be running while the others were idle. */
const longest = [
  'test/access.test.ts',
  'test/contract-errors.test.ts',
  'test/properties/',
  'test/browser/',
  'test/process/',
  'test/modules/exports/exports/',
  'test/modules/exports/schedules/',
  'test/examples/demo.test.ts',
  'test/platform/prepared.test.ts',
  'test/platform/database-timeouts.test.ts',
  'test/rest/every-route.test.ts',
  'test/access-kinds.test.ts',
  'test/rest/graphql-reference.test.ts',
  'test/graphql/filtered-lists.test.ts',
  'test/modules/invoices/invoices/send.test.ts',
  'test/worker/plans.test.ts',
  'test/lists.test.ts',
  'test/page-reach.test.ts',
];

const rankOf = ({ moduleId }: TestSpecification): number => {
  const file = path.relative(path.resolve(import.meta.dirname, '../..'), moduleId);
  const rank = longest.findIndex((beginning) => file.startsWith(beginning));
  return rank === -1 ? longest.length : rank;
};

/** Runs the longest test files first, followed by the others in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
